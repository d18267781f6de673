package io.github.reconciler4j.predicate;

import io.github.reconciler4j.event.ObjectEvent;

/**
 * Decides whether an event goes on to its handler. Several predicates of one watch must all agree and are asked in
 * order, each only if those before it agreed. Called for each event by the thread that delivers events, so it must be
 * quick; one that looks at headers only costs no decoding. Must be safe for use by many threads.
 *
 * @param <T> the class of the objects
 * @since 0.1.0
 */
@FunctionalInterface
public interface EventPredicate<T> {

    /** Whether the event goes on. */
    boolean test(ObjectEvent<? extends T> event);

    /** Both this and, if this agrees, the other. */
    default <S extends T> EventPredicate<S> and(EventPredicate<? super S> other) {
        return event -> test(event) && other.test(event);
    }

    /** This or, if this does not agree, the other. */
    default <S extends T> EventPredicate<S> or(EventPredicate<? super S> other) {
        return event -> test(event) || other.test(event);
    }

    /** The opposite. */
    default EventPredicate<T> negate() {
        return event -> !test(event);
    }
}
