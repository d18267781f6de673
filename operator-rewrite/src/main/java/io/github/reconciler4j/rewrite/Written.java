package io.github.reconciler4j.rewrite;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.openrewrite.java.tree.JavaType;
import org.openrewrite.java.tree.TypeUtils;

/** What a reconciler writes of its own kind, as an RBAC rule. */
final class Written {

    private static final String MODEL = "io.fabric8.kubernetes.model.annotation.";

    private Written() {}

    /** Returns the permission for the writes that the results of a reconciler stand for, if its kind has a group. */
    static Optional<String> of(@Nullable JavaType kind, String body) {
        boolean resource = false;
        boolean status = false;
        for (Helper helper : Helper.values()) {
            resource |= helper.isCalled(body) && helper.writesResource();
            status |= helper.isCalled(body) && helper.writesStatus();
        }
        JavaType.@Nullable FullyQualified type = TypeUtils.asFullyQualified(kind);
        Optional<String> group = type == null ? Optional.empty() : value(type, "Group");
        if (type == null || group.isEmpty() || !resource && !status) {
            return Optional.empty();
        }
        String plural =
                value(type, "Plural").orElseGet(() -> plural(value(type, "Kind").orElse(type.getClassName())));
        List<String> names = resource && status
                ? List.of(plural, plural + "/status")
                : List.of(resource ? plural : plural + "/status");
        String resources = names.size() == 1 ? '"' + names.get(0) + '"' : "{\"" + String.join("\", \"", names) + "\"}";
        return Optional.of("@Permission(" + (group.get().isEmpty() ? "" : "group = \"" + group.get() + "\", ")
                + "resources = " + resources + ", verbs = \"patch\")");
    }

    private static Optional<String> value(JavaType.FullyQualified type, String annotation) {
        return type.getAnnotations().stream()
                .filter(one -> one.getFullyQualifiedName().equals(MODEL + annotation))
                .filter(JavaType.Annotation.class::isInstance)
                .flatMap(one -> ((JavaType.Annotation) one).getValues().stream())
                .map(JavaType.Annotation.ElementValue::getValue)
                .filter(String.class::isInstance)
                .map(String.class::cast)
                .findFirst();
    }

    /** Returns the plural as fabric8 forms it for regular words. */
    static String plural(String kind) {
        String name = kind.toLowerCase(Locale.ROOT);
        if (name.matches(".*(s|x|z|ch|sh)")) {
            return name + "es";
        }
        return name.matches(".*[^aeiou]y") ? name.substring(0, name.length() - 1) + "ies" : name + "s";
    }
}
