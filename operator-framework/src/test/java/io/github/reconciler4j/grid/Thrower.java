package io.github.reconciler4j.grid;

import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.fixtures.ForgedLines;
import io.github.reconciler4j.support.internal.UserCalls;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Throws once when it is armed: what a callback under test calls. Thread-safe. */
final class Thrower {

    private final AtomicReference<@Nullable Throwable> armed = new AtomicReference<>();

    /** A way to fail. */
    record Kind(String name, Supplier<Throwable> failure) {

        boolean isIndescribable() {
            return name.endsWith("that cannot be described");
        }

        /** Whether health must not say that the process is alive after it. */
        boolean isFatal() {
            return name.equals("OutOfMemoryError");
        }
    }

    /** All ways to fail. */
    static List<Kind> kinds() {
        return List.of(
                new Kind("exception", () -> new IllegalStateException("from a callback" + ForgedLines.TEXT)),
                new Kind(
                        "checked exception",
                        () -> new IOException("from a callback", new IOException(ForgedLines.TEXT))),
                new Kind("StackOverflowError", StackOverflowError::new),
                new Kind("NoClassDefFoundError", () -> new NoClassDefFoundError("from/Callback")),
                new Kind("AssertionError", () -> new AssertionError("from a callback" + ForgedLines.TEXT)),
                new Kind("InterruptedException", () -> new InterruptedException("from a callback" + ForgedLines.TEXT)),
                new Kind("Throwable", CustomThrowable::new),
                new Kind("exception that cannot be described", IndescribableException::new),
                new Kind("error of the API that cannot be described", IndescribableApiException::new),
                new Kind("OutOfMemoryError", () -> new OutOfMemoryError("from a callback")));
    }

    /** Neither an exception nor an error, as {@link ThreadDeath} would be if it were not an error. */
    private static final class CustomThrowable extends Throwable {
        private static final long serialVersionUID = 1L;
    }

    /** An exception whose own methods fail. */
    private static final class IndescribableException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("it has no message");
        }
    }

    /** Every method of an exception can be overridden, but for the one that adds suppressed exceptions. */
    private static final class IndescribableApiException extends ApiException {
        private static final long serialVersionUID = 1L;

        IndescribableApiException() {
            super("from a callback", ErrorDetails.none());
        }

        private static IllegalStateException unknown() {
            return new IllegalStateException("nothing is known of it");
        }

        @Override
        public String getMessage() {
            throw unknown();
        }

        @Override
        public Throwable getCause() {
            throw unknown();
        }

        @Override
        public StackTraceElement[] getStackTrace() {
            throw unknown();
        }

        @Override
        public String toString() {
            throw unknown();
        }

        @Override
        public int code() {
            throw unknown();
        }

        @Override
        public String reason() {
            throw unknown();
        }

        @Override
        public boolean isTransient() {
            throw unknown();
        }

        @Override
        public List<Cause> causes() {
            throw unknown();
        }

        @Override
        public Optional<Duration> retryAfter() {
            throw unknown();
        }
    }

    private volatile boolean watched = true;

    /** Make the next call fail. */
    void arm(Throwable failure) {
        armed.set(failure);
    }

    /** Whether the watch over callbacks would have named each call that has thrown, had it not returned. */
    boolean isWatched() {
        return watched;
    }

    /** Whether no failure waits for a call. */
    boolean hasThrown() {
        return armed.get() == null;
    }

    /** Throw if armed, for the only time. */
    void call() {
        Throwable failure = armed.getAndSet(null);
        if (failure != null) {
            watched &= UserCalls.isInside();
            Thrower.<RuntimeException>raise(failure);
        }
    }

    /** Throw if armed, or return the given result. */
    <T> T call(T result) {
        call();
        return result;
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void raise(Throwable failure) throws E {
        throw (E) failure;
    }
}
