package io.github.reconciler4j.cache.internal.watch;

import io.github.reconciler4j.cache.WatchOptions.ListMode;
import io.github.reconciler4j.client.Discovery;
import io.github.reconciler4j.support.Backoff;
import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;

/**
 * How the initial objects of one kind are read: streamed by the watch, in pages, or in one list. Where streaming does not work, a
 * list is requested for a while, at first for 1 minute, twice as long after each failure in a row, and for 1 hour at most: a proxy may
 * have swallowed a bookmark, or the API server may be upgraded. Thread-safe.
 *
 * <p>Pages cost an API server less than a stream while it holds a snapshot of the kind, that is for 5 to 10 minutes after the last
 * write. On a kind at rest each page is read from etcd again, and they cost more than twice as much. A restart in production meets
 * kinds at rest, so the stream, which costs the same in both states, is the default.
 *
 * @since 0.1.0
 */
public final class ListChoice {

    private static final Backoff PAUSES = Backoff.of(Duration.ofMinutes(1), Duration.ofHours(1));

    /** The minor version since which an API server answers pages from its cache, by default. */
    private static final int PAGES_FROM_CACHE = 34;

    private static final Pause NONE = new Pause(0, 0);

    private final ListMode mode;
    private final Discovery server;
    private final TimeSource time;
    private volatile Pause pause = NONE;

    private record Pause(int failures, long since) {}

    /**
     * Create it.
     *
     * @param mode how to read them
     * @param server is asked if that depends on the API server
     */
    public ListChoice(ListMode mode, Discovery server, TimeSource time) {
        this.mode = mode;
        this.server = server;
        this.time = time;
    }

    /** Return whether a list that is requested is read in pages. May send a request. */
    boolean isPaged() {
        return mode == ListMode.PAGED || mode == ListMode.AUTOMATIC && server.isKubernetesAtLeast(PAGES_FROM_CACHE);
    }

    /** Return whether to stream the next list. */
    boolean isDue() {
        Pause now = pause;
        return (mode == ListMode.AUTOMATIC || mode == ListMode.STREAMED)
                && (now.failures == 0 || time.nanoTime() - now.since >= Nanos.of(PAUSES.delay(now.failures)));
    }

    /** Record that it worked. */
    void worked() {
        pause = NONE;
    }

    /** Record that the API server does not stream lists, or did not do it right. */
    synchronized void failed() {
        pause = new Pause(pause.failures + 1, time.nanoTime());
    }
}
