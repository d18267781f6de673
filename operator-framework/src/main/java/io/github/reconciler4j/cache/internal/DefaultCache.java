package io.github.reconciler4j.cache.internal;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.CacheSyncTimeoutException;
import io.github.reconciler4j.cache.CachedNamespaces;
import io.github.reconciler4j.cache.Informer;
import io.github.reconciler4j.cache.KindStatus;
import io.github.reconciler4j.cache.NotCachedException;
import io.github.reconciler4j.cache.StorageForm;
import io.github.reconciler4j.client.ListOptions;
import io.github.reconciler4j.client.Reader;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.internal.spi.ReadYourWritesReader;
import io.github.reconciler4j.client.internal.spi.WriteListener;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A cache: finds the kind that is asked for, and reads from it once it can be read.
 *
 * @since 0.1.0
 */
public final class DefaultCache implements Cache, ReadYourWritesReader {

    private final Scheme scheme;
    private final CacheContext context;
    private final KindSlots kinds;
    private final Map<Class<?>, TypedInformer<?>> typed = new ConcurrentHashMap<>();
    private final Map<GroupVersionKind, TypedInformer<GenericKubernetesResource>> generic = new ConcurrentHashMap<>();

    private final Reader reads;

    /** Makes a cache that watches nothing yet; see {@link Cache#create}. */
    public DefaultCache(ApiConnection connection, Scheme scheme, CacheOptions options) {
        this(connection, scheme, options, TimeSource.system());
    }

    DefaultCache(ApiConnection connection, Scheme scheme, CacheOptions options, TimeSource time) {
        this.scheme = scheme;
        this.context = CacheContext.create(connection, options, time);
        this.reads = new ViewReader(this, scheme, KindCache::view);
        this.kinds = new KindSlots(context, () -> scheme.kindOf(Namespace.class));
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
    <T extends HasMetadata> TypedInformer<T> typed(Class<T> type) {
        TypedInformer<?> known = typed.get(type);
        if (known == null) {
            KindSlot kind = kinds.slot(scheme.kindOf(type));
            known = typed.computeIfAbsent(type, absent -> new TypedInformer<>(kind, type, context.options()));
        }
        return (TypedInformer<T>) known;
    }

    TypedInformer<GenericKubernetesResource> generic(GroupVersionKind kind) {
        TypedInformer<GenericKubernetesResource> known = generic.get(kind);
        if (known == null) {
            KindSlot slot = kinds.slot(scheme.kindOf(kind));
            known = generic.computeIfAbsent(
                    kind, absent -> new TypedInformer<>(slot, GenericKubernetesResource.class, context.options()));
        }
        return known;
    }

    /** The watched kind, made on first use. */
    KindCache kind(KindInfo info) {
        return kinds.slot(info).current();
    }

    @Override
    public void start() {
        kinds.start();
    }

    @Override
    public boolean release(GroupVersionKind kind) {
        KindSlot known = kinds.known(kind);
        return known == null || known.release();
    }

    @Override
    public void changeNamespaces(GroupVersionKind kind, CachedNamespaces namespaces) {
        changeNamespaces(scheme.kindOf(kind), namespaces);
    }

    @Override
    public void changeNamespaces(Class<? extends HasMetadata> type, CachedNamespaces namespaces) {
        changeNamespaces(scheme.kindOf(type), namespaces);
    }

    private void changeNamespaces(KindInfo info, CachedNamespaces namespaces) {
        if (!info.namespaced()) {
            throw new IllegalArgumentException(info.resource() + " is cluster-scoped, it has no namespaces to change");
        }
        kinds.slot(info).change(namespaces);
    }

    @Override
    public void awaitSync(Duration timeout) throws InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        Map<String, String> missing = new LinkedHashMap<>();
        for (KindSlot slot : kinds.used()) {
            KindCache kind = slot.current();
            if (!kind.awaitSync(Duration.ofNanos(Math.max(0, end - System.nanoTime())))) {
                missing.put(kind.info().resource(), kind.notReadyReason());
            }
        }
        if (!missing.isEmpty()) {
            StringBuilder text = new StringBuilder("The cache has not synced within " + timeout + ":");
            missing.forEach((resource, obstacle) ->
                    text.append("\n  ").append(resource).append(": ").append(obstacle));
            throw new CacheSyncTimeoutException(text.toString());
        }
        if (kinds.isClosed()) {
            throw new IllegalStateException("The cache is closed");
        }
    }

