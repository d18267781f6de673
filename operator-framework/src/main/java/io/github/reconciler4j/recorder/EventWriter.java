package io.github.reconciler4j.recorder;

import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.client.error.RequestInterruptedException;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.support.Backoff;
import io.github.reconciler4j.support.Causes;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.LruMap;
import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.support.Texts;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop of the thread that writes events: waits for an event, adds it to its series, and writes what is due. After a failure
 * of any kind, errors included, the loop continues with the next event.
 */
final class EventWriter implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(EventWriter.class);
    private static final long POLL_NANOS = 10_000_000_000L;
    private static final int MAX_ATTEMPTS = 5;
    private static final Backoff BACKOFF = Backoff.of(Duration.ofMillis(500), Duration.ofSeconds(4));
    private static final PendingEvent.ObjectRef NOTHING = new PendingEvent.ObjectRef("", "", "", "", "", "");
    private static final PendingEvent WAKE_UP =
            new PendingEvent("", "", Instant.EPOCH, "", NOTHING, null, "", "", "", Map.of());

    private final BlockingQueue<PendingEvent> queue;
    private final EventSink sink;
    private final InstantSource time;
    private final EventAggregator aggregator;
    private final OperatorMetrics.Counter written;
    private final OperatorMetrics.Counter limited;
    private final OperatorMetrics.Counter failed;
    private final LogLimiter warnings = new LogLimiter();
    private volatile boolean finishing;

    EventWriter(
            BlockingQueue<PendingEvent> queue,
            EventSink sink,
            EventOptions options,
            OperatorMetrics metrics,
            InstantSource time) {
        this.queue = queue;
        this.sink = sink;
        this.time = time;
        this.aggregator = new EventAggregator(options);
        this.written = counter(metrics, "written");
        this.limited = counter(metrics, "rate_limited");
        this.failed = counter(metrics, "failed");
    }

    static OperatorMetrics.Counter counter(OperatorMetrics metrics, String result) {
        return metrics.counter("reconciler4j_events_total", "Kubernetes events recorded, by outcome", "result", result);
    }

    /** Lets the thread end when the queue is empty. */
    void finish() {
        finishing = true;
        queue.offer(WAKE_UP); // if the queue is full the thread is awake
    }

    @Override
    public void run() {
        try {
            while (!finishing || !queue.isEmpty()) {
                writeNext();
            }
            writeAll(aggregator.unwritten());
        } catch (InterruptedException e) {
            LOG.warn("{} events were not written before the flush timeout", queue.size());
        }
    }

    private void writeNext() throws InterruptedException {
        try {
            PendingEvent event = poll();
            if (event != null) {
                add(event);
            }
            writeAll(aggregator.ended(time.instant()));
        } catch (RuntimeException | Error e) {
            failed.increment();
            warnings.log(
                    LogLimiter.cause(e),
                    occurrence ->
                            LOG.warn("An event could not be written{}", occurrence.suffix(e), occurrence.trace(e)));
        }
    }

    /** Waits for an event; returns null now and then, because series end without one. */
    private @Nullable PendingEvent poll() throws InterruptedException {
        PendingEvent event = finishing ? queue.poll() : TimeSource.system().poll(queue, POLL_NANOS);
        return event == WAKE_UP ? null : event;
    }

    private void add(PendingEvent event) throws InterruptedException {
        Optional<EventSeries> series = aggregator.add(event);
        if (series.isEmpty()) {
            limited.increment();
        } else if (series.get().isDue()) {
            write(series.get());
        }
    }

    private void writeAll(List<EventSeries> unwritten) throws InterruptedException {
        for (EventSeries series : unwritten) {
            write(series);
        }
    }

    private void write(EventSeries series) throws InterruptedException {
        for (int attempt = 1; ; attempt++) {
            try {
                writeOnce(series);
                written.increment();
                return;
            } catch (RequestInterruptedException e) {
                Thread.interrupted();
                throw new InterruptedException();
            } catch (RuntimeException | Error e) {
                if (!isRetryable(e) || attempt == MAX_ATTEMPTS) {
                    giveUp(series, e);
                    return;
                }
            }
            TimeSource.system().sleep(BACKOFF.delay(attempt).toNanos());
        }
    }

    private void writeOnce(EventSeries series) {
        if (!series.eventName().isEmpty()) {
            try {
                sink.update(series);
                series.written(series.eventName());
                return;
            } catch (NotFoundException e) {
                LOG.debug("Event {} was deleted and is created again", series.eventName());
            }
        }
        series.written(sink.create(series));
    }

    /** No response, a server failure, too many requests, or a name that is taken. */
    private static boolean isRetryable(Throwable failure) {
        return failure instanceof ApiException api
                && (api.code() == 0 || api.code() == 409 || api.code() == 429 || api.code() >= 500);
    }

    private void giveUp(EventSeries series, Throwable failure) {
        failed.increment();
        // Counts as written, or it would be attempted again with each event of the series.
        series.written(series.eventName());
        if (isExpected(failure)) {
            LOG.debug(
                    "Event {} was not written because its namespace is being deleted",
                    describe(series),
                    Causes.loggable(failure));
            return;
        }
        Object cause = failure instanceof ApiException api ? api.code() + api.reason() : LogLimiter.cause(failure);
        warnings.log(
                cause,
                occurrence -> LOG.warn(
                        "Lost event {} (R4J-114): {}{}", describe(series), Texts.of(failure), occurrence.suffix()));
    }

    /** A namespace that is being deleted accepts no events. */
    private static boolean isExpected(Throwable failure) {
        return failure instanceof ApiException api
                && (api.code() == 404
                        || api.causes().stream()
                                .anyMatch(cause -> cause.reason().equals("NamespaceTerminating")));
    }

    private static String describe(EventSeries series) {
        PendingEvent event = series.first();
        return Texts.escaped(event.reason() + " of " + event.regarding().kind() + " "
                + event.regarding().namespace() + "/" + event.regarding().name());
    }

    /**
     * Combines equal events into series, and limits the number of different events per controller and object. Remembers a bounded
     * number of series and of objects, those seen last. Confined to the thread of the writer.
     */
    static final class EventAggregator {

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
            return Duration.between(known.lastSeen(), now).compareTo(options.seriesEnd()) >= 0;
        }

        private boolean mayRecord(PendingEvent event) {
            Bucket bucket = buckets.get(event.source());
            if (bucket == null) {
                bucket = new Bucket(options.burst(), event.time());
                buckets.put(event.source(), bucket);
            }
            double refilled =
                    Duration.between(bucket.filled, event.time()).toNanos() / (double) Nanos.of(options.refill());
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
}
