package io.github.reconciler4j.manager;

import java.time.Instant;
import java.util.Objects;

/**
 * The state of a component of a manager at one moment. Immutable.
 *
 * <!-- snippet: ManagerUse -->
 * <pre>{@code
 * ManagerStatus status = manager.status();
 * return status.components().stream().allMatch(component -> component.state() == ComponentState.State.RUNNING);
 * }</pre>
 *
 * @since 0.1.0
 */
public final class ComponentState {

    private final String name;
    private final StartGroup group;
    private final String lease;
    private final State state;
    private final Instant since;
    private final int attempts;
    private final String detail;

    /**
     * The states of a component.
     *
     * @since 0.1.0
     */
    public enum State {
        /** The component waits for its turn in the order of the start. */
        NEW,
        /** The component is starting. */
        STARTING,
        /** The component is running. */
        RUNNING,
        /** Something that the component needs is missing; its start will be retried. */
        WAITING,
        /** Another replica leads; the component starts when this replica does. */
        STANDBY,
        /** The component could not start. */
        FAILED,
        /** The component is stopping. */
        STOPPING,
        /** The component has stopped. */
        STOPPED
    }

    /**
     * Create a state.
     *
     * @param lease the lease that the component runs under, {@code ""} for the lease of the manager or none
     * @param since when the component entered the state
     * @param attempts the number of start attempts since the component last ran
     * @param detail why the component is waiting or has failed, {@code ""} otherwise
     */
    public ComponentState(
            String name, StartGroup group, String lease, State state, Instant since, int attempts, String detail) {
        this.name = Objects.requireNonNull(name, "'name' must not be null");
        this.group = Objects.requireNonNull(group, "'group' must not be null");
        this.lease = Objects.requireNonNull(lease, "'lease' must not be null");
        this.state = Objects.requireNonNull(state, "'state' must not be null");
        this.since = Objects.requireNonNull(since, "'since' must not be null");
        this.attempts = attempts;
        this.detail = Objects.requireNonNull(detail, "'detail' must not be null");
    }

    /** Return the name of the component. */
    public String name() {
        return name;
    }

    /** Return when the component starts. */
    public StartGroup group() {
        return group;
    }

    /** Return the lease that the component runs under, {@code ""} for the lease of the manager or none. */
    public String lease() {
        return lease;
    }

    /** Return the state of the component. */
    public State state() {
        return state;
    }

    /** Return when the component entered this state. */
    public Instant since() {
        return since;
    }

    /** Return the number of start attempts since the component last ran. */
    public int attempts() {
        return attempts;
    }

    /** Return why the component is waiting or has failed, {@code ""} otherwise. */
    public String detail() {
        return detail;
    }

    /** Return for instance {@code webapp WAITING: the kind is not served}. */
    @Override
    public String toString() {
        return name + " " + state + (detail.isEmpty() ? "" : ": " + detail);
    }
}
