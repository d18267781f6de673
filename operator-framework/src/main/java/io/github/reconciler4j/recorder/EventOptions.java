package io.github.reconciler4j.recorder;

import io.github.reconciler4j.support.internal.Durations;
import io.github.reconciler4j.support.internal.OptionValues;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Settings of event recording. Immutable. The defaults of the limits are those of client-go.
 *
 * <!-- snippet: ManagerUse -->
 * <pre>{@code
 * .withEvents(EventOptions.defaults().withDomain("example.com").withRate(50, Duration.ofSeconds(10)));
 * }</pre>
 *
 * @since 0.1.0
 */
public final class EventOptions {

    private static final EventOptions DEFAULTS = new EventOptions(new Values());
    private static final String DOMAIN = "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";
    private static final int MAX_DOMAIN_LENGTH = 253;

    private final Values values;

    private EventOptions(Values values) {
        Objects.requireNonNull(values.domain, "'domain' must not be null");
        positive(values.queueSize, "queueSize");
        positive(values.burst, "burst");
        Durations.positive(values.refill, "refill");
        Durations.positive(values.seriesEnd, "seriesEnd");
        Objects.requireNonNull(values.flushTimeout, "'flushTimeout' must not be null");
        if (values.domain.length() > MAX_DOMAIN_LENGTH || !values.domain.matches(DOMAIN)) {
            throw new IllegalArgumentException(
                    "'domain' must be a DNS name such as 'example.com', was '" + values.domain + "'");
        }
        if (values.flushTimeout.isNegative()) {
            throw new IllegalArgumentException("'flushTimeout' must not be negative, was " + values.flushTimeout);
        }
        this.values = values;
    }

    private static int positive(int value, String name) {
        if (value < 1) {
            throw new IllegalArgumentException("'" + name + "' must be at least 1, was " + value);
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
        return values.domain;
    }

    /**
     * Return how many events may wait to be written. The recorder drops and counts further events. The default is 1000.
     */
    public int queueSize() {
        return values.queueSize;
    }

    /**
     * Return how many different events one controller may record about one object at once. The default is 25.
     */
    public int burst() {
        return values.burst;
    }

    /**
     * Return the time after which a controller that has used up its burst may record one more event about the object. The
     * default is 5 minutes.
     */
    public Duration refill() {
        return values.refill;
    }

    /** Return how long after the last equal event a series ends. The default is 6 minutes. */
    public Duration seriesEnd() {
        return values.seriesEnd;
    }

    /** Return how long the manager waits at stop until all events are written. The default is 5 seconds. */
    public Duration flushTimeout() {
        return values.flushTimeout;
    }

    /**
     * Return a copy of these options with the given domain of the reporting controllers.
     *
     * @throws IllegalArgumentException if it is not a lower-case DNS name
     */
    public EventOptions withDomain(String newDomain) {
        return change(copy -> copy.domain = newDomain);
    }

    /**
     * Return a copy of these options with the given size of the queue.
     *
     * @throws IllegalArgumentException if it is less than 1
     */
    public EventOptions withQueueSize(int size) {
        return change(copy -> copy.queueSize = size);
    }

    /**
     * Return a copy of these options with the given rate limit per controller and object.
     *
     * @param newBurst how many different events are allowed at once, at least 1
     * @param newRefill the time until one more event is allowed, positive
     * @throws IllegalArgumentException if one of them is out of range
     */
    public EventOptions withRate(int newBurst, Duration newRefill) {
        return change(copy -> {
            copy.burst = newBurst;
            copy.refill = newRefill;
        });
    }

    /**
     * Return a copy of these options with the given time after which a series of equal events ends.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public EventOptions withSeriesEnd(Duration end) {
        return change(copy -> copy.seriesEnd = end);
    }

    /**
     * Return a copy of these options with the given time to write events at stop.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public EventOptions withFlushTimeout(Duration timeout) {
        return change(copy -> copy.flushTimeout = timeout);
    }

    private EventOptions change(Consumer<Values> change) {
        return new EventOptions(values.changed(change));
    }

    @Override
    public String toString() {
        return "EventOptions[domain=" + values.domain + ", queueSize=" + values.queueSize + ", burst=" + values.burst
                + ", refill=" + values.refill + ", seriesEnd=" + values.seriesEnd + ", flushTimeout="
                + values.flushTimeout + "]";
    }

    private static final class Values extends OptionValues<Values> {
        private String domain = "reconciler4j.io";
        private int queueSize = 1000;
        private int burst = 25;
        private Duration refill = Duration.ofMinutes(5);
        private Duration seriesEnd = Duration.ofMinutes(6);
        private Duration flushTimeout = Duration.ofSeconds(5);
    }
}
