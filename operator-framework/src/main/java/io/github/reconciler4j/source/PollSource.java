package io.github.reconciler4j.source;

import io.github.reconciler4j.workqueue.Ticker;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Asks a system outside the cluster that cannot tell by itself what changed, and queues the requests whose state is
 * another one than at the last time. What is asked for the first time is queued with low priority, since the first list
 * of the watched kind leads to a run anyway. States are compared with {@code equals} and kept until the next time, so a
 * small one is best: a version, a checksum.
 *
 * <p>Asks on a thread of its own, one call at a time. A call that throws is logged, once until it works again, and tried
 * again after 1 s, doubling to 5 min. Start does not wait for the first answer. Immutable and safe for use by many
 * threads.
 *
 * @param <R> what a request is
 * @since 0.1.0
 */
public final class PollSource<R> implements EventSource<R> {

    private final String name;
    private final Starter<R> starter;

    private PollSource(String name, Starter<R> starter) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("'name' must not be blank");
        }
        this.name = name;
        this.starter = starter;
    }

    /**
     * Asks for everything in one call.
     *
     * @param interval the time between the end of one call and the next; positive
     * @param poll returns the state of every request there is; one that is missing since the last time is queued as well
     */
    public static <R> PollSource<R> ofAll(String name, Duration interval, Callable<? extends Map<R, ?>> poll) {
        positive(interval, "interval");
        Objects.requireNonNull(poll, "'poll' must not be null");
        return new PollSource<>(name, target -> new PollAll<>(name, interval, poll, target, Ticker.system()).begin());
    }

    /**
     * Asks for each request on its own, at an interval of its own.
     *
     * @param refresh the time between two looks at which requests there are; positive
     * @param requests returns the requests there are, for instance those of all objects in the cache
     * @param poll asks for one request
     */
    public static <R> PollSource<R> perRequest(
            String name, Duration refresh, Callable<? extends Collection<R>> requests, Poll<R> poll) {
        positive(refresh, "refresh");
        Objects.requireNonNull(requests, "'requests' must not be null");
        Objects.requireNonNull(poll, "'poll' must not be null");
        return new PollSource<>(
                name, target -> new PollEach<>(name, refresh, requests, poll, target, Ticker.system()).begin());
    }

    private static void positive(Duration value, String name) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException("'" + name + "' must be positive, was " + value);
        }
    }

    /**
     * Asks for the state of one request.
     *
     * @param <R> what a request is
     * @since 0.1.0
     */
    @FunctionalInterface
    public interface Poll<R> {

        /**
         * Asks.
         *
         * @throws Exception if there is no answer; it is asked again later
         */
        Polled poll(R request) throws Exception;
    }

    /**
     * One answer.
     *
     * @param state the state of the request, compared with the last one; null if it has none
     * @param next the time until it is asked for again; positive
     * @since 0.1.0
     */
    public record Polled(@Nullable Object state, Duration next) {

        /** Checks the time. */
        public Polled {
            positive(next, "next");
        }
    }

    @FunctionalInterface
    private interface Starter<R> {
        Running start(RequestTarget<R> target);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Running start(RequestTarget<R> target) {
        return starter.start(target);
    }

    @Override
    public String toString() {
        return "PollSource[" + name + "]";
    }
}
