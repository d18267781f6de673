package io.github.reconciler4j.cache;

import io.github.reconciler4j.event.ObjectEvent;

/**
 * Is told of changes of watched objects.
 *
 * @param <T> the class of the objects
 */
@FunctionalInterface
public interface ObjectListener<T> {

    /** Takes one event; called by one thread at a time. */
    void onEvent(ObjectEvent<T> event);
}
