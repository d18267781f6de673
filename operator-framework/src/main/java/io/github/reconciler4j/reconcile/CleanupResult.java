package io.github.reconciler4j.reconcile;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a {@link Cleaner}: whether the finalizer can be removed, and if not, when to call it again. Immutable,
 * with value equality.
 *
 * <!-- snippet: BucketReconciler -->
 * <pre>{@code
 * public CleanupResult cleanup(Bucket bucket, ReconcileContext context) throws IOException {
 *     boolean deleted = storage.delete(bucket.getMetadata().getUid());
 *     return deleted ? CleanupResult.done() : CleanupResult.notYet(Duration.ofSeconds(10));
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
public final class CleanupResult {

    private static final CleanupResult DONE = new CleanupResult(true, null);
    private static final CleanupResult NOT_YET = new CleanupResult(false, null);

    private final boolean done;
    private final @Nullable Duration delay;

    private CleanupResult(boolean done, @Nullable Duration delay) {
        this.done = done;
        this.delay = delay;
    }

    /** Return the result for an object that can be removed. */
    public static CleanupResult done() {
        return DONE;
    }

    /**
     * Return the result for an object that cannot be removed yet. The next call follows the next change of a watched
     * object, for instance of an owned object that is being deleted.
     */
    public static CleanupResult notYet() {
        return NOT_YET;
    }

    /**
     * Return the result for an object that cannot be removed yet. The next call follows after this time, or earlier if
     * a watched object changes.
     *
     * @param delay the time to wait; zero or less is at once
     */
    public static CleanupResult notYet(Duration delay) {
        return new CleanupResult(false, delay.isNegative() ? Duration.ZERO : delay);
    }

    /** Return whether the object can be removed. */
    public boolean isDone() {
        return done;
    }

    /** Return the time until the next call; empty if only a change leads to it. */
    public Optional<Duration> delay() {
        return Optional.ofNullable(delay);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof CleanupResult result && done == result.done && Objects.equals(delay, result.delay);
    }

    @Override
    public int hashCode() {
        return Objects.hash(done, delay);
    }

    @Override
    public String toString() {
        return done ? "done" : "not yet" + (delay == null ? "" : ", again after " + delay);
    }
}
