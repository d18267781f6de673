package io.github.reconciler4j.cache.internal.watch;

import io.github.reconciler4j.cache.WatchOptions;
import io.github.reconciler4j.cache.internal.json.JsonReader;
import io.github.reconciler4j.cache.internal.json.MutableHeader;
import io.github.reconciler4j.cache.internal.json.StringInterner;
import io.github.reconciler4j.cache.internal.storage.EntryReader;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiStream;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.client.error.ConnectionException.Problem;
import io.github.reconciler4j.support.Backoff;
import io.github.reconciler4j.support.Causes;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.support.internal.FlightEvents;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a whole list. The newest state is read in one response or in pages, and all at once if a page comes too late; any other
 * state in one response from the watch cache of the API server, and in pages if that cannot answer. Confined to one thread.
 */
final class Lister {

    private static final Logger LOG = LoggerFactory.getLogger(Lister.class);
    private static final Duration IDLE_TIMEOUT = Duration.ofSeconds(60);
    private static final Set<Problem> BROKEN = Set.of(Problem.TIMEOUT, Problem.CONNECTION_RESET);
    private static final int GONE = 410;
    private static final int GATEWAY_TIMEOUT = 504;
    private static final int BAD_REQUEST = 400;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int UNAVAILABLE = 503;

    /** How often a page is requested again that an API server without capacity has refused, and how long it may ask to wait. */
    private static final int MAX_REPETITIONS = 3;

    private static final Duration MAX_WAIT = Duration.ofSeconds(10);

    /** From so many objects on a page counts as full, as far as its size is the server's choice. */
    private static final int FULL_PAGE = 100;

    /** A list that does not end has pages without an object that was not read before. */
    private static final int MAX_PAGES_WITHOUT_OBJECTS = 100;

    private final Scope scope;
    private final Function<ApiRequest, ApiStream> connection;
    private final WatchOptions options;
    private final StringInterner strings;
    private final ListReader lists;
    private final Waits waits;
    private final Backoff backoff;

    /**
     * How the requests of a list wait.
     *
     * @param sleeper waits
     * @param full is called when a page was full, so that its request need not be paid for
     */
    record Waits(Consumer<Duration> sleeper, Runnable full) {}

    /** One list that is being read. */
    record Target(ListSnapshot list, EntryReader reader, Progress progress) {}

    /**
     * Create it.
     *
     * @param connection sends requests
     * @param expected what the objects must be
     * @param waits how requests wait
     */
    Lister(
            Scope scope,
            Function<ApiRequest, ApiStream> connection,
            WatchOptions options,
            StringInterner strings,
            ExpectedKind expected,
            Waits waits) {
        this.scope = scope;
        this.connection = connection;
        this.options = options;
        this.strings = strings;
        this.lists = new ListReader(expected);
        this.waits = waits;
        this.backoff = Backoff.of(options.backoffMin(), options.backoffMax()).withFullJitter();
    }

    /**
     * Read everything in the way that is chosen, and record how that went.
     *
     * @param bound a list from the cache of the API server must not be older than this version; {@code "0"} if there is no bound,
     *     {@code ""} if it must be the newest
     * @return the version of the list
     */
    String list(ListChoice choice, String bound, Target target) throws IOException {
        ListChoice.Way way = choice.way();
        try {
            String version = switch (way) {
                case NEWEST -> pages(0, target);
                case PAGED -> pages(target);
                case CACHED -> bound.isEmpty() ? pages(target) : cached(bound, target);
            };
            choice.listed(way);
            return version;
        } catch (IOException | ApiException e) {
            if (isBroken(e)) {
                choice.listFailed(way);
            }
            throw e;
        }
    }

