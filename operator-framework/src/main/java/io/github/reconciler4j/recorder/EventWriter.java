package io.github.reconciler4j.recorder;

import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.client.error.RequestInterruptedException;
import io.github.reconciler4j.metrics.OperatorMetrics;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The loop of the thread that writes events: waits for one, joins it to its series, and writes what is due. */
final class EventWriter implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(EventWriter.class);
    private static final long LOOK_SECONDS = 10;
    private static final ObjectRef NOTHING = new ObjectRef("", "", "", "", "", "");
    private static final PendingEvent WAKE_UP =
            new PendingEvent("", Instant.EPOCH, "", NOTHING, null, "", "", "", Map.of());
    private static final int MOST_TRIES = 5;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);

    private final BlockingQueue<PendingEvent> queue;
    private final EventSink sink;
    private final InstantSource clock;
    private final EventAggregator aggregator;
    private final OperatorMetrics.Counter written;
    private final OperatorMetrics.Counter limited;
    private final OperatorMetrics.Counter failed;
    private volatile boolean finishing;

    EventWriter(
            BlockingQueue<PendingEvent> queue,
            EventSink sink,
            EventOptions options,
            OperatorMetrics metrics,
            InstantSource clock) {
        this.queue = queue;
        this.sink = sink;
        this.clock = clock;
        this.aggregator = new EventAggregator(options);
        this.written = counter(metrics, "written");
        this.limited = counter(metrics, "rate_limited");
        this.failed = counter(metrics, "failed");
    }

    static OperatorMetrics.Counter counter(OperatorMetrics metrics, String result) {
        return metrics.counter(
                "reconciler4j_events_total", "Kubernetes events recorded, by what became of them", "result", result);
    }

    /** Lets the thread end when the queue is empty. */
    void finish() {
        finishing = true;
        queue.offer(WAKE_UP); // if it is full the thread is awake
    }

    @Override
    public void run() {
        try {
            while (!finishing || !queue.isEmpty()) {
                PendingEvent event = next();
                if (event != null) {
                    take(event);
                }
                writeAll(aggregator.ended(clock.instant()));
            }
            writeAll(aggregator.unwritten());
        } catch (InterruptedException e) {
            LOG.warn("{} events are not written because the time to stop is over", queue.size());
        }
    }

    /** Waits for an event; null now and then, because series end without one. */
    private @Nullable PendingEvent next() throws InterruptedException {
        PendingEvent event = finishing ? queue.poll() : queue.poll(LOOK_SECONDS, TimeUnit.SECONDS);
        return event == WAKE_UP ? null : event;
    }

    private void take(PendingEvent event) throws InterruptedException {
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
        Duration pause = FIRST_PAUSE;
        for (int tries = 1; ; tries++) {
            try {
                writeOnce(series);
                written.increment();
                return;
            } catch (RequestInterruptedException e) {
                Thread.interrupted();
                throw new InterruptedException();
            } catch (RuntimeException e) {
                if (!isWorthAnotherTry(e) || tries == MOST_TRIES) {
                    giveUp(series, e);
                    return;
                }
            }
            TimeUnit.NANOSECONDS.sleep(pause.toNanos());
            pause = pause.multipliedBy(2);
        }
    }

    private void writeOnce(EventSeries series) {
        if (!series.eventName().isEmpty()) {
            try {
                sink.update(series);
                series.written(series.eventName());
                return;
            } catch (NotFoundException e) {
                LOG.debug("Event {} is gone and created anew", series.eventName());
            }
        }
        series.written(sink.create(series));
    }

    /** No answer, a server in trouble, too many requests, or a name that is taken. */
    private static boolean isWorthAnotherTry(RuntimeException failure) {
        return failure instanceof ApiException api
                && (api.code() == 0 || api.code() == 409 || api.code() == 429 || api.code() >= 500);
    }

    private void giveUp(EventSeries series, RuntimeException failure) {
        failed.increment();
        // Counts as written, or it would be tried again with each of its successors.
        series.written(series.eventName());
        PendingEvent event = series.first();
        LOG.warn(
                "Event {} about {} {}/{} cannot be written: {}",
                event.reason(),
                event.regarding().kind(),
                event.regarding().namespace(),
                event.regarding().name(),
                failure.toString());
    }
}
