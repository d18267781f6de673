package io.github.reconciler4j.source;

import io.github.reconciler4j.cache.Informer;
import io.github.reconciler4j.event.ObjectSnapshot;
import io.github.reconciler4j.handler.RequestSink;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Trigger;
import io.github.reconciler4j.reconcile.Trigger.Change;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.workqueue.WorkQueue;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;

/**
 * Enqueues all objects of a kind periodically, for a controller that needs it more often than the resync of the cache.
 * Reads only the cache, and only headers. The requests have low priority, and the predicates of the controller do not apply
 * to them. Immutable and thread-safe.
 *
 * <!-- snippet: SourceUse -->
 * <pre>{@code
 * .source(ResyncSource.every(Duration.ofMinutes(10), greetings)
 *         .filtered(greeting -> greeting.labels().containsKey("urgent")))
 * }</pre>
 *
 * @since 0.1.0
 */
public final class ResyncSource implements RequestSource<Request> {

    private static final double JITTER = 0.1;

    private final Informer<?> informer;
    private final Duration period;
    private final Predicate<ObjectHeader> filter;

    private ResyncSource(Informer<?> informer, Duration period, Predicate<ObjectHeader> filter) {
        this.informer = Objects.requireNonNull(informer, "'informer' must not be null");
        if (period.isZero() || period.isNegative()) {
            throw new IllegalArgumentException("'period' must be positive, was " + period);
        }
        this.period = period;
        this.filter = Objects.requireNonNull(filter, "'filter' must not be null");
    }

    /**
     * Create a source that enqueues all objects of an informer after each period, for the first time one period after its
     * start. Up to 10 % is added to each period at random.
     *
     * @throws IllegalArgumentException if the period is not positive
     */
    public static ResyncSource every(Duration period, Informer<?> informer) {
        return new ResyncSource(informer, period, header -> true);
    }

    /** Return a source with the same kind and period that enqueues only objects whose header meets a condition. */
    public ResyncSource filtered(Predicate<ObjectHeader> condition) {
        return new ResyncSource(informer, period, filter.and(condition));
    }

    /** Return the kind followed by {@code resync}. */
    @Override
    public String name() {
        return informer.kind().kind() + " resync";
    }

    @Override
    public String cluster() {
        return informer.cluster();
    }

    @Override
    public Running start(RequestSink<Request> sink) {
        return new Resyncing(sink).start("resync", nextDelay());
    }

    private Duration nextDelay() {
        double jittered = Nanos.of(period) * (1 + ThreadLocalRandom.current().nextDouble(JITTER));
        return Duration.ofNanos((long) Math.min(jittered, Nanos.MAX));
    }

    /** Enqueue all objects of an informer that meet a condition, with low priority. */
    static void enqueueAll(
            Informer<?> informer,
            Predicate<ObjectHeader> filter,
            RequestSink<Request> sink,
            String source,
            Change change) {
        for (ObjectSnapshot<?> object : informer.list("")) {
            if (filter.test(object.header())) {
                Trigger trigger = Trigger.of(source, object.key(), change);
                sink.with(WorkQueue.LOW_PRIORITY, trigger)
                        .add(Request.of(object.key()).in(informer.cluster()));
            }
        }
    }

    @Override
    public String toString() {
        return "ResyncSource[" + name() + ", " + period + "]";
    }

    private final class Resyncing extends Poller<Request, String> {

        Resyncing(RequestSink<Request> sink) {
            super(name(), sink, TimeSource.system());
        }

        @Override
        void run(String task) {
            if (informer.hasSynced()) {
                enqueueAll(informer, filter, sink(), name(), Change.RESYNC);
            }
            schedule(task, nextDelay());
        }
    }
}
