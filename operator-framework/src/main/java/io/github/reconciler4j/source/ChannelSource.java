package io.github.reconciler4j.source;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.handler.EventHandler;
import io.github.reconciler4j.handler.RequestSink;
import io.github.reconciler4j.predicate.EventPredicate;
import io.github.reconciler4j.predicate.EventPredicates;
import io.github.reconciler4j.reconcile.Trigger;
import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.support.TimeSource;
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
 * Takes events from outside the cluster to controllers: a webhook call, a message, a timer. The application calls
 * {@link #send}; every controller that has this source enqueues the requests that the event leads to. For a controller that
 * has not started (before its start, or on a replica that does not lead), up to 1024 different requests are kept until it
 * does.
 *
 * <p>Nothing is kept across a restart of the process, or across a stop of the controller, as when the lease is lost: requests that
 * wait, are retried, wait for {@code requeueAfter} or run then are dropped, also if the same process leads again later. What must
 * not be lost belongs in the cluster. Sending never blocks. Thread-safe.
 *
 * <!-- snippet: TunedControllers -->
 * <pre>{@code
 * ChannelSource<ConfigMap, ClusterRequest> far = ChannelSource.mapping(
 *         "far",
 *         map -> List.of(new ClusterRequest("far", map.getMetadata().getName())));
 * }</pre>
 *
 * @param <E> the type of events
 * @param <R> the type of requests
 * @since 0.1.0
 */
public final class ChannelSource<E, R> implements RequestSource<R>, AutoCloseable {

    /** The number of different requests that are kept for a controller that has not started. */
    public static final int DEFAULT_CAPACITY = 1024;

    private final String name;
    private final BiConsumer<E, RequestSink<R>> handler;
    private final ReentrantLock lock = new ReentrantLock();

    /** The controllers that have this source, by name. */
    @GuardedBy("lock")
    private final Map<String, Receiver<R>> receivers = new LinkedHashMap<>();

    /** The requests of events before the first start, for controllers that are attached later. */
    @GuardedBy("lock")
    private @Nullable Receiver<R> early = new Receiver<>();

    @GuardedBy("lock")
    private boolean closed;

    private ChannelSource(String name, BiConsumer<E, RequestSink<R>> handler) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("'name' must not be blank");
        }
        this.name = name;
        this.handler = handler;
    }

    /** Create a channel whose events are the requests themselves. */
    public static <R> ChannelSource<R, R> ofRequests(String name) {
        return new ChannelSource<>(name, (request, sink) -> sink.add(request));
    }

    /**
     * Create a channel whose events a function maps to requests, on the thread of the sender.
     *
     * @param mapper returns requests; null and empty mean none
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
     * Create a channel of object events that pass predicates and a handler, as those of a watched kind do, on the thread of
     * the sender.
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
     * Enqueue the requests that an event leads to. Throws what the function or handler of this channel throws.
     *
     * @return whether all controllers have the requests now, which they keep until they stop; false if a request was refused: the channel is closed, or a controller has not started and no more requests
     *     can be kept for it
     */
    public boolean send(E event) {
        Trigger trigger = event instanceof ObjectEvent<?> object ? Trigger.of(name, object) : Trigger.external(name);
        boolean[] accepted = {true};
        RequestSink<R> sink = (request, delay, priority, why) -> {
            if (!accept(
                    new DelayedRequest<>(request, TimeSource.system().nanoTime() + Nanos.of(delay), priority, why))) {
                accepted[0] = false;
            }
        };
        handler.accept(event, sink.with(WorkQueue.DEFAULT_PRIORITY, trigger));
        return accepted[0];
    }

    @Override
    public void attach(String controller) {
        lock.lock();
        try {
            receivers.computeIfAbsent(controller, absent -> newReceiver());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void detach(String controller) {
        lock.lock();
        try {
            receivers.computeIfPresent(controller, (key, receiver) -> receiver.sinks.isEmpty() ? null : receiver);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private Receiver<R> newReceiver() {
        Receiver<R> receiver = new Receiver<>();
        if (early != null) {
            receiver.kept.putAll(early.kept);
        }
        return receiver;
    }

    @Override
    public Running start(RequestSink<R> sink) {
        List<DelayedRequest<R>> earlier;
        lock.lock();
        try {
            Receiver<R> receiver = receivers.computeIfAbsent(sink.name(), absent -> newReceiver());
            early = null;
            receiver.sinks.add(sink);
            earlier = List.copyOf(receiver.kept.values());
            receiver.kept.clear();
        } finally {
            lock.unlock();
        }
        earlier.forEach(sent -> sent.addTo(sink));
        return () -> stop(sink);
    }

    private void stop(RequestSink<R> sink) {
        lock.lock();
        try {
            Receiver<R> receiver = receivers.get(sink.name());
            if (receiver != null) {
                receiver.sinks.remove(sink);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Close the channel for all controllers: {@link #send} refuses events from now on. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            early = null;
            receivers.clear();
        } finally {
            lock.unlock();
        }
    }

    private boolean accept(DelayedRequest<R> sent) {
        List<RequestSink<R>> sinks = new ArrayList<>();
        boolean accepted = true;
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            for (Receiver<R> receiver : receivers.values()) {
                sinks.addAll(receiver.sinks);
                accepted &= !receiver.sinks.isEmpty() || receiver.keep(sent);
            }
            if (early != null) {
                boolean kept = early.keep(sent);
                accepted &= kept || !receivers.isEmpty();
            }
        } finally {
            lock.unlock();
        }
        sinks.forEach(sent::addTo);
        return accepted;
    }

    @Override
    public String toString() {
        return "ChannelSource[" + name + "]";
    }

    /** A controller: its sink while it is started (managers of one process can have two of a name), else what is kept. */
    private static final class Receiver<R> {

        private final List<RequestSink<R>> sinks = new ArrayList<>();
        private final Map<R, DelayedRequest<R>> kept = new LinkedHashMap<>();

        boolean keep(DelayedRequest<R> sent) {
            if (kept.size() >= DEFAULT_CAPACITY && !kept.containsKey(sent.request())) {
                return false;
            }
            kept.merge(sent.request(), sent, DelayedRequest::coalescedWith);
            return true;
        }
    }

    /** A request with the time when it is due, on the clock of {@link System#nanoTime}. */
    private record DelayedRequest<R>(R request, long due, int priority, Trigger trigger) {

        void addTo(RequestSink<R> sink) {
            sink.add(request, Duration.ofNanos(due - TimeSource.system().nanoTime()), priority, trigger);
        }

        DelayedRequest<R> coalescedWith(DelayedRequest<R> later) {
            long earliest = due - later.due < 0 ? due : later.due;
            Trigger both = trigger.sameOrigin(later.trigger) ? trigger.coalescedWith(later.trigger) : later.trigger;
            return new DelayedRequest<>(request, earliest, Math.max(priority, later.priority), both);
        }
    }
}
