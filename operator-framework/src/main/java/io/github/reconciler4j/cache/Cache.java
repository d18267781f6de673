package io.github.reconciler4j.cache;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.cache.internal.DefaultCache;
import io.github.reconciler4j.client.Reader;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.Scheme;
import java.time.Duration;
import java.util.List;

/**
 * A local copy of the kinds that a program uses. The first use of a kind starts its watch, or {@link #start} does if that
 * comes later. All forms of a kind share one watch and one store. Thread-safe.
 *
 * <h2>Users</h2>
 *
 * <p>A kind has users: its subscriptions until they are closed, and the program from its first read of the kind until
 * {@link #release}. When the last user leaves, the cache stops the watch and drops the objects. The next user starts the
 * watch again. Indexes stay.
 *
 * <p>As long as all users of a kind need metadata only ({@link Kind#metadata}), the cache requests metadata only, so that
 * for instance the data of Secrets never reaches this process. The first user who needs whole objects makes the cache list the kind again with them, and
 * whole objects are watched until the kind has no users. A subscription to metadata does not notice. A subscription to
 * objects receives each object once, when it has arrived completely.
 *
 * <h2>Reads</h2>
 *
 * <p>A read waits until its kind and namespace have synced, at most for the sync timeout of the options. If the definition
 * or a permission is missing, it fails at once with {@link KindUnavailableException}. A read of something that the options
 * exclude fails with {@link NotCachedException}. Lists are ordered by namespace and name, and a limit returns the first
 * objects. Field selectors support {@code metadata.name}, {@code metadata.namespace}, and {@code index=term} for each index;
 * several terms must all match. Other fields fail with {@link UnsupportedSelectorException}.
 *
 * <h2>Parts</h2>
 *
 * <p>A cache can hold a part of the objects, see {@link CacheOptions#withPartition}. Lists then return objects of the held parts
 * only. A read in a namespace that belongs to another part fails with {@link NotCachedException} if the namespace is the
 * {@link PartitionKey} of the kind; with other keys, an object of another part looks as if it did not exist.
 *
 * <!-- snippet: CacheUse -->
 * <pre>{@code
 * Informer<Pod> pods = cache.informer(Pod.class);
 * pods.addIndex("node", pod -> List.of(pod.object().getSpec().getNodeName())); // once
 * return cache.list(Kind.of(Pod.class), Selection.all().withFieldSelector("node=" + node));
 * }</pre>
 *
 * @since 0.1.0
 */
public interface Cache extends Reader, AutoCloseable {

    /** Create a cache with default options; see {@link #create(ApiConnection, Scheme, CacheOptions)}. */
    static Cache create(ApiConnection connection, Scheme scheme) {
        return create(connection, scheme, CacheOptions.defaults());
    }

    /**
     * Create a cache that watches nothing before {@link #start}. Closing it leaves the connection open.
     *
     * @param connection the connection to the API server
     * @param scheme maps classes to kinds
     * @param options what to cache, and how
     */
    static Cache create(ApiConnection connection, Scheme scheme, CacheOptions options) {
        return new DefaultCache(connection, scheme, options);
    }

    /**
     * Return the informer of a kind. The first call creates it and starts to watch the kind if the cache has been started. See
     * {@link Cache} for kinds of metadata.
     *
     * @throws IllegalArgumentException if the kind is cluster-scoped, but its options have namespaces
     * @throws IllegalStateException if the cache is closed
     */
    <T> Informer<T> informer(Kind<T> kind);

    /** Return the informer of the kind of a class; see {@link #informer(Kind)}. */
    default <T extends HasMetadata> Informer<T> informer(Class<T> type) {
        return informer(Kind.of(type));
    }

