package io.github.reconciler4j.client.internal.read;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.ClientCall.Verb;
import io.github.reconciler4j.client.LiveReader;
import io.github.reconciler4j.client.OwnerReferences;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.error.GoneException;
import io.github.reconciler4j.client.error.KindNotServedException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.client.error.UndecodableObjectException;
import io.github.reconciler4j.client.error.UnexpectedResponseException;
import io.github.reconciler4j.client.internal.request.Call;
import io.github.reconciler4j.client.internal.request.ClientCore;
import io.github.reconciler4j.client.internal.request.ObjectCodec;
import io.github.reconciler4j.client.internal.request.ResponseChecks;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.OwnerRef;
import io.github.reconciler4j.support.KubernetesJson;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Reads from the API server.
 *
 * @since 0.1.0
 */
public final class ServerReader implements LiveReader {

    private static final String PARTIAL = "PartialObjectMetadata";
    private static final String HEADER_ACCEPT =
            "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
    private static final String HEADERS_ACCEPT =
            "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";

    private final ClientCore core;

    /** Create a reader. */
    public ServerReader(ClientCore core) {
        this.core = core;
    }

    @Override
    @SuppressWarnings("unchecked") // the kind says which form its objects have
    public <T> Optional<T> get(Kind<T> kind, ObjectKey key) {
        KindInfo info = core.kindOf(kind);
        return (Optional<T>)
                (kind.isMetadata()
                        ? header(info, key)
                        : get(info, key, kind.objectType().asSubclass(HasMetadata.class)));
    }

    private <T extends HasMetadata> Optional<T> get(KindInfo kind, ObjectKey key, Class<T> type) {
        return send(kind, key, ApiRequest.JSON, (call, json) -> {
            T object = ObjectCodec.object(json, type, call);
            call.key().ifPresent(of -> core.known().received(kind, of, object, json));
            return object;
        });
    }

    private Optional<ObjectHeader> header(KindInfo kind, ObjectKey key) {
        return send(kind, key, HEADER_ACCEPT, (call, json) -> {
            JsonNode tree = ObjectCodec.readTree(json, Call.describe(call));
            ObjectCodec.checkObject(tree, call, kind.kind().kind(), PARTIAL);
            return MetadataHeader.of(tree.path("metadata"));
        });
    }

    private <R> Optional<R> send(KindInfo kind, ObjectKey requested, String accept, ResponseForm<R> form) {
        ObjectKey key = core.key(kind, requested);
        ApiRequest request = ApiRequest.of("get", "GET", kind.path(key))
                .withAccept(accept)
                .withTimeout(core.options().timeout());
        Call call = Call.read(Verb.GET, kind, Optional.of(key), "", request);
        try {
            return Optional.of(form.read(call, core.send(call).body()));
        } catch (KindNotServedException e) {
            throw e;
        } catch (NotFoundException e) {
            return Optional.empty();
        }
    }

    @Override
    public <T> List<T> list(Kind<T> kind, Selection options) {
        KindInfo info = core.kindOf(kind);
        return all(info, options, accept(kind), item -> true, form(kind, info));
    }

    /** The server has no index of owners, so all objects that the owner can own are fetched. */
    @Override
    public <T> List<T> listOwned(HasMetadata owner, Kind<T> kind) {
        KindInfo info = core.kindOf(kind);
        String uid = OwnerReferences.uid(owner);
        Selection options = Selection.inNamespace(
                Objects.requireNonNullElse(owner.getMetadata().getNamespace(), ""));
        return all(info, options, accept(kind), item -> hasOwner(item, uid), form(kind, info));
    }

    private static boolean hasOwner(JsonNode item, String uid) {
        for (JsonNode reference : item.path("metadata").path("ownerReferences")) {
            if (reference.path("uid").asText("").equals(uid)) {
                return true;
            }
        }
        return false;
    }

