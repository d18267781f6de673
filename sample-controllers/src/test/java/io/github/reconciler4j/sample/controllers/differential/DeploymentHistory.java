package io.github.reconciler4j.sample.controllers.differential;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.github.reconciler4j.controllers.differential.History;
import io.github.reconciler4j.controllers.differential.RunningControllers;
import io.github.reconciler4j.controllers.differential.Snapshot;
import io.github.reconciler4j.controllers.differential.TwoClusters;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;

/** A seeded history of Deployments, ReplicaSets and Services. */
final class DeploymentHistory extends History {

    /** Longer than the short progress deadline of some deployments. */
    private static final Duration PAST_DEADLINE = Duration.ofSeconds(4);

    private final TwoClusters clusters;
    private final Random random;
    private final Workloads workloads;
    private final Services services;
    private RolloutInvariants invariants;
    private RolloutInvariants reference;
    private String rollout = "";

    DeploymentHistory(TwoClusters clusters, RunningControllers controllers, long seed) {
        super(clusters, controllers, "h" + seed);
        this.clusters = clusters;
        this.random = new Random(seed);
        this.workloads = new Workloads(random, namespace());
        this.services = new Services(random, namespace());
    }

    /**
     * What a history showed beside the equality of its ends.
     *
     * @param rollouts number of rollouts whose limits were checked
     * @param checks number of events at which they were checked
     * @param upstreamViolations number of events at which Kubernetes' own controllers did not keep them
     */
    record Outcome(int rollouts, int checks, int upstreamViolations) {
        Outcome plus(Outcome other) {
            return new Outcome(
                    rollouts + other.rollouts, checks + other.checks, upstreamViolations + other.upstreamViolations);
        }
    }

    /** Play it. */
    Outcome play(int steps, boolean kill) {
        try (RolloutInvariants watched = new RolloutInvariants(clusters.ours(), namespace());
                RolloutInvariants upstream = new RolloutInvariants(clusters.upstream(), namespace())) {
            invariants = watched;
            reference = upstream;
            playSteps(steps, kill);
            if (!watched.violations().isEmpty()) {
                throw new AssertionError(story() + "\n" + watched.violations());
            }
            return new Outcome(
                    watched.rollouts(), watched.checks(), upstream.violations().size());
        }
    }

    @Override
    protected Step step(int index) {
        return index < 4 ? first(index) : next();
    }

    /** A rollout that is checked is not disturbed. */
    @Override
    protected boolean settlesBefore(Step step) {
        return step.settled() || !rollout.isEmpty();
    }

    @Override
    protected void beforeStep(Step step) {
        invariants.stop();
        reference.stop();
        rollout = rolloutOf(step);
        if (!rollout.isEmpty()) {
            invariants.start(rollout);
            reference.start(rollout);
        }
    }

    /** The Deployment that gets another template; an empty text if none does. */
    private static String rolloutOf(Step step) {
        boolean changesTemplate =
                Stream.of("set image of ", "restart ", "undo ").anyMatch(step.name()::startsWith);
        return step.settled() && changesTemplate
                ? step.name().substring(step.name().lastIndexOf(' ') + 1)
                : "";
    }

    @Override
    protected List<String> snapshot(KubernetesClient client) {
        return Snapshot.of(client, namespace());
    }

    @Override
    protected boolean areEqual(List<String> upstream, List<String> ours) {
        return Snapshot.areEqual(upstream, ours);
    }

    @Override
    protected boolean isObserved(KubernetesClient client) {
        return client.apps().deployments().inNamespace(namespace()).list().getItems().stream()
                .allMatch(DeploymentHistory::isObserved);
    }

    private static boolean isObserved(Deployment deployment) {
        return Objects.equals(
                        deployment.getStatus().getObservedGeneration(),
                        deployment.getMetadata().getGeneration())
                && (Boolean.TRUE.equals(deployment.getSpec().getPaused())
                        || deployment.getMetadata().getAnnotations() == null
                        || !deployment.getMetadata().getAnnotations().containsKey("deprecated.deployment.rollback.to"));
    }

