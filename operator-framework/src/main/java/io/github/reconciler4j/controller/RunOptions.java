package io.github.reconciler4j.controller;

import java.time.Duration;

/**
 * How long runs of a controller may take, and what becomes of those that go wrong. Immutable; share freely.
 *
 * @param timeout how long one run may take before its thread is interrupted; zero, the default, is without end
 * @param stuckAfter how long a run may take, beyond {@code timeout} if there is one, before it is reported as stuck with
 *     its stack and the controller counts as not alive until it returns (default 5 minutes); positive
 * @param interruptTimeout how long a stop waits for runs it has interrupted before it leaves their threads behind (default 5
 *     seconds); not negative
 * @param fatalErrors whether any {@link Error} that a run ends with makes the controller's health say that the process
 *     should be started anew (default false: only errors of the JVM do, such as memory running out, and not a stack
 *     overflow); the run is counted and tried again either way
 * @since 0.1.0
 */
public record RunOptions(Duration timeout, Duration stuckAfter, Duration interruptTimeout, boolean fatalErrors) {

    /** The default of {@code stuckAfter}. */
    public static final Duration DEFAULT_STUCK_AFTER = Duration.ofMinutes(5);

    /** The default of {@code interruptTimeout}. */
    public static final Duration DEFAULT_INTERRUPT_TIMEOUT = Duration.ofSeconds(5);

    private static final RunOptions DEFAULTS =
            new RunOptions(Duration.ZERO, DEFAULT_STUCK_AFTER, DEFAULT_INTERRUPT_TIMEOUT, false);

    /** Checks the values. */
    public RunOptions {
        if (timeout.isNegative()) {
            throw new IllegalArgumentException("'reconcileTimeout' must not be negative, was " + timeout);
        }
        if (stuckAfter.isNegative() || stuckAfter.isZero()) {
            throw new IllegalArgumentException("'stuckAfter' must be positive, was " + stuckAfter);
        }
        if (interruptTimeout.isNegative()) {
            throw new IllegalArgumentException("'interruptTimeout' must not be negative, was " + interruptTimeout);
        }
    }

    /** The defaults. */
    public static RunOptions defaults() {
        return DEFAULTS;
    }

    /** The same with another time limit for one run. */
    public RunOptions withTimeout(Duration newTimeout) {
        return new RunOptions(newTimeout, stuckAfter, interruptTimeout, fatalErrors);
    }

    /** The same with another time after which a run is reported as stuck. */
    public RunOptions withStuckAfter(Duration time) {
        return new RunOptions(timeout, time, interruptTimeout, fatalErrors);
    }

    /** The same with another wait for interrupted runs at stop. */
    public RunOptions withInterruptTimeout(Duration time) {
        return new RunOptions(timeout, stuckAfter, time, fatalErrors);
    }

    /** The same with or without errors being fatal. */
    public RunOptions withFatalErrors(boolean fatal) {
        return new RunOptions(timeout, stuckAfter, interruptTimeout, fatal);
    }
}
