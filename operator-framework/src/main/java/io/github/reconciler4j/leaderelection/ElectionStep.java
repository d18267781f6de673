package io.github.reconciler4j.leaderelection;

import java.time.Duration;

/**
 * The outcome of one step of an {@link Election}.
 *
 * @param change what has changed
 * @param reason why leadership was lost, {@code ""} otherwise
 * @param pause how long to wait before the next step
 */
record ElectionStep(Change change, String reason, Duration pause) {

    /** What a step came to. */
    enum Change {
        NONE,
        LEADER_ELECTED,
        LOST
    }
}
