package io.github.reconciler4j.generator.compatibility;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Compares definitions with those of an earlier release. It looks at three things: the definition as a whole, each version
 * beside its former self, and the served versions beside each other, since clients of one meet objects that were written
 * in another. Of the last only what is new counts.
 *
 * @since 0.1.0
 */
public final class CrdCompatibility {

    private final CompatibilityOptions options;

    /** Create a comparison with options. */
    public CrdCompatibility(CompatibilityOptions options) {
        this.options = options;
    }

    /** Compare two sets of definitions, as trees; return the findings by name, version and path. */
    public List<Finding> compare(List<Map<String, Object>> before, List<Map<String, Object>> after) {
        Map<String, Map<String, Object>> old = byName(before);
        Map<String, Map<String, Object>> current = byName(after);
        List<Finding> findings = new ArrayList<>();
        old.forEach((name, definition) -> {
            Map<String, Object> now = current.get(name);
            Report report = new Report(options, name, findings);
            if (now == null) {
                report.add(
                        CrdRule.DEFINITION_REMOVED, "", "the definition is gone, and with it every object of the kind");
            } else {
                compare(definition, now, report);
            }
        });
        return findings;
    }

    private static Map<String, Map<String, Object>> byName(List<Map<String, Object>> definitions) {
        Map<String, Map<String, Object>> result = new TreeMap<>();
        definitions.forEach(definition -> result.put(text(map(definition, "metadata"), "name"), definition));
        return result;
    }

    private void compare(Map<String, Object> before, Map<String, Object> after, Report report) {
        new WholeDefinition(before, after, report).compare();
        Map<String, Map<String, Object>> old = versions(before);
        versions(after).forEach((name, version) -> {
            Map<String, Object> former = old.get(name);
            if (former != null) {
                Report inVersion = report.in(name);
                compareVersion(former, version, inVersion);
                new SchemaComparison(inVersion).compare(schema(former), schema(version), "");
            }
        });
        if (!(options.trustConversion() && isConverted(after))) {
            compareServed(before, after, report);
        }
    }

    private void compareServed(Map<String, Object> before, Map<String, Object> after, Report report) {
        Set<Finding> known = new HashSet<>(betweenServed(before, report));
        betweenServed(after, report).stream()
                .filter(finding -> !known.contains(finding))
                .forEach(report.findings()::add);
    }

    private List<Finding> betweenServed(Map<String, Object> definition, Report report) {
        List<Finding> findings = new ArrayList<>();
        List<Map<String, Object>> served = versions(definition).values().stream()
                .filter(version -> Boolean.TRUE.equals(version.get("served")))
                .sorted(Comparator.comparing(version -> text(version, "name"), VersionPriority.ASCENDING))
                .toList();
        for (int i = 0; i < served.size(); i++) {
            for (int j = i + 1; j < served.size(); j++) {
                String pair = text(served.get(i), "name") + " -> " + text(served.get(j), "name");
                new SchemaComparison(new Report(options, report.definition(), findings).in(pair))
                        .compare(schema(served.get(i)), schema(served.get(j)), "");
            }
        }
        return findings;
    }

    private static boolean isConverted(Map<String, Object> definition) {
        return "Webhook".equals(map(map(definition, "spec"), "conversion").get("strategy"));
    }

    private static void compareVersion(Map<String, Object> before, Map<String, Object> after, Report report) {
        subresources(map(before, "subresources"), map(after, "subresources"), report);
        for (String path : paths(before, "selectableFields")) {
            if (!paths(after, "selectableFields").contains(path)) {
                report.add(CrdRule.SELECTABLE_FIELD_REMOVED, path, "objects can no longer be selected by this field");
            }
        }
        for (String path : paths(before, "additionalPrinterColumns")) {
            if (!paths(after, "additionalPrinterColumns").contains(path)) {
                report.add(CrdRule.PRINTER_COLUMN_REMOVED, path, "kubectl get no longer shows this field");
            }
        }
    }

    private static void subresources(Map<String, Object> before, Map<String, Object> after, Report report) {
        for (String name : new LinkedHashSet<>(List.of("status", "scale"))) {
            if (before.containsKey(name) && !after.containsKey(name)) {
                report.add(
                        CrdRule.SUBRESOURCE_CHANGED, "", "the subresource '" + name + "' is gone: requests to it fail");
            } else if (name.equals("status") && !before.containsKey(name) && after.containsKey(name)) {
                report.add(
                        CrdRule.SUBRESOURCE_CHANGED,
                        "",
                        "the subresource 'status' is new: a status that is written with the object is ignored");
            } else if (name.equals("scale")
                    && before.containsKey(name)
                    && !before.get(name).equals(after.get(name))) {
                report.add(CrdRule.SUBRESOURCE_CHANGED, "", "the subresource 'scale' reads or writes other fields");
            }
        }
    }

