package io.github.reconciler4j.cache;

import io.github.reconciler4j.client.ListOptions;
import io.github.reconciler4j.event.ObjectSnapshot;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * One watched kind: what is known of its objects, and who is told of changes. Safe for use by many threads.
 *
 * @param <T> the class its objects are decoded into
 * @since 0.1.0
 */
public interface Informer<T> {

    /** The kind watched. */
    KindInfo kind();

    /**
     * What keeps the first list from coming that does not mend by itself: a missing CustomResourceDefinition, a missing
     * right. {@code ""} if nothing does.
     */
    String notReadyReason();

    /** Whether the first list has been taken in completely. */
    boolean hasSynced();

    /**
     * Waits until {@link #hasSynced}.
     *
     * @throws CacheSyncTimeoutException after the timeout; its message says what keeps the cache from syncing
     * @throws InterruptedException if the thread is interrupted
     */
    void awaitSync(Duration timeout) throws InterruptedException;

    /**
     * Tells the listener of everything there is now, as initial creations, and then of every change, in order per
     * object, on a thread of the subscription's own. Changes of one object that arrive while the listener is busy may
     * be merged; none is dropped. An exception thrown by the listener is logged and does not end the subscription.
     *
     * @param name names the subscription in logs and metrics
     */
    Subscription subscribe(String name, ObjectListener<T> listener);

    /** One object as it is in the cache. */
    Optional<ObjectSnapshot<T>> get(ObjectKey key);

    /** All objects, or those of one namespace if it is not {@code ""}; in no particular order. */
    List<ObjectSnapshot<T>> list(String namespace);

    /**
     * The objects that the options select, by namespace and then name; see {@link Cache}. Nothing is decoded for it.
     *
     * @throws UnsupportedSelectorException if the field selector names what is no index
     */
    List<ObjectSnapshot<T>> list(ListOptions options);

    /** The objects that have an owner reference with this uid; by an index that the first call makes. */
    List<ObjectSnapshot<T>> ownedBy(String ownerUid);

    /**
     * Has label selectors that require one value of this label answered by an index, instead of a look at every header.
     * May be called before or after start; does nothing if there is one.
     */
    void addLabelIndex(String label);

    /**
     * Adds an index, before or after start; the terms of an object are what the function returns for it, none if it
     * throws. The function must not change the object. A reader sees store and indexes at the same instant always. Lists
     * select by it with a field selector {@code name=term}.
     *
     * @throws IllegalStateException if there is an index of that name already
     */
    void addIndex(String name, Function<ObjectSnapshot<T>, ? extends Iterable<String>> terms);

    /**
     * The objects that have this term in an index, in no particular order.
     *
     * @throws UnsupportedSelectorException if there is no such index
     */
    List<ObjectSnapshot<T>> byIndex(String name, String term);
}
