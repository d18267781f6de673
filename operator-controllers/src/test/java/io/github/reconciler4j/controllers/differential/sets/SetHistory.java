package io.github.reconciler4j.controllers.differential.sets;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A seeded sequence of what users do, played on both clusters. Most steps wait until both clusters have settled and are
 * equal.
 */
abstract class SetHistory {

    /** The pods of a node that is gone are deleted after a minute. */
    private static final Duration TIME_LIMIT = Duration.ofSeconds(180);

    private static final Duration QUIET = Duration.ofMillis(1500);

    /**
     * What happens next.
     *
     * @param settled whether both clusters are at rest before it
     */
    record Step(String name, boolean settled, Consumer<KubernetesClient> action) {}

    final Random random;
    final String namespace;
    private final SetClusters clusters;
    private final long seed;
    private final List<String> played = new ArrayList<>();

    SetHistory(SetClusters clusters, String prefix, long seed) {
        this.clusters = clusters;
        this.seed = seed;
        this.random = new Random(seed);
        this.namespace = prefix + seed;
    }

    abstract void prepare(KubernetesClient client);

    abstract Step first(int index);

    abstract Step next();

    abstract void cleanUp(KubernetesClient client);

    /** Play it. */
    void play(int steps) {
        clusters.createNamespace(namespace);
        try {
            clusters.both(this::prepare);
            for (int i = 0; i < steps; i++) {
                Step step = i < 2 ? first(i) : next();
                if (step.settled()) {
                    settle();
                }
                played.add(step.name() + (step.settled() ? " (settled)" : ""));
                clusters.both(client -> perform(step, client));
            }
            settle();
        } finally {
            clusters.deleteNamespace(namespace);
            clusters.both(this::cleanUp);
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

    /** Wait until the controller has seen the last change of an object, if it is there. */
    static void awaitObserved(Supplier<? extends HasMetadata> read) {
        Instant start = Instant.now();
        while (true) {
            HasMetadata object = read.get();
            if (object == null
                    || Objects.equals(observed(object), object.getMetadata().getGeneration())) {
                return;
            }
            if (Instant.now().isAfter(start.plus(TIME_LIMIT))) {
                throw new AssertionError(object.getMetadata().getName() + " is not observed");
            }
            sleep();
        }
    }

    private static Long observed(HasMetadata object) {
        return object instanceof StatefulSet set
                ? set.getStatus().getObservedGeneration()
                : ((DaemonSet) object).getStatus().getObservedGeneration();
    }

    /** Wait until both clusters have been equal, and the same, for a while. */
    private void settle() {
        Instant start = Instant.now();
        List<String> last = List.of();
        Instant since = Instant.now();
        while (true) {
            List<String> upstream = SetSnapshot.of(clusters.upstream(), namespace);
            List<String> ours = SetSnapshot.of(clusters.ours(), namespace);
            Instant now = Instant.now();
            boolean equal = upstream.equals(ours) && isQuiet(ours);
            if (!equal || !ours.equals(last)) {
                since = now;
                last = equal ? ours : List.of();
            } else if (Duration.between(since, now).compareTo(QUIET) > 0) {
                return;
            }
            if (now.isAfter(start.plus(TIME_LIMIT))) {
                throw new AssertionError("History " + namespace + " (seed " + seed + "):\n  "
                        + String.join("\n  ", played) + "\n" + SetSnapshot.difference(upstream, ours));
            }
            sleep();
        }
    }

    private static boolean isQuiet(List<String> lines) {
        return lines.stream().noneMatch(line -> line.contains(" deleting=true") || line.contains("observed=false"));
    }

    private static void sleep() {
        try {
            Thread.sleep(400);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
