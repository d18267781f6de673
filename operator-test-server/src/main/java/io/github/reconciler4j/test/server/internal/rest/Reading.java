package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.exchange.Query;
import io.github.reconciler4j.test.server.internal.exchange.Response;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import io.github.reconciler4j.test.server.internal.render.ListMeta;
import io.github.reconciler4j.test.server.internal.render.Renderer;
import io.github.reconciler4j.test.server.internal.render.Renderers;
import io.github.reconciler4j.test.server.internal.storage.HistoryGoneException;
import io.github.reconciler4j.test.server.internal.storage.ListQuery;
import io.github.reconciler4j.test.server.internal.storage.Page;
import io.github.reconciler4j.test.server.internal.storage.StoredObject;
import io.github.reconciler4j.test.server.internal.storage.VersionedStore;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.function.Consumer;

/** The verbs get and list. Stateless; safe for use by multiple threads. */
final class Reading {
    private final VersionedStore store;
    private final Renderers renderers;

    Reading(VersionedStore store, Renderers renderers) {
        this.store = store;
        this.renderers = renderers;
    }

    Response get(Call call) {
        ResourceType type = call.type();
        Renderer renderer = renderers.of(call.request(), type);
        VersionChecks.notInFuture(call.request().query().first("resourceVersion"), store.version());
        StoredObject object = store.get(type.id(), call.object());
        if (object == null) {
            throw StatusException.notFound(
                    type.group(), type.plural(), call.object().name());
        }
        return new Response.Whole(200, Response.JSON, List.of(), List.of(renderer.object(object)));
    }

    Response list(Call call) {
        return list(call, page -> {});
    }

    /** Answer with a list, after something was done with its objects. */
    Response list(Call call, Consumer<Page> action) {
        Renderer renderer = renderers.of(call.request(), call.type());
        Selection selection = Selection.of(call.type(), call.request().query());
        ListRequest request = ListRequest.of(call.request().query(), store.version());
        Page page = page(call, selection, request);
        action.accept(page);
        String token = "";
        if (page.more()) {
            token = new ContinueToken(page.version(), page.lastKey()).encode();
        }
        long remaining = page.more() && selection.isEverything() ? page.remaining() : 0;
        ListMeta metadata = new ListMeta(page.version(), token, remaining);
        return new Response.Whole(200, Response.JSON, List.of(), renderer.list(page.items(), metadata));
    }

    private Page page(Call call, Selection selection, ListRequest request) {
        ResourceType type = call.type();
        String namespace = type.namespaced() ? call.info().namespace() : "";
        ListQuery query = new ListQuery(namespace, request.after(), request.limit(), selection);
        if (!request.isExact()) {
            return store.list(type.id(), query);
        }
        try {
            return store.list(type.id(), query, request.version());
        } catch (HistoryGoneException e) {
            throw request.after().isEmpty() ? tooOld() : tokenExpired(request.after());
        }
    }

    private static StatusException tooOld() {
        return StatusException.expired("The resourceVersion for the provided list is too old.");
    }

    private StatusException tokenExpired(String after) {
        String token = new ContinueToken(-1, after).encode();
        StatusException plain = StatusException.expired(
                "The provided continue parameter is too old to display a consistent list result. You can start a new list"
                        + " without the continue parameter, or use the continue token in this response to retrieve the"
                        + " remainder of the results. Continuing with the provided token results in an inconsistent"
                        + " list - objects that were created, modified, or deleted between the time the first chunk was"
                        + " returned and now may show up in the list.");
        return plain.withListMeta(Json.object().put("continue", token));
    }

    /**
     * Which part of a list, and how old it may be.
     *
     * @param limit how many objects at most; 0 for all
     * @param after the key after which the page starts, empty for the first page
     * @param version the version at which to read
     * @param isExact whether it must be that version; else the newest is read
     */
    private record ListRequest(int limit, String after, long version, boolean isExact) {
        private static final String FIELD = "resourceVersionMatch";

        static ListRequest of(Query query, long current) {
            if (query.has("sendInitialEvents")) {
                throw invalid(FieldError.forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
            }
            query.number("timeoutSeconds");
            int limit = (int) Math.max(0, Math.min(Integer.MAX_VALUE, query.number("limit")));
            String match = query.first(FIELD);
            String version = query.first("resourceVersion");
            checkMatch(match, version, query);
            if (query.has("continue") && !query.first("continue").isEmpty()) {
                if (!version.isEmpty() && !version.equals("0")) {
                    throw StatusException.badRequest("specifying resource version is not allowed when using continue");
                }
                ContinueToken token = ContinueToken.decode(query.first("continue"));
                return new ListRequest(limit, token.after(), token.version(), token.version() > 0);
            }
            long wanted = VersionChecks.ofList(version, current);
            boolean exact = match.equals("Exact") || match.isEmpty() && limit > 0 && wanted > 0;
            return new ListRequest(limit, "", wanted, exact);
        }

        private static void checkMatch(String match, String version, Query query) {
            if (match.isEmpty()) {
                return;
            }
            if (!query.first("continue").isEmpty()) {
                throw invalid(
                        FieldError.forbidden(FIELD, "resourceVersionMatch is forbidden when continue is provided"));
            }
            if (version.isEmpty()) {
                throw invalid(FieldError.forbidden(
                        FIELD, "resourceVersionMatch is forbidden unless resourceVersion is provided"));
            }
            if (!match.equals("Exact") && !match.equals("NotOlderThan")) {
                String message = "Unsupported value: " + FieldError.quoted(match)
                        + ": supported values: \"Exact\", \"NotOlderThan\", \"\"";
                throw invalid(new FieldError(FIELD, "FieldValueNotSupported", message));
            }
            if (match.equals("Exact") && version.equals("0")) {
                throw invalid(FieldError.forbidden(
                        FIELD, "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\""));
            }
        }

        private static StatusException invalid(FieldError cause) {
            return StatusException.invalid("meta.k8s.io", "ListOptions", "", List.of(cause));
        }
    }

    /**
     * The start of the next page of a list.
     *
     * @param version the version of the whole list, or -1 for the current objects
     * @param after the key of the last object that was sent
     */
    private record ContinueToken(long version, String after) {
        private static final String FORM = "meta.k8s.io/v1";

        String encode() {
            byte[] json =
                    Json.bytes(Json.object().put("v", FORM).put("rv", version).put("start", after));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(json);
        }

        static ContinueToken decode(String text) {
            JsonNode token = parse(text);
            String form = Json.text(token, "v");
            if (!form.equals(FORM)) {
                throw invalid("server does not recognize this encoded version " + form);
            }
            long version = Json.number(token, 0, "rv");
            String start = Json.text(token, "start");
            if (version == 0) {
                throw invalid("incorrect encoded start resourceVersion (version " + FORM + ")");
            }
            if (start.isEmpty()) {
                throw invalid("encoded start key empty (version " + FORM + ")");
            }
            if (List.of(start.split("/")).contains("..")) {
                throw invalid(start);
            }
            return new ContinueToken(version, start);
        }

        private static JsonNode parse(String text) {
            try {
                return Json.parse(Base64.getUrlDecoder().decode(text));
            } catch (IOException | IllegalArgumentException e) {
                throw invalid("not the token of a list");
            }
        }

        private static StatusException invalid(String why) {
            return StatusException.badRequest("invalid continue token: continue key is not valid: " + why);
        }
    }
}
