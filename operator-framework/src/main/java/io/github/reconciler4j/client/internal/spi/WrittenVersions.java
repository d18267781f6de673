package io.github.reconciler4j.client.internal.spi;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Passes the versions of objects that the writes of a thread made, and those that they replaced, to its reconciliation. Thread-safe.
 *
 * @since 0.1.0
 */
public final class WrittenVersions {

    private static final ThreadLocal<@Nullable Recorder> CURRENT = new ThreadLocal<>();

    private WrittenVersions() {}

    /**
     * Receives the writes of a reconciliation. Thread-safe, and does not block.
     *
     * @since 0.1.0
     */
    @FunctionalInterface
    public interface Recorder {

        /** A write turned one version of an object into the next one. */
        void wrote(String uid, String before, String after);
    }

    /** Return whether the writes of the calling thread are recorded. */
    public static boolean areRecorded() {
        return CURRENT.get() != null;
    }

    /**
     * Call a task on the calling thread, whose writes a recorder receives.
     *
     * @throws Exception if the task does
     */
    public static <T> T record(Recorder recorder, Callable<T> task) throws Exception {
        Recorder before = CURRENT.get();
        CURRENT.set(recorder);
        try {
            return task.call();
        } finally {
            restore(before);
        }
    }

    /** Return a task that runs on any thread; its writes are recorded as those of the calling thread are. */
    public static Runnable inherit(Runnable task) {
        Recorder recorder = CURRENT.get();
        return () -> {
            Recorder before = CURRENT.get();
            restore(recorder);
            try {
                task.run();
            } finally {
                restore(before);
            }
        };
    }

    private static void restore(@Nullable Recorder recorder) {
        if (recorder == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(recorder);
        }
    }

    /** Pass on that a write turned one version of an object into the next one. */
    public static void wrote(String uid, String before, String after) {
        Recorder recorder = CURRENT.get();
        if (recorder != null) {
            recorder.wrote(uid, before, after);
        }
    }
}
