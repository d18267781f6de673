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
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import java.time.Duration;
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
                ClientObjectEditPromises,
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
        install(Gadget.CRD, Gadget.class);
        install(Parcel.CRD, Parcel.class);
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
        client.scheme().kindOf(Gadget.class);
        client.scheme().kindOf(Parcel.class);
        notified.clear();
    }

    // By clients of their own: the client under test would ask for the new kinds again only after a while.
    private void install(String crd, Class<? extends HasMetadata> type) {
        installer()
                .createOrUpdate(
                        new KubernetesSerialization().unmarshal(crd, GenericKubernetesResource.class), same -> {});
        KindName kind = Scheme.describe(type).kind();
        await("discovery of " + kind)
                .pollDelay(Duration.ZERO)
                .atMost(TIME_LIMIT)
                .until(() -> installer().discovery().find(kind).isPresent());
    }

    private Client installer() {
        return Client.create(connection, Scheme.create(), ClientOptions.defaults());
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
