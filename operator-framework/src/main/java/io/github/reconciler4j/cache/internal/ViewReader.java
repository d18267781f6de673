package io.github.reconciler4j.cache.internal;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.ListOptions;
import io.github.reconciler4j.client.Reader;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Reads one view of every kind of a cache. */
final class ViewReader implements Reader {

    private final DefaultCache cache;
    private final Scheme scheme;
    private final Function<KindCache, View> views;

    /**
     * Creates it.
     *
     * @param views which view of a kind to read
     */
    ViewReader(DefaultCache cache, Scheme scheme, Function<KindCache, View> views) {
        this.cache = cache;
        this.scheme = scheme;
        this.views = views;
    }

    @Override
    public <T extends HasMetadata> Optional<T> get(Class<T> type, ObjectKey key) {
        KindCache kind = cache.readable(scheme.kindOf(type), key.namespace());
        return CachedReads.get(views.apply(kind), cache.typed(type).decoder(), key);
    }

    @Override
    public Optional<GenericKubernetesResource> get(GroupVersionKind kind, ObjectKey key) {
        KindCache cached = cache.readable(scheme.kindOf(kind), key.namespace());
        return CachedReads.get(views.apply(cached), cache.generic(kind).decoder(), key);
    }

    @Override
    public <T extends HasMetadata> List<T> list(Class<T> type, ListOptions options) {
        KindCache kind = cache.readable(scheme.kindOf(type), CachedReads.namespace(options));
        return CachedReads.list(kind, views.apply(kind), cache.typed(type).decoder(), options);
    }

    @Override
    public List<GenericKubernetesResource> list(GroupVersionKind kind, ListOptions options) {
        KindCache cached = cache.readable(scheme.kindOf(kind), CachedReads.namespace(options));
        return CachedReads.list(cached, views.apply(cached), cache.generic(kind).decoder(), options);
    }

    @Override
    public Optional<ObjectHeader> header(GroupVersionKind kind, ObjectKey key) {
        return Optional.ofNullable(views.apply(cache.readable(scheme.kindOf(kind), key.namespace()))
                .get(key));
    }

    @Override
    public List<ObjectHeader> headers(GroupVersionKind kind, ListOptions options) {
        KindCache cached = cache.readable(scheme.kindOf(kind), CachedReads.namespace(options));
        return List.copyOf(CachedReads.select(cached, views.apply(cached), options));
    }
}
