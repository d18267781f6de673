package io.github.reconciler4j.objectset;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.Causes;
import java.util.Optional;

/**
 * What happened to one object of a set. Immutable.
 *
 * @param kind the kind
 * @param key the namespace and name
 * @param state what happened
 * @param message why, for people; {@code ""} if there is nothing to say
 * @param object the object as it is now; empty unless it was applied
 * @param failure what was thrown; empty unless the state is {@link State#FAILED}
 * @since 0.1.0
 */
public record ObjectOutcome(
        Kind<?> kind,
        ObjectKey key,
        State state,
        String message,
        Optional<HasMetadata> object,
        Optional<RuntimeException> failure) {

    /**
     * What happened to an object.
     *
     * @since 0.1.0
     */
    public enum State {
        /** Applied, and ready if the set asks for that. */
        DONE,
        /** Applied, and not ready yet. */
        NOT_READY,
        /** Applied, and not ready in time. */
        TIMED_OUT,
        /** Neither applied nor deleted, because its turn has not come. */
        BLOCKED,
        /** Not applied, because it has to go first: it is being deleted, or belongs to a former owner. */
        OCCUPIED,
        /** Not applied, not deleted, or its readiness could not be evaluated. */
        FAILED,
        /** Deleted, or being deleted, because the set does not contain it. */
        PRUNED,
        /** Not deleted, because it asks for that with {@code reconciler4j.io/keep}. */
        KEPT
    }

    static ObjectOutcome of(Kind<?> kind, ObjectKey key, State state, String message) {
        return new ObjectOutcome(kind, key, state, message, Optional.empty(), Optional.empty());
    }

    static ObjectOutcome failed(Kind<?> kind, ObjectKey key, RuntimeException failure) {
        return new ObjectOutcome(
                kind, key, State.FAILED, Causes.message(failure), Optional.empty(), Optional.of(failure));
    }

    static ObjectOutcome applied(Kind<?> kind, ObjectKey key, State state, String message, HasMetadata object) {
        return new ObjectOutcome(kind, key, state, message, Optional.of(object), Optional.empty());
    }

    /** Return for instance {@code Deployment shop/web is not ready: 1 of 3 pods are available}. */
    @Override
    public String toString() {
        String what = switch (state) {
            case DONE -> "is done";
            case NOT_READY -> "is not ready";
            case TIMED_OUT -> "is not ready in time";
            case BLOCKED -> "waits for its turn";
            case OCCUPIED -> "has to wait";
            case FAILED -> "has failed";
            case PRUNED -> "is deleted";
            case KEPT -> "is kept";
        };
        return Ownership.describe(kind, key) + " " + what + (message.isEmpty() ? "" : ": " + message);
    }
}
