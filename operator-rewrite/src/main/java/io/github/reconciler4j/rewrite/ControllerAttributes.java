package io.github.reconciler4j.rewrite;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.openrewrite.Cursor;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;

/** The attributes of a controller: those that have a counterpart, and those that people decide about. */
final class ControllerAttributes {

    private static final Map<String, String> UNITS =
            Map.of("MILLISECONDS", "ms", "SECONDS", "s", "MINUTES", "m", "HOURS", "h", "DAYS", "d");

    private final Map<String, String> attributes = new LinkedHashMap<>();
    private final Set<String> imports = new TreeSet<>(Set.of("io.github.reconciler4j.spring.Reconciler"));
    private final List<String> open = new ArrayList<>();
    private final Cursor cursor;

    ControllerAttributes(J.@Nullable Annotation annotation, Set<String> owned, Cursor cursor) {
        this.cursor = cursor;
        if (annotation != null && annotation.getArguments() != null) {
            annotation.getArguments().forEach(this::add);
        }
        if (owned.size() == 1) {
            attributes.put("owns", owned.iterator().next() + ".class");
        } else if (!owned.isEmpty()) {
            attributes.put(
                    "owns", owned.stream().map(one -> one + ".class").collect(Collectors.joining(", ", "{", "}")));
        }
    }

    /** Asks for the kinds that event sources map, which the object does not own. */
    void refer(Set<String> mapped) {
        for (String kind : mapped) {
            open.add("replace listOwned(..., " + kind + ".class) by client.get or client.list, and declare how a "
                    + kind + " leads to objects, with @References or @Watches, see docs/controllers.md");
        }
    }

    /** Adds what the reconciler writes of its own kind, and asks for the rest. */
    void permit(Optional<String> permission, String body) {
        permission.ifPresent(text -> {
            attributes.put("permissions", text);
            imports.add("io.github.reconciler4j.spring.Permission");
        });
        if (body.contains("kubernetesClient") || body.contains("prepareEventSources")) {
            open.add("declare what this class writes besides as @Permission, see docs/permissions.md");
        }
    }

    private void add(Expression argument) {
        if (!(argument instanceof J.Assignment assignment)) {
            return;
        }
        String name = assignment.getVariable().printTrimmed(cursor);
        Expression value = assignment.getAssignment();
        String text = value.printTrimmed(cursor);
        switch (name) {
            case "name", "fieldManager" -> attributes.put(name, text);
            case "finalizerName" -> attributes.put("finalizer", text);
            case "generationAwareEventProcessing" -> {
                if (text.equals("false")) {
                    attributes.put("reconcileOn", "ReconcileOn.ANY_CHANGE");
                    imports.add("io.github.reconciler4j.predicate.ReconcileOn");
                }
            }
            case "informer" -> nested(value).forEach(this::addInformer);
            case "maxReconciliationInterval" -> addInterval(value, text);
            default -> left(name, text);
        }
    }

    private void addInformer(String name, String text) {
        boolean constant = text.contains("WATCH_CURRENT_NAMESPACE") || text.contains("WATCH_ALL_NAMESPACES");
        if (name.equals("labelSelector") || name.equals("namespaces") && !constant) {
            attributes.put(name, text);
        } else if (!text.contains("WATCH_ALL_NAMESPACES")) {
            left(name, text);
        }
    }

    private void addInterval(Expression value, String text) {
        Map<String, String> parts = nested(value);
        String unit = parts.getOrDefault("timeUnit", "HOURS");
        String suffix = UNITS.get(unit.substring(unit.lastIndexOf('.') + 1));
        String interval = parts.getOrDefault("interval", "");
        if (suffix != null && interval.matches("\\d+")) {
            attributes.put("resync", "\"" + interval + suffix + "\"");
        } else {
            left("maxReconciliationInterval", text);
        }
    }

    private Map<String, String> nested(Expression value) {
        Map<String, String> parts = new LinkedHashMap<>();
        if (value instanceof J.Annotation annotation && annotation.getArguments() != null) {
            for (Expression argument : annotation.getArguments()) {
                if (argument instanceof J.Assignment one) {
                    parts.put(
                            one.getVariable().printTrimmed(cursor),
                            one.getAssignment().printTrimmed(cursor));
                }
            }
        }
        return parts;
    }

    private void left(String name, String text) {
        open.add("set this with @Reconciler or a property, see docs/controllers.md: " + name + " = " + text);
    }

    /** Returns our annotation. */
    String text() {
        return "@Reconciler"
                + (attributes.isEmpty()
                        ? ""
                        : attributes.entrySet().stream()
                                .map(one -> one.getKey() + " = " + one.getValue())
                                .collect(Collectors.joining(", ", "(", ")")));
    }

    Set<String> imports() {
        return imports;
    }

    List<String> open() {
        return open;
    }
}
