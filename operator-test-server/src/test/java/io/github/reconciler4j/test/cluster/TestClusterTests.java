package io.github.reconciler4j.test.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TestClusterTests {
    private static final TestClusterOptions PLAIN =
            TestClusterOptions.defaults().withDefinitions(List.of());

    @AfterEach
    void restoreChoice() {
        System.clearProperty(Backend.PROPERTY);
        System.clearProperty(Backend.ASSETS_PROPERTY);
    }

    @Test
    void requestsWhenMadeByTheOperatorCarryItsName() {
        try (TestCluster cluster = TestCluster.start(PLAIN);
                KubernetesClient operator = new KubernetesClientBuilder()
                        .withConfig(cluster.operatorConfig())
                        .build()) {
            operator.pods().inNamespace("default").list();

            assertThat(cluster.server().orElseThrow().requests().all())
                    .extracting(request -> request.request().user())
                    .containsExactly(TestCluster.OPERATOR);
        }
    }

    @Test
    void startWhenADefinitionIsNamedInstallsItAlone() {
        try (TestCluster cluster = TestCluster.start(PLAIN.withDefinitions(List.of("definitions/widgets.yml")))) {
            assertThat(cluster.client()
                            .apiextensions()
                            .v1()
                            .customResourceDefinitions()
                            .list()
                            .getItems())
                    .extracting(definition -> definition.getMetadata().getName())
                    .containsExactly("widgets.example.com");
        }
    }

    @Test
    void startWhenANamedFileIsMissingSaysSo() {
        assertThatThrownBy(() -> TestCluster.start(PLAIN.withDefinitions(List.of("definitions/none.yml"))))
                .hasMessage("There is no definitions/none.yml on the class path");
    }

    @Test
    void startWhenTheChoiceIsUnknownSaysWhatThereIs() {
        System.setProperty(Backend.PROPERTY, "minikube");

        assertThatThrownBy(() -> TestCluster.start(PLAIN))
                .hasMessageContaining("is 'minikube', but must be 'in-jvm', 'assets' or 'context:'");
    }

    @Test
    void startWhenTheContextIsMissingSaysSo() {
        System.setProperty(Backend.PROPERTY, "context:nowhere");

        assertThatThrownBy(() -> TestCluster.start(PLAIN))
                .hasMessageContaining("names the context 'nowhere', which the kubeconfig does not have");
    }

    @Test
    void startWhenTheAssetsLackAProgramSaysWhich() {
        System.setProperty(Backend.PROPERTY, "assets");
        System.setProperty(Backend.ASSETS_PROPERTY, "/no/such/folder");

        assertThatThrownBy(() -> TestCluster.start(PLAIN))
                .hasMessageContaining("/no/such/folder, which has no executable 'etcd'");
    }

    @Test
    void createNamespaceWhenCalledTwiceMakesTwo() {
        try (TestCluster cluster = TestCluster.start(PLAIN)) {
            assertThat(cluster.createNamespace("some"))
                    .startsWith("some-")
                    .isNotEqualTo(cluster.createNamespace("some"));
        }
    }

    private static void createMap(TestCluster cluster) {
        cluster.client()
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName("web")
                        .endMetadata()
                        .build())
                .create();
    }

    @Test
    void editWhenAnotherWriterIsFasterKeepsBothChanges() {
        try (TestCluster cluster = TestCluster.start(PLAIN)) {
            createMap(cluster);
            AtomicInteger calls = new AtomicInteger();

            ConfigMap edited = cluster.edit(ConfigMap.class, "default", "web", map -> {
                if (calls.incrementAndGet() < 4) {
                    cluster.edit(ConfigMap.class, "default", "web", other -> put(other, "other", calls.toString()));
                }
                put(map, "mine", calls.toString());
            });

            assertThat(edited.getData()).isEqualTo(Map.of("mine", "4", "other", "3"));
            assertThat(cluster.client()
                            .configMaps()
                            .inNamespace("default")
                            .withName("web")
                            .get())
                    .isEqualTo(edited);
        }
    }

    private static void put(ConfigMap map, String key, String value) {
        Map<String, String> data = map.getData() == null ? new TreeMap<>() : new TreeMap<>(map.getData());
        data.put(key, value);
        map.setData(data);
    }

    @Test
    void editWhenOthersAlwaysAreFasterSaysSo() {
        try (TestCluster cluster = TestCluster.start(PLAIN)) {
            createMap(cluster);
            AtomicInteger calls = new AtomicInteger();

            assertThatThrownBy(() -> cluster.edit(
                            ConfigMap.class,
                            "default",
                            "web",
                            map -> cluster.edit(
                                    ConfigMap.class,
                                    "default",
                                    "web",
                                    other -> put(other, "n", "" + calls.incrementAndGet()))))
                    .isInstanceOf(AssertionError.class)
                    .hasMessage(
                            "Could not edit ConfigMap default/web, because it has changed between read and write 50 times"
                                    + " in a row");
            assertThat(calls).hasValue(50);
        }
    }

    @Test
    void editWhenThereIsNoObjectSaysSo() {
        try (TestCluster cluster = TestCluster.start(PLAIN)) {
            assertThatThrownBy(() -> cluster.edit(ConfigMap.class, "default", "none", map -> {}))
                    .isInstanceOf(AssertionError.class)
                    .hasMessage("Could not edit ConfigMap default/none, because it does not exist");
            assertThatThrownBy(() -> cluster.edit(Namespace.class, "none", space -> {}))
                    .hasMessage("Could not edit Namespace none, because it does not exist");
        }
    }
}
