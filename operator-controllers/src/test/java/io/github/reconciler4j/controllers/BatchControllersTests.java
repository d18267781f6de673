package io.github.reconciler4j.controllers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.CronJobBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobStatus;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.github.reconciler4j.builder.AbstractControllerBuilder;
import io.github.reconciler4j.client.OwnerReferences;
import io.github.reconciler4j.controller.ControllerSelection;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.RequestMatch;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The controllers of Jobs, CronJobs and PodDisruptionBudgets with the API server in this JVM. */
class BatchControllersTests {

    private static final String NAMESPACE = "batch";

    /** Two minutes ahead, so that a new CronJob has missed a time. */
    private static final Clock CLOCK = Clock.offset(Clock.systemUTC(), Duration.ofMinutes(2));

    private KubernetesServer server;
    private KubernetesClient client;
    private Manager manager;

    @BeforeEach
    void start() {
        server = KubernetesServer.start();
        client = new KubernetesClientBuilder().withConfig(server.clientConfig()).build();
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(NAMESPACE)
                        .endMetadata()
                        .build())
                .create();
        manager = Manager.create(server.clientConfig());
        AbstractControllerBuilder.addSelected(
                manager,
                ControllerSelection.of(List.of("job", "cronjob", "ttl-after-finished", "disruption")),
                KubernetesControllers.builders(
                        manager, ControllersOptions.defaults().withClock(CLOCK)));
        manager.start();
    }

    @AfterEach
    void stop() {
        manager.close();
        client.close();
        server.close();
    }

    private static ConditionFactory eventually() {
        return await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(100));
    }

    private static JobBuilder job(String name, int completions, int parallelism) {
        return new JobBuilder()
                .withNewMetadata()
                .withNamespace(NAMESPACE)
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withManualSelector(true)
                .withNewSelector()
                .addToMatchLabels("app", name)
                .endSelector()
                .withCompletions(completions)
                .withParallelism(parallelism)
                .withNewTemplate()
                .withNewMetadata()
                .addToLabels("app", name)
                .endMetadata()
                .withNewSpec()
                .withRestartPolicy("Never")
                .addNewContainer()
                .withName("main")
                .withImage("task")
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec();
    }

    private List<Pod> awaitPods(String app, int count) {
        return eventually().until(() -> pods(app), pods -> pods.size() == count);
    }

    private List<Pod> pods(String app) {
        return client.pods().inNamespace(NAMESPACE).withLabel("app", app).list().getItems();
    }

    private JobStatus awaitCondition(String name, String type) {
        return eventually()
                .until(
                        () -> client.batch()
                                .v1()
                                .jobs()
                                .inNamespace(NAMESPACE)
                                .withName(name)
                                .get(),
                        job -> job.getStatus() != null
                                && job.getStatus().getConditions().stream()
                                        .anyMatch(c -> c.getType().equals(type)
                                                && c.getStatus().equals("True")))
                .getStatus();
    }

    private void edit(Pod pod, Consumer<Pod> change) {
        client.pods().resource(pod).editStatus(p -> {
            change.accept(p);
            return p;
        });
    }

    private void end(Pod pod, String phase) {
        edit(pod, p -> p.getStatus().setPhase(phase));
    }

    @Test
    void jobWhenItsPodsSucceedCountsEachPodOnceAndCompletes() {
        client.resource(job("two", 2, 2).build()).create();
        awaitPods("two", 2).forEach(pod -> end(pod, "Succeeded"));

        JobStatus status = awaitCondition("two", "Complete");

        assertThat(status.getSucceeded()).isEqualTo(2);
        assertThat(status.getFailed()).isNull();
        assertThat(status.getCompletionTime()).isNotNull();
        assertThat(status.getUncountedTerminatedPods().getSucceeded()).isEmpty();
        assertThat(pods("two"))
                .allSatisfy(pod -> assertThat(pod.getMetadata().getFinalizers()).isEmpty());
    }

    @Test
    void jobWhenThePodWatchIsLateCreatesNoPodTwice() {
        server.faults().add(FaultRule.of(RequestMatch.watches().kind("Pod"), Fault.delayEvents(Duration.ofSeconds(3))));
        client.resource(job("late", 6, 6).build()).create();
        awaitPods("late", 6);
        client.batch().v1().jobs().inNamespace(NAMESPACE).withName("late").edit(job -> {
            job.getSpec().setParallelism(3);
            return job;
        });

        awaitPods("late", 3);

        assertThat(server.requests()
                        .count(RequestMatch.verbs("create").kind("Pod").namespace(NAMESPACE)))
                .isEqualTo(6);
    }

    @Test
    void jobWhenIndexFailsTooOftenFails() {
        client.resource(job("indexed", 2, 2)
                        .editSpec()
                        .withCompletionMode("Indexed")
                        .withBackoffLimitPerIndex(0)
                        .endSpec()
                        .build())
                .create();
        List<Pod> pods = awaitPods("indexed", 2);
        for (Pod pod : pods) {
            boolean first = pod.getMetadata()
                    .getLabels()
                    .get("batch.kubernetes.io/job-completion-index")
                    .equals("0");
            end(pod, first ? "Failed" : "Succeeded");
        }

        JobStatus status = awaitCondition("indexed", "Failed");

        assertThat(status.getFailedIndexes()).isEqualTo("0");
        assertThat(status.getCompletedIndexes()).isEqualTo("1");
        assertThat(status.getConditions())
                .anySatisfy(c -> assertThat(c.getReason()).isEqualTo("FailedIndexes"));
    }

    @Test
    void jobWhenSuspendedHasNoPods() {
        client.resource(job("rest", 1, 1).build()).create();
        awaitPods("rest", 1);
        client.batch().v1().jobs().inNamespace(NAMESPACE).withName("rest").edit(job -> {
            job.getSpec().setSuspend(true);
            return job;
        });

        JobStatus status = awaitCondition("rest", "Suspended");

        assertThat(status.getStartTime()).isNull();
        assertThat(awaitPods("rest", 0)).isEmpty();
    }

    @Test
    void jobWhenDeletedWithOrphansReleasesItsPods() {
        Job job = client.resource(job("gone", 1, 1).build()).create();
        awaitPods("gone", 1);
        client.resource(job)
                .withPropagationPolicy(io.fabric8.kubernetes.api.model.DeletionPropagation.ORPHAN)
                .delete();

        List<Pod> pods = eventually()
                .until(
                        () -> pods("gone"),
                        left -> left.stream()
                                .allMatch(
                                        pod -> pod.getMetadata().getFinalizers().isEmpty()));

        assertThat(pods).hasSize(1);
    }

    @Test
    void cronJobWhenTimeHasPassedCreatesOneJobNamedByTheMinute() {
        client.resource(new CronJobBuilder()
                        .withNewMetadata()
                        .withNamespace(NAMESPACE)
                        .withName("each")
                        .endMetadata()
                        .withNewSpec()
                        .withSchedule("* * * * *")
                        .withConcurrencyPolicy("Forbid")
                        .withNewJobTemplate()
                        .withSpec(job("each", 1, 1).build().getSpec())
                        .endJobTemplate()
                        .endSpec()
                        .build())
                .create();

        List<Job> jobs = eventually()
                .until(
                        () -> client.batch()
                                .v1()
                                .jobs()
                                .inNamespace(NAMESPACE)
                                .list()
                                .getItems(),
                        list -> !list.isEmpty());

        long minute = Long.parseLong(jobs.get(0).getMetadata().getName().substring("each-".length()));
        assertThat(Math.abs(CLOCK.instant().getEpochSecond() / 60 - minute)).isLessThanOrEqualTo(1);
        assertThat(jobs.get(0).getMetadata().getAnnotations())
                .containsEntry(
                        "batch.kubernetes.io/cronjob-scheduled-timestamp",
                        Instant.ofEpochSecond(minute * 60).toString());
    }

    @Test
    void finishedJobWhenItsTimeIsOverIsDeleted() {
        client.resource(job("short", 1, 1)
                        .editSpec()
                        .withTtlSecondsAfterFinished(0)
                        .endSpec()
                        .build())
                .create();
        awaitPods("short", 1).forEach(pod -> end(pod, "Succeeded"));

        eventually().until(() -> isGoneOrGoing("short"));
    }

    private boolean isGoneOrGoing(String name) {
        Job job =
                client.batch().v1().jobs().inNamespace(NAMESPACE).withName(name).get();
        return job == null || job.getMetadata().getDeletionTimestamp() != null;
    }

    @Test
    void budgetWhenOnePodIsNotReadyAllowsOneEvictionLess() {
        ReplicaSet set = createReplicaSet();
        for (int i = 0; i < 3; i++) {
            createPod(set, i, i < 2);
        }
        createBudget();

        PodDisruptionBudget budget = eventually()
                .until(
                        () -> client.policy()
                                .v1()
                                .podDisruptionBudget()
                                .inNamespace(NAMESPACE)
                                .withName("web")
                                .get(),
                        b -> b.getStatus() != null
                                && Integer.valueOf(2).equals(b.getStatus().getCurrentHealthy()));

        assertThat(budget.getStatus().getExpectedPods()).isEqualTo(3);
        assertThat(budget.getStatus().getDesiredHealthy()).isEqualTo(1);
        assertThat(budget.getStatus().getDisruptionsAllowed()).isEqualTo(1);
        assertThat(budget.getStatus().getConditions().get(0).getReason()).isEqualTo("SufficientPods");
    }

    @Test
    void budgetWhenTheOwnerOfItsPodsHasNoScaleNamesTheResource() {
        ConfigMap owner = client.resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace(NAMESPACE)
                        .withName("web")
                        .endMetadata()
                        .build())
                .create();
        createPod(owner, 0, true);
        createBudget();

        PodDisruptionBudget budget = eventually()
                .until(
                        () -> client.policy()
                                .v1()
                                .podDisruptionBudget()
                                .inNamespace(NAMESPACE)
                                .withName("web")
                                .get(),
                        b -> b.getStatus() != null
                                && !b.getStatus().getConditions().isEmpty()
                                && b.getStatus()
                                        .getConditions()
                                        .get(0)
                                        .getReason()
                                        .equals("SyncFailed"));

        assertThat(budget.getStatus().getConditions().get(0).getMessage())
                .isEqualTo("configmaps does not implement the scale subresource");
    }

    private ReplicaSet createReplicaSet() {
        return client.resource(new ReplicaSetBuilder()
                        .withNewMetadata()
                        .withNamespace(NAMESPACE)
                        .withName("web")
                        .endMetadata()
                        .withNewSpec()
                        .withReplicas(3)
                        .withNewSelector()
                        .addToMatchLabels("app", "web")
                        .endSelector()
                        .withNewTemplate()
                        .withNewMetadata()
                        .addToLabels("app", "web")
                        .endMetadata()
                        .withNewSpec()
                        .addNewContainer()
                        .withName("main")
                        .withImage("web")
                        .endContainer()
                        .endSpec()
                        .endTemplate()
                        .endSpec()
                        .build())
                .create();
    }

    private void createBudget() {
        client.resource(new PodDisruptionBudgetBuilder()
                        .withNewMetadata()
                        .withNamespace(NAMESPACE)
                        .withName("web")
                        .endMetadata()
                        .withNewSpec()
                        .withMinAvailable(new IntOrString("33%"))
                        .withNewSelector()
                        .addToMatchLabels("app", "web")
                        .endSelector()
                        .endSpec()
                        .build())
                .create();
    }

    private void createPod(HasMetadata owner, int number, boolean ready) {
        Pod pod = new PodBuilder()
                .withNewMetadata()
                .withNamespace(NAMESPACE)
                .withName("web-" + number)
                .addToLabels("app", "web")
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("main")
                .withImage("web")
                .endContainer()
                .endSpec()
                .build();
        OwnerReferences.setController(pod, owner);
        edit(
                client.resource(pod).create(),
                p -> p.getStatus()
                        .setConditions(List.of(new PodConditionBuilder()
                                .withType("Ready")
                                .withStatus(ready ? "True" : "False")
                                .withLastTransitionTime(Instant.now().toString())
                                .build())));
    }
}