    private <R> List<R> all(
            KindInfo kind, Selection requested, String accept, Predicate<JsonNode> filter, Function<JsonNode, R> form) {
        Selection options = core.scoped(kind, requested);
        try {
            return collect(new Pages(core, kind, options, accept, Pages.SIZE), filter, form);
        } catch (GoneException e) {
            // A single page shows one moment, however long it is.
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
    public <T> Stream<T> stream(Kind<T> kind, Selection options) {
        KindInfo info = core.kindOf(kind);
        return stream(info, core.scoped(info, options), accept(kind)).map(form(kind, info));
    }

    private Stream<JsonNode> stream(KindInfo kind, Selection options, String accept) {
        Iterator<JsonNode> items = new Pages(core, kind, options, accept, Pages.SIZE).continuingWhenGone();
        int traits = Spliterator.ORDERED | Spliterator.NONNULL;
        return StreamSupport.stream(Spliterators.spliteratorUnknownSize(items, traits), false);
    }

    private static String accept(Kind<?> kind) {
        return kind.isMetadata() ? HEADERS_ACCEPT : ApiRequest.JSON;
    }

    /** Return how the items of a list of this kind are read. */
    private static <T> Function<JsonNode, T> form(Kind<T> kind, KindInfo info) {
        Class<T> type = kind.objectType();
        return kind.isMetadata()
                ? item -> type.cast(MetadataHeader.of(item.path("metadata")))
                : item -> decode(item, type, info);
    }

    /** Items of lists of built-in kinds do not contain kind and apiVersion. */
    private static <T> T decode(JsonNode item, Class<T> type, KindInfo kind) {
        try {
            T object = KubernetesJson.mapper().treeToValue(item, type);
            if (object instanceof GenericKubernetesResource generic && generic.getKind() == null) {
                generic.setKind(kind.kind().kind());
                generic.setApiVersion(kind.kind().apiVersion());
            }
            return object;
        } catch (JsonProcessingException e) {
            ObjectKey key = MetadataHeader.of(item.path("metadata")).key();
            throw UndecodableObjectException.of(kind.kind(), key, type, e);
        }
    }

    /** Reads a response. */
    private interface ResponseForm<R> {
        R read(Call call, byte[] json);
    }

    /** An {@link ObjectHeader} read from JSON. */
    private record MetadataHeader(
            ObjectKey key,
            String uid,
            String resourceVersion,
            long generation,
            Map<String, String> labels,
            Map<String, String> annotations,
            List<OwnerRef> ownerReferences,
            List<String> finalizers,
            String creationTimestamp,
            @Nullable String deletionTimestamp)
            implements ObjectHeader {

        /** Read the {@code metadata} of an object. */
        static MetadataHeader of(JsonNode metadata) {
            return new MetadataHeader(
                    new ObjectKey(text(metadata, "namespace"), text(metadata, "name")),
                    text(metadata, "uid"),
                    text(metadata, "resourceVersion"),
                    metadata.path("generation").asLong(0),
                    strings(metadata.path("labels")),
                    strings(metadata.path("annotations")),
                    owners(metadata.path("ownerReferences")),
                    list(metadata.path("finalizers")),
                    text(metadata, "creationTimestamp"),
                    metadata.hasNonNull("deletionTimestamp") ? text(metadata, "deletionTimestamp") : null);
        }

        private static String text(JsonNode node, String field) {
            return Objects.requireNonNullElse(node.path(field).asText(""), "");
        }

        private static Map<String, String> strings(JsonNode node) {
            Map<String, String> map = new LinkedHashMap<>();
            node.properties().forEach(e -> map.put(e.getKey(), e.getValue().asText()));
            return Map.copyOf(map);
        }

        private static List<String> list(JsonNode node) {
            List<String> list = new ArrayList<>();
            node.forEach(e -> list.add(e.asText()));
            return List.copyOf(list);
        }

        private static List<OwnerRef> owners(JsonNode node) {
            List<OwnerRef> owners = new ArrayList<>();
            for (JsonNode o : node) {
                owners.add(new OwnerRef(
                        text(o, "apiVersion"),
                        text(o, "kind"),
                        text(o, "name"),
                        text(o, "uid"),
                        o.path("controller").asBoolean(false)));
            }
            return List.copyOf(owners);
        }
    }

    /** The items of a list, fetched a page at a time. Not thread-safe. */
    static final class Pages implements Iterator<JsonNode> {

        static final int SIZE = 500;

        /** As for lists of the cache. */
        private static final int MAX_PAGES_WITHOUT_OBJECTS = 100;

        private final ClientCore core;
        private final KindInfo kind;
        private final Selection options;
        private final String accept;
        private final int pageSize;
        private boolean continuesWhenGone;
        private Iterator<JsonNode> page = Collections.emptyIterator();
        private String continueToken = "";
        private String lastToken = "";
        private boolean started;
        private int returned;
        private int pagesWithoutObjects;

        /**
         * Create an iterator; it fetches nothing yet.
         *
         * @param pageSize the number of items to request at a time, 0 for all
         */
        Pages(ClientCore core, KindInfo kind, Selection options, String accept, int pageSize) {
            this.core = core;
            this.kind = kind;
            this.options = options;
            this.accept = accept;
            this.pageSize = pageSize;
        }

        /** Continue with the newest state after the last item when the server has forgotten the list. */
        Pages continuingWhenGone() {
            continuesWhenGone = true;
            return this;
        }

        @Override
        public boolean hasNext() {
            if (options.limit() > 0 && returned >= options.limit()) {
                return false;
            }
            while (!page.hasNext() && (!started || !continueToken.isEmpty())) {
                fetch();
            }
            return page.hasNext();
        }

        @Override
        public JsonNode next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            returned++;
            return page.next();
        }

        private void fetch() {
            checkAdvances();
            lastToken = continueToken;
            JsonNode list;
            try {
                list = fetchOnce();
            } catch (GoneException e) {
                if (!continuesWhenGone || e.continueToken().isEmpty()) {
                    throw e;
                }
                continueToken = e.continueToken();
                list = fetchOnce();
            }
            started = true;
            continueToken = list.path("metadata").path("continue").asText("");
            page = list.path("items").iterator();
            pagesWithoutObjects = page.hasNext() ? 0 : pagesWithoutObjects + 1;
        }

        /** Otherwise, a list would never end, and its requests would have no pause. */
        private void checkAdvances() {
            boolean isSame = started && continueToken.equals(lastToken);
            if (isSame || pagesWithoutObjects >= MAX_PAGES_WITHOUT_OBJECTS) {
                throw new UnexpectedResponseException("list " + kind.resource() + ": the list does not advance: "
                        + (isSame
                                ? "a page names itself as the next one"
                                : "its last " + pagesWithoutObjects + " pages had no objects"));
            }
        }

        private JsonNode fetchOnce() {
            ApiRequest request = ApiRequest.of("list", "GET", kind.path(options.namespace()))
                    .withAccept(accept)
                    .withQuery(query())
                    .withTimeout(core.options().timeout());
            Call call = Call.read(Verb.LIST, kind, Optional.empty(), "", request);
            JsonNode list = ObjectCodec.readTree(core.send(call).body(), Call.describe(call));
            ResponseChecks.checkList(core, list, call);
            return list;
        }

        private Map<String, List<String>> query() {
            Map<String, List<String>> query = new LinkedHashMap<>();
            Call.addSelectors(query, options);
            int left = options.limit() == 0 ? Integer.MAX_VALUE : options.limit() - returned;
            int size = pageSize == 0 ? options.limit() : Math.min(pageSize, left);
            if (size > 0) {
                query.put("limit", List.of(Integer.toString(size)));
            }
            if (!continueToken.isEmpty()) {
                query.put("continue", List.of(continueToken));
            }
            return query;
        }
    }
}
