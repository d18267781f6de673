package io.github.reconciler4j.test.server.apimachinery.apply;

import io.github.reconciler4j.test.server.apimachinery.FieldError;
import java.util.Comparator;

/**
 * Who owns fields. Appliers are the same whatever the version they apply; updaters are another one per version. Ordered
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

    /** Returns the manager as conflict messages name it: {@code "kubectl" using apps/v1}. */
    @Override
    public String toString() {
        String text = FieldError.quoted(manager);
        if (!subresource.isEmpty()) {
            text += " with subresource " + FieldError.quoted(subresource);
        }
        return applies ? text : text + " using " + apiVersion;
    }
}
