package io.github.reconciler4j.recorder;

import io.github.reconciler4j.recorder.PendingEvent.Key;
import io.github.reconciler4j.recorder.PendingEvent.Source;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes series of equal events and limits how many different ones there may be per object. Remembers at most a fixed
 * number of series and objects, the ones seen last. Used by the writer's thread only.
 */
final class EventAggregator {

    /** How many series and how many objects are remembered. */
    static final int MEMORY = 4096;

    private final EventOptions options;

    /** In the order in which they were last seen, so that what has ended is in front. */
    private final Map<Key, EventSeries> series = new LinkedHashMap<>(16, 0.75f, true);

    private final Map<Source, Bucket> buckets = new LinkedHashMap<>(16, 0.75f, true);

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

    /** Takes in an event; the series it belongs to, empty if it exceeds the limit. */
    Optional<EventSeries> add(PendingEvent event) {
        EventSeries known = series.get(event.key());
        if (known != null && !hasEnded(known, event.time())) {
            known.seenAgain(event.time());
            return Optional.of(known);
        }
        if (!mayRecord(event)) {
            return Optional.empty();
        }
        EventSeries begun = new EventSeries(event);
        series.put(event.key(), begun);
        return Optional.of(begun);
    }

    private boolean hasEnded(EventSeries known, Instant now) {
        return !known.lastSeen().plus(options.seriesEnd()).isAfter(now);
    }

    private boolean mayRecord(PendingEvent event) {
        Bucket bucket = buckets.computeIfAbsent(event.source(), absent -> new Bucket(options.burst(), event.time()));
        double refilled = Duration.between(bucket.filled, event.time()).toNanos()
                / (double) options.refill().toNanos();
        bucket.tokens = Math.min(options.burst(), bucket.tokens + Math.max(0, refilled));
        bucket.filled = event.time();
        shrink(buckets);
        if (bucket.tokens < 1) {
            return false;
        }
        bucket.tokens--;
        return true;
    }

    private static void shrink(Map<?, ?> map) {
        if (map.size() > MEMORY) {
            Iterator<?> eldest = map.keySet().iterator();
            eldest.next();
            eldest.remove();
        }
    }

    /** Forgets series that have ended, or are too many; those of them whose last count is not written yet. */
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

    /** All series whose last count is not written yet. */
    List<EventSeries> unwritten() {
        return series.values().stream().filter(known -> !known.isWritten()).toList();
    }
}
