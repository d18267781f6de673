package io.github.reconciler4j.cache.internal.subscription;

import io.github.reconciler4j.cache.CacheSyncTimeoutException;
import io.github.reconciler4j.cache.ObjectListener;
import io.github.reconciler4j.cache.Subscription;
import io.github.reconciler4j.cache.internal.storage.Change;
import io.github.reconciler4j.cache.internal.storage.Entry;
import io.github.reconciler4j.cache.internal.storage.EntryDecoder;
import io.github.reconciler4j.cache.internal.storage.EntrySnapshot;
import io.github.reconciler4j.cache.internal.subscription.SubscriptionQueue.PendingChange;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.event.ObjectSnapshot;
import io.github.reconciler4j.metrics.OperatorMetrics.Registration;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.support.Causes;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.Threads;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.support.internal.UserCall;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.DoubleSupplier;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A listener with a queue and a thread of its own. The listener is called under no lock. Thread-safe.
 *
 * @param <T> the type of the objects
 * @since 0.1.0
 */
public final class DefaultSubscription<T> implements Subscription {

    private static final Logger LOG = LoggerFactory.getLogger(DefaultSubscription.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);

    private final Origin origin;
    private final View<T> view;
    private final String name;
    private final ObjectListener<T> listener;
    private final Runnable onClose;
    private final SubscriptionQueue queue;
    private final Registration gauges;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Thread thread;

    /**
     * What a subscription listens to.
     *
     * @param info the kind
     * @param feed delivers changes
     * @param notReadyReason returns why the kind has not synced; {@code ""} if it has
     * @param time the clock
     * @param log limits what is logged
     * @param processed receives how many nanoseconds the listener took for a change
     * @since 0.1.0
     */
    public record Origin(
            KindInfo info,
            ChangeFeed feed,
            Supplier<String> notReadyReason,
            TimeSource time,
            LogLimiter log,
            LongConsumer processed) {}

    /**
     * What a listener sees of entries.
     *
     * @param decoder turns an entry into an object
     * @param bodies whether it needs bodies
     * @since 0.1.0
     */
    public record View<T>(EntryDecoder<T> decoder, boolean bodies) {}

    /** Registers the gauges of a subscription. */
    @FunctionalInterface
    public interface Gauges {

        /** Register the depth and the lag of a queue. */
        Registration register(DoubleSupplier depth, DoubleSupplier lag);
    }

    private DefaultSubscription(
            Origin origin, View<T> view, String name, ObjectListener<T> listener, Gauges gauges, Runnable onClose) {
        this.origin = origin;
        this.view = view;
        this.name = name;
        this.listener = listener;
        this.onClose = onClose;
        this.queue = new SubscriptionQueue(origin.time());
        this.gauges = gauges.register(queue::depth, queue::lagSeconds);
        this.thread = Threads.create("subscription-" + name, this::run, true);
    }

    /**
     * Start a subscription with the present state.
     *
     * @param name names it in logs
     * @param onClose called once when the subscription ends
     */
    public static <T> DefaultSubscription<T> start(
            Origin origin, View<T> view, String name, ObjectListener<T> listener, Gauges gauges, Runnable onClose) {
        DefaultSubscription<T> subscription = new DefaultSubscription<>(origin, view, name, listener, gauges, onClose);
        try {
            origin.feed().add(subscription);
        } catch (IllegalStateException e) {
            subscription.gauges.close();
            throw e;
        }
        subscription.thread.start();
        return subscription;
    }

    SubscriptionQueue queue() {
        return queue;
    }

    boolean needsBodies() {
        return view.bodies();
    }

    void offer(Change change) {
        Change seen = change.seen(view.bodies());
        if (seen != null) {
            queue.offer(seen);
        }
    }

    /** Deliver until closed, even if a listener throws an Error or interrupts its thread. */
    private void run() {
        while (!queue.isClosed()) {
            try {
                PendingChange next = queue.take();
                if (next != null) {
                    process(next);
                }
            } catch (Throwable e) {
                continue; // an interrupt that the listener caused, or an Error of the log; closing ends the loop
            }
        }
    }

