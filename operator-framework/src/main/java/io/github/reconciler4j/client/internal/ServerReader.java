package io.github.reconciler4j.client.internal;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.ListOptions;
import io.github.reconciler4j.client.LiveReader;
import io.github.reconciler4j.client.OwnerReferences;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.error.GoneException;
import io.github.reconciler4j.client.error.KindNotServedException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Reads from the API server. */
final class ServerReader implements LiveReader {

    private static final String HEADER_ACCEPT =
            "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
    private static final String HEADERS_ACCEPT =
            "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";

    private final ClientCore core;

    ServerReader(ClientCore core) {
        this.core = core;
    }

    @Override
    public <T extends HasMetadata> Optional<T> get(Class<T> type, ObjectKey key) {
        return get(core.kindOf(type), key, ApiRequest.JSON, kindAndBody -> kindAndBody.decode(type));
    }

    @Override
    public Optional<GenericKubernetesResource> get(GroupVersionKind kind, ObjectKey key) {
        return get(
                core.kindOf(kind),
                key,
                ApiRequest.JSON,
                kindAndBody -> kindAndBody.decode(GenericKubernetesResource.class));
    }

    @Override
    public Optional<ObjectHeader> header(GroupVersionKind kind, ObjectKey key) {
        return get(core.kindOf(kind), key, HEADER_ACCEPT, Body::header);
    }

    private <R> Optional<R> get(KindInfo kind, ObjectKey asked, String accept, Function<Body, R> form) {
        ObjectKey key = core.key(kind, asked);
        ApiRequest request = ApiRequest.of("get", "GET", kind.path(key))
                .withAccept(accept)
                .withTimeout(core.options().timeout());
        ClientCall call = new Call(ClientCall.Verb.GET, kind, Optional.of(key), "", false, true, request);
        try {
            return Optional.of(form.apply(new Body(core, kind, core.send(call).body())));
        } catch (KindNotServedException e) {
            throw e;
        } catch (NotFoundException e) {
            return Optional.empty();
        }
    }

    @Override
    public <T extends HasMetadata> List<T> list(Class<T> type, ListOptions options) {
        KindInfo kind = core.kindOf(type);
        return all(kind, options, ApiRequest.JSON, item -> core.codec().decodeItem(item, type, kind));
    }

    @Override
    public List<GenericKubernetesResource> list(GroupVersionKind gvk, ListOptions options) {
        KindInfo kind = core.kindOf(gvk);
        return all(
                kind,
                options,
                ApiRequest.JSON,
                item -> core.codec().decodeItem(item, GenericKubernetesResource.class, kind));
    }

    @Override
    public Optional<ObjectHeader> header(Class<? extends HasMetadata> type, ObjectKey key) {
        return get(core.kindOf(type), key, HEADER_ACCEPT, Body::header);
    }

    @Override
    public List<ObjectHeader> headers(Class<? extends HasMetadata> type, ListOptions options) {
        return headers(core.kindOf(type), options);
    }

    @Override
    public List<ObjectHeader> headers(GroupVersionKind kind, ListOptions options) {
        return headers(core.kindOf(kind), options);
    }

    private List<ObjectHeader> headers(KindInfo kind, ListOptions options) {
        return all(kind, options, HEADERS_ACCEPT, item -> MetadataHeader.of(item.path("metadata")));
    }

    @Override
    public <T extends HasMetadata> List<T> listOwned(HasMetadata owner, Class<T> type) {
        KindInfo kind = core.kindOf(type);
        return owned(owner, kind, item -> core.codec().decodeItem(item, type, kind));
    }

    @Override
    public List<GenericKubernetesResource> listOwned(HasMetadata owner, GroupVersionKind gvk) {
        KindInfo kind = core.kindOf(gvk);
        return owned(owner, kind, item -> core.codec().decodeItem(item, GenericKubernetesResource.class, kind));
    }

    /** The server has no index of owners, so all objects where owned ones can be are fetched. */
    private <R> List<R> owned(HasMetadata owner, KindInfo kind, Function<JsonNode, R> form) {
        String uid = OwnerReferences.uid(owner);
        ListOptions options = ListOptions.inNamespace(
                Objects.requireNonNullElse(owner.getMetadata().getNamespace(), ""));
        return all(kind, options, ApiRequest.JSON, item -> hasOwner(item, uid), form);
    }

    private static boolean hasOwner(JsonNode item, String uid) {
        for (JsonNode reference : item.path("metadata").path("ownerReferences")) {
            if (reference.path("uid").asText("").equals(uid)) {
                return true;
            }
        }
        return false;
    }

    private <R> List<R> all(KindInfo kind, ListOptions asked, String accept, Function<JsonNode, R> form) {
        return all(kind, asked, accept, item -> true, form);
    }

    private <R> List<R> all(
            KindInfo kind, ListOptions asked, String accept, Predicate<JsonNode> filter, Function<JsonNode, R> form) {
        ListOptions options = core.scoped(kind, asked);
        try {
            return collect(new Pages(core, kind, options, accept, Pages.SIZE), filter, form);
        } catch (GoneException e) {
            // One page is one moment, however long the list.
            return collect(new Pages(core, kind, options, accept, 0), filter, form);
        }
    }

    private static <R> List<R> collect(Pages pages, Predicate<JsonNode> filter, Function<JsonNode, R> form) {
        List<R> all = new ArrayList<>();
        while (pages.hasNext()) {
            JsonNode item = pages.next();
            if (filter.test(item)) {
                all.add(form.apply(item));
            }
        }
        return all;
    }

    @Override
    public <T extends HasMetadata> Stream<T> stream(Class<T> type, ListOptions options) {
        KindInfo kind = core.kindOf(type);
        return stream(kind, options).map(item -> core.codec().decodeItem(item, type, kind));
    }

    @Override
    public Stream<GenericKubernetesResource> stream(GroupVersionKind gvk, ListOptions options) {
        KindInfo kind = core.kindOf(gvk);
        return stream(kind, options).map(item -> core.codec().decodeItem(item, GenericKubernetesResource.class, kind));
    }

    private Stream<JsonNode> stream(KindInfo kind, ListOptions options) {
        Iterator<JsonNode> items =
                new Pages(core, kind, core.scoped(kind, options), ApiRequest.JSON, Pages.SIZE).goingOnWhenGone();
        int traits = Spliterator.ORDERED | Spliterator.NONNULL;
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(items, traits), false);
    }

    /** An answer with one object. */
    private record Body(ClientCore core, KindInfo kind, byte[] json) {

        <T> T decode(Class<T> type) {
            return core.codec().decode(json, type, kind);
        }

        ObjectHeader header() {
            return MetadataHeader.of(
                    core.codec().readTree(json, "get " + kind.resource()).path("metadata"));
        }
    }
}
