package io.github.reconciler4j.generator.operator;

import io.github.reconciler4j.generator.rbac.Right;
import java.util.List;

/**
 * A right that the operator needs, where, and when. Immutable.
 *
 * @param right the right
 * @param area where it is needed
 * @param namespace the namespace, if it is a fixed one
 * @param account the service account that needs it: {@code ""} for that of the operator, a name in the namespace that the operator
 *     runs in, or {@code namespace/name}
 * @param switches the switches that all must be on for it to be needed
 * @since 0.1.0
 */
public record Grant(Right right, Area area, String namespace, String account, List<Switch> switches) {

    /**
     * Where a right is needed.
     *
     * @since 0.1.0
     */
    public enum Area {
        /** In the namespaces that the operator watches. */
        WATCHED,
        /** For kinds without a namespace. */
        CLUSTER,
        /** In the namespace that the operator runs in, for leader election. */
        OWN,
        /** In the namespace that the operator runs in, for its components. */
        COMPONENTS,
        /** In the namespace that the operator runs in, for sharding. */
        SHARDING,
        /** In the namespace that the operator runs in, for the certificates of its webhooks. */
        WEBHOOK,
        /** In one namespace, regardless of the watched ones. */
        FIXED
    }

    /** Copies the switches. */
    public Grant {
        switches = List.copyOf(switches);
    }
}
