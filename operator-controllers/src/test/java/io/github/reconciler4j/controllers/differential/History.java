package io.github.reconciler4j.controllers.differential;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A sequence of what users do, played on both clusters. Some steps wait until both clusters have settled and are equal, those
 * above all that choose an object by what there is; others come while the controllers are still busy.
 */
public abstract class History {

    private static final Duration TIME_LIMIT = Duration.ofSeconds(180);
    private static final Duration QUIET = Duration.ofMillis(1200);

    private final TwoClusters clusters;
    private final RunningControllers controllers;
    private final String namespace;
    private final List<String> played = new ArrayList<>();

    /** Create a history for a namespace of its own, which it creates and deletes. */
    protected History(TwoClusters clusters, RunningControllers controllers, String namespace) {
        this.clusters = clusters;
        this.controllers = controllers;
        this.namespace = namespace;
    }

    /**
     * One action of a user.
     *
     * @param name what is done, for the story of a failure
     * @param settled whether both clusters settle before it
     * @param action does it on a cluster; what the API server refuses is ignored
     */
    public record Step(String name, boolean settled, Consumer<KubernetesClient> action) {}

    /** Return the step of a number, which starts at 0. */
    protected abstract Step step(int index);

    /** Describe what the controllers have made of the namespace, as lines that are equal on both clusters. */
    protected abstract List<String> snapshot(KubernetesClient client);

    /** Return whether both clusters are in the same state; if the lines are equal, by default. */
    protected boolean areEqual(List<String> upstream, List<String> ours) {
        return upstream.equals(ours);
    }

    /** Return whether nothing is about to go; always by default. */
    protected boolean isQuiet(List<String> lines) {
        return true;
    }

    /** Return how long both clusters must be equal and the same; a little more than a second by default. */
    protected Duration quietTime(List<String> lines) {
        return QUIET;
    }

    /** Return whether the controllers of a cluster have seen what was done last; yes by default. */
    protected boolean isObserved(KubernetesClient client) {
        return true;
    }

    /** Called before the cluster settles for a step; returns whether it must settle. */
    protected boolean settlesBefore(Step step) {
        return step.settled();
    }

    /** Called when the clusters have settled, just before a step. */
    protected void beforeStep(Step step) {}

    /** Return the namespace. */
    protected final String namespace() {
        return namespace;
    }

    /** Return what was done, for the message of a failure. */
    protected final String story() {
        return "History " + namespace + ":\n  " + String.join("\n  ", played);
    }

    /** Play some steps; in the middle, {@code kill} ends and restarts our controllers. */
    protected final void playSteps(int steps, boolean kill) {
        clusters.createNamespace(namespace);
        try {
            for (int i = 0; i < steps; i++) {
                Step step = step(i);
                if (settlesBefore(step)) {
                    settle();
                }
                beforeStep(step);
                played.add(step.name() + (step.settled() ? " (settled)" : ""));
                clusters.both(client -> perform(step, client));
                if (kill && i == steps / 2) {
                    played.add("kill");
                    controllers.killAndRestart();
                }
                clusters.both(this::awaitObserved);
            }
            settle();
        } finally {
            clusters.deleteNamespace(namespace);
        }
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
        while (!isObserved(client)) {
            if (isOverdue(start)) {
                throw new AssertionError(story() + "\nThe last step is not observed");
            }
            sleep(200);
        }
    }

    /** Wait until both clusters have been equal, and the same, for a while. */
    private void settle() {
        Instant start = Instant.now();
        List<String> last = List.of();
        Instant since = Instant.now();
        while (true) {
            List<String> upstream = snapshot(clusters.upstream());
            List<String> ours = snapshot(clusters.ours());
            Instant now = Instant.now();
            boolean equal = areEqual(upstream, ours) && isQuiet(ours);
            if (!equal || !ours.equals(last)) {
                since = now;
                last = equal ? ours : List.of();
            } else if (Duration.between(since, now).compareTo(quietTime(ours)) > 0) {
                return;
            }
            if (isOverdue(start)) {
                throw new AssertionError(story() + "\n"
                        + (upstream.equals(ours)
                                ? "equal, but not at rest:\n  " + String.join("\n  ", ours)
                                : Snapshot.difference(upstream, ours)));
            }
            sleep(600);
        }
    }

    /** Start the time limit again with the controllers, whose start takes minutes on a busy machine. */
    private boolean isOverdue(Instant start) {
        Instant working = controllers.workingSince();
        Instant since = working.isAfter(start) ? working : start;
        return Instant.now().isAfter(since.plus(TIME_LIMIT));
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
