package io.github.reconciler4j.cache;

import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.event.ObjectSnapshot;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * The objects of a watched kind and their changes. Thread-safe. A read waits and fails as the reads of {@link Cache} do.
 *
 * <!-- snippet: CacheUse -->
 * <pre>{@code
 * cache.informer(ConfigMap.class)
 *         .subscribe(
 *                 "settings", event -> System.out.println(event.snapshot().key()));
 * }</pre>
 *
 * @param <T> the class that objects are decoded into
 * @since 0.1.0
 */
public interface Informer<T> {

    /** Return the kind. */
    KindInfo kind();

    /** Return the name of the cluster that the cache belongs to, {@code ""} for the cluster of the manager. */
    default String cluster() {
        return "";
    }

    /**
     * Return why the kind has not synced if that requires action, for instance a missing CustomResourceDefinition or
     * permission; otherwise {@code ""}.
     */
    String notReadyReason();

    /** Return whether the initial list is complete. */
    boolean hasSynced();

    /**
     * Wait until {@link #hasSynced} returns true.
     *
     * @throws CacheSyncTimeoutException after the timeout; the message says why the kind has not synced
     * @throws InterruptedException if the thread is interrupted
     */
    void awaitSync(Duration timeout) throws InterruptedException;

    /**
     * Deliver all present objects as initial creations to the listener, and then every change, in order per object. Each
     * subscription has its own thread. Changes of one object that arrive while the listener is busy can be coalesced; none
     * is dropped. An exception of the listener is logged and does not end the subscription.
     *
     * @param name the name of the subscription in logs and metrics
     * @param listener receives the events
     */
    Subscription subscribe(String name, ObjectListener<T> listener);

    /** Return one object, empty if the cache does not have it. */
    Optional<ObjectSnapshot<T>> get(ObjectKey key);

    /**
     * Return the part of the object with a key: by its namespace if that decides, otherwise by its cached metadata.
     *
     * @return empty if the kind is not divided, and for an object that the cache does not have if metadata decide
     */
    OptionalInt partOf(ObjectKey key);

    /** Return whether the kind contains the objects of the held parts only, and not all; see {@link PartitionKey}. */
    boolean isDivided();

    /** Return whether the kind contains the objects of all held parts, and no others. */
    boolean hasParts();

    /** Return the objects of a namespace, or of all namespaces for {@code ""}, in no particular order. */
    List<ObjectSnapshot<T>> list(String namespace);

    /**
     * Return the objects that the options select, ordered by namespace and name; see {@link Cache}. Decodes no object.
     *
     * @throws UnsupportedSelectorException if the field selector names an index that does not exist
     */
    List<ObjectSnapshot<T>> list(Selection options);

    /** Return the objects that have an owner reference with the given uid. The first call creates an index for it. */
    List<ObjectSnapshot<T>> ownedBy(String ownerUid);

    /**
     * Add an index for label selectors that require one value of the given label. Other selectors check the header of every
     * object. Can be called before or after the start; does nothing if the index exists.
     */
    void addLabelIndex(String label);

    /**
     * Add an index, before or after the start. Lists select by it with the field selector {@code name=term}. Readers always
     * see the store and its indexes in the same state.
     *
     * @param name the name of the index
     * @param terms returns the terms of an object, which it must not change. Null is no term. An object has no terms if it throws, or
     *     returns null or more than 100,000 terms; the log names the object.
     * @throws IllegalStateException if an index of that name exists
     */
    void addIndex(String name, Function<ObjectSnapshot<T>, ? extends Iterable<String>> terms);

    /**
     * Return the objects that have a term in an index, in no particular order.
     *
     * @throws UnsupportedSelectorException if the index does not exist
     */
    List<ObjectSnapshot<T>> byIndex(String name, String term);
}
