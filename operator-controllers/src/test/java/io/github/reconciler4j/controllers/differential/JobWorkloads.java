package io.github.reconciler4j.controllers.differential;

import static java.util.Comparator.comparing;

import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.CronJobBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpec;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpecBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.PodFailurePolicyBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.SuccessPolicyBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/** What users do with Jobs, CronJobs and PodDisruptionBudgets. Pods of Jobs only end when the history says so. */
final class JobWorkloads {

    /** No kubelet starts it, so that the test decides when a pod ends, and how. */
    private static final String WAITING_IMAGE = "missing.example/task";

    private final Random random;
    private final String namespace;

    JobWorkloads(Random random, String namespace) {
        this.random = random;
        this.namespace = namespace;
    }

    Consumer<KubernetesClient> createJob(String name) {
        boolean indexed = random.nextBoolean();
        int parallelism = 1 + random.nextInt(3);
        JobSpec spec = new JobSpecBuilder()
                .withCompletionMode(indexed ? "Indexed" : "NonIndexed")
                .withParallelism(parallelism)
                .withCompletions(indexed || random.nextInt(4) > 0 ? Integer.valueOf(1 + random.nextInt(4)) : null)
                .withBackoffLimit(random.nextInt(3))
                .withPodReplacementPolicy(chance(3) ? "Failed" : null)
                .withSuspend(chance(5))
                .withActiveDeadlineSeconds(chance(8) ? 4L : null)
                .withTtlSecondsAfterFinished(chance(6) ? Integer.valueOf(1) : null)
                .withNewTemplate()
                .withNewMetadata()
                .addToLabels("app", name)
                .endMetadata()
                .withNewSpec()
                .withRestartPolicy("Never")
                .withTerminationGracePeriodSeconds(1L)
                .addNewContainer()
                .withName("main")
                .withImage(WAITING_IMAGE)
                .endContainer()
                .endSpec()
                .endTemplate()
                .build();
        if (chance(3)) {
            addFailurePolicy(spec, indexed);
        }
        if (indexed) {
            addIndexRules(spec);
        }
        Job job = job(name, spec);
        return client -> client.resource(job).create();
    }

    private Job job(String name, JobSpec spec) {
        return new JobBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .withSpec(spec)
                .build();
    }

    private void addFailurePolicy(JobSpec spec, boolean indexed) {
        List<String> actions =
                indexed ? List.of("Ignore", "Count", "FailJob", "FailIndex") : List.of("Ignore", "FailJob");
        String action = actions.get(random.nextInt(actions.size()));
        if (action.equals("FailIndex")) {
            spec.setBackoffLimitPerIndex(1);
        }
        spec.setPodReplacementPolicy("Failed");
        spec.setPodFailurePolicy(new PodFailurePolicyBuilder()
                .addNewRule()
                .withAction(action)
                .withNewOnExitCodes()
                .withOperator(random.nextBoolean() ? "In" : "NotIn")
                .withValues(42)
                .endOnExitCodes()
                .endRule()
                .build());
    }

    private void addIndexRules(JobSpec spec) {
        if (chance(3)) {
            spec.setBackoffLimitPerIndex(random.nextInt(2));
            spec.setBackoffLimit(null);
            spec.setMaxFailedIndexes(chance(2) ? Integer.valueOf(random.nextInt(spec.getCompletions())) : null);
        }
        if (chance(3)) {
            spec.setSuccessPolicy(new SuccessPolicyBuilder()
                    .addNewRule()
                    .withSucceededIndexes("0-" + (spec.getCompletions() - 1))
                    .withSucceededCount(1)
                    .endRule()
                    .build());
        }
    }

    private boolean chance(int oneOf) {
        return random.nextInt(oneOf) == 0;
    }

    /** Let the first pods of a Job succeed or fail. */
    Consumer<KubernetesClient> endPods(String job, int count, int exitCode) {
        return client -> runningPods(client, job).stream().limit(count).forEach(pod -> end(client, pod, exitCode));
    }

    private static void end(KubernetesClient client, Pod pod, int exitCode) {
        client.pods().resource(pod).editStatus(p -> {
            p.getStatus().setPhase(exitCode == 0 ? "Succeeded" : "Failed");
            p.getStatus()
                    .setContainerStatuses(List.of(new ContainerStatusBuilder()
                            .withName("main")
                            .withImage(WAITING_IMAGE)
                            .withImageID("")
                            .withReady(false)
                            .withRestartCount(0)
                            .withNewState()
                            .withNewTerminated()
                            .withExitCode(exitCode)
                            .withFinishedAt(Instant.now()
                                    .truncatedTo(java.time.temporal.ChronoUnit.SECONDS)
                                    .toString())
                            .endTerminated()
                            .endState()
                            .build()));
            return p;
        });
    }

    Consumer<KubernetesClient> deletePod(String job) {
        return client -> runningPods(client, job).stream()
                .limit(1)
                .forEach(pod -> client.pods().resource(pod).delete());
    }

    /** Pods in an order that is the same on both clusters as far as that matters. */
    private List<Pod> runningPods(KubernetesClient client, String job) {
        return client.pods().inNamespace(namespace).withLabel("app", job).list().getItems().stream()
                .filter(pod -> "Pending".equals(pod.getStatus().getPhase())
                        && pod.getMetadata().getDeletionTimestamp() == null)
                .sorted(comparing((Pod pod) ->
                        String.valueOf(pod.getMetadata().getLabels().get("batch.kubernetes.io/job-completion-index"))))
                .toList();
    }

