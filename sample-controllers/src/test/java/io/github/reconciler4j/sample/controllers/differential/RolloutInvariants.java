package io.github.reconciler4j.sample.controllers.differential;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Watches a namespace while Deployments roll out: there are never more pods than {@code maxSurge} above the desired
 * number, nor do the ReplicaSets ask for more, and never fewer pods than {@code maxUnavailable} below are ready.
 */
final class RolloutInvariants implements AutoCloseable {

    private record Limits(int most, int fewestReady) {}

    private final KubernetesClient client;
    private final String namespace;
    private final Map<String, Pod> pods = new ConcurrentHashMap<>();
    private final Map<String, Limits> limits = new ConcurrentHashMap<>();
    private final List<String> violations = new CopyOnWriteArrayList<>();
    private final Map<String, ReplicaSet> sets = new ConcurrentHashMap<>();
    private final List<Watch> watches;
    private int checks;
    private int rollouts;

    RolloutInvariants(KubernetesClient client, String namespace) {
        this.client = client;
        this.namespace = namespace;
        this.watches = List.of(
                client.pods().inNamespace(namespace).watch(new Changes<>(pods)),
                client.apps().replicaSets().inNamespace(namespace).watch(new Changes<>(sets)));
    }

    /** Watch a Deployment from now on, if it is complete and its strategy promises something. */
    synchronized void start(String deployment) {
        Deployment current = client.apps()
                .deployments()
                .inNamespace(namespace)
                .withName(deployment)
                .get();
        if (current == null
                || !"RollingUpdate".equals(current.getSpec().getStrategy().getType())) {
            return;
        }
        int desired = current.getSpec().getReplicas();
        var strategy = current.getSpec().getStrategy().getRollingUpdate();
        int surge = scaled(strategy.getMaxSurge(), desired, true);
        int unavailable = Math.min(desired, scaled(strategy.getMaxUnavailable(), desired, false));
        unavailable = surge == 0 && unavailable == 0 ? 1 : unavailable;
        if (active(deployment).size() == desired && ready(active(deployment)) == desired) {
            limits.put(deployment, new Limits(desired + surge, desired - unavailable));
            rollouts++;
        }
    }

    /** Watch no Deployment from now on. */
    synchronized void stop() {
        limits.clear();
    }

    private static int scaled(IntOrString value, int total, boolean up) {
        if (value.getIntVal() != null) {
            return value.getIntVal();
        }
        double exact = Integer.parseInt(value.getStrVal().replace("%", "")) * total / 100.0;
        return (int) (up ? Math.ceil(exact) : Math.floor(exact));
    }

    private final class Changes<T extends HasMetadata> implements Watcher<T> {

        private final Map<String, T> objects;

        Changes(Map<String, T> objects) {
            this.objects = objects;
        }

        @Override
        public void eventReceived(Action action, T object) {
            synchronized (RolloutInvariants.this) {
                if (action == Action.DELETED) {
                    objects.remove(object.getMetadata().getUid());
                } else {
                    objects.put(object.getMetadata().getUid(), object);
                }
                limits.forEach(RolloutInvariants.this::check);
            }
        }

        @Override
        public void onClose(WatcherException cause) {
            violations.add("The watch has ended: " + cause.getMessage());
        }
    }

    private void check(String deployment, Limits limit) {
        List<Pod> active = active(deployment);
        int wanted = sets.values().stream()
                .filter(set -> set.getMetadata().getOwnerReferences().stream()
                        .anyMatch(owner -> owner.getName().equals(deployment)))
                .mapToInt(set -> set.getSpec().getReplicas())
                .sum();
        checks++;
        if (wanted > limit.most()) {
            violations.add(
                    "The ReplicaSets of " + deployment + " ask for " + wanted + " pods, more than " + limit.most());
        }
        if (ready(active) < limit.fewestReady()) {
            violations.add(deployment + " has " + ready(active) + " ready pods, fewer than " + limit.fewestReady());
        }
        if (active.size() > limit.most()) {
            violations.add(deployment + " has " + active.size() + " pods, more than " + limit.most());
        }
    }

    private List<Pod> active(String deployment) {
        return pods.values().stream()
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .filter(pod -> deployment.equals(pod.getMetadata().getLabels().get("app"))
                        && !pod.getMetadata().getOwnerReferences().isEmpty())
                .toList();
    }

    private static int ready(Collection<Pod> pods) {
        return (int) pods.stream()
                .filter(pod -> pod.getStatus().getConditions().stream()
                        .anyMatch(c ->
                                c.getType().equals("Ready") && c.getStatus().equals("True")))
                .count();
    }

    List<String> violations() {
        return violations;
    }

    synchronized int rollouts() {
        return rollouts;
    }

    synchronized int checks() {
        return checks;
    }

    @Override
    public void close() {
        watches.forEach(Watch::close);
    }
}
