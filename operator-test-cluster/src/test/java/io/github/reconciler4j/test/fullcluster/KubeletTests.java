package io.github.reconciler4j.test.fullcluster;

import static io.github.reconciler4j.test.fullcluster.TestPods.condition;
import static io.github.reconciler4j.test.fullcluster.TestPods.pod;
import static io.github.reconciler4j.test.fullcluster.TestPods.waiting;
import static io.github.reconciler4j.test.fullcluster.TestPods.web;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.github.reconciler4j.test.cluster.TestCluster;
import io.github.reconciler4j.test.expect.ObjectExpectation;
import io.github.reconciler4j.test.expect.RecordedEvent;
import io.github.reconciler4j.test.junit.KubernetesTest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the replacement for kubelets does with pods. */
@KubernetesTest(cluster = {"scheduler", "kubelet"})
class KubeletTests {

    private final TestCluster cluster;
    private final ClusterPods pods;
    private String namespace = "";

    KubeletTests(TestCluster cluster, FullCluster full) {
        this.cluster = cluster;
        this.pods = full.pods();
    }

    @BeforeEach
    void createNamespace() {
        namespace = cluster.createNamespace("pods");
    }

    @AfterEach
    void endRules() {
        pods.clear();
    }

    private Pod create(Pod pod) {
        return cluster.client().resource(pod).create();
    }

    private ObjectExpectation<Pod> expect(String name) {
        return cluster.expect(Pod.class, namespace, name);
    }

    private Pod get(String name) {
        return cluster.client().pods().inNamespace(namespace).withName(name).get();
    }

    private List<Event> eventsOf(Pod pod) {
        return cluster.client().v1().events().inNamespace(namespace).list().getItems().stream()
                .filter(event -> pod.getMetadata()
                        .getUid()
                        .equals(event.getInvolvedObject().getUid()))
                .toList();
    }

    @Test
    void podWhenCreatedRunsAndIsReady() {
        Pod created = create(pod(namespace, "plain").build());

        expect("plain").toMatch("be ready", TestPods::isReady);
        Pod pod = get("plain");
        assertThat(pod.getSpec().getNodeName()).isEqualTo("node-1");
        assertThat(pod.getStatus().getPhase()).isEqualTo("Running");
        assertThat(pod.getStatus().getStartTime()).isNotNull();
        assertThat(pod.getStatus().getHostIP()).isEqualTo("172.18.0.1");
        assertThat(pod.getStatus().getPodIP()).startsWith("10.244.0.");
        assertThat(pod.getStatus().getPodIPs())
                .singleElement()
                .matches(ip -> ip.getIp().equals(pod.getStatus().getPodIP()));
        assertThat(web(pod).getReady()).isTrue();
        assertThat(web(pod).getStarted()).isTrue();
        assertThat(web(pod).getContainerID()).startsWith("containerd://");
        assertThat(pod.getStatus().getConditions())
                .extracting("type", String.class)
                .containsExactlyInAnyOrder(
                        "PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled");
        await().untilAsserted(() -> assertThat(eventsOf(created))
                .extracting(Event::getReason)
                .containsExactlyInAnyOrder("Scheduled", "Pulled", "Created", "Started"));
        assertThat(eventsOf(created))
                .filteredOn(event -> event.getReason().equals("Started"))
                .singleElement()
                .satisfies(event -> {
                    assertThat(event.getInvolvedObject().getFieldPath()).isEqualTo("spec.containers{web}");
                    assertThat(event.getSource().getComponent()).isEqualTo("kubelet");
                    assertThat(event.getSource().getHost()).isEqualTo("node-1");
                });
    }

