package io.github.reconciler4j.cache.internal.watch;

import io.github.reconciler4j.cache.WatchOptions.ListMode;
import io.github.reconciler4j.client.Discovery;
import io.github.reconciler4j.support.Backoff;
import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;

/**
 * How the initial objects of one kind are read: in pages, streamed by the watch, or in one list. Where streaming does not work, one
 * list is requested for a while, at first for 1 minute, twice as long after each failure in a row, and for 1 hour at most: a proxy may
 * have swallowed a bookmark, or the API server may be upgraded. Thread-safe.
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

    /** Return whether to list in pages. May send a request. */
    boolean isPaged() {
        return mode == ListMode.PAGED || mode == ListMode.AUTOMATIC && server.isKubernetesAtLeast(PAGES_FROM_CACHE);
    }

    /** Return whether to stream the next list. May send a request. */
    boolean isDue() {
        Pause now = pause;
        return mode != ListMode.WHOLE
                && !isPaged()
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
