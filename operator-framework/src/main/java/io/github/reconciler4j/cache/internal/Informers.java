package io.github.reconciler4j.cache.internal;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.cache.Informer;
import io.github.reconciler4j.cache.internal.storage.EntryDecoder;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.Scheme;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The informers of a cache, one of each form of a kind, created on first use. Thread-safe without locks. */
final class Informers {

    private final Scheme scheme;
    private final WatchedKinds kinds;
    private final Duration syncTimeout;
    private final Map<Class<?>, DefaultInformer<?>> typed = new ConcurrentHashMap<>();
    private final Map<KindName, DefaultInformer<?>> generic = new ConcurrentHashMap<>();
    private final Map<KindName, DefaultInformer<?>> metadata = new ConcurrentHashMap<>();

    Informers(Scheme scheme, WatchedKinds kinds, Duration syncTimeout) {
        this.scheme = scheme;
        this.kinds = kinds;
        this.syncTimeout = syncTimeout;
    }

    @SuppressWarnings("unchecked") // the informer of a form has the type of that form
    <T> DefaultInformer<T> get(Kind<T> kind) {
        DefaultInformer<T> known = find(kind);
        return known != null ? known : (DefaultInformer<T>) (kind.isMetadata() ? createMetadata(kind) : create(kind));
    }

    /** Return an informer that follows the presence of a kind. */
    <T> Informer<T> optional(Kind<T> kind, KindPresence presence) {
        return get(kind).optional(presence);
    }

    /** Return the informer of a kind that was used before in this form, null otherwise. */
    @SuppressWarnings("unchecked") // as above
    <T> @Nullable DefaultInformer<T> find(Kind<T> kind) {
        if (kind.isMetadata()) {
            return (DefaultInformer<T>) metadata.get(kind.name());
        }
        return (DefaultInformer<T>) (isTyped(kind) ? typed.get(kind.objectType()) : generic.get(kind.name()));
    }

    private static boolean isTyped(Kind<?> kind) {
        return kind.type().isPresent();
    }

    private DefaultInformer<?> create(Kind<?> kind) {
        WatchedKind watched = kinds.get(scheme.kindOf(kind), true);
        watched.requireBodies();
        DefaultInformer<?> created = new DefaultInformer<>(
                watched, watched.decoder(kind.objectType().asSubclass(HasMetadata.class)), true, syncTimeout);
        DefaultInformer<?> before = isTyped(kind)
                ? typed.putIfAbsent(kind.objectType(), created)
                : generic.putIfAbsent(kind.name(), created);
        return before == null ? created : before;
    }

    private DefaultInformer<?> createMetadata(Kind<?> kind) {
        KindInfo info = scheme.kindOf(kind);
        DefaultInformer<?> created =
                new DefaultInformer<>(kinds.get(info, false), EntryDecoder.HEADER, false, syncTimeout);
        DefaultInformer<?> before = metadata.putIfAbsent(info.kind(), created);
        return before == null ? created : before;
    }
}