    @Test
    void podWhenItsImageIsMissingWaitsUntilTheRuleEnds() {
        ActiveRule rule = pods.withImage("example.com/late:*").failToPull();
        Pod created = create(pod(namespace, "late")
                .editSpec()
                .editFirstContainer()
                .withImage("example.com/late:2")
                .endContainer()
                .endSpec()
                .build());

        expect("late").toMatch("back off", pod -> waiting(pod).equals("ImagePullBackOff"));
        assertThat(get("late").getStatus().getPhase()).isEqualTo("Pending");
        assertThat(condition(get("late"), "Ready").getReason()).isEqualTo("ContainersNotReady");
        await().untilAsserted(() ->
                assertThat(eventsOf(created)).extracting(Event::getReason).contains("Pulling", "Failed", "BackOff"));

        rule.close();
        expect("late").toMatch("be ready", TestPods::isReady);
    }

    @Test
    void podWhenItsImageIsBelowMissingExampleWaits() {
        create(pod(namespace, "missing")
                .editSpec()
                .editFirstContainer()
                .withImage("missing.example/web:1")
                .endContainer()
                .endSpec()
                .build());

        expect("missing").toMatch("back off", pod -> waiting(pod).equals("ImagePullBackOff"));
        assertThat(get("missing").getStatus().getPhase()).isEqualTo("Pending");
    }

    @Test
    void podWhenItsContainerFailsCrashesInALoop() {
        pods.withLabel("app", "crash").fail(3);
        Pod created = create(pod(namespace, "crash").build());

        expect("crash").toMatch("crash", pod -> waiting(pod).equals("CrashLoopBackOff"));
        Pod pod = get("crash");
        assertThat(pod.getStatus().getPhase()).isEqualTo("Running");
        assertThat(web(pod).getRestartCount()).isEqualTo(1);
        assertThat(web(pod).getLastState().getTerminated().getExitCode()).isEqualTo(3);
        assertThat(web(pod).getState().getWaiting().getMessage())
                .isEqualTo("back-off 10s restarting failed container=web pod=crash_" + namespace + "("
                        + created.getMetadata().getUid() + ")");
        assertThat(TestPods.isReady(pod)).isFalse();
    }

    @Test
    void podWhenCompletedOnDemandSucceedsWithoutRestarts() {
        create(pod(namespace, "once")
                .editSpec()
                .withRestartPolicy("Never")
                .endSpec()
                .build());
        expect("once").toMatch("be ready", TestPods::isReady);

        pods.complete(get("once"));

        expect("once").toHave("/status/phase", "Succeeded");
        Pod pod = get("once");
        assertThat(web(pod).getState().getTerminated().getReason()).isEqualTo("Completed");
        assertThat(condition(pod, "Ready").getReason()).isEqualTo("PodCompleted");
        assertThat(condition(pod, "Initialized").getStatus()).isEqualTo("True");
    }

    @Test
    void podWhenFailedOnDemandHasTheExitCode() {
        create(pod(namespace, "bad")
                .editSpec()
                .withRestartPolicy("Never")
                .endSpec()
                .build());

        pods.fail(get("bad"), 42);

        expect("bad").toHave("/status/phase", "Failed");
        assertThat(web(get("bad")).getState().getTerminated().getExitCode()).isEqualTo(42);
        assertThat(condition(get("bad"), "ContainersReady").getReason()).isEqualTo("PodFailed");
    }

    @Test
    void podWhenCompletedOnDemandIsRestartedByItsPolicy() {
        create(pod(namespace, "again").build());
        expect("again").toMatch("be ready", TestPods::isReady);

        pods.complete(get("again"));

        expect("again").toMatch("run again", pod -> web(pod).getRestartCount() == 1 && TestPods.isReady(pod));
        assertThat(get("again").getStatus().getPhase()).isEqualTo("Running");
    }

    @Test
    void podWhenItsReadinessIsSetFollows() {
        create(pod(namespace, "probe").build());
        expect("probe").toMatch("be ready", TestPods::isReady);

        pods.setReady(get("probe"), false);
        expect("probe").toMatch("not be ready", pod -> !TestPods.isReady(pod));

        pods.setReady(get("probe"), true);
        expect("probe").toMatch("be ready", TestPods::isReady);
        assertThat(web(get("probe")).getRestartCount()).isZero();
    }

