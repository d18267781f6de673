package io.github.reconciler4j.test.simulation;

/**
 * Simulates controllers and nodes of a cluster. All simulators are off by default. They do the simplest
 * thing that could be called their name: nothing is scheduled, nothing runs, and all of it is there at once. Their writes
 * are not in the log of requests and meet no faults.
 *
 * @since 0.1.0
 */
public enum Simulator {
    /**
     * Pods are running and ready; those of Jobs have succeeded. Pods with an image below {@code missing.example/} wait for
     * their image for ever. They have no node, so that deleting them takes no grace period.
     */
    PODS,
    /** Deployments make ReplicaSets and these make pods; with {@link #PODS}. New pods replace old ones all at once. */
    DEPLOYMENTS,
    /** StatefulSets make pods, all at once; with {@link #PODS}. */
    STATEFUL_SETS,
    /** Jobs make pods, all at once, and are complete when enough have succeeded; with {@link #PODS}. */
    JOBS,
    /** Services with a selector have an EndpointSlice with the addresses of the ready pods. */
    ENDPOINTS
}
