package io.github.reconciler4j.recorder;

import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.metrics.OperatorMetrics;
import java.time.InstantSource;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the events of all recorders and writes them on one daemon thread, which begins with the first event. Safe for
 * use by many threads.
 *
 * @since 0.1.0
 */
public final class EventBroadcaster implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(EventBroadcaster.class);

    private final EventOptions options;
    private final InstantSource clock;
    private final BlockingQueue<PendingEvent> queue;
    private final EventWriter writer;
    private final OperatorMetrics.Counter dropped;
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by lock; closed may be read without it.
    private @Nullable Thread thread;
    private volatile boolean closed;

    /**
     * Creates it.
     *
     * @param connection the way to the server
     * @param reportingInstance which process records, for instance the identity in leader election
     */
    public EventBroadcaster(
            ApiConnection connection, String reportingInstance, EventOptions options, OperatorMetrics metrics) {
        this(new ApiEventSink(connection, reportingInstance), options, metrics, InstantSource.system());
    }

    /** One that logs events and writes nothing. */
    public static EventBroadcaster toLog(EventOptions options, OperatorMetrics metrics) {
        return new EventBroadcaster(new LogEventSink(), options, metrics, InstantSource.system());
    }

    EventBroadcaster(EventSink sink, EventOptions options, OperatorMetrics metrics, InstantSource clock) {
        this.options = options;
        this.clock = clock;
        this.queue = new ArrayBlockingQueue<>(options.queueSize());
        this.writer = new EventWriter(queue, sink, options, metrics, clock);
        this.dropped = EventWriter.counter(metrics, "dropped");
    }

    /**
     * A recorder in the name of a controller.
     *
     * @param reportingController a qualified name, for instance {@code reconciler4j.io/webapp}
     */
    public EventRecorder recorder(String reportingController) {
        if (reportingController.isBlank()) {
            throw new IllegalArgumentException("'reportingController' must not be blank");
        }
        return entry -> record(reportingController, entry);
    }

    private void record(String reportingController, EventEntry entry) {
        try {
            record(PendingEvent.of(reportingController, entry, clock.instant()));
        } catch (RuntimeException e) {
            LOG.warn("An event with reason {} cannot be recorded", entry.reason(), e);
            dropped.increment();
        }
    }

    private void record(PendingEvent event) {
        if (closed || !queue.offer(event)) {
            dropped.increment();
            return;
        }
        if (thread == null) {
            startWriter();
        }
    }

    private void startWriter() {
        lock.lock();
        try {
            if (thread == null && !closed) {
                thread = new Thread(writer, "event-writer");
                thread.setDaemon(true);
                thread.start();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes no more events, writes those that wait and the last counts of series, and ends; waits at most the flush
     * timeout of the options.
     */
    @Override
    public void close() {
        Thread running;
        lock.lock();
        try {
            closed = true;
            running = thread;
        } finally {
            lock.unlock();
        }
        if (running == null) {
            return;
        }
        writer.finish();
        try {
            running.join(options.flushTimeout().toMillis());
            if (running.isAlive()) {
                running.interrupt();
                running.join(options.flushTimeout().toMillis());
            }
        } catch (InterruptedException e) {
            running.interrupt();
            Thread.currentThread().interrupt();
        }
    }
}
