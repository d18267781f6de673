package io.github.reconciler4j.client.internal.request;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.internal.spi.ReadYourWritesReader;
import io.github.reconciler4j.client.internal.spi.ReadYourWritesReader.Stored;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.LruMap;
import java.lang.ref.WeakReference;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the JSON that an object was read from, without a request: in the cache, or among the last objects that the server has
 * sent. Writes need it, since the object itself contains only what its class knows. Thread-safe.
 *
 * @since 0.1.0
 */
public final class KnownObjects {

    private static final int SIZE = 64;
    private static final int MAX_BYTES = 64 * 1024;

    private final LruMap<ObjectId, ReceivedObject> received = new LruMap<>(SIZE);
    private final @Nullable ReadYourWritesReader cache;

    /** Create it with a cache, or null. */
    public KnownObjects(@Nullable ReadYourWritesReader cache) {
        this.cache = cache;
    }

    private record ObjectId(KindName kind, ObjectKey key) {}

    /** What the server has sent, and the object that was made of it. */
    private record ReceivedObject(Stored stored, WeakReference<HasMetadata> object) {}

    /** Remember what the server has sent. */
    public void received(KindInfo kind, ObjectKey key, HasMetadata object, byte[] json) {
        String version = object.getMetadata().getResourceVersion();
        if (version != null && json.length <= MAX_BYTES) {
            received.put(
                    new ObjectId(kind.kind(), key),
                    new ReceivedObject(new Stored(version, json, false), new WeakReference<>(object)));
        }
    }

    /**
     * Return the state that an object was read in. A cache may have kept less of it than the server has sent, so it matters
     * where the object was read.
     *
     * @param cached whether the client reads the kind from the cache
     */
    public Optional<Stored> find(KindInfo kind, ObjectKey key, HasMetadata object, boolean cached) {
        String version = object.getMetadata().getResourceVersion();
        ReceivedObject last = received.get(new ObjectId(kind.kind(), key));
        Optional<Stored> sent = Optional.ofNullable(last)
                .map(ReceivedObject::stored)
                .filter(stored -> stored.resourceVersion().equals(version));
        if (sent.isPresent() && last != null && last.object.get() == object) {
            return sent;
        }
        Optional<Stored> stored = stored(kind, key, cached)
                .filter(state -> state.resourceVersion().equals(version));
        return stored.isPresent() ? stored : sent;
    }

    /** Return the newest state that is known; see {@link #find}. */
    public Optional<Stored> newest(KindInfo kind, ObjectKey key, boolean cached) {
        ReceivedObject last = received.get(new ObjectId(kind.kind(), key));
        Optional<Stored> stored = stored(kind, key, cached);
        if (last == null) {
            return stored;
        }
        boolean older = stored.isPresent()
                && !isNotAfter(stored.get().resourceVersion(), last.stored().resourceVersion());
        return older ? stored : Optional.of(last.stored());
    }

    private Optional<Stored> stored(KindInfo kind, ObjectKey key, boolean cached) {
        return cache == null || !cached ? Optional.empty() : cache.stored(kind, key);
    }

    /** Versions are numbers of any length. */
    private static boolean isNotAfter(String one, String other) {
        return one.length() == other.length() ? one.compareTo(other) <= 0 : one.length() < other.length();
    }
}
