package io.github.reconciler4j.controllers.differential;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Random;

/** A seeded history of Jobs, CronJobs and PodDisruptionBudgets. */
final class JobsHistory extends History {

    private final Random random;
    private final JobWorkloads workloads;

    JobsHistory(TwoClusters clusters, RunningControllers controllers, long seed) {
        super(clusters, controllers, "jobs-" + seed);
        this.random = new Random(seed);
        this.workloads = new JobWorkloads(random, namespace());
    }

    void play(int steps, boolean kill) {
        playSteps(steps, kill);
    }

    @Override
    protected Step step(int index) {
        return switch (index) {
            case 0, 1 -> new Step("create job j" + index, false, workloads.createJob("j" + index));
            case 2 -> new Step("create deployment d0", false, workloads.createDeployment("d0"));
            case 3 -> new Step("create budget b0", false, workloads.createBudget("b0", "d0"));
            default -> next();
        };
    }

    private Step next() {
        String job = "j" + random.nextInt(3);
        int count = 1 + random.nextInt(3);
        int exitCode = List.of(1, 42).get(random.nextInt(2));
        return switch (random.nextInt(20)) {
            case 0, 1 -> new Step("create job " + job, true, workloads.createJob(job));
            case 2, 3, 4, 5 ->
                new Step("let " + count + " pods of " + job + " succeed", true, workloads.endPods(job, count, 0));
            case 6, 7, 8 ->
                new Step("let a pod of " + job + " fail with " + exitCode, true, workloads.endPods(job, 1, exitCode));
            case 9 -> new Step("delete a pod of " + job, true, workloads.deletePod(job));
            case 10 -> new Step("suspend " + job, true, workloads.suspend(job, true));
            case 11, 12 -> new Step("resume " + job, true, workloads.suspend(job, false));
            case 13 -> new Step("raise the parallelism of " + job, true, workloads.raiseParallelism(job));
            case 14 -> new Step("resize " + job, true, workloads.resize(job));
            case 15 -> new Step("delete " + job, true, workloads.deleteJob(job));
            case 16 -> new Step("create cronjob c0", true, workloads.createCronJob("c0"));
            case 17 -> new Step("suspend cronjob c0", true, workloads.suspendCronJob("c0", true));
            case 18 -> new Step("scale d0", true, workloads.scale("d0"));
            default -> new Step("evict a pod of d0", true, workloads.evict("d0"));
        };
    }

    @Override
    protected List<String> snapshot(KubernetesClient client) {
        return JobSnapshot.of(client, namespace());
    }

    @Override
    protected boolean isQuiet(List<String> lines) {
        return lines.stream().noneMatch(line -> line.endsWith(JobSnapshot.UNSETTLED));
    }
}