    Consumer<KubernetesClient> suspend(String job, boolean suspended) {
        return edit(job, spec -> spec.setSuspend(suspended));
    }

    Consumer<KubernetesClient> raiseParallelism(String job) {
        return edit(job, spec -> spec.setParallelism(spec.getParallelism() + 1));
    }

    /** Change the number of indexes, which the API server allows only together with the parallelism. */
    Consumer<KubernetesClient> resize(String job) {
        int size = 1 + random.nextInt(4);
        return edit(job, spec -> {
            spec.setParallelism(size);
            spec.setCompletions(size);
        });
    }

    Consumer<KubernetesClient> forbidPods(String job) {
        return edit(job, spec -> spec.setParallelism(0));
    }

    private Consumer<KubernetesClient> edit(String job, Consumer<JobSpec> change) {
        return client -> {
            if (client.batch().v1().jobs().inNamespace(namespace).withName(job).get() != null) {
                client.batch().v1().jobs().inNamespace(namespace).withName(job).edit(j -> {
                    change.accept(j.getSpec());
                    return j;
                });
            }
        };
    }

    Consumer<KubernetesClient> deleteJob(String job) {
        DeletionPropagation propagation =
                random.nextBoolean() ? DeletionPropagation.BACKGROUND : DeletionPropagation.FOREGROUND;
        return client -> client.batch()
                .v1()
                .jobs()
                .inNamespace(namespace)
                .withName(job)
                .withPropagationPolicy(propagation)
                .delete();
    }

    /** Its Jobs end at once, as their image starts. */
    Consumer<KubernetesClient> createCronJob(String name) {
        String policy = List.of("Allow", "Forbid", "Replace").get(random.nextInt(3));
        boolean waits = random.nextBoolean();
        int limit = random.nextInt(2);
        return client -> client.resource(new CronJobBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(name)
                        .endMetadata()
                        .withNewSpec()
                        .withSchedule("* * * * *")
                        .withTimeZone("Asia/Kathmandu")
                        .withConcurrencyPolicy(policy)
                        .withSuccessfulJobsHistoryLimit(limit)
                        .withNewJobTemplate()
                        .withNewSpec()
                        .withNewTemplate()
                        .withNewMetadata()
                        .addToLabels("app", name)
                        .endMetadata()
                        .withNewSpec()
                        .withRestartPolicy("Never")
                        .addNewContainer()
                        .withName("main")
                        .withImage(waits ? WAITING_IMAGE : "nginx")
                        .endContainer()
                        .endSpec()
                        .endTemplate()
                        .endSpec()
                        .endJobTemplate()
                        .endSpec()
                        .build())
                .create();
    }

    Consumer<KubernetesClient> suspendCronJob(String name, boolean suspended) {
        return client -> {
            if (client.batch()
                            .v1()
                            .cronjobs()
                            .inNamespace(namespace)
                            .withName(name)
                            .get()
                    != null) {
                client.batch()
                        .v1()
                        .cronjobs()
                        .inNamespace(namespace)
                        .withName(name)
                        .edit(cronJob -> {
                            cronJob.getSpec().setSuspend(suspended);
                            return cronJob;
                        });
            }
        };
    }

    Consumer<KubernetesClient> createBudget(String name, String app) {
        IntOrString value = List.of(new IntOrString(1), new IntOrString("50%"), new IntOrString(2))
                .get(random.nextInt(3));
        boolean unavailable = random.nextBoolean();
        return client -> client.resource(new PodDisruptionBudgetBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(name)
                        .endMetadata()
                        .withNewSpec()
                        .withMaxUnavailable(unavailable ? value : null)
                        .withMinAvailable(unavailable ? null : value)
                        .withNewSelector()
                        .addToMatchLabels("app", app)
                        .endSelector()
                        .endSpec()
                        .build())
                .create();
    }

    Consumer<KubernetesClient> createDeployment(String name) {
        int replicas = 1 + random.nextInt(4);
        return client -> client.resource(new DeploymentBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(name)
                        .endMetadata()
                        .withNewSpec()
                        .withReplicas(replicas)
                        .withNewSelector()
                        .addToMatchLabels("app", name)
                        .endSelector()
                        .withNewTemplate()
                        .withNewMetadata()
                        .addToLabels("app", name)
                        .endMetadata()
                        .withNewSpec()
                        .addNewContainer()
                        .withName("main")
                        .withImage("nginx")
                        .endContainer()
                        .endSpec()
                        .endTemplate()
                        .endSpec()
                        .build())
                .create();
    }

    Consumer<KubernetesClient> scale(String name) {
        int replicas = random.nextInt(5);
        return client -> client.apps()
                .deployments()
                .inNamespace(namespace)
                .withName(name)
                .scale(replicas);
    }

    /** Evict a pod, which the API server refuses if the budget does. */
    Consumer<KubernetesClient> evict(String app) {
        return client -> client.pods().inNamespace(namespace).withLabel("app", app).list().getItems().stream()
                .limit(1)
                .forEach(pod -> client.pods().resource(pod).evict());
    }
}
