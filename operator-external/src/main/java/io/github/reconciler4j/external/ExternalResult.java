package io.github.reconciler4j.external;

import io.github.reconciler4j.reconcile.CleanupResult;
import io.github.reconciler4j.reconcile.Conditions;
import io.github.reconciler4j.reconcile.Result;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How an external resource stands after {@link ExternalResources#reconcile}. Immutable.
 *
 * <!-- snippet: StoredBucketReconciler -->
 * <pre>{@code
 * ExternalResult<StoredBucket> result = buckets.reconcile(bucket, context);
 * if (result.state() != State.RELEASED) {
 *     context.client()
 *             .status()
 *             .edit(
 *                     bucket,
 *                     changed -> result.report(
 *                             Conditions.of(changed.getStatus().getConditions(), changed)));
 * }
 * return result.toResult();
 * }</pre>
 *
 * @param <I> what the provider says about a resource
 * @since 0.1.0
 */
public final class ExternalResult<I> {

    /** The type of the condition that says whether the resource can be used. */
    public static final String READY = "Ready";

    /** The type of the condition for what does not get better without a person. */
    public static final String STALLED = "Stalled";

    private final State state;
    private final String message;
    private final String id;
    private final @Nullable I observed;
    private final @Nullable Duration delay;

    ExternalResult(State state, String message, String id, @Nullable I observed, @Nullable Duration delay) {
        this.state = state;
        this.message = message;
        this.id = id;
        this.observed = observed;
        this.delay = delay;
    }

    /** How a resource stands. */
    public enum State {
        /** It is being created, or exists and cannot be used yet. */
        CREATING("Creating"),
        /** It can be used. */
        AVAILABLE("Available"),
        /** The provider does not show a resource that should exist. */
        NOT_FOUND("NotFound"),
        /** It is being deleted, because its owner is, or because its variant has changed. */
        DELETING("Deleting"),
        /** Its owner is being deleted, and the provider has confirmed that it is gone, or the policy leaves it to others. */
        RELEASED("Released"),
        /** A person must say what there is. */
        STALLED("RecordUnclear");

        private final String reason;

        State(String reason) {
            this.reason = reason;
        }
    }

    /** Return how the resource stands. */
    public State state() {
        return state;
    }

    /** Return whether the resource can be used. */
    public boolean isReady() {
        return state == State.AVAILABLE;
    }

    /** Return the state for people. */
    public String message() {
        return message;
    }

    /** Return the id that the provider gave the resource; empty if it is not known. */
    public Optional<String> id() {
        return id.isEmpty() ? Optional.empty() : Optional.of(id);
    }

    /** Return what the provider said about the resource; empty if it showed none. After an update, this is the state before it. */
    public Optional<I> observed() {
        return Optional.ofNullable(observed);
    }

    /**
     * Set the conditions of the owner: {@code Ready}, with the state as its reason, and {@code Stalled} while a person must say what
     * there is.
     *
     * @return the given conditions
     */
    public Conditions report(Conditions conditions) {
        conditions.set(READY, isReady(), state.reason, message);
        return state == State.STALLED
                ? conditions.setTrue(STALLED, "RecordUnclear", message)
                : conditions.remove(STALLED);
    }

    /** Return what the reconciler returns: the time of the next observation, or done if only a change of the owner helps. */
    public Result toResult() {
        return delay == null ? Result.done() : Result.requeueAfter(delay);
    }

    /** Return what a cleaner returns: done when the resource is released. */
    public CleanupResult toCleanupResult() {
        if (state == State.RELEASED) {
            return CleanupResult.done();
        }
        return delay == null ? CleanupResult.notYet() : CleanupResult.notYet(delay);
    }

    /** Return for instance {@code CREATING: bucket s3-17 is being created}. */
    @Override
    public String toString() {
        return state + ": " + message;
    }
}
