package io.github.reconciler4j.cache.internal;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How far the watching of a kind has come: which of its scopes have synced, and what keeps the others.
 *
 * <p>{@code lock} guards all fields; {@code synced} may also be read without it. Nothing is taken inside it.
 */
final class SyncState {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    /** Scopes being watched, with what is wrong with each. */
    private final Map<Scope, Optional<Trouble>> scopes = new LinkedHashMap<>();

    private int unsynced;
    private boolean started;
    private boolean closed;
    private volatile boolean synced;
    private volatile long syncedAt;

    /** Notes that watching begins. */
    void started(Iterable<Scope> begun) {
        lock.lock();
        try {
            started = true;
            for (Scope scope : begun) {
                scopes.put(scope, Optional.empty());
                unsynced++;
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Notes that a scope has been listed for the first time.
     *
     * @return whether all have been now
     */
    boolean synced() {
        lock.lock();
        try {
            unsynced--;
            synced = unsynced == 0;
            if (synced && syncedAt == 0) {
                syncedAt = System.nanoTime();
            }
            changed.signalAll();
            return synced;
        } finally {
            lock.unlock();
        }
    }

    /** Notes what is wrong with a scope; null that nothing is. */
    void trouble(Scope scope, @Nullable Trouble trouble) {
        lock.lock();
        try {
            scopes.put(scope, Optional.ofNullable(trouble));
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void closed() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    boolean isStarted() {
        lock.lock();
        try {
            return started;
        } finally {
            lock.unlock();
        }
    }

    boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** Whether every scope has been listed once. */
    boolean isSynced() {
        return synced;
    }

    /** When {@link #isSynced} became true, in {@link System#nanoTime}; 0 before. */
    long syncedAt() {
        return syncedAt;
    }

    /** What is wrong now, the gravest first. */
    Optional<Trouble> trouble() {
        lock.lock();
        try {
            return scopes.values().stream()
                    .flatMap(Optional::stream)
                    .min((a, b) -> a.type().compareTo(b.type()));
        } finally {
            lock.unlock();
        }
    }

    /** Whether something is wrong that does not mend by itself. */
    boolean needsPerson() {
        return trouble().filter(trouble -> trouble.type().needsPerson()).isPresent();
    }

    /**
     * Waits until everything has synced, the state is closed, or the other condition holds.
     *
     * @return false after the timeout
     */
    boolean await(BooleanSupplier enough, long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = nanos;
            while (!synced && !closed && !enough.getAsBoolean()) {
                if (left <= 0) {
                    return false;
                }
                left = changed.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }
}
