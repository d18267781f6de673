package io.github.reconciler4j.recorder;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Settings of event recording. Immutable. The defaults of the limits are those of client-go.
 *
 * @since 0.1.0
 */
public final class EventOptions {

    private static final EventOptions DEFAULTS = new EventOptions(new Draft());
    private static final String DOMAIN = "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";
    private static final int MAX_DOMAIN_LENGTH = 253;

    private final String domain;
    private final int queueSize;
    private final int burst;
    private final Duration refill;
    private final Duration seriesEnd;
    private final Duration flushTimeout;

    private EventOptions(Draft draft) {
        domain = Objects.requireNonNull(draft.domain, "'domain' must not be null");
        queueSize = positive(draft.queueSize, "queueSize");
        burst = positive(draft.burst, "burst");
        refill = positive(draft.refill, "refill");
        seriesEnd = positive(draft.seriesEnd, "seriesEnd");
        flushTimeout = Objects.requireNonNull(draft.flushTimeout, "'flushTimeout' must not be null");
        if (domain.length() > MAX_DOMAIN_LENGTH || !domain.matches(DOMAIN)) {
            throw new IllegalArgumentException(
                    "'domain' must be a DNS name such as 'example.com', was '" + domain + "'");
        }
        if (flushTimeout.isNegative()) {
            throw new IllegalArgumentException("'flushTimeout' must not be negative, was " + flushTimeout);
        }
    }

    private static int positive(int value, String name) {
        if (value < 1) {
            throw new IllegalArgumentException("'" + name + "' must be at least 1, was " + value);
        }
        return value;
    }

    private static Duration positive(Duration value, String name) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException("'" + name + "' must be positive, was " + value);
        }
        return value;
    }

    /** Return the defaults. */
    public static EventOptions defaults() {
        return DEFAULTS;
    }

    /**
     * Return the domain of the reporting controllers. A controller {@code webapp} reports as {@code example.com/webapp} if
     * the domain is {@code example.com}. The default is {@code reconciler4j.io}.
     */
    public String domain() {
        return domain;
    }

    /**
     * Return how many events may wait to be written. The recorder drops and counts further events. The default is 1000.
     */
    public int queueSize() {
        return queueSize;
    }

    /**
     * Return how many different events one controller may record about one object at once. The default is 25.
     */
    public int burst() {
        return burst;
    }

    /**
     * Return the time after which a controller that has used up its burst may record one more event about the object. The
     * default is 5 minutes.
     */
    public Duration refill() {
        return refill;
    }

    /** Return how long after the last equal event a series ends. The default is 6 minutes. */
    public Duration seriesEnd() {
        return seriesEnd;
    }

    /** Return how long the manager waits at stop until all events are written. The default is 5 seconds. */
    public Duration flushTimeout() {
        return flushTimeout;
    }

    /**
     * Return a copy of these options with the given domain of the reporting controllers.
     *
     * @throws IllegalArgumentException if it is not a lower-case DNS name
     */
    public EventOptions withDomain(String newDomain) {
        return change(draft -> draft.domain = newDomain);
    }

    /**
     * Return a copy of these options with the given size of the queue.
     *
     * @throws IllegalArgumentException if it is less than 1
     */
    public EventOptions withQueueSize(int size) {
        return change(draft -> draft.queueSize = size);
    }

    /**
     * Return a copy of these options with the given rate limit per controller and object.
     *
     * @param newBurst how many different events are allowed at once, at least 1
     * @param newRefill the time until one more event is allowed, positive
     * @throws IllegalArgumentException if one of them is out of range
     */
    public EventOptions withRate(int newBurst, Duration newRefill) {
        return change(draft -> {
            draft.burst = newBurst;
            draft.refill = newRefill;
        });
    }

    /**
     * Return a copy of these options with the given time after which a series of equal events ends.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public EventOptions withSeriesEnd(Duration end) {
        return change(draft -> draft.seriesEnd = end);
    }

    /**
     * Return a copy of these options with the given time to write events at stop.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public EventOptions withFlushTimeout(Duration timeout) {
        return change(draft -> draft.flushTimeout = timeout);
    }

    private EventOptions change(Consumer<Draft> change) {
        Draft draft = new Draft();
        draft.domain = domain;
        draft.queueSize = queueSize;
        draft.burst = burst;
        draft.refill = refill;
        draft.seriesEnd = seriesEnd;
        draft.flushTimeout = flushTimeout;
        change.accept(draft);
        return new EventOptions(draft);
    }

    @Override
    public String toString() {
        return "EventOptions[domain=" + domain + ", queueSize=" + queueSize + ", burst=" + burst + ", refill=" + refill
                + ", seriesEnd=" + seriesEnd + ", flushTimeout=" + flushTimeout + "]";
    }

    private static final class Draft {
        private String domain = "reconciler4j.io";
        private int queueSize = 1000;
        private int burst = 25;
        private Duration refill = Duration.ofMinutes(5);
        private Duration seriesEnd = Duration.ofMinutes(6);
        private Duration flushTimeout = Duration.ofSeconds(5);
    }
}
