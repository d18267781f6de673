package io.github.reconciler4j.recorder;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.client.WorkScope;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.error.UnexpectedResponseException;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.KubernetesJson;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.Threads;
import io.github.reconciler4j.support.TimeSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
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
 * <!-- snippet: ManagerUse -->
 * <pre>{@code
 * try (var events =
 *         new EventBroadcaster(connection, "greeter-0", EventOptions.defaults(), OperatorMetrics.NONE)) {
 *     events.recorder("greeter").normal(greeting, "Created", "Create", "The ConfigMap was created");
 * }
 * }</pre>
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

    /** Written under the lock, as the following; both are read without it for each event. */
    private volatile @Nullable Thread thread;

    private volatile boolean accepting = true;
    private volatile boolean hasRecorder;

    /**
     * Create a broadcaster that writes to the API server.
     *
     * @param connection the connection to the API server
     * @param reportingInstance the name of this process, for instance its identity in leader election
     */
    public EventBroadcaster(
            ApiConnection connection, String reportingInstance, EventOptions options, OperatorMetrics metrics) {
        this(new ApiEventSink(connection, reportingInstance), options, metrics, TimeSource.system());
    }

    /** Create a broadcaster that logs events and writes nothing, for an operator that must not change anything. */
    public static EventBroadcaster toLog(EventOptions options, OperatorMetrics metrics) {
        return new EventBroadcaster(new LogSink(), options, metrics, TimeSource.system());
    }

    EventBroadcaster(EventSink sink, EventOptions options, OperatorMetrics metrics, InstantSource time) {
        this.options = options;
        this.time = time;
        this.queue = new ArrayBlockingQueue<>(options.queueSize());
        OperatorMetrics guarded = OperatorMetrics.guarded(metrics);
        this.writer = new EventWriter(queue, sink, options, guarded, time);
        this.dropped = EventWriter.counter(guarded, "dropped");
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
        hasRecorder = true;
        return entry -> record(WorkScope.controller().map(this::qualified).orElse(outside), entry);
    }

    /** Return whether {@link #threadRecorder} has been called, that is, whether the operator may record events of its own. */
    public boolean hasRecorder() {
        return hasRecorder;
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
        } catch (Throwable e) {
            dropped.increment();
            warnings.log(
                    LogLimiter.cause(e),
                    occurrence -> LOG.warn(
                            "Could not record an event with reason {}{}",
                            entry.reason(),
                            occurrence.suffix(e),
                            occurrence.trace(e)));
        }
    }

    private void record(PendingEvent event) {
        if (!accepting || !queue.offer(event)) {
            dropped.increment();
        } else if (!isWriting()) {
            startWriter();
        }
    }

    /** Whether there is a writer. One that an error has ended is replaced. */
    private boolean isWriting() {
        Thread running = thread;
        return running != null && running.isAlive();
    }

    private void startWriter() {
        lock.lock();
        try {
            if (!isWriting() && accepting) {
                Thread starting = Threads.daemon("event-writer", writer);
                starting.start();
                thread = starting;
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

    /**
     * Writes events of {@code events.k8s.io/v1}. They do not pass the write gate: a replica that has lost its lease may still report
     * what happened.
     */
    static final class ApiEventSink implements EventSink {

        private static final KindInfo EVENT =
                new KindInfo(new KindName("events.k8s.io", "v1", "Event"), "events", true);
        private static final Duration TIMEOUT = Duration.ofSeconds(5);
        private static final int MAX_NAME_PREFIX = 200;
        private static final int MAX_INSTANCE_LENGTH = 128;
        private static final DateTimeFormatter MICRO_TIME =
                DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

        private final ApiConnection connection;
        private final String reportingInstance;

        ApiEventSink(ApiConnection connection, String reportingInstance) {
            this.connection = connection;
            this.reportingInstance =
                    reportingInstance.substring(0, Math.min(reportingInstance.length(), MAX_INSTANCE_LENGTH));
        }

        @Override
        public String create(EventSeries series) {
            PendingEvent event = series.first();
            String namespace = namespace(event);
            String name = name(event);
            ObjectNode json = KubernetesJson.mapper().createObjectNode();
            json.put("apiVersion", EVENT.kind().apiVersion()).put("kind", "Event");
            ObjectNode metadata =
                    json.putObject("metadata").put("namespace", namespace).put("name", name);
            if (!event.annotations().isEmpty()) {
                event.annotations().forEach(metadata.putObject("annotations")::put);
            }
            json.put("eventTime", MICRO_TIME.format(event.time()));
            json.put("reportingController", event.reportingController()).put("reportingInstance", reportingInstance);
            json.put("type", event.type()).put("reason", event.reason()).put("action", event.action());
            json.put("note", event.note());
            put(json.putObject("regarding"), event.regarding());
            if (event.related() != null) {
                put(json.putObject("related"), event.related());
            }
            if (series.count() > 1) {
                putSeries(json, series);
            }
            send(event, ApiRequest.of("create", "POST", EVENT.path(namespace)).withBody(ApiRequest.JSON, bytes(json)));
            return name;
        }

        @Override
        public void update(EventSeries series) {
            ObjectNode json = KubernetesJson.mapper().createObjectNode();
            putSeries(json, series);
            ObjectKey key = new ObjectKey(namespace(series.first()), series.eventName());
            send(
                    series.first(),
                    ApiRequest.of("patch", "PATCH", EVENT.path(key))
                            .withBody("application/merge-patch+json", bytes(json)));
        }

        /** A response that is no event means that something else than an API server answered, and that nothing was written. */
        private void send(PendingEvent event, ApiRequest request) {
            byte[] response = connection
                    .send(request.withServiceAccount(event.account()).withTimeout(TIMEOUT))
                    .body();
            try {
                if ("Event".equals(KubernetesJson.readMap(response).get("kind"))) {
                    return;
                }
            } catch (IOException e) {
                // Jackson's message quotes the content.
            }
            throw new UnexpectedResponseException(request.verb() + " " + request.path()
                    + ": the response is not an Event; is there a proxy in front of the API server?");
        }

        private static void putSeries(ObjectNode json, EventSeries series) {
            json.putObject("series").put("count", series.count()).put("lastObservedTime", time(series.lastSeen()));
        }

        private static String time(Instant instant) {
            return MICRO_TIME.format(instant);
        }

        private static void put(ObjectNode json, PendingEvent.ObjectRef object) {
            putIfNotEmpty(json, "apiVersion", object.apiVersion());
            putIfNotEmpty(json, "kind", object.kind());
            putIfNotEmpty(json, "namespace", object.namespace());
            putIfNotEmpty(json, "name", object.name());
            putIfNotEmpty(json, "uid", object.uid());
            putIfNotEmpty(json, "resourceVersion", object.resourceVersion());
        }

        private static void putIfNotEmpty(ObjectNode json, String field, String value) {
            if (!value.isEmpty()) {
                json.put(field, value);
            }
        }

        /** Events about cluster-scoped objects belong to the namespace {@code default}. */
        private static String namespace(PendingEvent event) {
            String namespace = event.regarding().namespace();
            return namespace.isEmpty() ? "default" : namespace;
        }

        /** The name of the object, as far as the name of an event allows it, and a unique suffix. */
        private static String name(PendingEvent event) {
            String prefix = event.regarding().name().toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.-]", "-");
            String cut = prefix.length() > MAX_NAME_PREFIX ? prefix.substring(0, MAX_NAME_PREFIX) : prefix;
            String valid = cut.replaceAll("^[^a-z0-9]+|[^a-z0-9]+$", "").replaceAll("[.-]*\\.[.-]*", ".");
            long unique = ThreadLocalRandom.current().nextLong();
            return (valid.isEmpty() ? "event" : valid) + "." + String.format(Locale.ROOT, "%016x", unique);
        }

        private byte[] bytes(ObjectNode json) {
            try {
                return KubernetesJson.mapper().writeValueAsBytes(json);
            } catch (JsonProcessingException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
