package io.github.reconciler4j.test.client;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.KubernetesServerBuilder;
import io.github.reconciler4j.test.client.internal.DirectConnection;
import io.github.reconciler4j.test.client.internal.InitialState;
import io.github.reconciler4j.test.cluster.TestClusterOptions;
import io.github.reconciler4j.test.server.internal.DirectServer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * What a {@link FakeClient} starts with. Each method changes this builder and returns it. For use by one thread.
 *
 * <!-- snippet: FakeClientUseTests -->
 * <pre>{@code
 * FakeClient client = FakeClient.builder()
 *         .objects(Page.of("hello", "<h1>Hi</h1>"))
 *         .namespaces("shop")
 *         .kind(certificate)
 *         .options(ClientOptions.defaults().withTimeout(Duration.ofSeconds(5)))
 *         .build();
 * }</pre>
 *
 * @since 0.1.0
 */
public final class FakeClientBuilder {

    private static final String SETUP = "fake-client";

    private final Set<KindInfo> kinds = new LinkedHashSet<>();
    private final Set<String> namespaces = new LinkedHashSet<>();
    private final List<HasMetadata> objects = new ArrayList<>();
    private List<String> definitions = TestClusterOptions.DEFAULT_DEFINITIONS;
    private Scheme scheme = Scheme.create();
    private ClientOptions options = ClientOptions.defaults();
    private UnaryOperator<KubernetesServerBuilder> server = UnaryOperator.identity();

    FakeClientBuilder() {}

    /**
     * Add kinds of custom resources that the server serves, besides those of the initial objects. Kinds that Kubernetes serves
     * itself need not be added. Of a kind without a definition at the {@linkplain #definitions places of definitions}, the server
     * accepts every field, and serves the status.
     *
     * @throws io.github.reconciler4j.scheme.UnknownKindException if a class does not declare its kind
     */
    @SafeVarargs
    public final FakeClientBuilder kinds(Class<? extends HasMetadata>... types) {
        for (Class<? extends HasMetadata> type : types) {
            kinds.add(Scheme.describe(type));
        }
        return this;
    }

    /** Add a kind that has no class, as {@link #kinds} adds those that have one. */
    public FakeClientBuilder kind(KindInfo kind) {
        kinds.add(kind);
        return this;
    }

    /**
     * Add objects that exist when the client is built, with their status. They are created in this order, by the field manager
     * {@code fake-client}, and are not changed. Their namespaces and kinds are created, too.
     *
     * @throws IllegalArgumentException if an object has no metadata
     */
    public FakeClientBuilder objects(HasMetadata... added) {
        for (HasMetadata object : added) {
            if (object.getMetadata() == null) {
                throw new IllegalArgumentException(
                        "'objects' must have metadata, but a " + object.getKind() + " has none");
            }
            objects.add(object);
        }
        return this;
    }

    /** Add namespaces, besides those of the initial objects and those that every cluster has. */
    public FakeClientBuilder namespaces(String... names) {
        namespaces.addAll(List.of(names));
        return this;
    }

    /**
     * Set where on the class path definitions are: folders, and files whose names end in {@code .yml}, {@code .yaml} or
     * {@code .json}. Default {@link TestClusterOptions#DEFAULT_DEFINITIONS}. Read only if a custom resource is used.
     */
    public FakeClientBuilder definitions(List<String> places) {
        definitions = List.copyOf(places);
        return this;
    }

    /** Set the scheme of the client. Default a new one. */
    public FakeClientBuilder scheme(Scheme newScheme) {
        scheme = newScheme;
        return this;
    }

    /** Set the options of the client, such as its interceptors. Default {@link ClientOptions#defaults()}. */
    public FakeClientBuilder options(ClientOptions newOptions) {
        options = newOptions;
        return this;
    }

    /** Set what changes the settings of the server. Default no change. Settings about sockets have no effect. */
    public FakeClientBuilder server(UnaryOperator<KubernetesServerBuilder> change) {
        server = change;
        return this;
    }

    /**
     * Create the server, the initial objects and the client.
     *
     * @throws io.github.reconciler4j.client.error.ApiException if the server refuses an object
     * @throws io.github.reconciler4j.scheme.UnknownKindException if the kind of an object is unknown
     * @throws IllegalStateException if a definition cannot be read
     */
    public FakeClient build() {
        DirectServer direct = DirectServer.create(server);
        boolean isBuilt = false;
        try {
            DirectConnection connection = new DirectConnection(direct.transport(), direct.adminToken());
            createState(connection);
            direct.requests().clear();
            FakeClient client = new FakeClient(direct, connection, Client.create(connection, scheme, options));
            isBuilt = true;
            return client;
        } finally {
            if (!isBuilt) {
                direct.close();
            }
        }
    }

    private void createState(ApiConnection connection) {
        kinds.forEach(scheme::register);
        Set<KindInfo> served = new LinkedHashSet<>(kinds);
        Set<String> needed = new LinkedHashSet<>(namespaces);
        for (HasMetadata object : objects) {
            served.add(scheme.kindOf(object));
            if (object.getMetadata().getNamespace() != null) {
                needed.add(object.getMetadata().getNamespace());
            }
        }
        InitialState state = new InitialState(
                Client.create(connection, scheme, ClientOptions.defaults().withFieldManager(SETUP)));
        state.define(served, definitions);
        state.createNamespaces(needed);
        state.create(objects);
    }
}
