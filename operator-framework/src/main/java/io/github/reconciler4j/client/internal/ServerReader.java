package io.github.reconciler4j.client.internal;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.ListOptions;
import io.github.reconciler4j.client.LiveReader;
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
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Function;
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
                .withTimeout(core.options().limits().timeout());
        ClientCall call = new ClientCall(ClientCall.Verb.GET, kind, Optional.of(key), "", false, true, request);
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
    public List<ObjectHeader> headers(GroupVersionKind kind, ListOptions options) {
        return all(core.kindOf(kind), options, HEADERS_ACCEPT, item -> MetadataHeader.of(item.path("metadata")));
    }

    private <R> List<R> all(KindInfo kind, ListOptions asked, String accept, Function<JsonNode, R> form) {
        ListOptions options = core.scoped(kind, asked);
        try {
            return collect(new Pages(core, kind, options, accept, Pages.SIZE), form);
        } catch (GoneException e) {
            // One page is one moment, however long the list.
            return collect(new Pages(core, kind, options, accept, 0), form);
        }
    }

    private static <R> List<R> collect(Pages pages, Function<JsonNode, R> form) {
        List<R> all = new ArrayList<>();
        while (pages.hasNext()) {
            all.add(form.apply(pages.next()));
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
