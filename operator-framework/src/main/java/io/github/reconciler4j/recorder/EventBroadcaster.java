package io.github.reconciler4j.recorder;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.client.FieldManagerScope;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.Threads;
import java.time.InstantSource;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives the events of all recorders and writes them on one daemon thread, which starts with the first event. Recording never
 * blocks and never fails: an event that does not fit into the queue is dropped and counted.
 *
 * <p>Thread-safe.
 *
 * @since 0.1.0
 */
public final class EventBroadcaster implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(EventBroadcaster.class);

    private static final int MAX_NAME_LENGTH = 63;

    private final EventOptions options;
    private final InstantSource time;
    private final BlockingQueue<PendingEvent> queue;
    private final EventWriter writer;
    private final OperatorMetrics.Counter dropped;
    private final LogLimiter warnings = new LogLimiter();
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private @Nullable Thread thread;

    /** Written under the lock, together with the thread; read without it for each event. */
    private volatile boolean accepting = true;

    private volatile boolean started;

    /**
     * Create a broadcaster that writes to the API server.
     *
     * @param connection the connection to the API server
     * @param reportingInstance the name of this process, for instance its identity in leader election
     */
    public EventBroadcaster(
            ApiConnection connection, String reportingInstance, EventOptions options, OperatorMetrics metrics) {
        this(new ApiEventSink(connection, reportingInstance), options, metrics, InstantSource.system());
    }

    /** Create a broadcaster that logs events and writes nothing, for an operator that must not change anything. */
    public static EventBroadcaster toLog(EventOptions options, OperatorMetrics metrics) {
        return new EventBroadcaster(new LogSink(), options, metrics, InstantSource.system());
    }

    EventBroadcaster(EventSink sink, EventOptions options, OperatorMetrics metrics, InstantSource time) {
        this.options = options;
        this.time = time;
        this.queue = new ArrayBlockingQueue<>(options.queueSize());
        this.writer = new EventWriter(queue, sink, options, metrics, time);
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
            record(PendingEvent.of(reportingController, entry, time.instant()));
        } catch (RuntimeException | Error e) {
            dropped.increment();
            warnings.log(
                    LogLimiter.cause(e),
                    occurrence -> LOG.warn(
                            "Could not record an event with reason {}{}", entry.reason(), occurrence.suffix(), e));
        }
    }

    private void record(PendingEvent event) {
        if (!accepting || !queue.offer(event)) {
            dropped.increment();
        } else if (!started) {
            startWriter();
        }
    }

    private void startWriter() {
        lock.lock();
        try {
            if (thread == null && accepting) {
                Thread starting = Threads.daemon("event-writer", writer);
                starting.start();
                thread = starting;
                started = true;
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Accept no more events, write those that are waiting and the last counts of series, and end. Wait for this at most for the
     * flush timeout of the options, then interrupt the writer and wait as long again.
     */
    @Override
    public void close() {
        Thread running;
        lock.lock();
        try {
            accepting = false;
            running = thread;
        } finally {
            lock.unlock();
        }
        if (running == null) {
            return;
        }
        writer.finish();
        if (!Threads.join(running, options.flushTimeout())) {
            running.interrupt();
            Threads.join(running, options.flushTimeout());
        }
    }

    /** Logs events. */
    private static final class LogSink implements EventSink {
        @Override
        public String create(EventSeries series) {
            log(series);
            return "logged";
        }

        @Override
        public void update(EventSeries series) {
            log(series);
        }

        private static void log(EventSeries series) {
            PendingEvent event = series.first();
            LOG.info(
                    "Would record an event about {} {}/{}: {} {} {} ({} times)",
                    event.regarding().kind(),
                    event.regarding().namespace(),
                    event.regarding().name(),
                    event.type(),
                    event.reason(),
                    event.note(),
                    series.count());
        }
    }
}
