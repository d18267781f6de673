package io.github.reconciler4j.external;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.WriteMode;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.external.ExternalResource.Creation;
import io.github.reconciler4j.external.ExternalResult.State;
import io.github.reconciler4j.external.FakeProvider.Thing;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.KubernetesServer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An operator whose writes have no effect changes nothing at the provider either, because it could not remember it. */
class ExternalModesTests {

    private final ManualTimeSource time = new ManualTimeSource();
    private final FakeProvider provider = new FakeProvider(Creation.IDEMPOTENT, time);
    private final List<String> calls = new ArrayList<>();
    private final ExternalResources<ConfigMap, Thing> resources = new ExternalResources<>(
            "thing",
            new ProviderClient(provider, new ProviderClient.Way() {
                @Override
                public void before(String verb) {
                    calls.add(verb);
                }
            }),
            ExternalOptions.defaults(),
            time);
    private KubernetesServer server;
    private ApiConnection connection;
    private Client normal;

    /** Why the writes of a client have no effect. */
    enum Mode {
        DRY_RUN,
        OBSERVE,
        PLAN,
        DERIVED;

        Client client(ApiConnection connection) {
            Client client = Client.create(
                    connection,
                    Scheme.create(),
                    this == DERIVED
                            ? ClientOptions.defaults()
                            : ClientOptions.defaults().withMode(WriteMode.valueOf(name())));
            return this == DERIVED ? client.dryRun().withFieldManager("derived") : client;
        }
    }

    @BeforeEach
    void start() {
        server = KubernetesServer.start();
        connection = ApiConnection.open(server.clientConfig());
        normal = Client.create(connection, Scheme.create(), ClientOptions.defaults());
        normal.create(new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("owner")
                .endMetadata()
                .addToData("value", "1")
                .build());
    }

    @AfterEach
    void stop() {
        connection.close();
        server.close();
    }

    private ConfigMap owner() {
        return normal.live().get(ConfigMap.class, "default", "owner").orElseThrow();
    }

    @ParameterizedTest
    @EnumSource
    void ownerWithoutAResourceGetsNone(Mode mode) throws Exception {
        ConfigMap before = owner();

        ExternalResult<Thing> result = resources.reconcile(before, mode.client(connection));

        assertThat(result.state()).isEqualTo(State.NOT_FOUND);
        assertThat(calls).containsOnly("observe");
        assertThat(owner()).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource
    void resourceThatDiffersStays(Mode mode) throws Exception {
        resources.reconcile(owner(), normal);
        normal.edit(owner(), owner -> owner.getData().put("value", "2"));
        calls.clear();

        resources.reconcile(owner(), mode.client(connection));

        assertThat(calls).containsOnly("observe");
    }

    @ParameterizedTest
    @EnumSource
    void resourceOfADeletedOwnerStays(Mode mode) throws Exception {
        resources.reconcile(owner(), normal);
        normal.delete(owner());
        ConfigMap before = owner();
        calls.clear();

        resources.reconcile(before, mode.client(connection));

        assertThat(calls).doesNotContain("delete", "update", "create");
        assertThat(owner()).isEqualTo(before);
    }
}
