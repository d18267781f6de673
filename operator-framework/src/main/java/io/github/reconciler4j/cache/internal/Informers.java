package io.github.reconciler4j.cache.internal;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.cache.internal.storage.EntryDecoder;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.Scheme;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The informers of a cache, created on first use. Thread-safe without locks. */
final class Informers {

    private final Scheme scheme;
    private final WatchedKinds kinds;
    private final Duration syncTimeout;
    private final Map<Class<?>, DefaultInformer<?>> typed = new ConcurrentHashMap<>();
    private final Map<GroupVersionKind, DefaultInformer<GenericKubernetesResource>> generic = new ConcurrentHashMap<>();
    private final Map<GroupVersionKind, DefaultInformer<ObjectHeader>> metadata = new ConcurrentHashMap<>();

    Informers(Scheme scheme, WatchedKinds kinds, Duration syncTimeout) {
        this.scheme = scheme;
        this.kinds = kinds;
        this.syncTimeout = syncTimeout;
    }

    @SuppressWarnings("unchecked")
    <T extends HasMetadata> DefaultInformer<T> get(Class<T> type) {
        DefaultInformer<?> known = typed.get(type);
        if (known == null) {
            WatchedKind kind = withBodies(scheme.kindOf(type));
            known = typed.computeIfAbsent(
                    type, absent -> new DefaultInformer<>(kind, kind.decoder(type), true, syncTimeout));
        }
        return (DefaultInformer<T>) known;
    }

    DefaultInformer<GenericKubernetesResource> get(GroupVersionKind kind) {
        DefaultInformer<GenericKubernetesResource> known = generic.get(kind);
        if (known == null) {
            WatchedKind watched = withBodies(scheme.kindOf(kind));
            EntryDecoder<GenericKubernetesResource> decoder = watched.decoder(GenericKubernetesResource.class);
            known = generic.computeIfAbsent(kind, absent -> new DefaultInformer<>(watched, decoder, true, syncTimeout));
        }
        return known;
    }

    DefaultInformer<ObjectHeader> metadata(KindInfo info) {
        DefaultInformer<ObjectHeader> known = metadata.get(info.kind());
        if (known == null) {
            WatchedKind watched = kinds.get(info, false);
            known = metadata.computeIfAbsent(
                    info.kind(), absent -> new DefaultInformer<>(watched, EntryDecoder.HEADER, false, syncTimeout));
        }
        return known;
    }

    private WatchedKind withBodies(KindInfo info) {
        WatchedKind kind = kinds.get(info, true);
        kind.requireBodies();
        return kind;
    }
}
