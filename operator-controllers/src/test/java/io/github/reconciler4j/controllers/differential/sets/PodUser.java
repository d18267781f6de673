package io.github.reconciler4j.controllers.differential.sets;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/** What users do to the pods of one history. Every action is decided once and then done on both clusters. */
class PodUser {

    final Random random;
    final String namespace;
    private final Comparator<Pod> order;

    /** The order of the pods is the same on both clusters. */
    PodUser(Random random, String namespace, Comparator<Pod> order) {
        this.random = random;
        this.namespace = namespace;
        this.order = order;
    }

    Consumer<KubernetesClient> deletePods(String app) {
        int count = 1 + random.nextInt(2);
        return client -> pods(client, app).stream()
                .limit(count)
                .forEach(pod -> client.pods().resource(pod).delete());
    }

    Consumer<KubernetesClient> endPod(String app, String phase) {
        return editStatus(app, pod -> pod.getStatus().setPhase(phase));
    }

    Consumer<KubernetesClient> makePodUnready(String app) {
        return editStatus(
                app,
                pod -> pod.getStatus().getConditions().stream()
                        .filter(condition -> condition.getType().equals("Ready"))
                        .forEach(condition -> condition.setStatus("False")));
    }

    private Consumer<KubernetesClient> editStatus(String app, Consumer<Pod> change) {
        return client -> pods(client, app).stream()
                .filter(pod -> "Running".equals(pod.getStatus().getPhase()))
                .findFirst()
                .ifPresent(pod -> client.pods().resource(pod).editStatus(p -> {
                    change.accept(p);
                    return p;
                }));
    }

    /** A user takes a pod out of service to inspect it. */
    Consumer<KubernetesClient> releasePod(String app) {
        return client -> pods(client, app).stream().findFirst().ifPresent(pod -> setApp(client, pod, "was-" + app));
    }

    /** The pod goes back into service. */
    Consumer<KubernetesClient> returnPods(String app) {
        return client -> pods(client, "was-" + app).forEach(pod -> setApp(client, pod, app));
    }

    private static void setApp(KubernetesClient client, Pod pod, String app) {
        client.pods().resource(pod).edit(p -> {
            p.getMetadata().getLabels().put("app", app);
            return p;
        });
    }

    List<Pod> pods(KubernetesClient client, String app) {
        return client.pods().inNamespace(namespace).withLabel("app", app).list().getItems().stream()
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .sorted(order)
                .toList();
    }

    <T> T pick(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