    /** A failure here is not one of the listener. The changes are delivered again, some of them perhaps twice. */
    private void process(PendingChange next) {
        try {
            deliver(next);
        } catch (Throwable e) {
            deliver(next);
        } finally {
            queue.delivered();
        }
    }

    private void deliver(PendingChange next) {
        for (Change change : next.changes()) {
            deliver(change);
        }
    }

    private void deliver(Change change) {
        if (queue.isClosed()) {
            return;
        }
        long start = origin.time().nanoTime();
        UserCall call = UserCall.enter(UserCall.Kind.LISTENER, name, change.entry());
        try {
            listener.onEvent(event(change));
        } catch (Throwable e) { // an Error as well: one broken event must not end the subscription
            log(change, e);
        } finally {
            call.exit();
        }
        origin.processed().accept(origin.time().nanoTime() - start);
        if (!queue.isClosed()) {
            Thread.interrupted(); // an interrupt that is not from close was meant for the listener's own work
        }
    }

    private void log(Change change, Throwable failure) {
        String kind = origin.info().kind().kind();
        origin.log().log(name + " " + LogLimiter.cause(failure), occurrence -> {
            if (occurrence.first()) {
                LOG.error("Listener '{}' failed for {} {}", name, kind, change.entry(), Causes.loggable(failure));
            } else {
                LOG.error(
                        "Listener '{}' failed for {} {}: {}{}",
                        name,
                        kind,
                        change.entry(),
                        failure.getClass().getName(),
                        occurrence.suffix());
            }
        });
    }

    private ObjectEvent<T> event(Change change) {
        ObjectSnapshot<T> snapshot = new EntrySnapshot<>(change.entry(), view.decoder());
        return switch (change.type()) {
            case CREATED, BODY -> new ObjectEvent.Created<>(snapshot, change.isInitial());
            case RESYNC -> new ObjectEvent.Updated<>(snapshot, snapshot, true);
            case UPDATED -> new ObjectEvent.Updated<>(previous(change), snapshot, false);
            case DEPARTED -> new ObjectEvent.Departed<>(snapshot);
            case DELETED -> new ObjectEvent.Deleted<>(snapshot, change.isFinalStateUnknown());
        };
    }

    private ObjectSnapshot<T> previous(Change change) {
        @Nullable Entry old = change.old();
        return new EntrySnapshot<>(old == null ? change.entry() : old, view.decoder());
    }

    @Override
    public boolean hasDeliveredInitial() {
        return queue.isInitialDelivered();
    }

    @Override
    public void awaitInitial(Duration timeout) throws InterruptedException {
        if (!queue.awaitInitialDelivered(timeout)) {
            String reason = origin.notReadyReason().get();
            throw new CacheSyncTimeoutException("Subscription '" + name + "' did not receive all "
                    + origin.info().resource() + " within " + timeout + ": "
                    + (reason.isEmpty() ? queue.depth() + " are not delivered yet" : reason));
        }
        if (queue.isClosed()) {
            throw new IllegalStateException("Subscription '" + name + "' is closed");
        }
    }

    /** Return whether it was closed. */
    public boolean isClosed() {
        return queue.isClosed();
    }

    /** Wait until the listener has received everything so far, or the subscription is closed; false after the timeout. */
    public boolean awaitDelivered(Duration timeout) throws InterruptedException {
        return queue.awaitEmpty(timeout);
    }

    @Override
    public boolean isAlive() {
        return queue.isClosed() || Threads.isAlive(thread);
    }

    @Override
    public void close() {
        origin.feed().remove(this);
        gauges.close();
        queue.close();
        if (Thread.currentThread() != thread) {
            thread.interrupt();
            if (!Threads.join(thread, CLOSE_TIMEOUT)) {
                LOG.warn("Listener '{}' is still running {} after its subscription was closed", name, CLOSE_TIMEOUT);
            }
        }
        if (closed.compareAndSet(false, true)) {
            onClose.run();
        }
    }
}
