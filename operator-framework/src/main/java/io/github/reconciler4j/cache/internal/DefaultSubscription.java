package io.github.reconciler4j.cache.internal;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.cache.CacheSyncTimeoutException;
import io.github.reconciler4j.cache.ObjectListener;
import io.github.reconciler4j.cache.Subscription;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.event.ObjectSnapshot;
import io.github.reconciler4j.metrics.OperatorMetrics.Registration;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.Threads;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A listener with a queue and a thread of its own. The listener is called under no lock. */
final class DefaultSubscription<T extends HasMetadata> implements Subscription {

    private static final Logger LOG = LoggerFactory.getLogger(DefaultSubscription.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);

    private final String name;
    private final KindCache kind;
    private final ObjectDecoder<T> decoder;
    private final ObjectListener<T> listener;
    private final SubscriptionQueue queue = new SubscriptionQueue();
    private final Registration gauges;
    private final LogLimiter log;
    private final Runnable left;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Thread thread;

    /**
     * Creates it.
     *
     * @param log limits what is logged
     * @param left called once when the subscription ends
     */
    DefaultSubscription(
            String name,
            KindCache kind,
            ObjectDecoder<T> decoder,
            ObjectListener<T> listener,
            LogLimiter log,
            Runnable left) {
        this.name = name;
        this.kind = kind;
        this.decoder = decoder;
        this.listener = listener;
        this.log = log;
        this.left = left;
        this.gauges = kind.metrics().follow(name, queue);
        this.thread = Threads.create("subscription-" + name, this::run, true);
    }

    String name() {
        return name;
    }

    /** What it listens to. */
    KindCache kind() {
        return kind;
    }

    SubscriptionQueue queue() {
        return queue;
    }

    void start() {
        thread.start();
    }

    /** Deliver until closed, whatever a listener throws or does to its thread. */
    private void run() {
        while (!queue.isClosed()) {
            try {
                Pending next = queue.take();
                if (next != null) {
                    deliver(next);
                }
            } catch (Throwable e) {
                continue; // an interrupt that the listener caused, or an Error of the log; closing ends the loop
            }
        }
    }

    private void deliver(Pending next) {
        try {
            for (Change change : next.changes()) {
                deliver(change);
            }
        } finally {
            queue.told();
        }
    }

    private void deliver(Change change) {
        if (queue.isClosed()) {
            return;
        }
        try {
            listener.onEvent(event(change));
        } catch (Throwable e) { // an Error as well: one broken event must not end the subscription
            log(change, e);
        }
        if (!queue.isClosed()) {
            Thread.interrupted(); // an interrupt that is not from close was meant for the listener's own work
        }
    }

    private void log(Change change, Throwable failure) {
        Object cause = name + " " + LogLimiter.cause(failure);
        log.log(cause, occurrence -> {
            if (occurrence.first()) {
                LOG.error(
                        "Listener '{}' failed for {} {}",
                        name,
                        kind.info().kind().kind(),
                        change.entry(),
                        failure);
            } else {
                LOG.error(
                        "Listener '{}' failed for {} {}: {}{}",
                        name,
                        kind.info().kind().kind(),
                        change.entry(),
                        failure.getClass().getName(),
                        occurrence.suffix());
            }
        });
    }

    private ObjectEvent<T> event(Change change) {
        ObjectSnapshot<T> snapshot = new EntrySnapshot<>(change.entry(), decoder);
        return switch (change.type()) {
            case CREATED -> new ObjectEvent.Created<>(snapshot, change.isInitial());
            case RESYNC -> new ObjectEvent.Updated<>(snapshot, snapshot, true);
            case UPDATED -> new ObjectEvent.Updated<>(previous(change), snapshot, false);
            case DELETED -> new ObjectEvent.Deleted<>(snapshot, change.isFinalStateUnknown());
        };
    }

    private ObjectSnapshot<T> previous(Change change) {
        @Nullable Entry old = change.old();
        return new EntrySnapshot<>(old == null ? change.entry() : old, decoder);
    }

    @Override
    public boolean hasDeliveredInitial() {
        return queue.isInitialTold();
    }

    @Override
    public void awaitInitial(Duration timeout) throws InterruptedException {
        if (!queue.awaitInitialTold(timeout.toNanos())) {
            throw new CacheSyncTimeoutException("The subscription " + name + " was not told of all "
                    + kind.info().resource() + " within " + timeout + ": "
                    + (kind.hasSynced() ? queue.depth() + " are still to come" : kind.notReadyReason()));
        }
        if (queue.isClosed()) {
            throw new IllegalStateException("The subscription " + name + " is closed");
        }
    }

    @Override
    public void close() {
        end();
        if (closed.compareAndSet(false, true)) {
            left.run();
        }
    }

    private void end() {
        kind.feed().remove(this);
        gauges.close();
        queue.close();
        if (Thread.currentThread() == thread) {
            return;
        }
        thread.interrupt();
        if (!Threads.join(thread, CLOSE_TIMEOUT)) {
            LOG.warn("The listener {} is still busy {} after its subscription was closed", name, CLOSE_TIMEOUT);
        }
    }
}