    @Test
    void podWithAReadinessGateWhenItsConditionIsTrueBecomesReady() {
        create(pod(namespace, "gate")
                .editSpec()
                .addNewReadinessGate("example.com/gate")
                .endSpec()
                .build());
        expect("gate").toHaveCondition("ContainersReady", "True");
        assertThat(condition(get("gate"), "Ready").getReason()).isEqualTo("ReadinessGatesNotReady");

        cluster.client().resource(get("gate")).editStatus(pod -> {
            pod.getStatus()
                    .getConditions()
                    .add(new PodConditionBuilder()
                            .withType("example.com/gate")
                            .withStatus("True")
                            .build());
            return pod;
        });

        expect("gate").toMatch("be ready", TestPods::isReady);
        assertThat(condition(get("gate"), "example.com/gate").getStatus()).isEqualTo("True");
    }

    @Test
    void podWithInitContainersWhenTheyFailWaitsForThem() {
        ActiveRule rule = pods.withImage("example.com/init:1").fail(1);
        create(pod(namespace, "init")
                .editSpec()
                .addNewInitContainer()
                .withName("first")
                .withImage("example.com/init:1")
                .endInitContainer()
                .endSpec()
                .build());

        expect("init")
                .toMatch(
                        "have a failing init container",
                        pod -> !pod.getStatus().getInitContainerStatuses().isEmpty()
                                && pod.getStatus()
                                                .getInitContainerStatuses()
                                                .get(0)
                                                .getRestartCount()
                                        > 0);
        assertThat(waiting(get("init"))).isEqualTo("PodInitializing");
        assertThat(get("init").getStatus().getPhase()).isEqualTo("Pending");
        assertThat(condition(get("init"), "Initialized").getReason()).isEqualTo("ContainersNotInitialized");

        rule.close();
        expect("init").toMatch("be ready", TestPods::isReady);
        assertThat(get("init").getStatus().getInitContainerStatuses())
                .singleElement()
                .matches(status -> status.getState().getTerminated().getExitCode() == 0);
    }

    @Test
    void podWithASidecarWhenItsContainersCompleteSucceeds() {
        create(pod(namespace, "sidecar")
                .editSpec()
                .withRestartPolicy("Never")
                .addNewInitContainer()
                .withName("proxy")
                .withImage("example.com/proxy:1")
                .withRestartPolicy("Always")
                .endInitContainer()
                .endSpec()
                .build());
        expect("sidecar").toMatch("be ready", TestPods::isReady);

        pods.complete(get("sidecar"));

        expect("sidecar").toHave("/status/phase", "Succeeded");
        assertThat(get("sidecar").getStatus().getInitContainerStatuses())
                .singleElement()
                .matches(status -> status.getState().getTerminated() != null);
    }

    @Test
    void podWhenDeletedIsGoneAfterItsContainersHaveEnded() {
        Pod created = create(pod(namespace, "old").build());
        expect("old").toMatch("be ready", TestPods::isReady);

        cluster.client().resource(created).delete();

        expect("old").toBeGone();
        await().untilAsserted(() -> assertThat(cluster.expectEvents(created).events())
                .extracting(RecordedEvent::reason)
                .contains("Killing"));
    }

    @Test
    void podWhenItIgnoresTheWishIsKilledAfterItsGracePeriod() {
        pods.withLabel("app", "slow").ignoreTermination();
        Pod created = create(pod(namespace, "slow").build());
        expect("slow").toMatch("be ready", TestPods::isReady);

        cluster.client().resource(created).withGracePeriod(2).delete();

        expect("slow").toMatch("be terminating", pod -> pod.getMetadata().getDeletionTimestamp() != null);
        assertThat(get("slow").getStatus().getPhase()).isEqualTo("Running");
        expect("slow").toBeGone();
    }

