package io.github.reconciler4j.test.server.internal.apimachinery.apply;

import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import java.util.Comparator;

/**
 * An owner of fields. An applier is the same in all versions; an updater differs by version. Ordered
 * as in conflict messages. Immutable.
 */
record ManagerId(String manager, boolean applies, String apiVersion, String subresource)
        implements Comparable<ManagerId> {

    private static final Comparator<ManagerId> ORDER = Comparator.comparing(ManagerId::manager)
            .thenComparing(ManagerId::operation)
            .thenComparing(ManagerId::apiVersion)
            .thenComparing(ManagerId::subresource);

    static ManagerId applier(String manager, String subresource) {
        return new ManagerId(named(manager), true, "", subresource);
    }

    static ManagerId updater(String manager, String apiVersion, String subresource) {
        return new ManagerId(named(manager), false, apiVersion, subresource);
    }

    private static String named(String manager) {
        return manager.isEmpty() ? "unknown" : manager;
    }

    String operation() {
        return applies ? "Apply" : "Update";
    }

    @Override
    public int compareTo(ManagerId other) {
        return ORDER.compare(this, other);
    }

    /** Return the manager as conflict messages name it: {@code "kubectl" using apps/v1}. */
    @Override
    public String toString() {
        String text = FieldError.quoted(manager);
        if (!subresource.isEmpty()) {
            text += " with subresource " + FieldError.quoted(subresource);
        }
        return applies ? text : text + " using " + apiVersion;
    }
}
