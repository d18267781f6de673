package io.github.reconciler4j.brake;

/**
 * A controller whose deletions have stopped. Immutable.
 *
 * <!-- snippet: SafetyUse -->
 * <pre>{@code
 * for (DeletionStop stop : brake.stops()) {
 *     brake.release(stop.controller());
 * }
 * }</pre>
 *
 * @param controller the name of the controller
 * @param reason since when, and what it has deleted, in one line
 * @param persisted whether the stop survives a restart of this process and a change of the leader
 * @since 0.1.0
 */
public record DeletionStop(String controller, String reason, boolean persisted) {}
