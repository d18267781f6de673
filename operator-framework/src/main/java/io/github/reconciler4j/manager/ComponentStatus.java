package io.github.reconciler4j.manager;

import java.time.Instant;

/**
 * How a component of a manager is. Immutable.
 *
 * @param name the component's name
 * @param group when it starts
 * @param lease the lease it runs under, {@code ""} for the manager's or none
 * @param state what it does
 * @param since since when it is in this state
 * @param attempts how often its start was tried since it last ran
 * @param detail why it waits or failed, {@code ""} otherwise
 * @since 0.1.0
 */
public record ComponentStatus(
        String name, StartGroup group, String lease, State state, Instant since, int attempts, String detail) {

    /**
     * What a component does.
     *
     * @since 0.1.0
     */
    public enum State {
        /** Its turn has not come. */
        NEW,
        /** Its start is under way. */
        STARTING,
        /** It works. */
        RUNNING,
        /** Something it needs is missing; its start is tried again later. */
        WAITING,
        /** Another replica leads; it starts when this one does. */
        STANDBY,
        /** It cannot start, or broke. */
        FAILED,
        /** It is being ended. */
        STOPPING,
        /** It has ended. */
        STOPPED
    }
}
