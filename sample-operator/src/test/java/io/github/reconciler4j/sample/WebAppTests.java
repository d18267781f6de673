package io.github.reconciler4j.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.cluster.TestCluster;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.LoggedRequest;
import io.github.reconciler4j.test.request.RequestMatch;
import io.github.reconciler4j.test.request.ServerRequest;
import io.github.reconciler4j.test.spring.OperatorTest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** The operator with the API server in this JVM, or with a real one if a system property selects it. */
@OperatorTest(
        cluster = {"deployment", "replicaset"},
        generatedRole = true)
class WebAppTests {

    @Autowired
    private TestCluster cluster;

    private String namespace;

    @BeforeEach
    void createNamespace() {
        namespace = cluster.createNamespace("webapps");
    }

    private WebApp create(String... spec) {
        return cluster.client()
                .resource(cluster.client()
                        .getKubernetesSerialization()
                        .unmarshal(WebApps.yaml("hello", spec), WebApp.class))
                .inNamespace(namespace)
                .create();
    }

    @Test
    void webAppWhenCreatedGetsItsObjects() {
        WebApp app = create("replicas: 2", "files: {index.html: hello}");

        Deployment deployment =
                cluster.expect(Deployment.class, namespace, "hello").toHave("/spec/replicas", 2);
        cluster.expect(ConfigMap.class, namespace, "hello").toHave("/data", Map.of("index.html", "hello"));
        cluster.expect(Service.class, namespace, "hello").toExist();
        assertThat(deployment.getMetadata().getOwnerReferences())
                .extracting(owner -> owner.getUid())
                .containsExactly(app.getMetadata().getUid());
    }

    @Test
    void webAppWhenItsPodsAreReadyIsReady() {
        assumeTrue(cluster.runsDeployments());
        WebApp app = create("replicas: 2");

        cluster.expect(WebApp.class, namespace, "hello").toHaveCondition("Ready", "True", "ObjectsReady");
        cluster.expectEvents(app).toHaveReason("Ready");
    }

    @Test
    void webAppWhenItsSecretIsMissingIsNotReadyUntilItExists() {
        WebApp waiting = create("secretName: password");
        cluster.expect(WebApp.class, namespace, "hello").toHaveCondition("Ready", "False", "SecretUnavailable");
        cluster.expectEvents(waiting).toHaveReason("SecretUnavailable");

        cluster.client().resource(secret("password")).inNamespace(namespace).create();

        cluster.expect(Deployment.class, namespace, "hello").toExist();
        cluster.expect(WebApp.class, namespace, "hello")
                .toMatch(
                        "reports its objects",
                        app -> app.getStatus().getConditions().stream()
                                .noneMatch(condition -> condition.getReason().equals("SecretUnavailable")));
    }

    @Test
    void configMapWhenTheFilesAreRemovedIsDeleted() {
        create("replicas: 1", "files: {index.html: hello}");
        cluster.expect(ConfigMap.class, namespace, "hello").toExist();

        patch("{\"spec\": {\"files\": null}}");

        cluster.expect(ConfigMap.class, namespace, "hello").toBeGone();
        cluster.expect(Deployment.class, namespace, "hello").toExist();
        cluster.expect(Service.class, namespace, "hello").toExist();
    }

    private void patch(String change) {
        cluster.client()
                .resources(WebApp.class)
                .inNamespace(namespace)
                .withName("hello")
                .patch(PatchContext.of(PatchType.JSON_MERGE), change);
    }

    @Test
    void eventWhenRepeatedIsCounted() {
        WebApp app = create("secretName: password");
        cluster.expectEvents(app).toHaveReason("SecretUnavailable");

        patch("{\"spec\": {\"replicas\": 2}}");

        await("the event counts both").atMost(Duration.ofSeconds(30)).until(() -> {
            return cluster.client().events().v1().events().inNamespace(namespace).list().getItems().stream()
                    .anyMatch(event ->
                            event.getSeries() != null && event.getSeries().getCount() >= 2);
        });
    }

    @Test
    void deploymentWhenDeletedByHandIsRecreated() {
        create("replicas: 1");
        Deployment first = cluster.expect(Deployment.class, namespace, "hello").toExist();

        cluster.client().resource(first).delete();

        String uid = first.getMetadata().getUid();
        cluster.expect(Deployment.class, namespace, "hello")
                .toMatch(
                        "is another one", found -> !found.getMetadata().getUid().equals(uid));
    }

    @Test
    void deploymentWhenTheServerRefusesItIsAppliedAgain(KubernetesServer server) {
        server.faults()
                .add(FaultRule.of(RequestMatch.writes().kind("Deployment").namespace(namespace), Fault.unavailable())
                        .times(2));

        create("replicas: 1");

        cluster.expect(Deployment.class, namespace, "hello").toExist();
        await("the writes are logged, the last one after its effect")
                .atMost(Duration.ofSeconds(30))
                .until(() -> server.requests()
                                .count(RequestMatch.writes().kind("Deployment").namespace(namespace))
                        >= 3);
    }

    @Test
    void webAppWhenItsFirstWriteMeetsAConflictGetsItsObjects(KubernetesServer server) {
        server.faults()
                .add(FaultRule.of(
                                RequestMatch.writes()
                                        .kind("WebApp")
                                        .user(TestCluster.OPERATOR)
                                        .namespace(namespace),
                                Fault.conflict())
                        .times(1));

        create("replicas: 1");

        cluster.expect(Deployment.class, namespace, "hello").toExist();
    }

    @Test
    void operatorWhenAnotherReplicaStartsWritesNothing(KubernetesServer server, @Autowired Config config) {
        create("replicas: 1", "files: {index.html: hello}");
        cluster.expect(WebApp.class, namespace, "hello").toHaveCondition("Ready", "True", "ObjectsReady");
        cluster.expect(Deployment.class, namespace, "hello").toHave("/status/readyReplicas", 1);
        Instant before = Instant.now(); // what arrived earlier can be logged later

        try (ConfigurableApplicationContext second = startOperator(config)) {
            for (String kind : List.of("ConfigMap", "Service", "Deployment")) {
                await("the new replica compares the " + kind)
                        .atMost(Duration.ofSeconds(30))
                        .until(() -> server.requests().count(reads(kind).and(hello())) > 0);
            }

            assertThat(second.isActive()).isTrue();
            assertThat(server.requests().all().stream()
                            .filter(logged -> logged.time().isAfter(before))
                            .map(LoggedRequest::request)
                            .filter(RequestMatch.writes()
                                    .user(TestCluster.OPERATOR)
                                    .and(hello())))
                    .isEmpty();
        }
    }

    private Predicate<ServerRequest> hello() {
        return request ->
                request.namespace().equals(namespace) && request.name().equals("hello");
    }

    private static Predicate<ServerRequest> reads(String kind) {
        return RequestMatch.verbs("get").kind(kind).user(TestCluster.OPERATOR);
    }

    private static ConfigurableApplicationContext startOperator(Config config) {
        SpringApplication application = new SpringApplication(SampleOperatorApplication.class);
        application.addInitializers(context -> context.getBeanFactory().registerSingleton("configOfTheTest", config));
        return application.run("--server.port=0", "--reconciler4j.webhook.enabled=false");
    }

    private static Secret secret(String name) {
        return new SecretBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .addToStringData("value", "one")
                .build();
    }
}
