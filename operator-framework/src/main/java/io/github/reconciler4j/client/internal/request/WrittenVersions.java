package io.github.reconciler4j.client.internal.request;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.github.reconciler4j.client.ClientCall;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Tells the reconciliation of a thread which versions of objects its writes made, and of which versions. Thread-safe.
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

    /**
     * Record the answer to a write. Only a write that names the version which it is for can say what it replaced, and one that
     * changed nothing returns that version.
     */
    public static void wrote(ClientCall call, ObjectMeta answered) {
        Recorder recorder = CURRENT.get();
        byte[] body = call.request().body();
        if (recorder == null || body == null || call.dryRun()) {
            return;
        }
        JsonNode sent = ObjectCodec.readTree(body, Call.describe(call));
        String before = sent.path("metadata").path("resourceVersion").asText("");
        String after = answered.getResourceVersion();
        if (!before.isEmpty() && after != null && answered.getUid() != null && !before.equals(after)) {
            recorder.wrote(answered.getUid(), before, after);
        }
    }
}
