package io.github.reconciler4j.generator.rbac;

import io.github.reconciler4j.manager.permission.RequiredPermission;
import java.util.Comparator;
import java.util.List;

/**
 * One verb on one resource: the smallest part of a rule. Immutable.
 *
 * @param group the API group, {@code ""} for the core group
 * @param resource the resource, with a subresource after a slash
 * @param name the only object, {@code ""} for all
 * @param verb the verb
 * @since 0.1.0
 */
public record Right(String group, String resource, String name, String verb) implements Comparable<Right> {

    private static final Comparator<Right> ORDER = Comparator.comparing(Right::group)
            .thenComparing(Right::resource)
            .thenComparing(Right::name)
            .thenComparing(Right::verb);

    /** Return the rights that a permission consists of. */
    public static List<Right> of(RequiredPermission permission) {
        return permission.verbs().stream()
                .sorted()
                .map(verb -> new Right(permission.group(), permission.resource(), permission.name(), verb))
                .toList();
    }

    @Override
    public int compareTo(Right other) {
        return ORDER.compare(this, other);
    }

    /** Return the right as people write it, for instance {@code patch deployments.apps}. */
    @Override
    public String toString() {
        String[] parts = resource.split("/", 2);
        return verb + " " + parts[0] + (group.isEmpty() ? "" : "." + group) + (parts.length > 1 ? "/" + parts[1] : "")
                + (name.isEmpty() ? "" : " '" + name + "'");
    }
}
