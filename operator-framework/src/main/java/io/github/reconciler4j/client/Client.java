package io.github.reconciler4j.client;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.client.internal.ClientWiring;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Reads objects from the cache and writes them to the API server. Cached reads include the client's own writes;
 * {@link #live} reads from the server. Derived clients ({@link #withFieldManager}, {@link #inNamespace} ...) share everything
 * with the original except the setting that they change. Thread-safe.
 *
 * <!-- snippet: ClientUse -->
 * <pre>{@code
 * ObjectKey key = ObjectKey.of("shop", "settings");
 * Optional<ConfigMap> cached = client.get(ConfigMap.class, key);
 * List<ConfigMap> all = client.list(Kind.of(ConfigMap.class), Selection.inNamespace("shop"));
 * Optional<ConfigMap> fresh = client.live().get(ConfigMap.class, key);
 *
 * client.apply(wanted); // creates or changes it; sends nothing if nothing would change
 * client.patch(wanted, ObjectPatch.merge(Map.of("data", Map.of("mode", "fast"))));
 * client.retryOnConflict(ConfigMap.class, key, current -> {
 *     current.getData().put("count", Integer.toString(all.size()));
 *     return client.update(current);
 * });
 * client.delete(wanted, DeletionOptions.exactly(fresh.or(() -> cached).orElse(wanted)));
 * }</pre>
 *
 * @since 0.1.0
 */
public interface Client extends Reader, Writer {

    /**
     * Create a client that reads from a cache. If the reader is a {@code Cache}, it shows the client's own writes at once.
     *
     * @param cacheReader the reader of everything but {@link #live}
     */
    static Client create(ApiConnection connection, Scheme scheme, Reader cacheReader, ClientOptions options) {
        return ClientWiring.of(connection, scheme).withCache(cacheReader).create(options);
    }

    /** Create a client without a cache, which reads from the server. */
    static Client create(ApiConnection connection, Scheme scheme, ClientOptions options) {
        return ClientWiring.of(connection, scheme).create(options);
    }

    /** Return a reader of the API server. */
    LiveReader live();

    /**
     * Return a reader of the cache that excludes own writes which the watch has not delivered yet, so that reads agree with
     * the events. Kinds that are not cached are read from the server.
     */
    Reader withoutPendingWrites();

    /** Return a client for the status of objects. */
    SubresourceClient status();

    /** Return a client for the replicas of objects. */
    ScaleClient scale();

    /**
     * Return a client for the given subresource.
     *
     * @throws IllegalArgumentException if the name is blank or cannot be part of a path
     */
    SubresourceClient subresource(String name);

    /** Create or update an object; see {@link #createOrUpdate(HasMetadata, Consumer, WriteOptions)}. */
    default <T extends HasMetadata> OperationResult<T> createOrUpdate(T object, Consumer<T> mutate) {
        return createOrUpdate(object, mutate, WriteOptions.defaults());
    }

    /**
     * Read the object with the name of the given object, let {@code mutate} change a copy of it, and send the difference for its
     * resourceVersion only if the copy differs. If the object does not exist, create it from {@code object}, changed by
     * {@code mutate}. Differences in the status alone are not sent; see {@link #createOrPatch}.
     *
     * @throws IllegalArgumentException if {@code mutate} changes the name or namespace
     * @throws ConflictException if the object has changed since it was read
     */
    <T extends HasMetadata> OperationResult<T> createOrUpdate(T object, Consumer<T> mutate, WriteOptions options);

    /** Create or patch an object; see {@link #createOrPatch(HasMetadata, Consumer, WriteOptions)}. */
    default <T extends HasMetadata> OperationResult<T> createOrPatch(T object, Consumer<T> mutate) {
        return createOrPatch(object, mutate, WriteOptions.defaults());
    }

    /**
     * Work as {@link #createOrUpdate}, but send the difference as a merge patch regardless of versions, and a difference of
     * the status to the status subresource. A new object receives its status too.
     *
     * @throws IllegalArgumentException if {@code mutate} changes the name or namespace
     */
    <T extends HasMetadata> OperationResult<T> createOrPatch(T object, Consumer<T> mutate, WriteOptions options);

    /** Change an object; see {@link #edit(HasMetadata, Consumer, WriteOptions)}. */
    default <T extends HasMetadata> T edit(T object, Consumer<T> change) {
        return edit(object, change, WriteOptions.defaults());
    }

    /**
     * Let {@code change} modify a copy of an object, and send the difference as a merge patch. If nothing differs, nothing is sent
     * and a copy of the object is returned. The given object is not changed, and none is created.
     *
     * <pre>{@code client.edit(app, changed -> changed.getSpec().setReplicas(3));}</pre>
     *
     * <p>Versions, lists and conflicts are treated as in {@link SubresourceClient#edit(HasMetadata, Consumer, WriteOptions)}: only what
     * differs is written, whatever the version on the server, and after a conflict about a list the difference is made again in the
     * current list, up to 10 times, without another call of {@code change}. To write only if the object has not changed since it was
     * read, use {@link #update} or {@link ObjectPatch#lockedBetween}.
     *
     * @param change changes anything but the status; for both, use {@link #editWithStatus}
     * @return the object as it is now
     * @throws IllegalArgumentException if {@code change} modifies the status, the name or the namespace
     * @throws NotFoundException if the object does not exist
     * @throws ConflictException if a list has changed before each of 10 attempts
     */
    <T extends HasMetadata> T edit(T object, Consumer<T> change, WriteOptions options);

    /** Change an object and its status; see {@link #editWithStatus(HasMetadata, Consumer, WriteOptions)}. */
    default <T extends HasMetadata> T editWithStatus(T object, Consumer<T> change) {
        return editWithStatus(object, change, WriteOptions.defaults());
    }

    /**
     * Work as {@link #edit}, but also let {@code change} modify the status. Sends at most two patches: first what differs in the object,
     * then what differs in the status, to the status subresource. {@code change} is called once. If the second patch fails, the
     * first stays written; a repetition with the current object then sends what is missing.
     *
     * @return the object as it is now
     * @throws IllegalArgumentException if {@code change} modifies the name or the namespace
     * @throws NotFoundException if the object does not exist
     * @throws ConflictException if a list has changed before each of 10 attempts
     */
    <T extends HasMetadata> T editWithStatus(T object, Consumer<T> change, WriteOptions options);

    /** Return the discovery of the API server. */
    Discovery discovery();

    /**
     * Return whether the API server serves a kind. Sends no request for a kind that the cache watches, or that a controller
     * declares optional: the watch says it, and notices when a definition appears or goes. Other kinds are asked for when this
     * is called, those that are served at most once a minute, those that are not at most every 2 seconds.
     *
     * @throws io.github.reconciler4j.client.error.ApiException if the request fails, unless the kind was served before
     */
    boolean serves(Kind<?> kind);

    /** Return the scheme of this client. */
    Scheme scheme();

    /** Return a client that writes with the given field manager. */
    Client withFieldManager(String fieldManager);

    /** Return a client whose writes are dry runs: validated and answered by the server, but not stored. */
    Client dryRun();

    /**
     * Return whether the writes of this client have no effect: because of {@link #dryRun}, or of the {@link WriteMode} of the operator.
     * Code with other effects, such as a call of a foreign API, leaves them out then.
     */
    boolean isDryRun();

    /**
     * Return a client for one namespace. Objects, keys and lists of kinds with namespaces get this namespace if they have
     * none.
     *
     * <p>A call of the returned client throws {@link IllegalArgumentException} if it names another namespace.
     * Cluster-scoped kinds are not affected.
     */
    Client inNamespace(String namespace);

    /** Return a client with an additional interceptor, inside the existing ones. */
    Client intercepted(ClientInterceptor interceptor);

    /**
     * Read an object from the server and pass it to {@code attempt}; start over if that throws {@link ConflictException}. It
     * makes at most 5 attempts, with delays of 10 ms and more.
     *
     * @param attempt changes the object and writes it, for example {@code object -> client.status().update(object)}
     * @return what the attempt returned
     * @throws NotFoundException if the object does not exist
     * @throws ConflictException if the last attempt failed with a conflict
     */
    <T extends HasMetadata, R> R retryOnConflict(Class<T> type, ObjectKey key, Function<T, R> attempt);
}
