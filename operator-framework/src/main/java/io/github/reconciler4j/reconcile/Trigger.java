package io.github.reconciler4j.reconcile;

import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.event.ObjectEvent.Created;
import io.github.reconciler4j.event.ObjectEvent.Deleted;
import io.github.reconciler4j.event.ObjectEvent.Updated;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A reason why a request was enqueued: which object of which source changed, and how often. Immutable, with value
 * equality.
 *
 * <!-- snippet: ControllerUse -->
 * <pre>{@code
 * for (Trigger trigger : context.triggers()) {
 *     log.accept(trigger.change() + " from " + trigger.source());
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
public final class Trigger {

    private final String source;
    private final @Nullable ObjectKey object;
    private final Change change;
    private final int times;

    private Trigger(String source, @Nullable ObjectKey object, Change change, int times) {
        this.source = Objects.requireNonNull(source, "'source' must not be null");
        this.object = object;
        this.change = Objects.requireNonNull(change, "'change' must not be null");
        this.times = times;
    }

    /**
     * What happened to an object.
     *
     * @since 0.1.0
     */
    public enum Change {
        /** It existed when the watch started. */
        INITIAL,
        /** It was created. */
        CREATED,
        /** It was updated. */
        UPDATED,
        /** It was deleted. */
        DELETED,
        /** Nothing; a resync enqueued it. */
        RESYNC,
        /** Nothing; the schedule of the controller enqueued it. */
        SCHEDULED,
        /** An event outside the cluster happened. */
        EXTERNAL
    }

    /**
     * Create a trigger for one change of an object.
     *
     * @param source the name of the source that reports it
     */
    public static Trigger of(String source, ObjectKey object, Change change) {
        return new Trigger(source, Objects.requireNonNull(object, "'object' must not be null"), change, 1);
    }

    /**
     * Create a trigger for one event of an object.
     *
     * @param source the name of the source that reports it
     */
    public static Trigger of(String source, ObjectEvent<?> event) {
        return of(source, event.snapshot().key(), changeOf(event));
    }

    private static Change changeOf(ObjectEvent<?> event) {
        if (event instanceof Created<?> created) {
            return created.initial() ? Change.INITIAL : Change.CREATED;
        }
        if (event instanceof Updated<?> updated) {
            return updated.resync() ? Change.RESYNC : Change.UPDATED;
        }
        return event instanceof Deleted<?> ? Change.DELETED : Change.EXTERNAL;
    }

    /**
     * Create a trigger for one event that is not about an object.
     *
     * @param source the name of the source that reports it
     */
    public static Trigger external(String source) {
        return new Trigger(source, null, Change.EXTERNAL, 1);
    }

    /**
     * Create a trigger that stands for further changes of different objects that are not listed.
     *
     * @param times the number of changes, at least 1
     * @throws IllegalArgumentException if {@code times} is less than 1
     */
    public static Trigger others(String source, int times) {
        if (times < 1) {
            throw new IllegalArgumentException("'times' must be at least 1, was " + times);
        }
        return new Trigger(source, null, Change.UPDATED, times);
    }

    /** Return the source: the kind for a watched kind ({@code Deployment.v1.apps}), otherwise the name of the source. */
    public String source() {
        return source;
    }

    /** Return the key of the object; empty for an event that is not about one object. */
    public Optional<ObjectKey> object() {
        return Optional.ofNullable(object);
    }

    /** Return what happened; the latest change if several were coalesced. */
    public Change change() {
        return change;
    }

    /** Return how many changes of this object were coalesced, at least 1. */
    public int times() {
        return times;
    }

    /** Return whether the other trigger is about the same object of the same source. */
    public boolean sameOrigin(Trigger other) {
        return source.equals(other.source) && Objects.equals(object, other.object);
    }

    /** Return this trigger coalesced with a later one of the same origin: the later change, and the sum of both counts. */
    public Trigger coalescedWith(Trigger later) {
        return new Trigger(source, object, later.change, times + later.times);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Trigger trigger
                && sameOrigin(trigger)
                && change == trigger.change
                && times == trigger.times;
    }

    @Override
    public int hashCode() {
        return Objects.hash(source, object, change, times);
    }

    /** Return text such as {@code Deployment.v1.apps default/web UPDATED x3}. */
    @Override
    public String toString() {
        return source + (object == null ? "" : " " + object) + " " + change + (times > 1 ? " x" + times : "");
    }
}
