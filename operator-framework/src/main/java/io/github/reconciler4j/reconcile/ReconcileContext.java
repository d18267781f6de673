package io.github.reconciler4j.reconcile;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What is known of one run of a reconciler. Immutable and safe for use by many threads.
 *
 * @since 0.1.0
 */
public interface ReconcileContext {

    /**
     * What is being worked on. In a controller with a request type of its own: the text of the request as the name; the
     * request itself is handed to the reconciler.
     */
    Request request();

    /** An id of this run alone; also in the log under {@code reconcileId}. */
    String reconcileId();

    /** Which try this is: 1, and one more for each failure or retry in a row before it. */
    int attempt();

    /**
     * Why this run happens: the changes seen since the last run began, merged per object, oldest first. A retry has those
     * of the failed runs before it too. Empty if the reconciler itself asked to come back and nothing changed since. At
     * most 16 objects; what came on top of that is only counted, as the last entry with no object.
     */
    List<Trigger> triggers();

    /** When the thread will be interrupted; empty if the controller has no reconcile timeout, which is the default. */
    Optional<Instant> deadline();

    /** A context to call a reconciler with in a test: a first attempt without triggers and deadline. */
    static ReconcileContext of(Request request) {
        return new SimpleContext(request);
    }
}
