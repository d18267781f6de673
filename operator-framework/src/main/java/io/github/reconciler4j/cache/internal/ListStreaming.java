package io.github.reconciler4j.cache.internal;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether the watches of one kind bring what there is to begin with, in place of a list. Where that does not work, lists
 * are used for a while, from 1 minute on, twice as long after each failure in a row, at most 1 hour: a server in front may
 * have swallowed a bookmark, or the API server may be updated. Safe for use by many threads.
 */
final class ListStreaming {

    private static final Duration SHORTEST_PAUSE = Duration.ofMinutes(1);
    private static final Duration LONGEST_PAUSE = Duration.ofHours(1);

    private final boolean wanted;
    private final LongSupplier nanoTime;
    private final AtomicReference<@Nullable Pause> pause = new AtomicReference<>();

    private record Pause(Duration length, long since) {}

    /**
     * Creates it.
     *
     * @param nanoTime the time, as {@link System#nanoTime} gives it
     */
    ListStreaming(boolean wanted, LongSupplier nanoTime) {
        this.wanted = wanted;
        this.nanoTime = nanoTime;
    }

    /** Whether to try it now. */
    boolean isDue() {
        Pause now = pause.get();
        return wanted && (now == null || nanoTime.getAsLong() - now.since >= now.length.toNanos());
    }

    /** Notes that it worked. */
    void worked() {
        pause.set(null);
    }

    /** Notes that the server does not do it, or did not do it right. */
    void failed() {
        pause.updateAndGet(before -> new Pause(before == null ? SHORTEST_PAUSE : longer(before), nanoTime.getAsLong()));
    }

    private static Duration longer(Pause before) {
        Duration twice = before.length.multipliedBy(2);
        return twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
    }
}
