package io.github.reconciler4j.cache.internal;

import io.github.reconciler4j.scheme.ObjectKey;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a subscription has yet to tell its listener: at most one {@link Pending} per object, so that a slow listener
 * costs no more memory than there are objects, and nothing is dropped. Safe for use by many threads, with one taker.
 *
 * <p>{@code monitor} guards all fields. It is taken inside the lock of {@link ChangeFeed} and nothing is taken inside it.
 */
final class SubscriptionQueue {

    private final Monitor monitor = new Monitor();
    private final Map<ObjectKey, Pending> pending = new LinkedHashMap<>();
    private @Nullable Pending taken;
    private int initialLeft;
    private boolean initialKnown;
    private boolean initialTold;
    private volatile boolean closed;

    /** Adds a change, merged with what waits for the same object. */
    void offer(Change change) {
        monitor.change(() -> {
            if (!closed) {
                merge(change);
            }
        });
    }

    private void merge(Change change) {
        ObjectKey key = change.entry().key();
        Pending waiting = pending.get(key);
        if (waiting == null) {
            pending.put(key, new Pending(change, System.nanoTime()));
            initialLeft += change.isInitial() ? 1 : 0;
        } else if (!waiting.merge(change)) {
            pending.remove(key);
            initialLeft -= waiting.isInitial() ? 1 : 0;
            checkInitial();
        }
    }

    private void checkInitial() {
        initialTold |= initialKnown && initialLeft == 0;
    }

    /** Notes that everything there was at the beginning has been offered. */
    void initialOffered() {
        monitor.change(() -> {
            initialKnown = true;
            checkInitial();
        });
    }

    /** Waits for something to tell; null once the queue is closed. */
    @Nullable
    Pending take() throws InterruptedException {
        return monitor.<Optional<Pending>>awaitThen(() -> closed || !pending.isEmpty(), this::next)
                .orElse(null);
    }

    private Optional<Pending> next() {
        if (closed) {
            return Optional.empty();
        }
        Iterator<Pending> first = pending.values().iterator();
        Pending next = first.next();
        first.remove();
        taken = next;
        return Optional.of(next);
    }

    /** Notes that what was taken last has been told. */
    void told() {
        monitor.change(() -> {
            if (taken != null && taken.isInitial()) {
                initialLeft--;
            }
            taken = null;
            checkInitial();
        });
    }

    /** Whether everything there was at the beginning has been told; stays so. */
    boolean isInitialTold() {
        return monitor.read(() -> initialTold);
    }

    /** Waits until {@link #isInitialTold} or the queue is closed; false after the timeout. */
    boolean awaitInitialTold(long nanos) throws InterruptedException {
        return monitor.await(() -> closed || initialTold, nanos);
    }

    /** How many objects wait, the one being told included. */
    int depth() {
        return monitor.read(() -> pending.size() + (taken == null ? 0 : 1));
    }

    /** How long the oldest change has been waiting or being told, in seconds; 0 if there is none. */
    double lagSeconds() {
        return monitor.read(() -> {
            Pending oldest = taken != null || pending.isEmpty()
                    ? taken
                    : pending.values().iterator().next();
            return oldest == null ? 0 : (System.nanoTime() - oldest.since) / (double) TimeUnit.SECONDS.toNanos(1);
        });
    }

    boolean isClosed() {
        return closed;
    }

    /** Drops what waits and wakes everybody. */
    void close() {
        monitor.change(() -> {
            closed = true;
            pending.clear();
        });
    }
}
