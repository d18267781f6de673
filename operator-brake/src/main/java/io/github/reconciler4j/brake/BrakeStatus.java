package io.github.reconciler4j.brake;

import java.util.List;

/**
 * The state of the brake of a manager, as {@code Manager.status} shows it. Immutable.
 *
 * @param stops the controllers whose deletions have stopped, as far as this process knows
 * @since 0.1.0
 */
public record BrakeStatus(List<DeletionStop> stops) {

    /** Copy the list. */
    public BrakeStatus {
        stops = List.copyOf(stops);
    }
}
