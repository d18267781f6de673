package io.github.reconciler4j.predicate;

import io.github.reconciler4j.event.ObjectEvent;

/**
 * Decides whether an event reaches its handler. If a watch has several predicates, all of them must accept the event; they
 * are called in order until one does not. A predicate is called for each event on the thread that delivers events, so it
 * must be fast; one that looks at headers only never causes a decode. Must be thread-safe.
 *
 * <p>If a predicate throws, the change is kept and delivered again later.
 *
 * <!-- snippet: ControllerUse -->
 * <pre>{@code
 * EventPredicate<Object> named =
 *         EventPredicates.changed(header -> header.annotations().get("example.com/name"));
 * ControllerBuilder.of(Greeting.class)
 *         .when(named.or(EventPredicates.generationChanged()))
 *         .reconciler((greeting, context) -> Result.done())
 *         .addTo(manager);
 * }</pre>
 *
 * @param <T> the class of the object
 * @since 0.1.0
 */
@FunctionalInterface
public interface EventPredicate<T> {

    /** Return whether the event reaches its handler. */
    boolean test(ObjectEvent<? extends T> event);

    /** Return a predicate that accepts an event if this one and then the other accept it. */
    default <S extends T> EventPredicate<S> and(EventPredicate<? super S> other) {
        return event -> test(event) && other.test(event);
    }

    /** Return a predicate that accepts an event if this one or else the other accepts it. */
    default <S extends T> EventPredicate<S> or(EventPredicate<? super S> other) {
        return event -> test(event) || other.test(event);
    }

    /** Return a predicate that accepts the events that this one does not. */
    default EventPredicate<T> negate() {
        return event -> !test(event);
    }
}
