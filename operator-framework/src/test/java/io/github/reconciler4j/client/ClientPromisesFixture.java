package io.github.reconciler4j.client;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.internal.ClientWiring;
import io.github.reconciler4j.client.internal.spi.WriteListener;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** A client of a server; subclasses say of which. */
@Timeout(300)
abstract class ClientPromisesFixture
        implements ClientObjectPromises,
                ClientDeletionPromises,
                ClientDiscoveryPromises,
                ClientPatchPromises,
                ClientEditPromises,
                ClientContentPromises,
                ClientTextPromises,
                ClientCreateOrUpdatePromises,
                ClientRestartPromises,
                ClientCautionPromises {

    String namespace;
    ApiConnection connection;
    Client client;
    private final List<String> notified = new CopyOnWriteArrayList<>();

    /** Return the configuration of a user with all permissions. */
    abstract Config config();

    /** Makes a namespace of the test's own and returns its name. */
    abstract String createNamespace();

    @BeforeEach
    void open() throws InterruptedException {
        connection = ApiConnection.open(config());
        connection.awaitServer(TIME_LIMIT);
        namespace = createNamespace();
        client = ClientWiring.of(connection, Scheme.create())
                .withWriteListener(new WriteListener() {
                    @Override
                    public void written(KindInfo kind, byte[] json) {
                        notified.add("written " + kind.plural());
                    }

                    @Override
                    public void deleted(KindInfo kind, ObjectKey key, String uid, byte[] json) {
                        notified.add("deleted " + key.name() + (uid.isEmpty() ? "" : " uid"));
                    }
                })
                .create(ClientOptions.defaults().withFieldManager("client-test"));
        install(Gadget.CRD, Gadget.class);
        install(Parcel.CRD, Parcel.class);
        notified.clear();
    }

    private void install(String crd, Class<? extends HasMetadata> type) {
        client.createOrUpdate(
                new KubernetesSerialization().unmarshal(crd, GenericKubernetesResource.class), same -> {});
        KindInfo kind = client.scheme().kindOf(type);
        await("discovery of " + kind.kind())
                .atMost(TIME_LIMIT)
                .until(() -> client.discovery().find(kind.kind()).isPresent());
    }

    @AfterEach
    void close() {
        connection.close();
    }

    @Override
    public Client client() {
        return client;
    }

    @Override
    public ApiConnection connection() {
        return connection;
    }

    @Override
    public String namespace() {
        return namespace;
    }

    @Override
    public List<String> notified() {
        return notified;
    }
}
