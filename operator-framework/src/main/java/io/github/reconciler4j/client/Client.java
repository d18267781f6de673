package io.github.reconciler4j.client;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.client.internal.DefaultClient;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Reads and writes objects. Reads come from the cache, own writes included; {@link #live} reads the server. Writes go to
 * the server. Derived clients ({@link #withFieldManager}, {@link #inNamespace} ...) share everything with this one but
 * the setting they change. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public interface Client extends Reader, Writer {

    /**
     * A client that reads from a cache.
     *
     * @param cacheReader serves the reads of {@link Reader}; an {@link ReadYourWritesReader} if own writes are to be left out at
     *     will
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

    /**
     * Reads what the watches have brought, without own writes that they have yet to bring; from the server what is not
     * cached. For those who want to see the world as their events tell it.
     */
    Reader withoutPendingWrites();

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

    /**
     * Applies an object unless that would change nothing. See {@link #applyIfChanged(HasMetadata, ApplyOptions)}.
     */
    default <T extends HasMetadata> ApplyResult<T> applyIfChanged(T object) {
        return applyIfChanged(object, ApplyOptions.defaults());
    }

    /**
     * Applies an object unless that would change nothing, so that an idle reconcile writes nothing. Nothing is sent if
     * this client (or one it shares its origin with) has applied just this before, with the same field manager and force,
     * and what is read (from the cache) is still that answer, or differs from it in fields only that are not given here.
     * A list counts as one field.
     *
     * <p>The first time in the life of this program, and after 50,000 other objects, it reads the object live, unless what
     * it knows differs anyway. Nothing is written if the field manager owns, by {@code managedFields}, exactly the fields
     * that are given, and these have the given values, so that a restart costs a read for each object.
     *
     * <p>It cannot tell, and therefore applies: then, if a value is written in another notation than the server's
     * ({@code 1000m}), is empty or null, or lacks defaults within what the server treats as one value (an atomic list or
     * map); when the object was deleted and created anew; when what is read does not fit the class; when a list it gives
     * has got entries or values from others; always with an optimistic lock, and in dry runs. It does not see that another
     * manager took a field over and gave it the same value again.
     */
    <T extends HasMetadata> ApplyResult<T> applyIfChanged(T object, ApplyOptions options);

    /**
     * Reads the object of this name, lets {@code mutate} change a copy of it, and sends an update with its
     * resourceVersion if the copy differs; creates it, mutated from {@code object}, if there is none. Differences of
     * status alone are not sent: see {@link #createOrPatch}.
     *
     * @throws IllegalArgumentException if {@code mutate} changes name or namespace
     * @throws ConflictException if it has changed since it was read
     */
    <T extends HasMetadata> OperationResult<T> createOrUpdate(T object, Consumer<T> mutate);

    /**
     * As {@link #createOrUpdate}, but sends the difference as a merge patch without regard to versions, and the
     * difference of the status, if there is one, to the status; what it creates gets its status too.
     *
     * @throws IllegalArgumentException if {@code mutate} changes name or namespace
     */
    <T extends HasMetadata> OperationResult<T> createOrPatch(T object, Consumer<T> mutate);

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
