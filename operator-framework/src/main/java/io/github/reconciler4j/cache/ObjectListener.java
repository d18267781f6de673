package io.github.reconciler4j.cache;

import io.github.reconciler4j.event.ObjectEvent;

/**
 * Is told of changes of watched objects.
 *
 * @param <T> the class of the objects
 * @since 0.1.0
 */
@FunctionalInterface
public interface ObjectListener<T> {

    /**
     * Takes one event; called by one thread at a time. An object is decoded when the listener first asks for it, once per
     * event, and the instance is this subscription's own: all who look at the event here share it, no other subscription
     * does (except in {@link StorageForm#DECODED}, where everybody does).
     */
    void onEvent(ObjectEvent<T> event);
}
