package io.github.reconciler4j.controller.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.support.Causes;
import io.github.reconciler4j.support.TimeSource;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Records errors of the JVM that reconciliations ended with. A stack overflow concerns one reconciliation; after another
 * error, such as an {@link OutOfMemoryError}, the process cannot be trusted any more. Thread-safe.
 *
 * @since 0.1.0
 */
public final class VmFailures {

    /**
     * An error of the JVM.
     *
     * @param name the simple name of its class
     * @param fatal whether the process must be restarted
     * @param at when it happened
     * @since 0.1.0
     */
    public record VmFailure(String name, boolean fatal, Instant at) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final boolean everyErrorIsFatal;

    @GuardedBy("lock")
    private @Nullable VmFailure worst;

    /**
     * Create an empty record.
     *
     * @param everyErrorIsFatal whether any {@link Error} counts, and as fatal
     */
    VmFailures(boolean everyErrorIsFatal) {
        this.everyErrorIsFatal = everyErrorIsFatal;
    }

    /** Record a failure if it is, or was caused by, an error of the JVM. */
    void record(Throwable failure) {
        Class<? extends Error> counted = everyErrorIsFatal ? Error.class : VirtualMachineError.class;
        Error error = Causes.find(failure, counted);
        if (error == null) {
            return;
        }
        boolean fatal = everyErrorIsFatal || !(error instanceof StackOverflowError);
        lock.lock();
        try {
            if (worst == null || !worst.fatal()) {
                worst = new VmFailure(
                        error.getClass().getSimpleName(),
                        fatal,
                        TimeSource.system().instant());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Return the first fatal error, or the latest one if none is fatal. */
    public Optional<VmFailure> worst() {
        lock.lock();
        try {
            return Optional.ofNullable(worst);
        } finally {
            lock.unlock();
        }
    }
}
