package io.github.reconciler4j.recorder;

import io.github.reconciler4j.client.FieldManagerScope;
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

    private static final int MAX_NAME_LENGTH = 63;

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
     * Return a recorder that reports in the given name.
     *
     * @param reportingController a qualified name such as {@code example.com/webapp}, or a name in the domain of the options
     *     such as {@code webapp}
     * @throws IllegalArgumentException if the name is blank
     */
    public EventRecorder recorder(String reportingController) {
        String qualified = qualified(reportingController);
        return entry -> record(qualified, entry);
    }

    /**
     * Return a recorder that reports in the name of the controller that the calling thread belongs to.
     *
     * @param defaultController the name outside of controllers, as in {@link #recorder(String)}
     * @throws IllegalArgumentException if the name is blank
     */
    public EventRecorder threadRecorder(String defaultController) {
        String outside = qualified(defaultController);
        return entry -> record(FieldManagerScope.current().map(this::qualified).orElse(outside), entry);
    }

    /** The API server accepts a DNS name, a slash and at most 63 letters, digits, '-', '_' and '.'. */
    private String qualified(String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("'reportingController' must not be blank");
        }
        if (name.contains("/")) {
            return name;
        }
        String valid = name.replaceAll("[^-A-Za-z0-9_.]", "-").replaceAll("^[-_.]+", "");
        String cut = valid.length() > MAX_NAME_LENGTH ? valid.substring(0, MAX_NAME_LENGTH) : valid;
        String trimmed = cut.replaceAll("[-_.]+$", "");
        return options.domain() + "/" + (trimmed.isEmpty() ? "operator" : trimmed);
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
