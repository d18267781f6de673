package io.github.reconciler4j.test.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.cluster.TestCluster;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@KubernetesTest(definitions = "definitions")
class KubernetesTestTests {
    private static KubernetesServer first;

    private final TestCluster cluster;

    KubernetesTestTests(TestCluster cluster) {
        this.cluster = cluster;
    }

    @BeforeAll
    static void rememberServer(KubernetesServer server) {
        first = server;
    }

    @Test
    void parametersWhenWantedBelongToOneServer(KubernetesServer server, Config config, KubernetesClient client) {
        assertThat(server).isSameAs(first).isSameAs(cluster.server().orElseThrow());
        assertThat(config.getMasterUrl()).startsWith(server.url());
        assertThat(client).isSameAs(cluster.client());
    }

    @Test
    void definitionsWhenOnTheClassPathAreServed(KubernetesClient client) {
        assertThat(client.genericKubernetesResources("example.com/v1", "Widget")
                        .inAnyNamespace()
                        .list()
                        .getItems())
                .isEmpty();
        assertThat(client.configMaps().withName("not-a-definition").get()).isNull();
    }

    @Nested
    class NestedTests {
        @Test
        void clusterWhenNestedIsThatOfTheOuterClass(KubernetesServer server) {
            assertThat(server).isSameAs(first);
        }
    }

    @Test
    void requestsWhenMadeByTheTestCarryItsName(KubernetesClient client, KubernetesServer server) {
        ConfigMap map = new ConfigMapBuilder()
                .withNewMetadata()
                .withName("some")
                .endMetadata()
                .build();
        client.resource(map).inNamespace("default").create();

        assertThat(server.requests().writes()).anySatisfy(request -> {
            assertThat(request.request().user()).isEqualTo("admin");
            assertThat(request.request().resource()).isEqualTo("configmaps");
        });
    }
}