    @Test
    void podWithAFinalizerWhenDeletedHasEndedAndStays() {
        Pod created = create(pod(namespace, "held")
                .editMetadata()
                .addToFinalizers("example.com/hold")
                .endMetadata()
                .build());
        expect("held").toMatch("be ready", TestPods::isReady);

        cluster.client().resource(created).delete();

        expect("held").toHave("/status/phase", "Succeeded");
        assertThat(get("held").getMetadata().getFinalizers()).contains("example.com/hold");
        cluster.edit(Pod.class, namespace, "held", pod -> pod.getMetadata().setFinalizers(List.of()));
        expect("held").toBeGone();
    }

    @Test
    void logWhenSetIsWhatTheServerReturns() {
        pods.withLabel("app", "talker").log("first\nsecond\n");
        create(pod(namespace, "talker").build());
        create(pod(namespace, "silent").build());
        expect("talker").toMatch("be ready", TestPods::isReady);
        expect("silent").toMatch("be ready", TestPods::isReady);

        var logs = cluster.client().pods().inNamespace(namespace);
        assertThat(logs.withName("talker").getLog()).isEqualTo("first\nsecond\n");
        assertThat(logs.withName("talker").tailingLines(1).getLog()).isEqualTo("second\n");
        assertThat(logs.withName("silent").getLog()).isEmpty();

        pods.setLog(get("silent"), "words");
        assertThat(logs.withName("silent").inContainer("web").getLog()).isEqualTo("words");
    }

    private Pod podOf(Job job, String name) {
        return pod(namespace, name)
                .editMetadata()
                .addToLabels("job-name", job.getMetadata().getName())
                .addNewOwnerReference()
                .withApiVersion("batch/v1")
                .withKind("Job")
                .withName(job.getMetadata().getName())
                .withUid(job.getMetadata().getUid())
                .withController(true)
                .endOwnerReference()
                .endMetadata()
                .editSpec()
                .withRestartPolicy("Never")
                .endSpec()
                .build();
    }

    private Job createJob() {
        return cluster.client()
                .resource(new JobBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName("backup")
                        .endMetadata()
                        .withNewSpec()
                        .withNewTemplate()
                        .withSpec(pod(namespace, "backup")
                                .editSpec()
                                .withRestartPolicy("Never")
                                .endSpec()
                                .build()
                                .getSpec())
                        .endTemplate()
                        .endSpec()
                        .build())
                .create();
    }

    @Test
    void podOfAJobWhenStartedCompletes() {
        create(podOf(createJob(), "backup-1"));

        expect("backup-1").toHave("/status/phase", "Succeeded");
    }

    @Test
    void podsOfAJobWhenARuleIsForTheFirstOnesFailOnlyThere() {
        pods.withLabel("job-name", "backup").inNamespace(namespace).first(1).fail(7);
        Job job = createJob();
        create(podOf(job, "backup-1"));
        expect("backup-1").toHave("/status/phase", "Failed");

        create(podOf(job, "backup-2"));

        expect("backup-2").toHave("/status/phase", "Succeeded");
        assertThat(web(get("backup-1")).getState().getTerminated().getExitCode())
                .isEqualTo(7);
    }

    @Test
    void podOfAJobWhenARuleLetsItRunCompletesOnDemand() {
        pods.withLabel("job-name", "backup").run();
        create(podOf(createJob(), "backup-1"));
        expect("backup-1").toMatch("be ready", TestPods::isReady);

        pods.complete(get("backup-1"));

        expect("backup-1").toHave("/status/phase", "Succeeded");
    }

    @Test
    void namespaceWhenDeletedIsGoneWithItsPods() {
        create(pod(namespace, "last").build());
        expect("last").toMatch("be ready", TestPods::isReady);

        cluster.client().namespaces().withName(namespace).delete();

        cluster.expect(Namespace.class, namespace)
                .within(Duration.ofSeconds(60))
                .toBeGone();
        assertThat(cluster.client().pods().inNamespace(namespace).list().getItems())
                .isEmpty();
    }
}
