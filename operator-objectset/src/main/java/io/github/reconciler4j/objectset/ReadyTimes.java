package io.github.reconciler4j.objectset;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.github.reconciler4j.support.LruMap;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Since when objects with a time limit are not ready. Holds the 10,000 that were used last. Thread-safe. */
final class ReadyTimes {

    private static final int SIZE = 10_000;

    private final TimeSource time;
    private final LruMap<Version, Long> since = new LruMap<>(SIZE);

    ReadyTimes(TimeSource time) {
        this.time = time;
    }

    private record Version(String uid, long generation) {

        static Version of(HasMetadata object) {
            ObjectMeta metadata = object.getMetadata();
            @Nullable Long generation = metadata.getGeneration();
            return new Version(Objects.requireNonNullElse(metadata.getUid(), ""), generation == null ? 0 : generation);
        }
    }

    /** Return for how long this version of an object has not been ready. */
    Duration unreadyFor(HasMetadata object) {
        Version version = Version.of(object);
        long now = time.nanoTime();
        Long first = since.get(version);
        if (first == null) {
            since.put(version, now);
            return Duration.ZERO;
        }
        return Duration.ofNanos(now - first);
    }

    void forget(HasMetadata object) {
        since.remove(Version.of(object));
    }
}
