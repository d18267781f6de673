package io.github.reconciler4j.source;

import io.github.reconciler4j.handler.RequestSink;
import io.github.reconciler4j.reconcile.Trigger;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.workqueue.WorkQueue;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Polls a system outside the cluster that cannot send events, and enqueues the requests whose state has changed since the
 * last poll. Requests of the first poll have low priority, because the initial list of the watched kind leads to their
 * reconciliation anyway. States are compared with {@code equals} and kept until the next poll, so use a small one: a
 * version or a checksum.
 *
 * <p>Polls on its own thread, one call at a time. A call that throws is logged, once until a call succeeds, and retried
 * after 1 s, doubling to 5 min. A start does not wait for the first poll. Immutable and thread-safe.
 *
 * <!-- snippet: TenantReconciler -->
 * <pre>{@code
 * controller.source(PollSource.ofAll("plans", Duration.ofMinutes(5), billing::plans)); // changed ones
 * }</pre>
 *
 * @param <R> the type of requests
 * @since 0.1.0
 */
public final class PollSource<R> implements RequestSource<R> {

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
     * Create a source that polls the state of all requests in one call.
     *
     * @param interval the time between the end of one call and the next; positive
     * @param poll returns the state of every request; one that is missing since the last poll is enqueued as well
     */
    public static <R> PollSource<R> ofAll(String name, Duration interval, Callable<? extends Map<R, ?>> poll) {
        return ofAll(name, interval, poll, TimeSource.system());
    }

    static <R> PollSource<R> ofAll(
            String name, Duration interval, Callable<? extends Map<R, ?>> poll, TimeSource time) {
        positive(interval, "interval");
        Objects.requireNonNull(poll, "'poll' must not be null");
        return new PollSource<>(
                name, sink -> new AllPoller<>(name, interval, poll, sink, time).start("poll", Duration.ZERO));
    }

    /**
     * Create a source that polls each request separately, at its own interval.
     *
     * @param refresh the time between two calls of {@code requests}; positive
     * @param requests returns all requests, for instance those of all objects in the cache
     * @param poll polls the state of one request
     */
    public static <R> PollSource<R> perRequest(
            String name, Duration refresh, Callable<? extends Collection<R>> requests, Poll<R> poll) {
        return perRequest(name, refresh, requests, poll, TimeSource.system());
    }

    static <R> PollSource<R> perRequest(
            String name, Duration refresh, Callable<? extends Collection<R>> requests, Poll<R> poll, TimeSource time) {
        positive(refresh, "refresh");
        Objects.requireNonNull(requests, "'requests' must not be null");
        Objects.requireNonNull(poll, "'poll' must not be null");
        return new PollSource<>(
                name,
                sink -> new EachPoller<>(name, refresh, requests, poll, sink, time)
                        .start(Optional.empty(), Duration.ZERO));
    }

    private static void positive(Duration value, String name) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException("'" + name + "' must be positive, was " + value);
        }
    }

    /**
     * Polls the state of one request.
     *
     * @param <R> the type of requests
     * @since 0.1.0
     */
    @FunctionalInterface
    public interface Poll<R> {

        /**
         * Return the state of a request.
         *
         * @throws Exception if the state cannot be read; the poll is retried
         */
        Polled poll(R request) throws Exception;
    }

    /**
     * The state of one request.
     *
     * @param state the state, compared with the last one; null if the request has none
     * @param next the time until the next poll of the request; positive
     * @since 0.1.0
     */
    public record Polled(@Nullable Object state, Duration next) {

        /** Check the time. */
        public Polled {
            positive(next, "next");
        }
    }

    @FunctionalInterface
    private interface Starter<R> {
        Running start(RequestSink<R> sink);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Running start(RequestSink<R> sink) {
        return starter.start(sink);
    }

    @Override
    public String toString() {
        return "PollSource[" + name + "]";
    }

    private static int priority(boolean first) {
        return first ? WorkQueue.LOW_PRIORITY : WorkQueue.DEFAULT_PRIORITY;
    }

    /** Polls all requests in one call. The fields are used by the polling thread alone. */
    private static final class AllPoller<R> extends Poller<R, String> {

        private final Duration interval;
        private final Callable<? extends Map<R, ?>> poll;
        private final Trigger trigger;
        private Map<R, Object> states = new HashMap<>();
        private boolean first = true;

        AllPoller(
                String name,
                Duration interval,
                Callable<? extends Map<R, ?>> poll,
                RequestSink<R> sink,
                TimeSource time) {
            super(name, sink, time);
            this.interval = interval;
            this.poll = poll;
            this.trigger = Trigger.external(name);
        }

        @Override
        void run(String task) throws Exception {
            Map<R, Object> now = new HashMap<>(poll.call());
            RequestSink<R> changed = sink().with(priority(first), trigger);
            for (Map.Entry<R, Object> entry : now.entrySet()) {
                boolean known = states.containsKey(entry.getKey());
                if (!known || !Objects.equals(states.get(entry.getKey()), entry.getValue())) {
                    changed.add(entry.getKey());
                }
            }
            for (R before : states.keySet()) {
                if (!now.containsKey(before)) {
                    changed.add(before);
                }
            }
            states = now;
            first = false;
            schedule(task, interval);
        }
    }

    /**
     * Polls each request separately. A task is a request to poll, or empty: to read which requests exist. The fields are
     * used by the polling thread alone.
     */
    private static final class EachPoller<R> extends Poller<R, Optional<R>> {

        private final Duration refresh;
        private final Callable<? extends Collection<R>> requests;
        private final Poll<R> poll;
        private final Trigger trigger;

        /** The last state of each request; empty if it was never polled. */
        private final Map<R, Optional<Polled>> known = new HashMap<>();

        EachPoller(
                String name,
                Duration refresh,
                Callable<? extends Collection<R>> requests,
                Poll<R> poll,
                RequestSink<R> sink,
                TimeSource time) {
            super(name, sink, time);
            this.refresh = refresh;
            this.requests = requests;
            this.poll = poll;
            this.trigger = Trigger.external(name);
        }

        @Override
        void run(Optional<R> task) throws Exception {
            if (task.isEmpty()) {
                readRequests();
                schedule(task, refresh);
            } else if (known.containsKey(task.get())) {
                poll(task.get());
            }
        }

        private void readRequests() throws Exception {
            Set<R> now = new HashSet<>(requests.call());
            known.keySet().retainAll(now);
            for (R request : now) {
                if (known.putIfAbsent(request, Optional.empty()) == null) {
                    schedule(Optional.of(request), Duration.ZERO);
                }
            }
        }

        private void poll(R request) throws Exception {
            Polled now = poll.poll(request);
            Optional<Polled> before = known.getOrDefault(request, Optional.empty());
            if (before.isEmpty() || !Objects.equals(before.get().state(), now.state())) {
                sink().with(priority(before.isEmpty()), trigger).add(request);
            }
            known.put(request, Optional.of(now));
            schedule(Optional.of(request), now.next());
        }
    }
}
