package io.github.reconciler4j.cache.internal.watch;

import io.github.reconciler4j.cache.WatchOptions;
import io.github.reconciler4j.cache.internal.json.JsonReader;
import io.github.reconciler4j.cache.internal.json.StringInterner;
import io.github.reconciler4j.cache.internal.storage.EntryReader;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiStream;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.support.FlightEvents;
import io.github.reconciler4j.support.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a whole list: first from the watch cache of the API server, which is cheapest for both sides; if that cannot
 * answer, in consistent pages; if a page comes too late, all at once. Confined to one thread.
 */
final class Lister {

    private static final Logger LOG = LoggerFactory.getLogger(Lister.class);
    private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(60);
    private static final int GONE = 410;
    private static final int GATEWAY_TIMEOUT = 504;
    private static final int BAD_REQUEST = 400;

    private final Scope scope;
    private final Function<ApiRequest, ApiStream> connection;
    private final WatchOptions options;
    private final StringInterner strings;
    private final ListReader lists;

    /** One list that is being read. */
    record Target(ListSnapshot list, EntryReader reader, Runnable afterEach) {}

    /**
     * Create it.
     *
     * @param connection sends requests
     * @param expected what the objects must be
     */
    Lister(
            Scope scope,
            Function<ApiRequest, ApiStream> connection,
            WatchOptions options,
            StringInterner strings,
            ExpectedKind expected) {
        this.scope = scope;
        this.connection = connection;
        this.options = options;
        this.strings = strings;
        this.lists = new ListReader(expected);
    }

    /**
     * Read everything.
     *
     * @param bound the list must not be older than this version; {@code "0"} if there is no bound, {@code ""} if it must be
     *     the newest
     * @return the version of the list
     */
    String list(String bound, Target target) throws IOException {
        if (bound.isEmpty()) {
            return pages(target);
        }
        try {
            return page(bound, 0, "", target).version();
        } catch (ApiException e) {
            if (!isVersionProblem(e)) {
                throw e;
            }
            LOG.debug("The watch cache cannot serve a list of {}: {}", scope, e.getMessage());
        }
        return pages(target);
    }

    /** Return whether the version asked for is why the request was refused: it is too old, or the server is behind it. */
    private static boolean isVersionProblem(ApiException refused) {
        return refused.code() == GONE || isTooNew(refused) || refused.code() == BAD_REQUEST;
    }

    /** Return whether the request was refused because the API server does not know the version asked for yet. */
    static boolean isTooNew(ApiException refused) {
        return refused.code() == GATEWAY_TIMEOUT;
    }

    private String pages(Target target) throws IOException {
        ListReader.End end = page("", options.pageSize(), "", target);
        while (!end.next().isEmpty()) {
            try {
                end = page("", options.pageSize(), end.next(), target);
            } catch (ApiException e) {
                if (e.code() != GONE) {
                    throw e;
                }
                LOG.debug("The list of {} changed too fast for pages: {}", scope, e.getMessage());
                target.list().clear();
                end = page("", 0, "", target);
            }
        }
        return end.version();
    }

    private ListReader.End page(String version, int limit, String next, Target target) throws IOException {
        ListSnapshot list = target.list();
        EntryReader reader = target.reader();
        ApiRequest request = scope.list(version, limit, next, list.hasBodies()).withGzip(options.gzipLists());
        try (ApiStream stream = connection.apply(request)) {
            stream.idleTimeout(IDLE_TIMEOUT);
            return lists.read(new JsonReader(stream, strings), reader, header -> {
                list.add(reader, header);
                target.afterEach().run();
            });
        }
    }

    /** Reports how far a list has been read, and logs it if it takes long. Confined to the thread of its reflector. */
    static final class Progress {

        private static final Logger LOG = LoggerFactory.getLogger(Progress.class);
        private static final long LOG_INTERVAL = TimeUnit.SECONDS.toNanos(10);
        private static final int STEP = 256;

        private final Scope scope;
        private final ListSnapshot list;
        private final SyncState state;
        private final TimeSource time;
        private final long startedAt;
        private final FlightEvents.@Nullable List event = FlightEvents.list();
        private long loggedAt;
        private int steps;

        Progress(Scope scope, ListSnapshot list, SyncState state, TimeSource time) {
            this.scope = scope;
            this.list = list;
            this.state = state;
            this.time = time;
            this.startedAt = time.nanoTime();
            this.loggedAt = startedAt;
            state.listing(scope, 0);
        }

        /** Record that one more object was read. */
        void step() {
            if (++steps % STEP != 0) {
                return;
            }
            state.listing(scope, list.size());
            long now = time.nanoTime();
            if (now - loggedAt >= LOG_INTERVAL) {
                loggedAt = now;
                long seconds = Math.max(1, TimeUnit.NANOSECONDS.toSeconds(now - startedAt));
                LOG.info("Listing {}: {} objects in {} s ({}/s)", scope, list.size(), seconds, list.size() / seconds);
            }
        }

        /** Record that the list is complete. */
        void done(String version) {
            state.listing(scope, 0);
            if (event != null) {
                event.kind = scope.toString();
                event.objects = list.size();
                event.commit();
            }
            long nanos = time.nanoTime() - startedAt;
            if (nanos >= LOG_INTERVAL) {
                LOG.info("Listed {}: {} objects in {} s", scope, list.size(), TimeUnit.NANOSECONDS.toSeconds(nanos));
            } else {
                LOG.debug("Listed {}: {} objects at version {}", scope, list.size(), version);
            }
        }
    }
}
