package io.github.reconciler4j.controllers.differential;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.CronJob;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobStatus;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the controllers have made of Jobs, CronJobs and PodDisruptionBudgets of a namespace, as lines that are equal on both
 * clusters if the controllers did the same: without names that are generated, uids and times.
 */
final class JobSnapshot {

    /** Says in a line that something continues without an action. */
    static final String UNSETTLED = " UNSETTLED";

    private JobSnapshot() {}

    static List<String> of(KubernetesClient client, String namespace) {
        List<Pod> pods = client.pods().inNamespace(namespace).list().getItems();
        List<Job> jobs =
                client.batch().v1().jobs().inNamespace(namespace).list().getItems();
        Set<String> waiting = jobs.stream()
                .filter(JobSnapshot::waitsForFailedPods)
                .map(job -> job.getMetadata().getName())
                .collect(Collectors.toSet());
        return Stream.of(
                        jobs.stream().map(JobSnapshot::describe),
                        client.batch().v1().cronjobs().inNamespace(namespace).list().getItems().stream()
                                .map(JobSnapshot::describe),
                        client.policy().v1().podDisruptionBudget().inNamespace(namespace).list().getItems().stream()
                                .map(JobSnapshot::describe),
                        pods.stream().map(pod -> describe(pod) + (isSettled(pod, waiting) ? "" : UNSETTLED)))
                .flatMap(lines -> lines)
                .sorted()
                .toList();
    }

    private static String describe(Job job) {
        JobStatus status = job.getStatus() == null ? new JobStatus() : job.getStatus();
        return "job " + job.getMetadata().getName()
                + " deleting=" + (job.getMetadata().getDeletionTimestamp() != null)
                + " labels=" + sorted(job.getMetadata().getLabels()).keySet()
                + " annotations=" + sorted(job.getMetadata().getAnnotations()).keySet()
                + " active=" + status.getActive() + " ready=" + status.getReady() + " terminating="
                + status.getTerminating()
                + " succeeded=" + status.getSucceeded() + " failed=" + status.getFailed()
                + " completedIndexes=" + status.getCompletedIndexes() + " failedIndexes=" + status.getFailedIndexes()
                + " started=" + (status.getStartTime() != null) + " completed=" + (status.getCompletionTime() != null)
                + " uncounted="
                + (status.getUncountedTerminatedPods() == null
                        ? "none"
                        : status.getUncountedTerminatedPods().getSucceeded().size() + "/"
                                + status.getUncountedTerminatedPods()
                                        .getFailed()
                                        .size())
                + " conditions="
                + status.getConditions().stream()
                        .map(c -> c.getType() + "=" + c.getStatus() + "/" + c.getReason() + "/"
                                + String.valueOf(c.getMessage()).replaceAll("pod \\S+/\\S+", "pod X"))
                        .sorted()
                        .toList()
                + (isSettled(job, status) ? "" : UNSETTLED);
    }

    private static boolean isSettled(Job job, JobStatus status) {
        boolean finished = status.getConditions().stream()
                .anyMatch(c -> List.of("Complete", "Failed").contains(c.getType())
                        && c.getStatus().equals("True"));
        if (finished) {
            return job.getSpec().getTtlSecondsAfterFinished() == null;
        }
        if (Boolean.TRUE.equals(job.getSpec().getSuspend())) {
            return number(status.getActive()) == 0;
        }
        int terminating = waitsForFailedPods(job) ? number(status.getTerminating()) : 0;
        return job.getSpec().getActiveDeadlineSeconds() == null
                && number(status.getActive()) + terminating >= wanted(job, status);
    }

    private static int wanted(Job job, JobStatus status) {
        int parallelism = job.getSpec().getParallelism();
        if (job.getSpec().getCompletions() == null) {
            return number(status.getSucceeded()) > 0 ? 0 : parallelism;
        }
        int failedIndexes = status.getFailedIndexes() == null
                        || status.getFailedIndexes().isEmpty()
                ? 0
                : Stream.of(status.getFailedIndexes().split(","))
                        .mapToInt(range -> range.contains("-")
                                ? Integer.parseInt(range.split("-")[1]) - Integer.parseInt(range.split("-")[0]) + 1
                                : 1)
                        .sum();
        return Math.min(parallelism, job.getSpec().getCompletions() - number(status.getSucceeded()) - failedIndexes);
    }

    private static int number(@Nullable Integer number) {
        return Objects.requireNonNullElse(number, 0);
    }

    private static String describe(CronJob cronJob) {
        return "cronjob " + cronJob.getMetadata().getName()
                + " active="
                + cronJob.getStatus().getActive().stream()
                        .map(r -> r.getKind() + "/" + r.getName())
                        .sorted()
                        .toList()
                + " last=" + cronJob.getStatus().getLastScheduleTime()
                + " successful=" + (cronJob.getStatus().getLastSuccessfulTime() != null);
    }

    private static String describe(PodDisruptionBudget budget) {
        var status = budget.getStatus();
        return "budget " + budget.getMetadata().getName()
                + " expected=" + status.getExpectedPods() + " healthy=" + status.getCurrentHealthy() + " desired="
                + status.getDesiredHealthy() + " allowed=" + status.getDisruptionsAllowed() + " disrupted="
                + status.getDisruptedPods().size() + " observed="
                + Objects.equals(
                        status.getObservedGeneration(), budget.getMetadata().getGeneration())
                + " conditions="
                + status.getConditions().stream()
                        .map(c -> c.getType() + "=" + c.getStatus() + "/" + c.getReason() + "/" + c.getMessage())
                        .sorted()
                        .toList();
    }

    private static String describe(Pod pod) {
        Map<String, String> labels = sorted(pod.getMetadata().getLabels());
        labels.keySet()
                .removeIf(key ->
                        key.endsWith("controller-uid") || key.equals("pod-template-hash") || key.contains("zone"));
        return "pod of "
                + pod.getMetadata().getOwnerReferences().stream()
                        .map(owner -> owner.getKind() + "/" + (owner.getKind().equals("Job") ? owner.getName() : "")
                                + "/" + owner.getController() + "/" + owner.getBlockOwnerDeletion())
                        .toList()
                + " labels=" + labels + " annotations="
                + sorted(pod.getMetadata().getAnnotations())
                + " finalizers=" + pod.getMetadata().getFinalizers()
                + " phase=" + pod.getStatus().getPhase()
                + " deleting=" + (pod.getMetadata().getDeletionTimestamp() != null)
                + " hostname=" + pod.getSpec().getHostname()
                + " env=" + pod.getSpec().getContainers().get(0).getEnv().size();
    }

    /** Nothing stops the container of a pod that has not started, so a Job that waits for its failure waits forever. */
    private static boolean isSettled(Pod pod, Set<String> waiting) {
        return pod.getMetadata().getDeletionTimestamp() == null
                || (pod.getStatus().getPhase().equals("Pending")
                        && waiting.contains(
                                sorted(pod.getMetadata().getLabels()).get("job-name")));
    }

    private static boolean waitsForFailedPods(Job job) {
        return "Failed".equals(job.getSpec().getPodReplacementPolicy());
    }

    private static Map<String, String> sorted(@Nullable Map<String, String> map) {
        return new TreeMap<>(map == null ? Map.of() : map);
    }
}
