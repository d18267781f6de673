package io.github.reconciler4j.test.expect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.cluster.TestCluster;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.junit.KubernetesTest;
import io.github.reconciler4j.test.request.RequestMatch;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@KubernetesTest
class ExpectationTests {
    private static final Duration SHORT = Duration.ofMillis(50);

    private final TestCluster cluster;
    private final KubernetesClient client;
    private String namespace;

    ExpectationTests(TestCluster cluster) {
        this.cluster = cluster;
        client = cluster.client();
    }

    @BeforeEach
    void createNamespace() {
        namespace = cluster.createNamespace("expect");
    }

    private ConfigMap createMap(String value) {
        return client.resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("map")
                        .addToLabels("app", "web")
                        .endMetadata()
                        .addToData("key", value)
                        .build())
                .inNamespace(namespace)
                .create();
    }

    private ObjectExpectation<ConfigMap> map() {
        return cluster.expect(ConfigMap.class, namespace, "map");
    }

    private Deployment createDeployment(String conditionStatus, long observed) {
        Deployment created = client.resource(new DeploymentBuilder()
                        .withNewMetadata()
                        .withName("web")
                        .endMetadata()
                        .withNewSpec()
                        .withNewSelector()
                        .addToMatchLabels("app", "web")
                        .endSelector()
                        .withNewTemplate()
                        .withNewMetadata()
                        .addToLabels("app", "web")
                        .endMetadata()
                        .withNewSpec()
                        .addNewContainer()
                        .withName("web")
                        .withImage("web")
                        .endContainer()
                        .endSpec()
                        .endTemplate()
                        .endSpec()
                        .build())
                .inNamespace(namespace)
                .create();
        return client.resource(new DeploymentBuilder(created)
                        .withNewStatus()
                        .withObservedGeneration(observed)
                        .addNewCondition()
                        .withType("Available")
                        .withStatus(conditionStatus)
                        .withReason("Why")
                        .withMessage("because")
                        .endCondition()
                        .endStatus()
                        .build())
                .updateStatus();
    }

    @Test
    void toHaveWhenTheValueComesLaterWaitsForIt() {
        createMap("old");
        CompletableFuture<ConfigMap> found = CompletableFuture.supplyAsync(() -> map().toHave("/data/key", "new"));

        client.configMaps()
                .inNamespace(namespace)
                .withName("map")
                .edit(map -> new ConfigMapBuilder(map).addToData("key", "new").build());

        assertThat(found.join().getData()).containsEntry("key", "new");
    }

    @Test
    void toHaveWhenTheTimeIsOverTellsTheValueThatWasSeen() {
        createMap("old");

        assertThatThrownBy(() -> map().within(SHORT).toHave("/data/key", "new"))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("Expected that ConfigMap " + namespace + "/map has \"new\" at /data/key,"
                        + " but not within 50 ms; last seen: resourceVersion ")
                .hasMessageEndingWith(", /data/key is \"old\"");
    }

    @Test
    void toHaveWhenItIsASecretTellsNothingOfItsContent() {
        client.resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName("password")
                        .endMetadata()
                        .addToData("value", "c2VjcmV0")
                        .build())
                .inNamespace(namespace)
                .create();

        assertThatThrownBy(() -> cluster.expect(Secret.class, namespace, "password")
                        .within(SHORT)
                        .toHave("/data/value", "b3RoZXI="))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("last seen: resourceVersion")
                .message()
                .doesNotContain("c2VjcmV0", "b3RoZXI=");
    }

    @Test
    void toHaveConditionWhenItHoldsReturnsTheObject() {
        createDeployment("True", 1);

        Deployment found =
                cluster.expect(Deployment.class, namespace, "web").toHaveCondition("Available", "True", "Why");

        assertThat(found.getStatus().getConditions()).hasSize(1);
    }

    @Test
    void toHaveConditionWhenItIsAnotherTellsAll() {
        createDeployment("False", 1);

        assertThatThrownBy(() -> cluster.expect(Deployment.class, namespace, "web")
                        .within(SHORT)
                        .toHaveCondition("Available", "True"))
                .hasMessageContaining("generation 1, observed 1, conditions [Available=False (Why: because)]");
    }

    @Test
    void toHaveConditionWhenItIsAboutAnEarlierGenerationDoesNotCountIt() {
        createDeployment("True", 1);
        client.apps().deployments().inNamespace(namespace).withName("web").scale(2);

        assertThatThrownBy(() -> cluster.expect(Deployment.class, namespace, "web")
                        .within(SHORT)
                        .toHaveCondition("Available", "True"))
                .hasMessageContaining("generation 2, observed 1");
    }

    @Test
    void toExistWhenThereIsNoneSaysSo() {
        assertThatThrownBy(() -> map().within(SHORT).toExist()).hasMessageEndingWith("last seen: no such object");
    }

    @Test
    void toBeGoneWhenItExistsFailsAndSucceedsAfterItsEnd() {
        ConfigMap map = createMap("one");
        assertThatThrownBy(() -> map().within(SHORT).toBeGone())
                .hasMessageMatching("(?s)Expected that ConfigMap .+/map is gone, but not within .+");

        client.resource(map).delete();

        map().toBeGone();
    }

    @Test
    void toExistWhenReadingFailsForAWhileTriesAgain(KubernetesServer server) {
        createMap("one");
        server.faults()
                .add(FaultRule.of(RequestMatch.verbs("get").kind("ConfigMap").namespace(namespace), Fault.forbidden())
                        .times(2));

        map().toExist();

        assertThat(server.requests()
                        .count(RequestMatch.verbs("get").kind("ConfigMap").namespace(namespace)))
                .isEqualTo(3);
    }

    @Test
    void toStayWhenItChangesFails() {
        createMap("one");

        map().toStay("has the key", map -> map.getData().containsKey("key"), SHORT);
        assertThatThrownBy(
                        () -> map().toStay("has another", map -> map.getData().containsKey("other"), SHORT))
                .hasMessageContaining(" has another, for 50 ms; seen: resourceVersion");
    }

    @Test
    void expectAllWhenSelectedCountsThose() {
        createMap("one");

        cluster.expectAll(ConfigMap.class, namespace).withLabel("app", "web").toCount(1);
        cluster.expectAll(Pod.class, namespace).toBeEmpty();
        assertThatThrownBy(() -> cluster.expectAll(ConfigMap.class, namespace)
                        .withLabel("app", "other")
                        .within(SHORT)
                        .toCount(1))
                .hasMessageStartingWith("Expected that the configmaps in " + namespace + " with {app=other} are 1,")
                .hasMessageEndingWith("0 objects []");
    }

    @Test
    void expectEventsWhenOneIsRecordedFindsIt() {
        ConfigMap map = createMap("one");
        client.resource(new EventBuilder()
                        .withNewMetadata()
                        .withName("some")
                        .endMetadata()
                        .withNewInvolvedObject()
                        .withKind("ConfigMap")
                        .withNamespace(namespace)
                        .withName("map")
                        .withUid(map.getMetadata().getUid())
                        .endInvolvedObject()
                        .withType("Normal")
                        .withReason("Seen")
                        .withMessage("It was seen")
                        .build())
                .inNamespace(namespace)
                .create();

        assertThat(cluster.expectEvents(map).toHaveReason("Seen"))
                .isEqualTo(new RecordedEvent("Normal", "Seen", "It was seen"));
        assertThatThrownBy(() -> cluster.expectEvents(map).within(SHORT).toHaveReason("Other"))
                .hasMessageEndingWith("events [Normal Seen]");
    }
}
