package io.github.reconciler4j.cache.internal.watch;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.support.Causes;
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
import java.util.OptionalLong;
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

    private final TimeSource time;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Followers followers = new Followers();
    private final Runnable wake = this::changed;

    /** Scopes that are watched. */
    @GuardedBy("lock")
    private final Map<Scope, ScopeSync> parts = new LinkedHashMap<>();

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

    private static final class ScopeSync {
        private boolean synced;
        private @Nullable SyncFailure failure;
        /** Whether the failure is over at a time, and at which. */
        private boolean ends;

        private long endsAt;
        private int listed;
        private long total;
    }

    /** Create the state of a kind that is not watched. */
    public SyncState(TimeSource time) {
        this.time = time;
    }

    /** Return who is called after every change. */
    public Followers followers() {
        return followers;
    }

    /** Wake those who wait and call the followers. To be called under no lock. */
    private void changed() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        followers.run();
    }

    /** Record that watching starts; {@link #planned} says with which scopes. */
    public void started() {
        startedAt = time.nanoTime();
        started = true;
        changed();
    }

    /** Report the failures of another state until the scopes are known. */
    public void waitsFor(SyncState other) {
        lock.lock();
        try {
            before = other;
        } finally {
            lock.unlock();
        }
        other.followers.add(wake);
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
            other.followers.remove(wake);
        }
    }

    /** Record which scopes are watched, or watched too. Without any, the state is synced. */
    public void planned(List<Scope> scopes) {
        forgetBefore();
        lock.lock();
        try {
            planned = true;
            for (Scope scope : scopes) {
                parts.put(scope, new ScopeSync());
            }
            checkSynced();
        } finally {
            lock.unlock();
        }
        changed();
    }

    /** Record that a scope is no longer watched. */
    public void removed(Scope scope) {
        lock.lock();
        try {
            parts.remove(scope);
            checkSynced();
        } finally {
            lock.unlock();
        }
        changed();
    }

    /** Record that a scope was listed for the first time. */
    public void synced(Scope scope) {
        lock.lock();
        try {
            part(scope).synced = true;
            checkSynced();
        } finally {
            lock.unlock();
        }
        changed();
    }

    /** Return the part of a scope; one that has no effect if the scope is no longer watched. */
    @GuardedBy("lock")
    private ScopeSync part(Scope scope) {
        return parts.getOrDefault(scope, new ScopeSync());
    }

    @GuardedBy("lock")
    private void checkSynced() {
        if (planned && !synced && parts.values().stream().allMatch(part -> part.synced)) {
            syncedAt = time.nanoTime();
            synced = true;
        }
    }

    /** Record the failure of a scope; null if it works. */
    public void failure(Scope scope, @Nullable SyncFailure failure) {
        if (failure != null) {
            lastFailure = new PastFailure(failure.message(), time.instant());
        }
        lock.lock();
        try {
            ScopeSync part = part(scope);
            part.failure = failure;
            part.ends = false;
        } finally {
            lock.unlock();
        }
        changed();
    }

    /** Record that the failure of a scope is over at a time unless it is recorded again. */
    void endsAt(Scope scope, long nanoTime) {
        lock.lock();
        try {
            ScopeSync part = part(scope);
            part.ends = true;
            part.endsAt = nanoTime;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Record that so many objects of a scope were read of a list that is not complete yet; 0 if none is being read.
     *
     * @param total about how many the list has; 0 if that is unknown
     */
    void listing(Scope scope, int objects, long total) {
        lock.lock();
        try {
            ScopeSync part = part(scope);
            part.listed = objects;
            part.total = total;
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
            return parts.values().stream().mapToInt(part -> part.listed).sum();
        } finally {
            lock.unlock();
        }
    }

    /** Return about how many objects are left until the first lists are complete; empty if that is unknown. */
    public OptionalLong remaining() {
        lock.lock();
        try {
            List<ScopeSync> waiting =
                    parts.values().stream().filter(part -> !part.synced).toList();
            boolean known = !waiting.isEmpty() && waiting.stream().allMatch(part -> part.total > 0);
            return known
                    ? OptionalLong.of(waiting.stream()
                            .mapToLong(part -> Math.max(0, part.total - part.listed))
                            .sum())
                    : OptionalLong.empty();
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
        long now = time.nanoTime();
        lock.lock();
        try {
            earlier = before;
            for (Map.Entry<Scope, ScopeSync> part : parts.entrySet()) {
                ScopeSync state = part.getValue();
                boolean over = state.ends && now - state.endsAt >= 0;
                if (state.failure != null && !over) {
                    failures.put(part.getKey(), state.failure);
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
                left = TimeSource.system().awaitNanos(changed, left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Callbacks that run after every change of a state. Thread-safe.
     *
     * @since 0.1.0
     */
    public static final class Followers {

        private static final Logger LOG = LoggerFactory.getLogger(Followers.class);

        private final List<Runnable> followers = new CopyOnWriteArrayList<>();

        Followers() {}

        /** Call a follower after every change, under no lock. */
        public void add(Runnable follower) {
            followers.add(follower);
        }

        /** Stop calling a follower. */
        public void remove(Runnable follower) {
            followers.remove(follower);
        }

        /** Call all followers. To be called under no lock. */
        void run() {
            for (Runnable follower : followers) {
                try {
                    follower.run();
                } catch (Throwable e) { // must not fail the reflector that reports
                    LOG.error("A follower of the state of a kind failed", Causes.loggable(e));
                }
            }
        }
    }
}
