package io.github.reconciler4j.test.client;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.ApplyOptions;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientInterceptor;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.Discovery;
import io.github.reconciler4j.client.LiveReader;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.OperationResult;
import io.github.reconciler4j.client.Reader;
import io.github.reconciler4j.client.ScaleClient;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.SubresourceClient;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.faults.Faults;
import io.github.reconciler4j.test.request.RequestLog;
import io.github.reconciler4j.test.server.internal.DirectServer;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A client for unit tests of reconcilers. Behind it is the API server inside the JVM, the one of {@link KubernetesServer}, without a
 * socket: your calls have the results, errors and warnings that they have over a connection, and take well under a millisecond.
 *
 * <!-- snippet: FakeClientUseTests -->
 * <pre>{@code
 * try (FakeClient client = FakeClient.of(Page.of("hello", "<h1>Hi</h1>"))) {
 *     Page page = client.get(Page.class, "pages", "hello").orElseThrow();
 *     new PageConfigReconciler(client).reconcile(page, ReconcileContext.of(Request.of(page)));
 *     assertThat(client.exists(Kind.of(ConfigMap.class), ObjectKey.of("pages", "hello")))
 *             .isTrue();
 * }
 * }</pre>
 *
 * <p>The server checks what an API server checks. A namespace must exist, a custom resource needs a definition, and the status is
 * written by {@link #status()}; the {@link FakeClientBuilder} provides namespaces and definitions of the initial objects. The server assigns
 * {@code uid}, {@code resourceVersion} and {@code creationTimestamp}, and refuses new objects that have a {@code resourceVersion}.
 *
 * <p>Reads go to the server, as those of a client without a cache. A cache that you create over {@link #connection()} works, and its
 * watches arrive on another thread, as always. The client runs no manager and no controllers: to test these, start your operator with
 * a {@link KubernetesServer}. Garbage collection and the
 * deletion of namespaces run in the background, as on a real server, so wait for their effects.
 *
 * <p>Thread-safe. Two clients share nothing.
 *
 * @since 0.1.0
 */
public final class FakeClient implements Client, AutoCloseable {

    private final DirectServer server;
    private final ApiConnection connection;
    private final Client client;

    FakeClient(DirectServer server, ApiConnection connection, Client client) {
        this.server = server;
        this.connection = connection;
        this.client = client;
    }

    /** Create a client of a server with the given objects; see {@link FakeClientBuilder#objects}. */
    public static FakeClient of(HasMetadata... objects) {
        return builder().objects(objects).build();
    }

    /** Return a builder with the defaults. */
    public static FakeClientBuilder builder() {
        return new FakeClientBuilder();
    }

    /** Return the fault rules of the server, initially none. The requests of this client are from the user {@code admin}. */
    public Faults faults() {
        return server.faults();
    }

    /** Return the log of the requests, without those that created the initial objects. */
    public RequestLog requests() {
        return server.requests();
    }

    /** Return the connection, for a cache or another client of the same server. */
    public ApiConnection connection() {
        return connection;
    }

    /** End what is under way, and delete all objects. Further calls fail. Closing it again has no effect. */
    @Override
    public void close() {
        connection.close();
        server.close();
    }

    @Override
    public <T> Optional<T> get(Kind<T> kind, ObjectKey key) {
        return client.get(kind, key);
    }

    @Override
    public <T> List<T> list(Kind<T> kind, Selection options) {
        return client.list(kind, options);
    }

    @Override
    public <T> List<T> listOwned(HasMetadata owner, Kind<T> kind) {
        return client.listOwned(owner, kind);
    }

    @Override
    public <T extends HasMetadata> T create(T object, WriteOptions options) {
        return client.create(object, options);
    }

    @Override
    public <T extends HasMetadata> T update(T object, WriteOptions options) {
        return client.update(object, options);
    }

    @Override
    public <T extends HasMetadata> T patch(T object, ObjectPatch patch, WriteOptions options) {
        return client.patch(object, patch, options);
    }

    @Override
    public <T extends HasMetadata> T patch(Kind<T> kind, ObjectKey key, ObjectPatch patch, WriteOptions options) {
        return client.patch(kind, key, patch, options);
    }

    @Override
    public <T extends HasMetadata> OperationResult<T> applyWithOutcome(T object, ApplyOptions options) {
        return client.applyWithOutcome(object, options);
    }

    @Override
    public <T extends HasMetadata> T applyUnconditionally(T object, ApplyOptions options) {
        return client.applyUnconditionally(object, options);
    }

    @Override
    public boolean delete(HasMetadata object, DeletionOptions options) {
        return client.delete(object, options);
    }

    @Override
    public boolean delete(Kind<?> kind, ObjectKey key, DeletionOptions options) {
        return client.delete(kind, key, options);
    }

    @Override
    public void deleteAll(Kind<?> kind, Selection select, DeletionOptions options) {
        client.deleteAll(kind, select, options);
    }

    @Override
    public LiveReader live() {
        return client.live();
    }

    @Override
    public Reader withoutPendingWrites() {
        return client.withoutPendingWrites();
    }

    @Override
    public SubresourceClient status() {
        return client.status();
    }

    @Override
    public ScaleClient scale() {
        return client.scale();
    }

    @Override
    public SubresourceClient subresource(String name) {
        return client.subresource(name);
    }

    @Override
    public <T extends HasMetadata> OperationResult<T> createOrUpdate(
            T object, Consumer<T> mutate, WriteOptions options) {
        return client.createOrUpdate(object, mutate, options);
    }

    @Override
    public <T extends HasMetadata> OperationResult<T> createOrPatch(
            T object, Consumer<T> mutate, WriteOptions options) {
        return client.createOrPatch(object, mutate, options);
    }

    @Override
    public <T extends HasMetadata> T edit(T object, Consumer<T> change, WriteOptions options) {
        return client.edit(object, change, options);
    }

    @Override
    public <T extends HasMetadata> T editWithStatus(T object, Consumer<T> change, WriteOptions options) {
        return client.editWithStatus(object, change, options);
    }

    @Override
    public Discovery discovery() {
        return client.discovery();
    }

    @Override
    public boolean serves(Kind<?> kind) {
        return client.serves(kind);
    }

    @Override
    public Scheme scheme() {
        return client.scheme();
    }

    @Override
    public Client withFieldManager(String fieldManager) {
        return client.withFieldManager(fieldManager);
    }

    @Override
    public Client dryRun() {
        return client.dryRun();
    }

    @Override
    public boolean isDryRun() {
        return client.isDryRun();
    }

    @Override
    public Client inNamespace(String namespace) {
        return client.inNamespace(namespace);
    }

    @Override
    public Client intercepted(ClientInterceptor interceptor) {
        return client.intercepted(interceptor);
    }

    @Override
    public <T extends HasMetadata, R> R retryOnConflict(Class<T> type, ObjectKey key, Function<T, R> attempt) {
        return client.retryOnConflict(type, key, attempt);
    }
}
