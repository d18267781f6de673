package io.github.reconciler4j.cache.internal;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.cache.CacheNotStartedException;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.CacheSyncTimeoutException;
import io.github.reconciler4j.cache.Informer;
import io.github.reconciler4j.cache.KindStatus;
import io.github.reconciler4j.client.ApiConnection;
import io.github.reconciler4j.client.ListOptions;
import io.github.reconciler4j.client.RequestInterruptedException;
import io.github.reconciler4j.client.WriteListener;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of one cache.
 *
 * <p>{@code lock} guards {@code phase} and additions to {@code kinds}, so that a kind is started exactly once. Kinds that
 * exist are found without it.
 */
public final class DefaultCache implements Cache {

    private final Scheme scheme;
    private final CacheContext context;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<GroupVersionKind, KindCache> kinds = new ConcurrentHashMap<>();
    private final Map<Class<?>, TypedInformer<?>> typed = new ConcurrentHashMap<>();
    private final Map<GroupVersionKind, TypedInformer<GenericKubernetesResource>> generic = new ConcurrentHashMap<>();
    private volatile Phase phase = Phase.NEW;

    private enum Phase {
        NEW,
        STARTED,
        CLOSED
    }

    /** Makes a cache that watches nothing yet; see {@link Cache#create}. */
    public DefaultCache(ApiConnection connection, Scheme scheme, CacheOptions options) {
        this.scheme = scheme;
        this.context = CacheContext.create(connection, options);
    }

    @Override
    public <T extends HasMetadata> Informer<T> informer(Class<T> type) {
        return typed(type);
    }

    @Override
    public Informer<GenericKubernetesResource> informer(GroupVersionKind kind) {
        return generic(kind);
    }

    @SuppressWarnings("unchecked")
    private <T extends HasMetadata> TypedInformer<T> typed(Class<T> type) {
        TypedInformer<?> known = typed.get(type);
        if (known == null) {
            KindCache kind = kind(scheme.kindOf(type));
            known = typed.computeIfAbsent(type, absent -> informer(kind, type));
        }
        return (TypedInformer<T>) known;
    }

    private TypedInformer<GenericKubernetesResource> generic(GroupVersionKind kind) {
        TypedInformer<GenericKubernetesResource> known = generic.get(kind);
        if (known == null) {
            KindCache cache = kind(scheme.kindOf(kind));
            known = generic.computeIfAbsent(kind, absent -> informer(cache, GenericKubernetesResource.class));
        }
        return known;
    }

    private <T extends HasMetadata> TypedInformer<T> informer(KindCache kind, Class<T> type) {
        return new TypedInformer<>(
                kind, new ObjectDecoder<>(kind.info(), type, context.connection()::mapper, kind.badObjects()::add));
    }

    /** The watched kind, made on first use. */
    KindCache kind(KindInfo info) {
        KindCache known = kinds.get(info.kind());
        return known != null ? known : addKind(info);
    }

