package io.github.reconciler4j.cache.internal;

import io.fabric8.kubernetes.api.model.Namespace;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.cache.Partition;
import io.github.reconciler4j.cache.PartitionKey;
import io.github.reconciler4j.cache.internal.storage.Entry;
import io.github.reconciler4j.cache.internal.watch.HeldParts;
import io.github.reconciler4j.cache.internal.watch.PartFilter;
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
 * The held parts as they concern one kind. Thread-safe without locks: a thread that finds that other parts are held than
 * those of the last filter creates the next filter, and one of several wins.
 */
final class KindParts {

    private static final KindName NAMESPACES = Scheme.describe(Namespace.class).kind();

    private final KindInfo info;
    private final PartitionKey key;
    private final AtomicReference<HeldParts> held;
    private final AtomicReference<CurrentParts> current;

    private record CurrentParts(HeldParts held, PartFilter filter) {}

    KindParts(KindInfo info, KindCacheOptions options, AtomicReference<HeldParts> held) {
        this.info = info;
        this.key = options.partitionKey().orElseGet(() -> defaultKey(info));
        this.held = held;
        this.current = new AtomicReference<>(create(Objects.requireNonNull(held.get())));
    }

    private static PartitionKey defaultKey(KindInfo info) {
        if (info.kind().equals(NAMESPACES)) {
            return PartitionKey.whole();
        }
        return info.namespaced() ? PartitionKey.namespace() : PartitionKey.uid();
    }

    private CurrentParts create(HeldParts now) {
        return new CurrentParts(now, PartFilter.of(now, key, info));
    }

    /** Return whether the objects of the held parts are stored only. */
    boolean isDivided() {
        return !all().isUndivided() && key.type() != PartitionKey.Type.WHOLE;
    }

    private Partition all() {
        return Objects.requireNonNull(held.get()).partition();
    }

    /**
     * Return the part of an object; empty if the kind is not divided, or it depends on metadata that is not here.
     *
     * @param stored returns the stored object, null if it is not stored
     */
    OptionalInt of(ObjectKey object, Function<ObjectKey, @Nullable Entry> stored) {
        if (!isDivided()) {
            return OptionalInt.empty();
        }
        if (key.type() == PartitionKey.Type.NAMESPACE) {
            return OptionalInt.of(all().ofNamespace(info.namespaced() ? object.namespace() : object.name()));
        }
        Entry entry = stored.apply(object);
        return entry == null ? OptionalInt.empty() : OptionalInt.of(filter().part(entry));
    }

    /** Return what the held parts select; the same instance as long as they do not change. */
    PartFilter filter() {
        while (true) {
            CurrentParts last = Objects.requireNonNull(current.get());
            HeldParts now = Objects.requireNonNull(held.get());
            if (last.held() == now) {
                return last.filter();
            }
            current.compareAndSet(last, create(now));
        }
    }
}
