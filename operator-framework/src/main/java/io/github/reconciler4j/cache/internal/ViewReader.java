package io.github.reconciler4j.cache.internal;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.ListOptions;
import io.github.reconciler4j.client.OwnerReferences;
import io.github.reconciler4j.client.Reader;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import java.util.List;
import java.util.Objects;
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
    public <T extends HasMetadata> List<T> listOwned(HasMetadata owner, Class<T> type) {
        return listOwned(owner, scheme.kindOf(type), cache.typed(type).decoder());
    }

    @Override
    public List<GenericKubernetesResource> listOwned(HasMetadata owner, GroupVersionKind kind) {
        return listOwned(owner, scheme.kindOf(kind), cache.generic(kind).decoder());
    }

    private <T extends HasMetadata> List<T> listOwned(HasMetadata owner, KindInfo info, ObjectDecoder<T> decoder) {
        String uid = OwnerReferences.uid(owner);
        String namespace = Objects.requireNonNullElse(owner.getMetadata().getNamespace(), "");
        KindCache kind = cache.readable(info, namespace);
        return CachedReads.decode(CachedReads.owned(cache.slot(info), views.apply(kind), namespace, uid), decoder);
    }

    @Override
    public Optional<ObjectHeader> header(Class<? extends HasMetadata> type, ObjectKey key) {
        return header(scheme.kindOf(type), key);
    }

    @Override
    public Optional<ObjectHeader> header(GroupVersionKind kind, ObjectKey key) {
        return header(scheme.kindOf(kind), key);
    }

    private Optional<ObjectHeader> header(KindInfo kind, ObjectKey key) {
        return Optional.ofNullable(
                views.apply(cache.readable(kind, key.namespace())).get(key));
    }

    @Override
    public List<ObjectHeader> headers(Class<? extends HasMetadata> type, ListOptions options) {
        return headers(scheme.kindOf(type), options);
    }

    @Override
    public List<ObjectHeader> headers(GroupVersionKind kind, ListOptions options) {
        return headers(scheme.kindOf(kind), options);
    }

    private List<ObjectHeader> headers(KindInfo kind, ListOptions options) {
        KindCache cached = cache.readable(kind, CachedReads.namespace(options));
        return List.copyOf(CachedReads.select(cached, views.apply(cached), options));
    }
}
