package io.github.reconciler4j.cache;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.cache.internal.DefaultCache;
import io.github.reconciler4j.client.ApiConnection;
import io.github.reconciler4j.client.Reader;
import io.github.reconciler4j.client.WriteListener;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.scheme.Scheme;
import java.time.Duration;
import java.util.List;

/**
 * A local copy of the kinds somebody asked for. A kind asked for once is watched from then on (from {@link #start} on,
 * if asked for before); all forms of one kind share one watch and one store. Reading a kind that is not synced yet
 * waits for it, at most the cache sync timeout of the options. Safe for use by many threads.
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

    /** The informer of a class's kind, made on first use. */
    <T extends HasMetadata> Informer<T> informer(Class<T> type);

    /** The informer of a kind in its generic form, made on first use. */
    Informer<GenericKubernetesResource> informer(GroupVersionKind kind);

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

    /** How all kinds asked for so far are, in no particular order. */
    List<KindStatus> kinds();

    /**
     * Shows readers of this cache the program's own writes at once, deletions included, and until the watch has brought
     * them. Events come from the watch alone, none is left out. Give it to the client that writes:
     * {@code ClientOptions.withWriteListener(cache.writeListener())}.
     */
    WriteListener writeListener();

    /** Ends all watches and subscriptions and waits for their threads; afterwards reads fail. */
    @Override
    void close();
}
