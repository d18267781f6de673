package io.github.reconciler4j.test.server.internal.rest;

import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.exchange.Query;
import io.github.reconciler4j.test.server.internal.exchange.Response;
import io.github.reconciler4j.test.server.internal.exchange.StreamSink;
import io.github.reconciler4j.test.server.internal.exchange.StreamSource;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import io.github.reconciler4j.test.server.internal.render.Renderer;
import io.github.reconciler4j.test.server.internal.render.Renderers;
import io.github.reconciler4j.test.server.internal.storage.ListQuery;
import io.github.reconciler4j.test.server.internal.storage.Page;
import io.github.reconciler4j.test.server.internal.storage.StoredObject;
import io.github.reconciler4j.test.server.internal.storage.VersionedStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** The verb watch. Safe for use by multiple threads. */
final class Watching {
    private static final String FIELD = "resourceVersionMatch";
    private static final int MIN_TIMEOUT_SECONDS = 1800;

    private final VersionedStore store;
    private final WatchStream.Dependencies around;
    private final Renderers renderers;
    private final Options options;

    /**
     * How watches work.
     *
     * @param bookmarkInterval the time between the bookmarks of a watch
     * @param streamsLists whether watches may start with the objects that exist
     */
    record Options(Duration bookmarkInterval, boolean streamsLists) {}

    Watching(WatchStream.Dependencies around, Renderers renderers, Options options) {
        this.around = around;
        store = around.store();
        this.renderers = renderers;
        this.options = options;
    }

    Response watch(Call call) {
        Query query = call.request().query();
        checkOptions(query);
        ResourceType type = call.type();
        Selection selection = Selection.of(type, query);
        Renderer renderer = renderers.of(call.request(), type);
        String namespace = type.namespaced() ? call.info().namespace() : "";
        EventFilter filter = new EventFilter(namespace, call.info().name(), selection);
        String from = query.first("resourceVersion");
        long version = VersionChecks.parse(from);
        boolean asks = query.has("sendInitialEvents");
        boolean initial = asks ? query.isTrue("sendInitialEvents") : version == 0;
        List<StoredObject> items = List.of();
        if (initial || version == 0) {
            try {
                VersionChecks.notInFuture(from, store.version());
            } catch (StatusException e) {
                return new Response.Stream(200, Response.JSON, List.of(), new FailedWatch(e));
            }
            Page page = store.list(type.id(), new ListQuery(namespace, "", 0, filter::isWanted));
            version = page.version();
            items = initial ? page.items() : List.of();
        }
        WatchStream.Plan plan = new WatchStream.Plan(
                items,
                version,
                asks && initial,
                query.isTrue("allowWatchBookmarks"),
                options.bookmarkInterval(),
                timeout(query));
        WatchStream stream = new WatchStream(around, call.summary(), type.id(), renderer, filter, plan);
        return new Response.Stream(200, Response.JSON, List.of(), stream);
    }

    private void checkOptions(Query query) {
        boolean asks = query.has("sendInitialEvents");
        String match = query.first("resourceVersionMatch");
        if (!asks && !match.isEmpty()) {
            throw invalid(List.of(FieldError.forbidden(
                    FIELD, "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided")));
        }
        if (asks && !match.equals("NotOlderThan")) {
            throw invalidMatch(match);
        }
        if (asks && !options.streamsLists()) {
            throw invalid(List.of(FieldError.forbidden(
                    "sendInitialEvents",
                    "sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled")));
        }
        if (!query.first("continue").isEmpty()) {
            throw invalid(List.of(
                    FieldError.forbidden(FIELD, "resourceVersionMatch is forbidden when continue is provided")));
        }
    }

    private static StatusException invalidMatch(String match) {
        List<FieldError> causes = new ArrayList<>();
        causes.add(
                FieldError.forbidden(FIELD, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
        if (!match.isEmpty()) {
            String message = "Unsupported value: " + FieldError.quoted(match) + ": supported values: \"NotOlderThan\"";
            causes.add(new FieldError(FIELD, "FieldValueNotSupported", message));
        }
        return invalid(causes);
    }

    private static StatusException invalid(List<FieldError> causes) {
        return StatusException.invalid("meta.k8s.io", "ListOptions", "", causes);
    }

    private static Duration timeout(Query query) {
        long seconds = query.number("timeoutSeconds");
        if (seconds > 0) {
            return Duration.ofSeconds(seconds);
        }
        int more = ThreadLocalRandom.current().nextInt(MIN_TIMEOUT_SECONDS);
        return Duration.ofSeconds(MIN_TIMEOUT_SECONDS + more);
    }

    /** A watch that consists of an error event. */
    private static final class FailedWatch implements StreamSource {
        private final StatusException error;

        FailedWatch(StatusException error) {
            this.error = error;
        }

        @Override
        public void open(StreamSink sink) {
            sink.write(WatchStream.line("ERROR", Json.bytes(error.toStatus())));
            sink.flush();
            sink.end();
        }

        @Override
        public void writable() {}

        @Override
        public void closed() {}
    }
}
