package io.github.reconciler4j.client.internal;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.ListOptions;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.error.GoneException;
import io.github.reconciler4j.scheme.KindInfo;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;

/** The items of a list, fetched a page at a time. For one thread. */
final class Pages implements Iterator<JsonNode> {

    static final int SIZE = 500;

    private final ClientCore core;
    private final KindInfo kind;
    private final ListOptions options;
    private final String accept;
    private final int pageSize;
    private boolean goesOnWhenGone;
    private Iterator<JsonNode> page = Collections.emptyIterator();
    private String next = "";
    private boolean begun;
    private int given;

    /**
     * Creates it; fetches nothing yet.
     *
     * @param pageSize the items to ask for at a time, 0 for all
     */
    Pages(ClientCore core, KindInfo kind, ListOptions options, String accept, int pageSize) {
        this.core = core;
        this.kind = kind;
        this.options = options;
        this.accept = accept;
        this.pageSize = pageSize;
    }

    /** Goes on with the newest state after the last item when the server has forgotten the list. */
    Pages goingOnWhenGone() {
        goesOnWhenGone = true;
        return this;
    }

    @Override
    public boolean hasNext() {
        if (options.limit() > 0 && given >= options.limit()) {
            return false;
        }
        while (!page.hasNext() && (!begun || !next.isEmpty())) {
            fetch();
        }
        return page.hasNext();
    }

    @Override
    public JsonNode next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        given++;
        return page.next();
    }

    private void fetch() {
        JsonNode list;
        try {
            list = fetchOnce();
        } catch (GoneException e) {
            if (!goesOnWhenGone || e.continueToken().isEmpty()) {
                throw e;
            }
            next = e.continueToken();
            list = fetchOnce();
        }
        begun = true;
        next = list.path("metadata").path("continue").asText("");
        page = list.path("items").iterator();
    }

    private JsonNode fetchOnce() {
        ApiRequest request = ApiRequest.of("list", "GET", kind.path(options.namespace()))
                .withAccept(accept)
                .withQuery(query())
                .withTimeout(core.options().timeout());
        ClientCall call = new Call(ClientCall.Verb.LIST, kind, Optional.empty(), "", false, true, request);
        return core.codec().readTree(core.send(call).body(), Call.describe(call));
    }

    private Map<String, List<String>> query() {
        Map<String, List<String>> query = new LinkedHashMap<>();
        ListQueries.addSelectors(query, options);
        int left = options.limit() == 0 ? Integer.MAX_VALUE : options.limit() - given;
        int size = pageSize == 0 ? options.limit() : Math.min(pageSize, left);
        if (size > 0) {
            query.put("limit", List.of(Integer.toString(size)));
        }
        if (!next.isEmpty()) {
            query.put("continue", List.of(next));
        }
        return query;
    }
}
