package io.github.reconciler4j.cache.internal.watch;

import io.github.reconciler4j.support.Backoff;
import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;

/**
 * Whether the watches of one kind stream the initial objects, in place of a list. Where that does not work, lists are used
 * for a while, at first for 1 minute, twice as long after each failure in a row, and for 1 hour at most: a proxy may have
 * swallowed a bookmark, or the API server may be upgraded. Thread-safe.
 *
 * @since 0.1.0
 */
public final class ListStreaming {

    private static final Backoff PAUSES = Backoff.of(Duration.ofMinutes(1), Duration.ofHours(1));
    private static final Pause NONE = new Pause(0, 0);

    private final boolean wanted;
    private final TimeSource time;
    private volatile Pause pause = NONE;

    private record Pause(int failures, long since) {}

    /** Create it; never due if streaming is not wanted. */
    public ListStreaming(boolean wanted, TimeSource time) {
        this.wanted = wanted;
        this.time = time;
    }

    /** Return whether to stream the next list. */
    boolean isDue() {
        Pause now = pause;
        return wanted && (now.failures == 0 || time.nanoTime() - now.since >= Nanos.of(PAUSES.delay(now.failures)));
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
