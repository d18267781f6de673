package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.cache.CacheNotStartedException;
import io.github.reconciler4j.cache.CachedNamespaces;
import io.github.reconciler4j.cache.NotCachedException;
import io.github.reconciler4j.cache.Partition;
import io.github.reconciler4j.cache.internal.watch.HeldParts;
import io.github.reconciler4j.client.internal.spi.WriteListener;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The kinds of one cache, and whether it was started. Thread-safe without locks. */
final class WatchedKinds {

    private final CacheContext context;
    private final Supplier<KindInfo> namespaceKind;
    private final Map<KindName, WatchedKind> kinds = new ConcurrentHashMap<>();
    /** Kinds that this program has written before they were used. */
    private final Set<KindName> written = ConcurrentHashMap.newKeySet();

    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.NEW);

    private enum Phase {
        NEW,
        STARTED,
        CLOSED
    }

    /**
     * Create it.
     *
     * @param namespaceKind returns the kind Namespace; called if namespaces are selected by their labels
     */
    WatchedKinds(CacheContext context, Supplier<KindInfo> namespaceKind) {
        this.context = context;
        this.namespaceKind = namespaceKind;
    }

    /**
     * Return a kind, created on first use, which starts to watch it if the cache is started.
     *
     * @param bodies whether it is used with bodies, if this is the first use
     */
    WatchedKind get(KindInfo info, boolean bodies) {
        WatchedKind known = kinds.get(info.kind());
        return known != null ? known : create(info, bodies, false);
    }

    /** Return the presence of a kind, which is optional from now on. */
    KindPresence optional(KindInfo info) {
        WatchedKind known = kinds.get(info.kind());
        return (known != null ? known : create(info, false, true)).makeOptional();
    }

    private WatchedKind create(KindInfo info, boolean bodies, boolean optional) {
        checkNamespaces(info);
        checkOpen();
        WatchedKind kind = kinds.computeIfAbsent(info.kind(), absent -> {
            WatchedKind created = new WatchedKind(info, bodies, context, () -> get(namespaceKind.get(), false));
            if (optional) {
                created.makeOptional(); // before it starts to watch
            }
            return created;
        });
        if (written.contains(info.kind())) {
            kind.written();
        }
        Phase now = phase.get(); // after it was added, so that either this or start and close sees it
        if (now == Phase.STARTED) {
            kind.start();
        } else if (now == Phase.CLOSED) {
            kind.close();
            checkOpen();
        }
        return kind;
    }

    private void checkNamespaces(KindInfo info) {
        CachedNamespaces namespaces = context.options().of(Kind.of(info.kind())).namespaces();
        boolean own = context.options().hasOwnNamespaces(Kind.of(info.kind()));
        if (own && !info.namespaced() && !namespaces.equals(CachedNamespaces.all())) {
            throw new IllegalArgumentException(info.resource()
                    + " is cluster-scoped, so it cannot be cached in some namespaces only: remove 'namespaces' from its"
                    + " KindCacheOptions");
        }
    }

    private void checkOpen() {
        if (phase.get() == Phase.CLOSED) {
            throw new IllegalStateException("The cache is closed");
        }
    }

    /** Return a kind that was used before, null if it never was. */
    @Nullable
    WatchedKind find(KindName kind) {
        return kinds.get(kind);
    }

    /** Return the kinds that have users, or are about to. */
    List<WatchedKind> used() {
        return kinds.values().stream().filter(WatchedKind::isUsed).toList();
    }

    /** Start to watch all kinds. */
    void start() {
        if (!phase.compareAndSet(Phase.NEW, Phase.STARTED)) {
            throw new IllegalStateException(
                    phase.get() == Phase.STARTED ? "The cache was started already" : "The cache is closed");
        }
        kinds.values().forEach(WatchedKind::start);
    }

    /**
     * Wait until a namespace of a kind can be read; fail at once if it cannot be before a person does something.
     *
     * @param namespace the namespace, {@code ""} for all
     * @param bodies whether bodies are to be read, or metadata only
     */
    KindStore await(KindInfo info, String namespace, boolean bodies) {
        checkStarted(info);
        WatchedKind known = kinds.get(info.kind());
        if (!context.options().watchOnRead() && (known == null || !known.isUsed() && !known.isAbsent())) {
            throw new NotCachedException(
                    info.resource() + " is not cached, and with CacheOptions.withWatchOnRead(false) a"
                            + " read does not start to cache it: create its informer before, or read from the API server with"
                            + " client.live() (R4J-120)");
        }
        WatchedKind kind = known != null ? known : get(info, bodies);
        return KindReadiness.await(kind, namespace, bodies, context.options().syncTimeout());
    }

    private void checkStarted(KindInfo info) {
        Phase now = phase.get();
        if (now == Phase.CLOSED) {
            throw new IllegalStateException("The cache is closed, " + info.resource() + " cannot be read");
        }
        if (now == Phase.NEW) {
            throw new CacheNotStartedException("The cache was not started, " + info.resource()
                    + " cannot be read yet: call Cache.start (or Manager.start) before, or read from the API server with"
                    + " client.live() (R4J-123)");
        }
    }

    /** Hold other parts from now on. */
    void changePartition(Partition held) {
        HeldParts before = context.parts().getAndUpdate(now -> now.partition().equals(held) ? now : now.change(held));
        if (before.partition().equals(held)) {
            return;
        }
        kinds.values().forEach(kind -> kind.current().partsChanged()); // one that is added later sees the change itself
    }

    boolean isClosed() {
        return phase.get() == Phase.CLOSED;
    }

    /** End all watches and wait for their threads. */
    void close() {
        phase.set(Phase.CLOSED);
        kinds.values().forEach(WatchedKind::stop);
        kinds.values().forEach(WatchedKind::close);
    }

    /** Return the listener that shows readers the program's own writes. */
    WriteListener writeListener() {
        return new PendingWriteListener();
    }

    /** Passes answers to writes to their kinds. */
    private final class PendingWriteListener implements WriteListener {

        @Override
        public void written(KindInfo info, byte[] json) {
            WatchedKind kind = kind(info);
            if (kind != null) {
                kind.current().writeResponses().written(json);
            }
        }

        @Override
        public void deleted(KindInfo info, ObjectKey key, String uid, byte @Nullable [] json) {
            WatchedKind kind = kind(info);
            if (kind != null) {
                kind.current().writeResponses().deleted(key, uid, json);
            }
        }

        @Override
        public void refused(KindInfo info, ObjectKey key) {
            WatchedKind kind = kind(info);
            if (kind != null) {
                kind.current().writeResponses().refused(key);
            }
        }

        @Override
        public void unanswered(KindInfo info, ObjectKey key) {
            WatchedKind kind = kind(info);
            if (kind != null) {
                kind.current().writeResponses().unanswered(key);
            }
        }

        /** Of a kind without users, only the fact is kept, so that its first list is not an old one. */
        private @Nullable WatchedKind kind(KindInfo info) {
            written.add(info.kind()); // before the kind is looked for, because it can be created meanwhile
            WatchedKind kind = kinds.get(info.kind());
            if (kind != null) {
                kind.written();
            }
            return kind;
        }
    }
}
