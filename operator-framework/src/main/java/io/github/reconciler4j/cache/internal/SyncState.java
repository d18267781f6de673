package io.github.reconciler4j.cache.internal;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * How far the watching of a kind has come: which of its scopes have synced, and what keeps the others. Once all scopes it
 * began with have synced it stays synced: scopes added later count for themselves only.
 *
 * <p>{@code monitor} guards all fields; the volatile ones may also be read without it.
 */
final class SyncState {

    private final Monitor monitor = new Monitor();
    /** Scopes being watched. */
    private final Map<Scope, Part> parts = new LinkedHashMap<>();
    /** Told of every change, under no lock. */
    private final List<Runnable> followers = new CopyOnWriteArrayList<>();

    private final Runnable wake = () -> this.monitor.change(() -> {});
    /** What has to work before the scopes are known. */
    private @Nullable SyncState before;

    private boolean planned;
    private volatile boolean started;
    private volatile boolean closed;
    private volatile boolean synced;
    private volatile long startedAt;
    private volatile long syncedAt;
    private volatile @Nullable Failure lastFailure;

    /** What went wrong last, and when, in {@link System#currentTimeMillis}. */
    record Failure(String message, long at) {}

    private static final class Part {
        private boolean synced;
        private @Nullable SyncFailure trouble;
    }

    private void change(Runnable change) {
        monitor.change(change);
        followers.forEach(Runnable::run);
    }

    /** Has every change told, under no lock. */
    void follow(Runnable follower) {
        followers.add(follower);
    }

    void unfollow(Runnable follower) {
        followers.remove(follower);
    }

    /** Notes that watching begins; which scopes there are is told by {@link #planned}. */
    void started() {
        change(() -> {
            started = true;
            startedAt = System.nanoTime();
        });
    }

    /** Makes another state's troubles those of this one, until the scopes are known. */
    void waitsFor(SyncState other) {
        change(() -> before = other);
        other.follow(wake);
    }

    /**
     * Notes which scopes there are to begin with.
     *
     * @return whether there is nothing to wait for, as there are none
     */
    boolean planned(Iterable<Scope> scopes) {
        forgetBefore();
        change(() -> {
            planned = true;
            scopes.forEach(scope -> parts.put(scope, new Part()));
            checkSynced();
        });
        return synced;
    }

    private void forgetBefore() {
        SyncState other = monitor.read(() -> before);
        if (other != null) {
            other.unfollow(wake);
            change(() -> before = null);
        }
    }

    /** Notes that a scope is watched too. */
    void added(Scope scope) {
        change(() -> parts.put(scope, new Part()));
    }

    /**
     * Notes that a scope is no longer watched.
     *
     * @return whether this made the state synced
     */
    boolean removed(Scope scope) {
        return becomesSynced(() -> parts.remove(scope));
    }

    /**
     * Notes that a scope has been listed for the first time.
     *
     * @return whether this made the state synced
     */
    boolean synced(Scope scope) {
        return becomesSynced(() -> {
            Part part = parts.get(scope);
            if (part != null) {
                part.synced = true;
            }
        });
    }

    private boolean becomesSynced(Runnable change) {
        boolean[] became = {false};
        change(() -> {
            boolean was = synced;
            change.run();
            checkSynced();
            became[0] = synced && !was;
        });
        return became[0];
    }

    private void checkSynced() {
        if (!synced && planned && parts.values().stream().allMatch(part -> part.synced)) {
            synced = true;
            syncedAt = System.nanoTime();
        }
    }

    /** Notes what is wrong with a scope; null that nothing is. */
    void failure(Scope scope, @Nullable SyncFailure trouble) {
        if (trouble != null) {
            lastFailure = new Failure(trouble.message(), System.currentTimeMillis());
        }
        change(() -> {
            Part part = parts.get(scope);
            if (part != null) {
                part.trouble = trouble;
            }
        });
    }

    void closed() {
        forgetBefore();
        change(() -> closed = true);
    }

    boolean isStarted() {
        return started;
    }

    boolean isClosed() {
        return closed;
    }

    /** Whether every scope it began with has been listed once. */
    boolean isSynced() {
        return synced;
    }

    /** When watching began, in {@link System#nanoTime}; 0 before. */
    long startedAt() {
        return startedAt;
    }

    /** When {@link #isSynced} became true, in {@link System#nanoTime}; 0 before. */
    long syncedAt() {
        return syncedAt;
    }

    /** What went wrong last, also if it works again. */
    Optional<Failure> lastFailure() {
        return Optional.ofNullable(lastFailure);
    }

    /** What is wrong now, the gravest first. */
    Optional<SyncFailure> failure() {
        return troubles().values().stream().min(Comparator.comparing(SyncFailure::type));
    }

    /** What is wrong now with a scope. */
    Optional<SyncFailure> failure(Scope scope) {
        return Optional.ofNullable(troubles().get(scope));
    }

    private Map<Scope, SyncFailure> troubles() {
        SyncState earlier = monitor.read(() -> before);
        if (earlier != null) {
            return earlier.troubles();
        }
        return monitor.read(() -> {
            Map<Scope, SyncFailure> troubles = new HashMap<>();
            parts.forEach((scope, part) -> {
                if (part.trouble != null) {
                    troubles.put(scope, part.trouble);
                }
            });
            return troubles;
        });
    }

    /** Whether something is wrong that does not mend by itself. */
    boolean requiresAction() {
        return troubles().values().stream().anyMatch(trouble -> trouble.type().requiresAction());
    }

    /**
     * Waits until a condition holds or the state is closed.
     *
     * @return false after the timeout
     */
    boolean await(BooleanSupplier condition, long nanos) throws InterruptedException {
        return monitor.await(() -> closed || condition.getAsBoolean(), nanos);
    }
}
