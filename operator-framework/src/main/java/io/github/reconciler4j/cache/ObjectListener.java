package io.github.reconciler4j.cache;

import io.github.reconciler4j.event.ObjectEvent;

/**
 * Receives the changes of watched objects.
 *
 * <!-- snippet: CacheUse -->
 * <pre>{@code
 * cache.informer(ConfigMap.class)
 *         .subscribe(
 *                 "settings", event -> System.out.println(event.snapshot().key()));
 * }</pre>
 *
 * @param <T> the class of the objects
 * @since 0.1.0
 */
@FunctionalInterface
public interface ObjectListener<T> {

    /**
     * Receive an event. Called by one thread at a time. The object is decoded on its first use, once per event and
     * subscription: all code that handles the event in this subscription shares the instance, and other subscriptions have
     * their own. With {@link StorageForm#DECODED}, all subscriptions and readers share one instance.
     *
     * @param event the change
     */
    void onEvent(ObjectEvent<T> event);

    /**
     * Receive that the API server serves the kind now, or no longer; only of an {@link Cache#optionalInformer
     * optional informer}. Not called for the state at the start of the cache. Must return soon: the thread is not that of
     * {@link #onEvent}, and notifies all subscriptions of the kind. After an exception, which is logged, it is called again, with
     * the state at that time. Does nothing by default.
     *
     * @param served whether the API server serves the kind
     */
    default void onServedChange(boolean served) {}
}
