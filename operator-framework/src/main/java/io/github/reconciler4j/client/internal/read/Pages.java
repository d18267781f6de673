package io.github.reconciler4j.client.internal.read;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.client.ClientCall.Verb;
import io.github.reconciler4j.client.ListOptions;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.error.GoneException;
import io.github.reconciler4j.client.internal.request.Call;
import io.github.reconciler4j.client.internal.request.ClientCore;
import io.github.reconciler4j.client.internal.request.ObjectCodec;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.scheme.KindInfo;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;

/** The items of a list, fetched a page at a time. Not thread-safe. */
final class Pages implements Iterator<JsonNode> {

    static final int SIZE = 500;

    private static final String LIST = "List";
    private static final String PARTIAL_LIST = "PartialObjectMetadataList";

    private final ClientCore core;
    private final KindInfo kind;
    private final ListOptions options;
    private final String accept;
    private final int pageSize;
    private boolean continuesWhenGone;
    private Iterator<JsonNode> page = Collections.emptyIterator();
    private String continueToken = "";
    private boolean started;
    private int returned;

    /**
     * Create an iterator; it fetches nothing yet.
     *
     * @param pageSize the number of items to request at a time, 0 for all
     */
    Pages(ClientCore core, KindInfo kind, ListOptions options, String accept, int pageSize) {
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
    }

    private JsonNode fetchOnce() {
        ApiRequest request = ApiRequest.of("list", "GET", kind.path(options.namespace()))
                .withAccept(accept)
                .withQuery(query())
                .withTimeout(core.options().timeout());
        Call call = Call.read(Verb.LIST, kind, Optional.empty(), "", request);
        JsonNode list = ObjectCodec.readTree(core.send(call).body(), Call.describe(call));
        check(list, call);
        return list;
    }

    /**
     * Check that a response is a list of the kind. Anything else, taken for an empty list, would mean that no object exists.
     */
    private void check(JsonNode list, Call call) {
        String listKind = list.path("kind").asText("");
        String apiVersion = list.path("apiVersion").asText("");
        boolean isOwn = apiVersion.equals(kind.kind().apiVersion())
                && (listKind.equals(kind.kind().kind() + LIST) || isCustomName(listKind));
        if (!isOwn && !(accept.contains(PARTIAL_LIST) && listKind.equals(PARTIAL_LIST))) {
            throw ObjectCodec.unexpected(call, "is not a list of " + kind.kind().kind());
        }
        JsonNode items = list.path("items");
        boolean hasItems = items.isArray() || items.isNull(); // Go writes an empty list as null
        if (!hasItems
                || list.path("metadata").path("resourceVersion").asText("").isEmpty()) {
            throw ObjectCodec.unexpected(call, "is a list without items or resourceVersion");
        }
        for (JsonNode item : items) {
            String itemKind = item.path("kind").asText(kind.kind().kind());
            if (!itemKind.equals(kind.kind().kind()) && !listKind.equals(PARTIAL_LIST)) {
                throw ObjectCodec.unexpected(
                        call, "contains an item that is not a " + kind.kind().kind());
            }
        }
    }

    /**
     * A CustomResourceDefinition can name its list as it likes, and only the definition says how. A name that belongs to no
     * other kind of the group is accepted.
     */
    private boolean isCustomName(String listKind) {
        if (!kind.kind().group().contains(".") || !listKind.matches("[A-Za-z0-9]+")) {
            return false;
        }
        String item = listKind.endsWith(LIST) ? listKind.substring(0, listKind.length() - LIST.length()) : "";
        return !isServed(listKind) && (item.isEmpty() || !isServed(item));
    }

    private boolean isServed(String name) {
        GroupVersionKind own = kind.kind();
        return core.discovery()
                .find(new GroupVersionKind(own.group(), own.version(), name))
                .isPresent();
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
