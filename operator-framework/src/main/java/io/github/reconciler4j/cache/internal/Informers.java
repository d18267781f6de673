package io.github.reconciler4j.cache.internal;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.cache.Informer;
import io.github.reconciler4j.cache.ObjectListener;
import io.github.reconciler4j.cache.Subscription;
import io.github.reconciler4j.cache.internal.storage.EntryDecoder;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.event.ObjectSnapshot;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
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
        return new OptionalInformer<>(get(kind), presence);
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

    /**
     * An informer of an optional kind: its subscriptions last while the kind is not served, and it waits for nothing then.
     * Thread-safe.
     *
     * @param <T> the type of the objects
     */
    private static final class OptionalInformer<T> implements Informer<T> {

        private final DefaultInformer<T> informer;
        private final KindPresence presence;

        OptionalInformer(DefaultInformer<T> informer, KindPresence presence) {
            this.informer = informer;
            this.presence = presence;
        }

        @Override
        public KindInfo kind() {
            return informer.kind();
        }

        @Override
        public String cluster() {
            return informer.cluster();
        }

        @Override
        public String notReadyReason() {
            return presence.isAbsent() ? "" : informer.notReadyReason();
        }

        @Override
        public boolean hasSynced() {
            return presence.isAbsent() || informer.hasSynced();
        }

        @Override
        public void awaitSync(Duration timeout) throws InterruptedException {
            long end = TimeSource.system().nanoTime() + Nanos.of(timeout);
            presence.awaitKnown(timeout);
            if (!presence.isAbsent()) {
                informer.awaitSync(
                        Duration.ofNanos(Math.max(0, end - TimeSource.system().nanoTime())));
            }
        }

        @Override
        public Subscription subscribe(String name, ObjectListener<T> listener) {
            return presence.subscribe(informer.view(), name, listener);
        }

        @Override
        public Optional<ObjectSnapshot<T>> get(ObjectKey key) {
            return informer.get(key);
        }

        @Override
        public OptionalInt shardOf(ObjectKey key) {
            return informer.shardOf(key);
        }

        @Override
        public boolean isDivided() {
            return informer.isDivided();
        }

        @Override
        public boolean hasShards() {
            return presence.isAbsent() || informer.hasShards();
        }

        @Override
        public List<ObjectSnapshot<T>> list(String namespace) {
            return informer.list(namespace);
        }

        @Override
        public List<ObjectSnapshot<T>> list(Selection options) {
            return informer.list(options);
        }

        @Override
        public List<ObjectSnapshot<T>> ownedBy(String ownerUid) {
            return informer.ownedBy(ownerUid);
        }

        @Override
        public void addLabelIndex(String label) {
            informer.addLabelIndex(label);
        }

        @Override
        public void addIndex(String name, Function<ObjectSnapshot<T>, ? extends Iterable<String>> terms) {
            informer.addIndex(name, terms);
        }

        @Override
        public List<ObjectSnapshot<T>> byIndex(String name, String term) {
            return informer.byIndex(name, term);
        }
    }
}
