package io.github.reconciler4j.cache.internal.watch;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How far the watching of a kind has come: which scopes have synced, and what keeps the others. Once all
 * scopes that it started with have synced it stays synced; scopes that are added later only count for themselves.
 * Thread-safe.
 *
 * <p>The lock is taken inside all others of the cache. Followers run under no lock.
 *
 * @since 0.1.0
 */
public final class SyncState {

    private static final Logger LOG = LoggerFactory.getLogger(SyncState.class);

    private final TimeSource time;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    /** Called after every change, under no lock. */
    private final List<Runnable> followers = new CopyOnWriteArrayList<>();

    private final Runnable wake = this::changed;

    /** Scopes that are watched. */
    @GuardedBy("lock")
    private final Map<Scope, Part> parts = new LinkedHashMap<>();

    /** What has to work before the scopes are known. */
    @GuardedBy("lock")
    private @Nullable SyncState before;

    @GuardedBy("lock")
    private boolean planned;

    private volatile boolean started;
    private volatile boolean closed;
    private volatile boolean synced;
    private volatile long startedAt;
    private volatile long syncedAt;
    private volatile @Nullable PastFailure lastFailure;

    /**
     * A failure that may be over.
     *
     * @param message what failed
     * @param at when
     * @since 0.1.0
     */
    public record PastFailure(String message, Instant at) {}

    private static final class Part {
        private boolean synced;
        private @Nullable SyncFailure failure;
        private int listing;
    }

    /** Create the state of a kind that is not watched. */
    public SyncState(TimeSource time) {
        this.time = time;
    }

    /** Call a follower after every change, under no lock. */
    public void follow(Runnable follower) {
        followers.add(follower);
    }

    /** Stop calling a follower. */
    public void unfollow(Runnable follower) {
        followers.remove(follower);
    }

    /** Wake those who wait and call the followers. To be called under no lock. */
    private void changed() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        for (Runnable follower : followers) {
            try {
                follower.run();
            } catch (RuntimeException | Error e) { // must not fail the reflector that reports
                LOG.error("A follower of the state of a kind failed", e);
            }
        }
    }

    /** Record that watching starts; {@link #planned} says with which scopes. */
    public void started() {
        startedAt = time.nanoTime();
        started = true;
        changed();
    }

    /** Take over the failures of another state until the scopes are known. */
    public void waitsFor(SyncState other) {
        lock.lock();
        try {
            before = other;
        } finally {
            lock.unlock();
        }
        other.follow(wake);
        changed();
    }

    private void forgetBefore() {
        SyncState other;
        lock.lock();
        try {
            other = before;
            before = null;
        } finally {
            lock.unlock();
        }
        if (other != null) {
            other.unfollow(wake);
        }
    }

    /**
     * Record with which scopes watching starts.
     *
     * @return whether this made the state synced, because there are none
     */
    public boolean planned(List<Scope> scopes) {
        forgetBefore();
        boolean became;
        lock.lock();
        try {
            planned = true;
            scopes.forEach(this::add);
            became = checkSynced();
        } finally {
            lock.unlock();
        }
        changed();
        return became;
    }

    private void add(Scope scope) {
        lock.lock();
        try {
            parts.put(scope, new Part());
        } finally {
            lock.unlock();
        }
    }

    /** Record that a scope is watched too. */
    public void added(Scope scope) {
        add(scope);
        changed();
    }

    /**
     * Record that a scope is no longer watched.
     *
     * @return whether this made the state synced
     */
    public boolean removed(Scope scope) {
        boolean became;
        lock.lock();
        try {
            parts.remove(scope);
            became = checkSynced();
        } finally {
            lock.unlock();
        }
        changed();
        return became;
    }

    /**
     * Record that a scope was listed for the first time.
     *
     * @return whether this made the state synced
     */
    public boolean synced(Scope scope) {
        boolean became;
        lock.lock();
        try {
            Part part = parts.get(scope);
            if (part != null) {
                part.synced = true;
            }
            became = checkSynced();
        } finally {
            lock.unlock();
        }
        changed();
        return became;
    }

    /** Return whether this made the state synced. */
    @GuardedBy("lock")
    private boolean checkSynced() {
        boolean all = planned;
        for (Part part : parts.values()) {
            all &= part.synced;
        }
        if (!all || synced) {
            return false;
        }
        syncedAt = time.nanoTime();
        synced = true;
        return true;
    }

    /** Record the failure of a scope; null if it works. */
    public void failure(Scope scope, @Nullable SyncFailure failure) {
        if (failure != null) {
            lastFailure = new PastFailure(failure.message(), time.instant());
        }
        lock.lock();
        try {
            Part part = parts.get(scope);
            if (part != null) {
                part.failure = failure;
            }
        } finally {
            lock.unlock();
        }
        changed();
    }

    /** Record that so many objects of a scope were read of a list that is not complete yet; 0 if none is being read. */
    void listing(Scope scope, int objects) {
        lock.lock();
        try {
            Part part = parts.get(scope);
            if (part != null) {
                part.listing = objects;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Record that the watching ended. */
    public void closed() {
        forgetBefore();
        closed = true;
        changed();
    }

    /** Return whether watching started. */
    public boolean isStarted() {
        return started;
    }

    /** Return whether watching ended. */
    public boolean isClosed() {
        return closed;
    }

    /** Return whether every scope that watching started with was listed once. */
    public boolean isSynced() {
        return synced;
    }

    /** Return when watching started, in {@link TimeSource#nanoTime}. */
    public long startedAt() {
        return startedAt;
    }

    /** Return when the state became synced, in {@link TimeSource#nanoTime}. */
    public long syncedAt() {
        return syncedAt;
    }

    /** Return how many objects were read of lists that are not complete yet. */
    public int listing() {
        lock.lock();
        try {
            int objects = 0;
            for (Part part : parts.values()) {
                objects += part.listing;
            }
            return objects;
        } finally {
            lock.unlock();
        }
    }

    /** Return the last failure, which may be over. */
    public Optional<PastFailure> lastFailure() {
        return Optional.ofNullable(lastFailure);
    }

    /** Return the most severe failure now. */
    public Optional<SyncFailure> failure() {
        return failures().values().stream().min(Comparator.comparing(SyncFailure::type));
    }

    /** Return the failure of a scope now. */
    public Optional<SyncFailure> failure(Scope scope) {
        return Optional.ofNullable(failures().get(scope));
    }

    private Map<Scope, SyncFailure> failures() {
        Map<Scope, SyncFailure> failures = new HashMap<>();
        SyncState earlier;
        lock.lock();
        try {
            earlier = before;
            for (Map.Entry<Scope, Part> part : parts.entrySet()) {
                if (part.getValue().failure != null) {
                    failures.put(part.getKey(), part.getValue().failure);
                }
            }
        } finally {
            lock.unlock();
        }
        return earlier == null ? failures : earlier.failures();
    }

    /** Return whether a failure does not recover without a person. */
    public boolean requiresAction() {
        return failures().values().stream().anyMatch(failure -> failure.type().requiresAction());
    }

    /**
     * Wait until a condition holds or the watching ended. The condition must not take other locks of the cache.
     *
     * @return false after the timeout
     */
    public boolean await(BooleanSupplier condition, Duration timeout) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = Nanos.of(timeout);
            while (!closed && !condition.getAsBoolean()) {
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
