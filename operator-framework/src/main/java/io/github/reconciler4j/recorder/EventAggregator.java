package io.github.reconciler4j.recorder;

import io.github.reconciler4j.support.LruMap;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Combines equal events into series, and limits the number of different events per controller and object. Remembers a bounded
 * number of series and of objects, those seen last. Confined to the thread of the writer.
 */
final class EventAggregator {

    /** How many series and how many objects are remembered. */
    static final int MEMORY = 4096;

    private final EventOptions options;

    /** In the order in which they were last seen, so that those that have ended come first. */
    private final Map<PendingEvent.Key, EventSeries> series = new LinkedHashMap<>(16, 0.75f, true);

    private final LruMap<PendingEvent.Source, Bucket> buckets = new LruMap<>(MEMORY);

    private static final class Bucket {
        private double tokens;
        private Instant filled;

        Bucket(double tokens, Instant filled) {
            this.tokens = tokens;
            this.filled = filled;
        }
    }

    EventAggregator(EventOptions options) {
        this.options = options;
    }

    /** Adds an event; returns the series it belongs to, empty if it exceeds the limit. */
    Optional<EventSeries> add(PendingEvent event) {
        EventSeries known = series.get(event.key());
        if (known != null && !hasEnded(known, event.time())) {
            known.seenAgain(event.time());
            return Optional.of(known);
        }
        if (!mayRecord(event)) {
            return Optional.empty();
        }
        EventSeries started = new EventSeries(event);
        series.put(event.key(), started);
        return Optional.of(started);
    }

    private boolean hasEnded(EventSeries known, Instant now) {
        return !known.lastSeen().plus(options.seriesEnd()).isAfter(now);
    }

    private boolean mayRecord(PendingEvent event) {
        Bucket bucket = buckets.get(event.source());
        if (bucket == null) {
            bucket = new Bucket(options.burst(), event.time());
            buckets.put(event.source(), bucket);
        }
        double refilled = Duration.between(bucket.filled, event.time()).toNanos()
                / (double) options.refill().toNanos();
        bucket.tokens = Math.min(options.burst(), bucket.tokens + Math.max(0, refilled));
        bucket.filled = event.time();
        if (bucket.tokens < 1) {
            return false;
        }
        bucket.tokens--;
        return true;
    }

    /** Forgets series that have ended or are too many; returns those of them whose last count is not written yet. */
    List<EventSeries> ended(Instant now) {
        List<EventSeries> unwritten = new ArrayList<>();
        Iterator<EventSeries> eldest = series.values().iterator();
        int tooMany = series.size() - MEMORY;
        while (eldest.hasNext()) {
            EventSeries known = eldest.next();
            if (!hasEnded(known, now) && tooMany-- <= 0) {
                break;
            }
            eldest.remove();
            if (!known.isWritten()) {
                unwritten.add(known);
            }
        }
        return unwritten;
    }

    /** Returns all series whose last count is not written yet. */
    List<EventSeries> unwritten() {
        return series.values().stream().filter(known -> !known.isWritten()).toList();
    }
}