    private KindCache addKind(KindInfo info) {
        lock.lock();
        try {
            if (phase == Phase.CLOSED) {
                throw new IllegalStateException("The cache is closed");
            }
            KindCache known = kinds.get(info.kind());
            if (known != null) {
                return known;
            }
            KindCache fresh = new KindCache(info, context);
            kinds.put(info.kind(), fresh);
            if (phase == Phase.STARTED) {
                fresh.start();
            }
            return fresh;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void start() {
        lock.lock();
        try {
            if (phase != Phase.NEW) {
                throw new IllegalStateException(
                        phase == Phase.STARTED ? "The cache was started already" : "The cache is closed");
            }
            phase = Phase.STARTED;
            kinds.values().forEach(KindCache::start);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void awaitSync(Duration timeout) throws InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        Map<String, String> missing = new LinkedHashMap<>();
        for (KindCache kind : kinds.values()) {
            if (!kind.awaitSync(Duration.ofNanos(Math.max(0, end - System.nanoTime())))) {
                missing.put(kind.info().resource(), kind.obstacle());
            }
        }
        if (!missing.isEmpty()) {
            StringBuilder text = new StringBuilder("The cache has not synced within " + timeout + ":");
            missing.forEach((resource, obstacle) ->
                    text.append("\n  ").append(resource).append(": ").append(obstacle));
            throw new CacheSyncTimeoutException(text.toString());
        }
        if (phase == Phase.CLOSED) {
            throw new IllegalStateException("The cache is closed");
        }
    }

    @Override
    public List<KindStatus> awaitSettled(Duration timeout) throws InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        for (KindCache kind : kinds.values()) {
            kind.state().await(kind.state()::needsPerson, Math.max(0, end - System.nanoTime()));
        }
        return kinds().stream().filter(kind -> !kind.synced()).toList();
    }

    @Override
    public List<KindStatus> kinds() {
        return kinds.values().stream().map(KindCache::status).toList();
    }

    @Override
    public <T extends HasMetadata> Optional<T> get(Class<T> type, ObjectKey key) {
        TypedInformer<T> informer = typed(type);
        awaitReadable(informer.cache());
        return CachedReads.get(informer, key);
    }

    @Override
    public <T extends HasMetadata> List<T> list(Class<T> type, ListOptions options) {
        TypedInformer<T> informer = typed(type);
        awaitReadable(informer.cache());
        return CachedReads.list(informer, options);
    }

    @Override
    public Optional<GenericKubernetesResource> get(GroupVersionKind kind, ObjectKey key) {
        TypedInformer<GenericKubernetesResource> informer = generic(kind);
        awaitReadable(informer.cache());
        return CachedReads.get(informer, key);
    }

    @Override
    public List<GenericKubernetesResource> list(GroupVersionKind kind, ListOptions options) {
        TypedInformer<GenericKubernetesResource> informer = generic(kind);
        awaitReadable(informer.cache());
        return CachedReads.list(informer, options);
    }

    @Override
    public Optional<ObjectHeader> header(GroupVersionKind kind, ObjectKey key) {
        KindCache cache = kind(scheme.kindOf(kind));
        awaitReadable(cache);
        return Optional.ofNullable(cache.view().get(key));
    }

    @Override
    public List<ObjectHeader> headers(GroupVersionKind kind, ListOptions options) {
        KindCache cache = kind(scheme.kindOf(kind));
        awaitReadable(cache);
        return CachedReads.headers(cache, options);
    }

    @Override
    public WriteListener writeListener() {
        return new WriteListener() {
            @Override
            public void written(KindInfo kind, byte[] json) {
                KindCache cache = kinds.get(kind.kind());
                if (cache != null) {
                    cache.writeIntake().written(json);
                }
            }

            @Override
            public void deleted(KindInfo kind, ObjectKey key, String uid, byte @Nullable [] json) {
                KindCache cache = kinds.get(kind.kind());
                if (cache != null) {
                    cache.writeIntake().deleted(key, uid);
                }
            }
        };
    }

    /** Waits until a kind can be read; fails at once if it will not be before a person does something. */
    private void awaitReadable(KindCache kind) {
        String resource = kind.info().resource();
        if (phase != Phase.STARTED) {
            throw phase == Phase.CLOSED
                    ? new IllegalStateException("The cache is closed, " + resource + " cannot be read")
                    : new CacheNotStartedException("The cache was not started, " + resource
                            + " cannot be read yet: call Cache.start (or Manager.start) before, or read live");
        }
        if (kind.hasSynced()) {
            return;
        }
        Duration timeout = context.options().syncTimeout();
        boolean synced;
        try {
            synced = kind.state().await(kind.state()::needsPerson, timeout.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RequestInterruptedException("Interrupted while waiting for the cache of " + resource);
        }
        kind.failUnlessReadable(synced, timeout);
    }

    @Override
    public void close() {
        lock.lock();
        try {
            phase = Phase.CLOSED;
        } finally {
            lock.unlock();
        }
        kinds.values().forEach(KindCache::stop);
        kinds.values().forEach(KindCache::close);
        context.close();
    }
}
