package io.github.reconciler4j.cache.internal;

import io.fabric8.kubernetes.api.model.Namespace;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.CacheSyncTimeoutException;
import io.github.reconciler4j.cache.CachedNamespaces;
import io.github.reconciler4j.cache.Informer;
import io.github.reconciler4j.cache.KindStatus;
import io.github.reconciler4j.cache.Partition;
import io.github.reconciler4j.cache.internal.storage.Entry;
import io.github.reconciler4j.cache.internal.watch.SyncState;
import io.github.reconciler4j.client.Reader;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.internal.spi.ReadYourWritesReader;
import io.github.reconciler4j.client.internal.spi.WriteListener;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;

/**
 * The cache. Its reads include pending writes.
 *
 * @since 0.1.0
 */
public final class DefaultCache extends CacheReader implements Cache, ReadYourWritesReader {

    private final Scheme scheme;
    private final CacheContext context;
    private final WatchedKinds kinds;

    /** Create a cache that watches nothing yet; see {@link Cache#create}. */
    public DefaultCache(ApiConnection connection, Scheme scheme, CacheOptions options) {
        this(scheme, CacheContext.create(connection, options, options.timeSource()));
    }

    DefaultCache(Scheme scheme, CacheContext context) {
        this(scheme, context, new WatchedKinds(context, () -> scheme.kindOf(Namespace.class)));
    }

    private DefaultCache(Scheme scheme, CacheContext context, WatchedKinds kinds) {
        super(scheme, kinds, context.options().syncTimeout());
        this.scheme = scheme;
        this.context = context;
        this.kinds = kinds;
    }

    @Override
    public <T> Informer<T> informer(Kind<T> kind) {
        return informerOf(kind);
    }

    @Override
    public <T> Informer<T> optionalInformer(Kind<T> kind) {
        KindPresence presence = kinds.optional(scheme.kindOf(kind));
        return informerOf(kind).optional(presence);
    }

    @Override
    public Optional<Boolean> serves(KindName kind) {
        WatchedKind watched = kinds.find(kind);
        return watched == null ? Optional.empty() : KindReadiness.serves(watched);
    }

    @Override
    public void start() {
        kinds.start();
    }

    @Override
    public boolean release(Kind<?> kind) {
        WatchedKind known = kinds.find(kind.name());
        return known == null || known.release();
    }

    @Override
    public void changeNamespaces(Kind<?> kind, CachedNamespaces namespaces) {
        KindInfo info = scheme.kindOf(kind);
        if (!info.namespaced()) {
            throw new IllegalArgumentException(info.resource() + " is cluster-scoped, it has no namespaces to change");
        }
        kinds.get(info, false).change(namespaces);
    }

    @Override
    public void awaitSync(Duration timeout) throws InterruptedException {
        long end = TimeSource.system().nanoTime() + Nanos.of(timeout);
        Map<String, String> missing = new LinkedHashMap<>();
        for (WatchedKind watched : kinds.used()) {
            KindStore kind = watched.current();
            if (!kind.awaitSync(watched.needsBodies(), left(end))) {
                missing.put(kind.info().resource(), kind.notReadyReason());
            }
        }
        if (!missing.isEmpty()) {
            StringJoiner reasons = new StringJoiner("; ");
            missing.forEach((resource, reason) -> reasons.add(resource + ": " + reason));
            throw new CacheSyncTimeoutException("The cache has not synced within " + timeout + ": " + reasons);
        }
        if (kinds.isClosed()) {
            throw new IllegalStateException("The cache is closed");
        }
    }

    @Override
    public List<KindStatus> awaitSettled(Duration timeout) throws InterruptedException {
        long end = TimeSource.system().nanoTime() + Nanos.of(timeout);
        for (WatchedKind watched : kinds.used()) {
            KindStore kind = watched.current();
            SyncState state = kind.state();
            state.await(() -> kind.hasSynced(watched.needsBodies()) || state.requiresAction(), left(end));
        }
        return kinds().stream().filter(kind -> !kind.synced()).toList();
    }

    @Override
    public Partition partition() {
        return context.held();
    }

    @Override
    public void changePartition(Partition partition) {
        kinds.changePartition(partition);
    }

    @Override
    public boolean awaitPartition(Duration timeout) throws InterruptedException {
        long end = TimeSource.system().nanoTime() + Nanos.of(timeout);
        boolean all = true;
        for (WatchedKind watched : kinds.used()) {
            KindStore kind = watched.current();
            SyncState state = kind.state();
            all &= state.await(() -> kind.hasParts() || state.requiresAction(), left(end));
        }
        return all;
    }

    private static Duration left(long end) {
        return Duration.ofNanos(Math.max(0, end - TimeSource.system().nanoTime()));
    }

    @Override
    public List<KindStatus> kinds() {
        return kinds.used().stream().map(kind -> KindReport.of(kind.current())).toList();
    }

    @Override
    public Reader watched() {
        return withoutPendingWrites();
    }

    @Override
    public boolean isSynced(KindInfo info, String namespace) {
        WatchedKind watched = kinds.find(info.kind());
        if (watched == null || !watched.isUsed()) {
            return false;
        }
        KindStore kind = watched.current();
        return kind.storesBodies() && (kind.isReady() || new KindReadiness(kind, namespace, true).isReady());
    }

    @Override
    public Optional<Stored> stored(KindInfo info, ObjectKey key) {
        WatchedKind watched = kinds.find(info.kind());
        if (watched == null || !watched.isUsed()) {
            return Optional.empty();
        }
        KindStore kind = watched.current();
        Entry entry = kind.view(true).peek(key);
        return entry == null || !entry.hasBody()
                ? Optional.empty()
                : Optional.of(new Stored(entry.resourceVersion(), entry.json(), kind.isTransformed()));
    }

    @Override
    public WriteListener writeListener() {
        return kinds.writeListener();
    }

    @Override
    public void close() {
        kinds.close();
        context.close();
    }
}