    private String cached(String bound, Target target) throws IOException {
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

    /** Return whether a response broke off or took too long, which another way of listing need not. */
    static boolean isBroken(Exception failure) {
        return failure instanceof IOException
                || failure instanceof ApiException e && e.code() == GATEWAY_TIMEOUT
                || failure instanceof ConnectionException c && BROKEN.contains(c.problem());
    }

    /** Return whether the request was refused because the API server does not know the version asked for yet. */
    static boolean isTooNew(ApiException refused) {
        return refused.code() == GATEWAY_TIMEOUT;
    }

    /** Return whether the request was refused because the API server does not stream lists. */
    static boolean isStreamingRefused(ApiException refused) {
        return refused.code() == BAD_REQUEST || refused.code() == 422;
    }

    /** Read the newest state in pages; all at once if a page comes too late. */
    private String pages(Target target) throws IOException {
        try {
            return pages(options.pageSize(), target);
        } catch (ApiException e) {
            if (e.code() != GONE) {
                throw e;
            }
            LOG.debug("The list of {} changed too fast for pages: {}", scope, e.getMessage());
            target.list().clear();
            return pages(0, target);
        }
    }

    /** Read pages. The version is that of the first: what another one may miss is delivered by a watch that starts there. */
    private String pages(int limit, Target target) throws IOException {
        int first = received(target);
        ListReader.ListEnd end = page("", limit, "", target);
        full(limit, received(target) - first);
        String version = end.version();
        Set<String> tokens = new HashSet<>();
        int withoutObjects = 0;
        for (String token = end.next(); !token.isEmpty(); token = end.next()) {
            if (!tokens.add(token)) {
                throw doesNotAdvance("a page was named as the next one twice");
            }
            if (withoutObjects >= MAX_PAGES_WITHOUT_OBJECTS) {
                throw doesNotAdvance("its last " + withoutObjects + " pages had no further objects");
            }
            target.progress().remaining(end.remaining());
            int before = received(target);
            end = nextPage(limit, token, target);
            int objects = received(target) - before;
            full(limit, objects);
            withoutObjects = objects > 0 ? 0 : withoutObjects + 1;
        }
        return version;
    }

    /** A long list has many pages. A server that sends small ones has no reason to be asked for them at once. */
    private void full(int limit, int objects) {
        if (limit > 0 && objects >= Math.min(limit, FULL_PAGE)) {
            waits.full().run();
        }
    }

    private static int received(Target target) {
        return target.list().size() + target.list().filtered();
    }

    private StreamCorruptedException doesNotAdvance(String why) {
        return new StreamCorruptedException("the list of " + scope + " does not advance: " + why);
    }

    /** Read a page that the one before has named, and repeat it alone if the API server has no capacity for it. */
    private ListReader.ListEnd nextPage(int limit, String token, Target target) throws IOException {
        for (int failures = 1; ; failures++) {
            try {
                return page("", limit, token, target);
            } catch (ApiException e) {
                Duration asked = e.retryAfter().orElse(Duration.ZERO);
                boolean passes = e.code() == TOO_MANY_REQUESTS || e.code() == UNAVAILABLE;
                if (!passes || failures > MAX_REPETITIONS || asked.compareTo(MAX_WAIT) > 0) {
                    throw e;
                }
                Duration delay = backoff.delay(failures);
                LOG.debug("Requesting a page of the list of {} again: {}", scope, e.getMessage());
                waits.sleeper().accept(asked.compareTo(delay) > 0 ? asked : delay);
            }
        }
    }

    private ListReader.ListEnd page(String version, int limit, String next, Target target) throws IOException {
        ListSnapshot list = target.list();
        EntryReader reader = target.reader();
        ApiRequest request = scope.list(version, limit, next, list.form()).withGzip(options.gzipLists());
        try (ApiStream stream = connection.apply(request)) {
            stream.idleTimeout(IDLE_TIMEOUT);
            return lists.read(new JsonReader(stream, strings), reader, new ListReader.ItemSink() {
                @Override
                public void item(MutableHeader header) throws IOException {
                    list.add(reader, header);
                    target.progress().step();
                }

                @Override
                public void setAside(SetAside item) {
                    list.setAside(item);
                }
            });
        }
    }

    /**
     * Reports how far a list has been read, and logs it every ten seconds if it takes long. The pages of a list say how many objects
     * are left. For one that is read at once or streamed, the API server is asked for the number of objects when the first line is
     * written, so a short list costs no other request. Confined to the thread of its reflector.
     */
    static final class Progress {

        private static final Logger LOG = LoggerFactory.getLogger(Progress.class);
        private static final long LOG_INTERVAL = TimeUnit.SECONDS.toNanos(10);
        private static final int STEP = 256;

        private final Scope scope;
        private final ListSnapshot list;
        private final SyncState state;
        private final ApiConnection connection;
        private final TimeSource time;
        private final long startedAt;
        private final FlightEvents.@Nullable List event = FlightEvents.list();
        private long loggedAt;
        private int steps;

        /** About how many objects the list has; 0 if that is unknown. */
        private long total;

        private boolean counted;

        Progress(Scope scope, ListSnapshot list, SyncState state, ApiConnection connection, TimeSource time) {
            this.scope = scope;
            this.list = list;
            this.state = state;
            this.connection = connection;
            this.time = time;
            this.startedAt = time.nanoTime();
            this.loggedAt = startedAt;
            state.listing(scope, 0, 0);
        }

        /** Record that one more object was read. */
        void step() {
            if (++steps % STEP != 0) {
                return;
            }
            long now = time.nanoTime();
            if (now - loggedAt >= LOG_INTERVAL) {
                loggedAt = now;
                count();
                log(TimeUnit.NANOSECONDS.toSeconds(now - startedAt));
            }
            state.listing(scope, list.size(), total);
        }

        /** Record how many objects are left after a page; 0 if the API server did not say that. */
        void remaining(long objects) {
            if (objects > 0) {
                total = list.size() + objects;
                state.listing(scope, list.size(), total);
            }
        }

        private void log(long seconds) {
            long rate = Math.max(1, list.size() / seconds);
            if (total > list.size()) {
                long left = total - list.size();
                LOG.info(
                        "Listing {}: {} of {} objects in {} s ({}/s, about {} s left)",
                        scope,
                        list.size(),
                        total,
                        seconds,
                        rate,
                        left / rate);
            } else {
                LOG.info("Listing {}: {} objects in {} s ({}/s)", scope, list.size(), seconds, rate);
            }
        }

        /** Ask once how many objects there are, unless it is known. Whatever goes wrong, the list matters more than its length. */
        private void count() {
            if (counted || total > 0) {
                return;
            }
            counted = true;
            try {
                byte[] page = connection
                        .send(scope.list(
                                "", 1, "", new Scope.Form(false, list.form().parts())))
                        .body();
                long others = ListReader.remaining(new JsonReader(page, page.length));
                total = others == 0 ? 0 : others + 1;
            } catch (IOException | RuntimeException e) {
                LOG.debug("Cannot determine the number of {}: {}", scope, Causes.message(e));
            }
        }

        /** Record that the list is complete. */
        void done(String version) {
            state.listing(scope, 0, 0);
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
