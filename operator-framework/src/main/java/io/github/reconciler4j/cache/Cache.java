package io.github.reconciler4j.cache;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.cache.internal.DefaultCache;
import io.github.reconciler4j.client.Reader;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.Scheme;
import java.time.Duration;
import java.util.List;

/**
 * A local copy of the kinds somebody asked for. A kind asked for is watched from then on (from {@link #start} on, if
 * asked for before); all forms of one kind share one watch and one store. Safe for use by many threads.
 *
 * <p>Users: a kind has users: its subscriptions until they are closed, and the program itself from its first read of
 * the kind to {@link #release}. When the last user leaves, the watch ends and the memory is free; the next one begins
 * it anew. Indexes stay.
 *
 * <p>Reading: a kind or namespace that is not synced yet is waited for, at most the sync timeout of the options; if its
 * definition or a right is missing, reading fails at once with {@link KindUnavailableException}. What is not kept by the
 * settings fails with {@link NotCachedException}. Lists are in the order of namespace, then name, and the limit takes
 * the first ones. Field selectors can compare {@code metadata.name} and {@code metadata.namespace}, and by
 * {@code index=term} require a term in an index of that name, of which several must hold together; anything else fails
 * with {@link UnsupportedSelectorException}.
 *
 * @since 0.1.0
 */
public interface Cache extends Reader, AutoCloseable {

    /** Makes a cache with default settings; see {@link #create(ApiConnection, Scheme, CacheOptions)}. */
    static Cache create(ApiConnection connection, Scheme scheme) {
        return create(connection, scheme, CacheOptions.defaults());
    }

    /**
     * Makes a cache that watches nothing before {@link #start}. Closing it leaves the connection open.
     *
     * @param connection the way to the server
     * @param scheme says which classes stand for which kinds
     */
    static Cache create(ApiConnection connection, Scheme scheme, CacheOptions options) {
        return new DefaultCache(connection, scheme, options);
    }

    /** The informer of a class's kind, made on first use, which begins to watch the kind if the cache is started. */
    <T extends HasMetadata> Informer<T> informer(Class<T> type);

    /** The informer of a kind in its generic form; otherwise the same. */
    Informer<GenericKubernetesResource> informer(GroupVersionKind kind);

    /**
     * Return the informer of the metadata of a class's kind. As long as nobody needs bodies, the API server is asked for
     * metadata only, so that for instance the data of Secrets never comes to this process. See {@link Cache}.
     */
    Informer<ObjectHeader> metadataInformer(Class<? extends HasMetadata> type);

    /** Return the informer of the metadata of a kind; see {@link #metadataInformer(Class)}. */
    Informer<ObjectHeader> metadataInformer(GroupVersionKind kind);

    /**
     * Begins to watch all kinds asked for so far; returns at once.
     *
     * @throws IllegalStateException if it was started or closed before
     */
    void start();

    /**
     * Waits until every kind asked for so far has synced.
     *
     * @throws CacheSyncTimeoutException after the timeout; its message names the kinds that are missing and why
     * @throws InterruptedException if the thread is interrupted
     */
    void awaitSync(Duration timeout) throws InterruptedException;

    /**
     * Waits until every kind asked for so far has synced, or cannot sync before a person does something: its
     * CustomResourceDefinition or a right is missing. Other kinds are not held up by such a one.
     *
     * @return the kinds that have not synced, each with what keeps it
     * @throws InterruptedException if the thread is interrupted
     */
    List<KindStatus> awaitSettled(Duration timeout) throws InterruptedException;

    /**
     * Gives up the program's own use of a kind, which began with its first read. Subscriptions stay and keep the kind
     * watched. Harmless at any time: a later read begins a new watch if need be.
     *
     * @return whether the kind is not watched any more, as nobody else uses it
     */
    boolean release(GroupVersionKind kind);

    /** Release the kind of a class; see {@link #release(GroupVersionKind)}. */
    default boolean release(Class<? extends HasMetadata> type) {
        return release(Scheme.describe(type).kind());
    }

    /**
     * Watches a kind in other namespaces from now on; those wanted before and after go on undisturbed. Returns when the
     * watches no longer wanted have ended; new ones are read as soon as they have brought their first list. Objects that
     * are not covered any more leave the cache: subscriptions are told of a deletion whose final state is unknown, and
     * reads do not find them.
     *
     * @throws IllegalArgumentException if the kind is cluster-scoped
     */
    void changeNamespaces(GroupVersionKind kind, CachedNamespaces namespaces);

    /** Change the namespaces of the kind of a class; see {@link #changeNamespaces(GroupVersionKind, CachedNamespaces)}. */
    void changeNamespaces(Class<? extends HasMetadata> type, CachedNamespaces namespaces);

    /** How all kinds are that have users, or were asked for and have had none yet; in no particular order. */
    List<KindStatus> kinds();

    /**
     * Return a reader of this cache that excludes pending writes: the program's own writes which the watch has not delivered
     * yet, and which the other reads of this cache include. A client that is created with this cache notifies it of its
     * writes.
     */
    Reader watched();

    /** Ends all watches and subscriptions and waits for their threads; afterwards reads fail. */
    @Override
    void close();
}