    /**
     * Return an informer of a kind that the API server may not serve. From the first call on, the kind is optional in this
     * cache, whatever the form of its informers:
     *
     * <ul>
     *   <li>The cache asks the API server at its start whether it serves the kind. If not, the kind is not watched, has no
     *       threads, and reads of it return nothing. The cache looks for it again after 5 to 10 seconds each time.
     *   <li>When the kind is served, the subscriptions of optional informers start, with an initial state of their own.
     *   <li>When the watch finds that the kind is not served any more, the subscriptions receive the deletion of all objects,
     *       with an unknown final state, and the watch and its threads end. A listener that takes longer than 10 seconds for
     *       that misses the rest.
     * </ul>
     *
     * <p>The log has a line for each of these changes, and {@link ObjectListener#onServedChange} is called. Waiting for the sync of
     * the informer ends if the kind is not served. A missing permission for a kind that is served is an error as with
     * other kinds. Subscriptions of {@link #informer} are not affected: they keep the kind watched and wait for it.
     *
     * @throws io.github.reconciler4j.scheme.UnknownKindException if the scheme does not know the kind; register its plural and scope,
     *     because the API server cannot be asked for them
     * @throws IllegalStateException if the cache is closed
     */
    <T> Informer<T> optionalInformer(Kind<T> kind);

    /**
     * Start to watch all kinds that have been used so far. Returns at once.
     *
     * @throws IllegalStateException if the cache was started or closed before
     */
    void start();

    /**
     * Wait until every kind that has been used so far has synced.
     *
     * @throws CacheSyncTimeoutException after the timeout; the message names the kinds that have not synced and why
     * @throws InterruptedException if the thread is interrupted
     */
    void awaitSync(Duration timeout) throws InterruptedException;

    /**
     * Wait until every kind that has been used so far has synced or requires action, because its CustomResourceDefinition or
     * a permission is missing. Such a kind does not delay the others.
     *
     * @return the kinds that have not synced, each with the reason; empty if all have
     * @throws InterruptedException if the thread is interrupted
     */
    List<KindStatus> awaitSettled(Duration timeout) throws InterruptedException;

    /**
     * End the program's own use of a kind, which started with its first read. Subscriptions are not affected and keep the
     * kind watched. A later read starts a new watch if necessary, so this is safe at any time.
     *
     * @return whether the kind is not watched any more because it has no other users
     */
    boolean release(Kind<?> kind);

    /**
     * Watch a kind in the given namespaces from now on. Watches of namespaces that stay are not interrupted. Returns when the
     * watches of the other namespaces have ended. A new namespace can be read once its initial list is complete. Objects that
     * no watch covers any more leave the cache: reads do not return them, and subscriptions receive a deletion whose final
     * state is unknown.
     *
     * @throws IllegalArgumentException if the kind is cluster-scoped
     */
    void changeNamespaces(Kind<?> kind, CachedNamespaces namespaces);

    /** Return how the objects are divided, and which parts the cache holds. */
    Partition partition();

    /**
     * Hold other parts from now on. Returns at once; {@link #awaitPartition} waits.
     *
     * <p>Objects of parts that are not held any more leave the cache soon: reads do not return them, and subscriptions receive
     * {@link io.github.reconciler4j.event.ObjectEvent.Departed}. Kinds are listed again for parts that are gained, in a state
     * that is not older than this call, and subscriptions receive their objects as created. Objects of parts that stay held
     * cause no events. Several changes in a row can lead to one list.
     *
     * @throws IllegalArgumentException if the number of parts or the hash of namespaces differs from that of the options, or
     *     the borders of namespaces from the present ones while a part is held
     */
    void changePartition(Partition partition);

    /**
     * Wait until all kinds with users contain the objects of the held parts and no others, except kinds that require action.
     *
     * @return false after the timeout
     * @throws InterruptedException if the thread is interrupted
     */
    boolean awaitPartition(Duration timeout) throws InterruptedException;

    /** Return the status of all kinds that have users or have not had any yet, in no particular order. */
    List<KindStatus> kinds();

    /**
     * Return a reader of this cache that excludes pending writes: the program's own writes which the watch has not delivered
     * yet, and which the other reads of this cache include. A client that is created with this cache notifies it of its
     * writes.
     */
    Reader watched();

    /** Stop all watches and subscriptions and wait for their threads. Later reads fail. */
    @Override
    void close();
}
