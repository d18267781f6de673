package io.github.reconciler4j.sample.controllers.differential;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A seeded sequence of what users do, played on both clusters. Some steps wait until both clusters have settled and are
 * equal, those above all that choose an object by what there is; others come while the controllers are still busy.
 */
final class History {

    private static final Duration TIME_LIMIT = Duration.ofSeconds(90);
    private static final Duration QUIET = Duration.ofMillis(1200);
    /** Longer than the short progress deadline of some deployments. */
    private static final Duration PAST_DEADLINE = Duration.ofSeconds(4);

    private record Step(String name, boolean settled, Consumer<KubernetesClient> action) {

        /** The Deployment that gets another template; an empty text if none does. */
        String rollout() {
            boolean changesTemplate =
                    Stream.of("set image of ", "restart ", "undo ").anyMatch(name::startsWith);
            return settled && changesTemplate ? name.substring(name.lastIndexOf(' ') + 1) : "";
        }
    }

    private final TwoClusters clusters;
    private final long seed;
    private final Random random;
    private final String namespace;
    private final Workloads workloads;
    private final Services services;
    private final List<String> played = new ArrayList<>();

    History(TwoClusters clusters, long seed) {
        this.clusters = clusters;
        this.seed = seed;
        this.random = new Random(seed);
        this.namespace = "h" + seed;
        this.workloads = new Workloads(random, namespace);
        this.services = new Services(random, namespace);
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
        clusters.createNamespace(namespace);
        try (RolloutInvariants invariants = new RolloutInvariants(clusters.ours(), namespace);
                RolloutInvariants reference = new RolloutInvariants(clusters.upstream(), namespace)) {
            String rollout = "";
            for (int i = 0; i < steps; i++) {
                Step step = i < 4 ? first(i) : next();
                if (step.settled() || !rollout.isEmpty()) { // a rollout that is checked is not disturbed
                    settle();
                }
                invariants.stop();
                reference.stop();
                played.add(step.name() + (step.settled() ? " (settled)" : ""));
                rollout = step.rollout();
                if (!rollout.isEmpty()) {
                    invariants.start(rollout);
                    reference.start(rollout);
                }
                clusters.both(client -> perform(step, client));
                if (kill && i == steps / 2) {
                    played.add("kill");
                    clusters.process().killAndRestart();
                }
                clusters.both(this::awaitObserved);
            }
            settle();
            if (!invariants.violations().isEmpty()) {
                throw new AssertionError(story() + "\n" + invariants.violations());
            }
            return new Outcome(
                    invariants.rollouts(),
                    invariants.checks(),
                    reference.violations().size());
        } finally {
            clusters.deleteNamespace(namespace);
        }
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

    /** What the API server refuses, it refuses on both clusters: a name that is taken, an edit that is not valid. */
    private static void perform(Step step, KubernetesClient client) {
        for (int attempt = 1; ; attempt++) {
            try {
                step.action().accept(client);
                return;
            } catch (KubernetesClientException e) {
                boolean conflict = e.getCode() == 409 && e.getMessage().contains("has been modified");
                if (conflict && attempt < 20) {
                    continue;
                }
                if (e.getCode() == 409 || e.getCode() == 404 || e.getCode() == 422) {
                    return;
                }
                throw e;
            }
        }
    }

    private void awaitObserved(KubernetesClient client) {
        Instant start = Instant.now();
        while (!client.apps().deployments().inNamespace(namespace).list().getItems().stream()
                .allMatch(History::isObserved)) {
            if (isOverdue(start)) {
                throw new AssertionError(story() + "\nA Deployment is not observed");
            }
            sleep(200);
        }
    }

    private static boolean isObserved(Deployment deployment) {
        return Objects.equals(
                        deployment.getStatus().getObservedGeneration(),
                        deployment.getMetadata().getGeneration())
                && (Boolean.TRUE.equals(deployment.getSpec().getPaused())
                        || deployment.getMetadata().getAnnotations() == null
                        || !deployment.getMetadata().getAnnotations().containsKey("deprecated.deployment.rollback.to"));
    }

    /** Wait until both clusters have been equal, and the same, for a while. */
    private void settle() {
        Instant start = Instant.now();
        List<String> last = List.of();
        Instant since = Instant.now();
        while (true) {
            List<String> upstream = Snapshot.of(clusters.upstream(), namespace);
            List<String> ours = Snapshot.of(clusters.ours(), namespace);
            Instant now = Instant.now();
            boolean equal = Snapshot.areEqual(upstream, ours) && isQuiet(ours);
            if (!equal || !ours.equals(last)) {
                since = now;
                last = equal ? ours : List.of();
            } else if (Duration.between(since, now).compareTo(isProgressing(ours) ? PAST_DEADLINE : QUIET) > 0) {
                return;
            }
            if (isOverdue(start)) {
                throw new AssertionError(story() + "\n" + Snapshot.difference(upstream, ours));
            }
            sleep(400);
        }
    }

    /** Start the time limit again with the controllers, whose start takes minutes on a busy machine. */
    private boolean isOverdue(Instant start) {
        Instant working = clusters.process().workingSince();
        Instant since = working.isAfter(start) ? working : start;
        return Instant.now().isAfter(since.plus(TIME_LIMIT));
    }

    /** Nothing is about to go; pods that wait for an image may wait for ever. */
    private static boolean isQuiet(List<String> lines) {
        return lines.stream().noneMatch(line -> line.contains(" deleting=true") || line.contains("observed=false"));
    }

    /** A rollout that does not end may have a deadline, which the controllers need not notice in the same moment. */
    private static boolean isProgressing(List<String> lines) {
        return lines.stream()
                .anyMatch(line -> line.contains("Progressing=True/")
                        && !line.contains("Progressing=True/NewReplicaSetAvailable"));
    }

    private String story() {
        return "History " + seed + ":\n  " + String.join("\n  ", played);
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
