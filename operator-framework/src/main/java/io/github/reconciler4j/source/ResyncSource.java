package io.github.reconciler4j.source;

import io.github.reconciler4j.cache.Informer;
import io.github.reconciler4j.event.ObjectSnapshot;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Trigger;
import io.github.reconciler4j.reconcile.Trigger.Change;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.workqueue.WorkQueue;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Queues every object of a kind again now and then, for one controller that wants it more often than the cache resyncs
 * for all. Asks the cache only, never the server, and uses headers only. What it queues has low priority and goes past
 * the predicates of the controller's watches. Immutable and safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class ResyncSource implements EventSource<Request> {

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
     * A source that queues all objects of an informer after each period, which has up to 10 % added at random; for the
     * first time one period after its start.
     *
     * @throws IllegalArgumentException if the period is not positive
     */
    public static ResyncSource every(Duration period, Informer<?> informer) {
        return new ResyncSource(informer, period, header -> true);
    }

    /** Return a source with the same period and kind that enqueues only objects whose header meets a condition. */
    public ResyncSource filtered(Predicate<ObjectHeader> condition) {
        return new ResyncSource(informer, period, filter.and(condition));
    }

    /** The kind, with {@code resync} behind it. */
    @Override
    public String name() {
        return informer.kind().kind() + " resync";
    }

    @Override
    public Running start(RequestTarget<Request> target) {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "controller-" + target.name() + "-resync");
            thread.setDaemon(true);
            return thread;
        });
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        follow(timer, target);
        return timer::shutdownNow;
    }

    private void follow(ScheduledThreadPoolExecutor timer, RequestTarget<Request> target) {
        double nanos = period.toSeconds() * 1e9 + period.getNano();
        double jittered = nanos * (1 + ThreadLocalRandom.current().nextDouble(JITTER));
        timer.schedule(
                () -> tell(timer, target), (long) Math.min(jittered, Long.MAX_VALUE / 2.0), TimeUnit.NANOSECONDS);
    }

    private void tell(ScheduledThreadPoolExecutor timer, RequestTarget<Request> target) {
        try {
            if (informer.hasSynced()) {
                for (ObjectSnapshot<?> object : informer.list("")) {
                    if (filter.test(object.header())) {
                        Trigger trigger = Trigger.of(name(), object.key(), Change.RESYNC);
                        target.add(Request.of(object.key()), Duration.ZERO, WorkQueue.LOW_PRIORITY, trigger);
                    }
                }
            }
        } finally {
            if (!timer.isShutdown()) {
                follow(timer, target);
            }
        }
    }

    @Override
    public String toString() {
        return "ResyncSource[" + name() + ", " + period + "]";
    }
}