    private static Set<String> paths(Map<String, Object> version, String list) {
        return maps(version.get(list)).stream()
                .map(item -> text(item, "jsonPath"))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    static Map<String, Map<String, Object>> versions(Map<String, Object> definition) {
        Map<String, Map<String, Object>> result = new LinkedHashMap<>();
        maps(map(definition, "spec").get("versions")).forEach(version -> result.put(text(version, "name"), version));
        return result;
    }

    private static Map<String, Object> schema(Map<String, Object> version) {
        return map(map(version, "schema"), "openAPIV3Schema");
    }

    /** Return a map inside a map, or an empty map. */
    @SuppressWarnings("unchecked") // trees have strings as keys
    static Map<String, Object> map(Map<String, Object> parent, String key) {
        return parent.get(key) instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
    }

    @SuppressWarnings("unchecked") // as above
    static List<Map<String, Object>> maps(@Nullable Object list) {
        return list instanceof List<?> items
                ? items.stream()
                        .filter(Map.class::isInstance)
                        .map(item -> (Map<String, Object>) item)
                        .toList()
                : List.of();
    }

    static String text(Map<String, Object> parent, String key) {
        return Objects.toString(parent.get(key), "");
    }

    /** Collects findings about one place. */
    record Report(CompatibilityOptions options, String definition, List<Finding> findings, String version) {

        Report(CompatibilityOptions options, String definition, List<Finding> findings) {
            this(options, definition, findings, "");
        }

        Report in(String newVersion) {
            return new Report(options, definition, findings, newVersion);
        }

        void add(CrdRule rule, String path, String message) {
            Severity severity = options.severity(rule);
            if (severity != Severity.IGNORE) {
                String place = (definition + " " + version).strip() + (path.isEmpty() ? "" : " " + path);
                findings.add(new Finding(rule, severity, place, message));
            }
        }
    }

    /** What belongs to all versions. */
    private record WholeDefinition(Map<String, Object> before, Map<String, Object> after, Report report) {

        void compare() {
            Map<String, Object> old = map(before, "spec");
            Map<String, Object> now = map(after, "spec");
            if (!Objects.equals(old.get("scope"), now.get("scope"))) {
                report.add(
                        CrdRule.SCOPE_CHANGED,
                        "",
                        "the scope went from " + old.get("scope") + " to " + now.get("scope"));
            }
            names(old, now);
            served();
            stored();
            if (isConverted(before) && !isConverted(after) && versions(after).size() > 1) {
                report.add(CrdRule.CONVERSION_REMOVED, "", "no webhook converts between the versions any more");
            }
        }

        private void names(Map<String, Object> old, Map<String, Object> now) {
            Map<String, Object> oldNames = map(old, "names");
            Map<String, Object> newNames = map(now, "names");
            for (String key : List.of("kind", "plural")) {
                if (!Objects.equals(oldNames.get(key), newNames.get(key))) {
                    report.add(
                            CrdRule.NAMES_CHANGED,
                            "",
                            "the " + key + " went from " + oldNames.get(key) + " to " + newNames.get(key));
                }
            }
            for (String key : List.of("shortNames", "categories")) {
                List<?> kept = newNames.get(key) instanceof List<?> list ? list : List.of();
                if (oldNames.get(key) instanceof List<?> list) {
                    list.stream()
                            .filter(name -> !kept.contains(name))
                            .forEach(name -> report.add(
                                    CrdRule.SHORT_NAME_REMOVED, "", "'" + name + "' is gone from the " + key));
                }
            }
        }

        private void served() {
            Map<String, Map<String, Object>> now = versions(after);
            versions(before).forEach((name, version) -> {
                boolean wasServed = Boolean.TRUE.equals(version.get("served"));
                Map<String, Object> kept = now.get(name);
                if (wasServed && (kept == null || !Boolean.TRUE.equals(kept.get("served")))) {
                    report.in(name).add(CrdRule.VERSION_REMOVED, "", "the version is not served any more");
                }
            });
        }

        /** What the cluster says is stored, or else what the old definition stored. */
        private void stored() {
            Set<String> stored = new LinkedHashSet<>();
            if (map(before, "status").get("storedVersions") instanceof List<?> list) {
                list.forEach(version -> stored.add(String.valueOf(version)));
            } else {
                versions(before).forEach((name, version) -> {
                    if (Boolean.TRUE.equals(version.get("storage"))) {
                        stored.add(name);
                    }
                });
            }
            stored.removeAll(versions(after).keySet());
            stored.forEach(name -> report.in(name)
                    .add(
                            CrdRule.STORED_VERSION_REMOVED,
                            "",
                            "objects may be stored in this version: migrate them and keep it, unserved, until then"));
        }
    }
}
