package io.github.reconciler4j.controller.internal;

import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Remembers failures of the JVM itself that runs ended with. A stack overflow concerns one run alone; after any other
 * one, such as memory running out, the process cannot be trusted any more. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class VmFailures {

    /**
     * A failure of the JVM.
     *
     * @param name the simple name of its class
     * @param fatal whether the process should be started anew
     * @param at when it happened
     * @since 0.1.0
     */
    public record VmFailure(String name, boolean fatal, Instant at) {}

    private final ReentrantLock lock = new ReentrantLock();

    /** Written under {@link #lock}. */
    private volatile Optional<VmFailure> worst = Optional.empty();

    private final boolean everyErrorIsFatal;

    /**
     * Remembers nothing yet.
     *
     * @param everyErrorIsFatal whether any {@link Error} counts, and as one that the process should not live on after
     */
    VmFailures(boolean everyErrorIsFatal) {
        this.everyErrorIsFatal = everyErrorIsFatal;
    }

    /** Looks whether a failure is, or was caused by, one of the JVM. */
    void see(Throwable failure) {
        Class<? extends Error> counted = everyErrorIsFatal ? Error.class : VirtualMachineError.class;
        Error error = Failures.find(failure, counted);
        if (error == null) {
            return;
        }
        boolean fatal = everyErrorIsFatal || !(error instanceof StackOverflowError);
        VmFailure seen = new VmFailure(error.getClass().getSimpleName(), fatal, Instant.now());
        lock.lock();
        try {
            if (worst.filter(VmFailure::fatal).isEmpty()) {
                worst = Optional.of(seen);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The first fatal one if there was one, otherwise the latest. */
    public Optional<VmFailure> worst() {
        return worst;
    }
}
