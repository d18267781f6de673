package io.github.reconciler4j.recorder;

import java.time.Duration;

/**
 * Limits of recording events. Immutable.
 *
 * @param queueSize how many events may wait to be written; further ones are dropped and counted (default 1000)
 * @param burst how many different events one controller may record about one object at once (default 25)
 * @param refill how long until one more of them may be recorded (default 5 min); positive
 * @param seriesEnd how long after the last equal event a series ends (default 6 min); positive
 * @param flushTimeout how long the stop waits for events to be written (default 5 s)
 * @since 0.1.0
 */
public record EventOptions(int queueSize, int burst, Duration refill, Duration seriesEnd, Duration flushTimeout) {

    private static final EventOptions DEFAULTS =
            new EventOptions(1000, 25, Duration.ofMinutes(5), Duration.ofMinutes(6), Duration.ofSeconds(5));

    /** Checks the values. */
    public EventOptions {
        if (queueSize < 1 || burst < 1) {
            throw new IllegalArgumentException(
                    "'queueSize' and 'burst' must be at least 1, were " + queueSize + " and " + burst);
        }
        if (refill.isNegative() || refill.isZero() || seriesEnd.isNegative() || seriesEnd.isZero()) {
            throw new IllegalArgumentException(
                    "'refill' and 'seriesEnd' must be positive, were " + refill + " and " + seriesEnd);
        }
    }

    /** The defaults, which are client-go's. */
    public static EventOptions defaults() {
        return DEFAULTS;
    }

    /** The same with another size of the queue. */
    public EventOptions withQueueSize(int size) {
        return new EventOptions(size, burst, refill, seriesEnd, flushTimeout);
    }

    /** The same with another limit per controller and object. */
    public EventOptions withRate(int newBurst, Duration newRefill) {
        return new EventOptions(queueSize, newBurst, newRefill, seriesEnd, flushTimeout);
    }
}
