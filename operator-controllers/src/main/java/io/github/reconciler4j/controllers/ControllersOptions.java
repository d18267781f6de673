package io.github.reconciler4j.controllers;

import java.time.Clock;
import java.util.Objects;

/**
 * Settings of Kubernetes' own controllers. Immutable.
 *
 * @since 0.1.0
 */
public final class ControllersOptions {

    private static final ControllersOptions DEFAULTS = new ControllersOptions(Clock.systemUTC());

    private final Clock clock;

    private ControllersOptions(Clock clock) {
        this.clock = clock;
    }

    /** Return the settings of kube-controller-manager. */
    public static ControllersOptions defaults() {
        return DEFAULTS;
    }

    /** Return where the controllers take the time from. The clock of the system by default. */
    public Clock clock() {
        return clock;
    }

    /** Take the time from another clock, for example in a test. */
    public ControllersOptions withClock(Clock newClock) {
        return new ControllersOptions(Objects.requireNonNull(newClock, "clock"));
    }
}
