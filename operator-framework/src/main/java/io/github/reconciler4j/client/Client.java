package io.github.reconciler4j.client;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.internal.DefaultClient;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import java.util.function.Function;

/**
 * Reads and writes objects. Reads come from the cache, own writes included; {@link #live} reads the server. Writes go to
 * the server. Derived clients ({@link #withFieldManager}, {@link #inNamespace} ...) share everything with this one but
 * the setting they change. Safe for use by many threads.
 */
public interface Client extends Reader, Writer {

    /**
     * A client that reads from a cache.
     *
     * @param cacheReader serves the reads of {@link Reader}
     */
    static Client create(ApiConnection connection, Scheme scheme, Reader cacheReader, ClientOptions options) {
        return DefaultClient.create(connection, scheme, cacheReader, options);
    }

    /** A client without a cache: every read goes to the server. */
    static Client create(ApiConnection connection, Scheme scheme, ClientOptions options) {
        return DefaultClient.create(connection, scheme, null, options);
    }

    /** Reads from the server. */
    LiveReader live();

    /** Writes the status of objects. */
    SubresourceClient status();

    /** Reads and sets replicas. */
    ScaleClient scale();

    /**
     * Reads and writes any subresource.
     *
     * @throws IllegalArgumentException if the name is blank
     */
    SubresourceClient subresource(String name);

    /** What the server serves. */
    Discovery discovery();

    /** The kinds this client knows. */
    Scheme scheme();

    /** This client writing in the name of another field manager. */
    Client withFieldManager(String fieldManager);

    /** This client with all writes as dry runs: checked and answered by the server, but not stored. */
    Client dryRun();

    /**
     * This client in one namespace: objects, keys and lists of kinds with namespaces get it if they name none.
     *
     * <p>A call of the client returned throws {@link IllegalArgumentException} if it names another namespace. Kinds
     * without namespaces are not affected.
     */
    Client inNamespace(String namespace);

    /** This client with one more interceptor, inside those it has. */
    Client intercepted(ClientInterceptor interceptor);

    /**
     * Reads an object from the server, passes it to {@code attempt}, and begins again if that ends in a
     * {@link ConflictException}: at most 5 times, with pauses of 10 ms and more.
     *
     * @param attempt changes the object and writes it, for instance {@code object -> client.status().update(object)}
     * @return what the attempt returned
     * @throws NotFoundException if there is no such object
     * @throws ConflictException if the last attempt ended so
     */
    <T extends HasMetadata, R> R retryOnConflict(Class<T> type, ObjectKey key, Function<T, R> attempt);
}