    @Override
    public List<KindStatus> awaitSettled(Duration timeout) throws InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        for (KindSlot slot : kinds.used()) {
            SyncState state = slot.current().state();
            state.await(() -> state.isSynced() || state.requiresAction(), Math.max(0, end - System.nanoTime()));
        }
        return kinds().stream().filter(kind -> !kind.synced()).toList();
    }

    @Override
    public List<KindStatus> kinds() {
        return kinds.used().stream()
                .map(slot -> KindStatuses.of(slot.current()))
                .toList();
    }

    @Override
    public <T extends HasMetadata> Optional<T> get(Class<T> type, ObjectKey key) {
        return reads.get(type, key);
    }

    @Override
    public <T extends HasMetadata> List<T> list(Class<T> type, ListOptions options) {
        return reads.list(type, options);
    }

    @Override
    public Optional<GenericKubernetesResource> get(GroupVersionKind kind, ObjectKey key) {
        return reads.get(kind, key);
    }

    @Override
    public List<GenericKubernetesResource> list(GroupVersionKind kind, ListOptions options) {
        return reads.list(kind, options);
    }

    @Override
    public <T extends HasMetadata> List<T> listOwned(HasMetadata owner, Class<T> type) {
        return reads.listOwned(owner, type);
    }

    @Override
    public List<GenericKubernetesResource> listOwned(HasMetadata owner, GroupVersionKind kind) {
        return reads.listOwned(owner, kind);
    }

    @Override
    public Optional<ObjectHeader> header(Class<? extends HasMetadata> type, ObjectKey key) {
        return reads.header(type, key);
    }

    @Override
    public List<ObjectHeader> headers(Class<? extends HasMetadata> type, ListOptions options) {
        return reads.headers(type, options);
    }

    @Override
    public Optional<ObjectHeader> header(GroupVersionKind kind, ObjectKey key) {
        return reads.header(kind, key);
    }

    @Override
    public List<ObjectHeader> headers(GroupVersionKind kind, ListOptions options) {
        return reads.headers(kind, options);
    }

    @Override
    public Reader watched() {
        return new ViewReader(this, scheme, KindCache::watched);
    }

    @Override
    public boolean isSynced(KindInfo kind, String namespace) {
        KindSlot slot = kinds.known(kind.kind());
        return slot != null
                && slot.isUsed()
                && context.options().of(kind.kind()).storage() != StorageForm.METADATA
                && new KindReadiness(slot.current(), namespace).isReady();
    }

    @Override
    public WriteListener writeListener() {
        return new PendingWriteListener(kinds);
    }

    KindSlot slot(KindInfo info) {
        return kinds.slot(info);
    }

    /** Waits until a namespace of a kind can be read; fails at once if it will not be before a person does something. */
    KindCache readable(KindInfo info, String namespace) {
        kinds.checkReadable(info);
        KindSlot known = kinds.known(info.kind());
        if (!context.options().watchOnRead() && (known == null || !known.isUsed())) {
            throw new NotCachedException(info.resource() + " is not cached, and by CacheOptions.watchOnRead a read"
                    + " does not begin to cache it: ask for its informer before, or read live");
        }
        KindSlot slot = known != null ? known : kinds.slot(info);
        return KindReadiness.await(slot, namespace, context.options().syncTimeout());
    }

    @Override
    public void close() {
        kinds.close();
        context.close();
    }
}
