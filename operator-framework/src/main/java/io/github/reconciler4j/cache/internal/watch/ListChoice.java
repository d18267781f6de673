package io.github.reconciler4j.cache.internal.watch;

import io.github.reconciler4j.cache.WatchOptions.ListMode;
import io.github.reconciler4j.client.Discovery;
import io.github.reconciler4j.support.Backoff;
import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;

/**
 * How the initial objects of one kind are read: streamed by the watch, in one list, or in pages. A way that fails is left for a
 * while, at first for 1 minute, twice as long after each failure in a row, and for 1 hour at most: a proxy may have swallowed a
 * bookmark, the list may take longer than the API server lets it, or the API server may be upgraded. Thread-safe.
 *
 * <p>Since Kubernetes 1.34, one compressed list of the newest state costs the API server less than a stream, for a kind that has just
 * been written and for one at rest. Pages are cheap only while the API server holds a snapshot of the kind, that is for 5 to 10
 * minutes after the last write. A restart in production meets kinds at rest.
 *
 * @since 0.1.0
 */
public final class ListChoice {

    private static final Backoff PAUSES = Backoff.of(Duration.ofMinutes(1), Duration.ofHours(1));

    /** The minor version since which an API server answers lists of the newest state from its cache, and sends them as it encodes. */
    private static final int NEWEST_FROM_CACHE = 34;

    private final ListMode mode;
    private final Discovery server;
    private final Pause stream;
    private final Pause whole;

    /** A way to request a list. */
    enum Way {
        /** The newest state in one response. */
        NEWEST,
        /** Any state that the API server has in its cache, in one response. */
        CACHED,
        /** The newest state in pages. */
        PAGED
    }

    /**
     * Create it.
     *
     * @param mode how to read them
     * @param server is asked if that depends on the API server
     */
    public ListChoice(ListMode mode, Discovery server, TimeSource time) {
        this.mode = mode;
        this.server = server;
        this.stream = new Pause(time);
        this.whole = new Pause(time);
    }

    /** Return how a list is requested. May send a request. */
    Way way() {
        if (mode == ListMode.PAGED) {
            return Way.PAGED;
        }
        if (mode != ListMode.AUTOMATIC || !isNewestFromCache()) {
            return Way.CACHED;
        }
        return whole.isOver() ? Way.NEWEST : Way.PAGED;
    }

    /** Return whether to stream the next list. May send a request. */
    boolean isStreamed() {
        return stream.isOver()
                && (mode == ListMode.STREAMED
                        || mode == ListMode.AUTOMATIC && (!whole.isOver() || !isNewestFromCache()));
    }

    private boolean isNewestFromCache() {
        return server.isKubernetesAtLeast(NEWEST_FROM_CACHE);
    }

    /** Record that a stream had all objects. */
    void streamed() {
        stream.end();
    }

    /** Record that the API server does not stream lists, or did not do it right. */
    void streamFailed() {
        stream.start();
    }

    /** Record that a list was complete. */
    void listed(Way way) {
        if (way == Way.NEWEST) {
            whole.end();
        }
    }

    /** Record that the response to a list broke off or took too long. */
    void listFailed(Way way) {
        if (way == Way.NEWEST) {
            whole.start();
        }
    }

    /** How long a way is left that has failed. */
    private static final class Pause {

        private record State(int failures, long since) {}

        private static final State NONE = new State(0, 0);

        private final TimeSource time;
        private volatile State state = NONE;

        Pause(TimeSource time) {
            this.time = time;
        }

        boolean isOver() {
            State now = state;
            return now.failures == 0 || time.nanoTime() - now.since >= Nanos.of(PAUSES.delay(now.failures));
        }

        synchronized void start() {
            state = new State(state.failures + 1, time.nanoTime());
        }

        void end() {
            state = NONE;
        }
    }
}
