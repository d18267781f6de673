package io.github.reconciler4j.grid;

import io.github.reconciler4j.fixtures.ForgedLines;
import io.github.reconciler4j.support.internal.UserCalls;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Throws once when it is armed: what a callback under test calls. Thread-safe. */
final class Thrower {

    private final AtomicReference<@Nullable Throwable> armed = new AtomicReference<>();

    /** A way to fail. */
    record Kind(String name, Supplier<Throwable> failure) {

        boolean isIndescribable() {
            return name.equals("exception that cannot be described");
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
