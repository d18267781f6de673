package io.github.reconciler4j.reconcile;

import io.github.reconciler4j.scheme.ObjectKey;
import java.util.Optional;

/**
 * One cause of a run: what changed where. Immutable.
 *
 * @param source the source that reported it: the kind for a watched one ({@code Deployment.v1.apps}), or its name
 * @param object the object it was about; empty for an event that is not about an object
 * @param change what happened to it; the latest, if several happened
 * @param times how many such changes of this object came together in this run, at least 1
 * @since 0.1.0
 */
public record Trigger(String source, Optional<ObjectKey> object, Change change, int times) {

    /**
     * What happened.
     *
     * @since 0.1.0
     */
    public enum Change {
        /** It was there when the watch began. */
        INITIAL,
        /** It was created. */
        CREATED,
        /** It was changed. */
        UPDATED,
        /** It was deleted. */
        DELETED,
        /** Nothing: it was told again by a resync. */
        RESYNC,
        /** Something outside the cluster happened. */
        EXTERNAL
    }

    /** A single change of an object. */
    public static Trigger of(String source, ObjectKey object, Change change) {
        return new Trigger(source, Optional.of(object), change, 1);
    }

    /** A single event that is not about an object. */
    public static Trigger external(String source) {
        return new Trigger(source, Optional.empty(), Change.EXTERNAL, 1);
    }

    /** Whether the other is about the same object at the same source. */
    public boolean sameOrigin(Trigger other) {
        return source.equals(other.source) && object.equals(other.object);
    }

    /** This one followed by a later one of the same origin: the later one's change, and the sum of both. */
    public Trigger mergedWith(Trigger later) {
        return new Trigger(source, object, later.change, times + later.times);
    }

    /** For instance {@code Deployment.v1.apps default/web UPDATED x3}. */
    @Override
    public String toString() {
        return source + object.map(key -> " " + key).orElse("") + " " + change + (times > 1 ? " x" + times : "");
    }
}
