package io.github.reconciler4j.cache.internal;

import io.fabric8.kubernetes.api.model.Namespace;
import io.github.reconciler4j.cache.CachedShards;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.cache.ShardKey;
import io.github.reconciler4j.cache.internal.storage.Entry;
import io.github.reconciler4j.cache.internal.watch.HeldShards;
import io.github.reconciler4j.cache.internal.watch.ShardFilter;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The held shards as they concern one kind. Thread-safe without locks: a thread that finds that other shards are held than
 * those of the last filter creates the next filter, and one of several wins.
 */
final class KindShards {

    private static final KindName NAMESPACES = Scheme.describe(Namespace.class).kind();

    private final KindInfo info;
    private final ShardKey key;
    private final AtomicReference<HeldShards> held;
    private final AtomicReference<CurrentShards> current;

    private record CurrentShards(HeldShards held, ShardFilter filter) {}

    KindShards(KindInfo info, KindCacheOptions options, AtomicReference<HeldShards> held) {
        this.info = info;
        this.key = options.shardKey().orElseGet(() -> defaultKey(info));
        this.held = held;
        this.current = new AtomicReference<>(create(Objects.requireNonNull(held.get())));
    }

    private static ShardKey defaultKey(KindInfo info) {
        if (info.kind().equals(NAMESPACES)) {
            return ShardKey.whole();
        }
        return info.namespaced() ? ShardKey.namespace() : ShardKey.uid();
    }

    private CurrentShards create(HeldShards now) {
        return new CurrentShards(now, ShardFilter.of(now, key, info));
    }

    /** Return whether the objects of the held shards are stored only. */
    boolean isDivided() {
        return !all().isUndivided() && key.type() != ShardKey.Type.WHOLE;
    }

    private CachedShards all() {
        return Objects.requireNonNull(held.get()).shards();
    }

    /**
     * Return the shard of an object; empty if the kind is not divided, or it depends on metadata that is not here.
     *
     * @param stored returns the stored object, null if it is not stored
     */
    OptionalInt of(ObjectKey object, Function<ObjectKey, @Nullable Entry> stored) {
        if (!isDivided()) {
            return OptionalInt.empty();
        }
        if (key.type() == ShardKey.Type.NAMESPACE) {
            return OptionalInt.of(all().ofNamespace(info.namespaced() ? object.namespace() : object.name()));
        }
        Entry entry = stored.apply(object);
        return entry == null ? OptionalInt.empty() : OptionalInt.of(filter().shard(entry));
    }

    /** Return what the held shards select; the same instance as long as they do not change. */
    ShardFilter filter() {
        while (true) {
            CurrentShards last = Objects.requireNonNull(current.get());
            HeldShards now = Objects.requireNonNull(held.get());
            if (last.held() == now) {
                return last.filter();
            }
            current.compareAndSet(last, create(now));
        }
    }
}