    /** Nothing is about to go; pods that wait for an image may wait for ever. */
    @Override
    protected boolean isQuiet(List<String> lines) {
        return lines.stream().noneMatch(line -> line.contains(" deleting=true") || line.contains("observed=false"));
    }

    /** A rollout that does not end may have a deadline, which the controllers need not notice in the same moment. */
    @Override
    protected Duration quietTime(List<String> lines) {
        boolean progressing = lines.stream()
                .anyMatch(line -> line.contains("Progressing=True/")
                        && !line.contains("Progressing=True/NewReplicaSetAvailable"));
        return progressing ? PAST_DEADLINE : super.quietTime(lines);
    }

    private Step first(int index) {
        return switch (index) {
            case 0, 1 -> new Step("create d" + index, false, workloads.createDeployment("d" + index));
            case 2 -> new Step("create service s0", false, services.create("s0"));
            default -> new Step("set image of d0", true, workloads.setImage("d0"));
        };
    }

    private Step next() {
        String deployment = "d" + random.nextInt(3);
        String alone = "d2"; // which no other selector overlaps, so that no other owner can adopt its pods
        String service = "s" + random.nextInt(3);
        String set = "r" + random.nextInt(2);
        return switch (random.nextInt(26)) {
            case 0 -> new Step("create " + deployment, true, workloads.createDeployment(deployment));
            case 1, 2, 3 -> new Step("scale " + deployment, false, workloads.scale(deployment));
            case 4, 5, 6 -> new Step("set image of " + deployment, true, workloads.setImage(deployment));
            case 7 -> new Step("restart " + deployment, random.nextBoolean(), workloads.restart(deployment));
            case 8 -> new Step("pause " + deployment, true, workloads.pause(deployment, true));
            case 9, 10 -> new Step("resume " + deployment, true, workloads.pause(deployment, false));
            case 11 -> new Step("change limits of " + deployment, true, workloads.changeLimits(deployment));
            case 12 -> new Step("undo " + deployment, true, workloads.undo(deployment));
            case 13 -> new Step("roll back " + deployment, true, workloads.rollBack(deployment));
            case 14 -> new Step("annotate " + deployment, false, workloads.annotate(deployment));
            case 15 -> new Step("delete " + deployment, true, workloads.deleteDeployment(deployment));
            case 16 ->
                new Step("release the ReplicaSet of " + deployment, true, workloads.releaseReplicaSet(deployment));
            case 17 -> replicaSetStep(set);
            case 18 -> new Step("delete pods of " + deployment, true, workloads.deletePods(deployment));
            case 19 -> new Step("release a pod of " + alone, true, workloads.releasePod(alone));
            case 20 -> new Step("return a pod to " + alone, true, workloads.returnPod(alone));
            case 21 -> new Step("fail a pod of " + deployment, true, workloads.failPod(deployment));
            case 22 -> new Step("make a pod of " + deployment + " unready", true, workloads.makePodUnready(deployment));
            case 23 -> new Step("create service " + service, true, services.create(service));
            case 24 -> new Step("edit service " + service, true, services.edit(service));
            default -> serviceStep(service);
        };
    }

    private Step replicaSetStep(String set) {
        return switch (random.nextInt(3)) {
            case 0 -> new Step("create " + set, true, workloads.createReplicaSet(set, "d" + random.nextInt(2)));
            case 1 -> new Step("scale " + set, true, workloads.scaleReplicaSet(set));
            default -> new Step("delete " + set, true, workloads.deleteReplicaSet(set));
        };
    }

    private Step serviceStep(String service) {
        return switch (random.nextInt(3)) {
            case 0 -> new Step("delete service " + service, true, services.delete(service));
            case 1 -> new Step("delete endpoints of " + service, true, services.deleteEndpoints(service));
            default -> new Step("delete slices of " + service, true, services.deleteSlices(service));
        };
    }
}
