package io.github.reconciler4j.source;

import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.handler.EventHandler;
import io.github.reconciler4j.handler.RequestSink;
import io.github.reconciler4j.predicate.EventPredicate;
import io.github.reconciler4j.predicate.EventPredicates;
import io.github.reconciler4j.reconcile.Trigger;
import io.github.reconciler4j.workqueue.WorkQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Brings events from outside the cluster to controllers: a webhook call, a message, a timer. Whoever knows of an event
 * calls {@link #send}; the requests it leads to are queued by every controller that has started with this source. While
 * none has (before start, on a replica that does not lead), up to 1024 different requests are kept for the first that
 * does.
 *
 * <p>Nothing is kept across a restart of the process: what must not be lost belongs into the cluster. Safe for use by
 * many threads; sending never blocks.
 *
 * @param <E> what an event is
 * @param <R> what a request is
 * @since 0.1.0
 */
public final class ChannelSource<E, R> implements EventSource<R>, AutoCloseable {

    /** How many different requests are kept while no controller has started. */
    public static final int DEFAULT_CAPACITY = 1024;

    /** Delays are counted in nanoseconds; nobody waits longer than this. */
    private static final Duration LONGEST_DELAY = Duration.ofDays(36500);

    private final String name;
    private final BiConsumer<E, RequestSink<R>> handler;
    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by {@link #lock}. */
    private final List<RequestTarget<R>> targets = new ArrayList<>();

    /** What came while there was no target. Guarded by {@link #lock}. */
    private final Map<R, Kept> kept = new LinkedHashMap<>();

    /** Guarded by {@link #lock}. */
    private boolean closed;

    private ChannelSource(String name, BiConsumer<E, RequestSink<R>> handler) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("'name' must not be blank");
        }
        this.name = name;
        this.handler = handler;
    }

    /** A channel whose events are the requests themselves. */
    public static <R> ChannelSource<R, R> ofRequests(String name) {
        return new ChannelSource<>(name, (request, sink) -> sink.add(request));
    }

    /**
     * A channel whose events are turned into requests by a function, on the thread of the sender.
     *
     * @param mapper names the requests an event concerns; null and empty are none
     */
    public static <E, R> ChannelSource<E, R> mapping(
            String name, Function<? super E, ? extends @Nullable Iterable<R>> mapper) {
        return new ChannelSource<>(name, (event, sink) -> {
            Iterable<R> requests = mapper.apply(event);
            if (requests != null) {
                requests.forEach(sink::add);
            }
        });
    }

    /**
     * A channel of object events that pass predicates and a handler, as those of a watched kind do, on the thread of the
     * sender.
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // the array is only read
    public static <T, R> ChannelSource<ObjectEvent<T>, R> handling(
            String name, EventHandler<? super T, R> handler, EventPredicate<? super T>... predicates) {
        EventPredicate<T> all = EventPredicates.allOf(predicates);
        return new ChannelSource<>(name, (event, sink) -> {
            if (all.test(event)) {
                handler.onEvent(event, sink);
            }
        });
    }

    @Override
    public String name() {
        return name;
    }

    /**
     * Queues the requests that an event leads to. What the function or handler of this channel throws comes out here.
     *
     * @return false if a request found no place: the channel is closed, or no controller has started and no more requests
     *     can be kept
     */
    public boolean send(E event) {
        Trigger trigger =
                event instanceof ObjectEvent<?> object ? EventSink.trigger(name, object) : Trigger.external(name);
        ChannelSink sink = new ChannelSink(trigger);
        handler.accept(event, sink);
        return sink.accepted;
    }

    @Override
    public Running start(RequestTarget<R> target) {
        List<Kept> earlier;
        lock.lock();
        try {
            targets.add(target);
            earlier = List.copyOf(kept.values());
            kept.clear();
        } finally {
            lock.unlock();
        }
        earlier.forEach(request -> request.addTo(target));
        return () -> remove(target);
    }

    private void remove(RequestTarget<R> target) {
        lock.lock();
        try {
            targets.remove(target);
        } finally {
            lock.unlock();
        }
    }

    /** Ends the channel for all controllers: what is sent from now on is refused. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            kept.clear();
            targets.clear();
        } finally {
            lock.unlock();
        }
    }

    private boolean accept(Kept request) {
        List<RequestTarget<R>> takers;
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            if (targets.isEmpty()) {
                return keep(request);
            }
            takers = List.copyOf(targets);
        } finally {
            lock.unlock();
        }
        takers.forEach(request::addTo);
        return true;
    }

    /** The caller holds {@link #lock}. */
    private boolean keep(Kept request) {
        if (kept.size() >= DEFAULT_CAPACITY && !kept.containsKey(request.request)) {
            return false;
        }
        kept.merge(request.request, request, Kept::mergedWith);
        return true;
    }

    @Override
    public String toString() {
        return "ChannelSource[" + name + "]";
    }

    /** The sink of one event. */
    private final class ChannelSink implements RequestSink<R> {

        private final Trigger trigger;
        private volatile boolean accepted = true;

        ChannelSink(Trigger trigger) {
            this.trigger = trigger;
        }

        @Override
        public int priority() {
            return WorkQueue.DEFAULT_PRIORITY;
        }

        @Override
        public void addAfter(R request, Duration delay, int priority) {
            if (!accept(new Kept(request, System.nanoTime() + nanos(delay), priority, trigger))) {
                accepted = false;
            }
        }
    }

    private static long nanos(Duration delay) {
        return delay.compareTo(LONGEST_DELAY) > 0 ? LONGEST_DELAY.toNanos() : delay.toNanos();
    }

    /** A request with the moment it becomes due, on the clock of {@link System#nanoTime}. */
    private final class Kept {

        private final R request;
        private final long due;
        private final int priority;
        private final Trigger trigger;

        Kept(R request, long due, int priority, Trigger trigger) {
            this.request = request;
            this.due = due;
            this.priority = priority;
            this.trigger = trigger;
        }

        void addTo(RequestTarget<R> target) {
            target.add(request, Duration.ofNanos(due - System.nanoTime()), priority, trigger);
        }

        Kept mergedWith(Kept later) {
            long earliest = due - later.due < 0 ? due : later.due;
            Trigger both = trigger.sameOrigin(later.trigger) ? trigger.coalescedWith(later.trigger) : later.trigger;
            return new Kept(request, earliest, Math.max(priority, later.priority), both);
        }
    }
}
