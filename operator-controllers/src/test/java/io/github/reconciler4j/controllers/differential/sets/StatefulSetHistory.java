package io.github.reconciler4j.controllers.differential.sets;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.function.Consumer;

/** What users do to StatefulSets. */
final class StatefulSetHistory extends SetHistory {

    private static final int VOLUMES = 40;

    private final SetActions actions;

    StatefulSetHistory(SetClusters clusters, long seed) {
        super(clusters, "sts", seed);
        this.actions = new SetActions(random, namespace);
    }

    @Override
    void prepare(KubernetesClient client) {
        actions.createVolumes(VOLUMES).accept(client);
    }

    @Override
    void cleanUp(KubernetesClient client) {
        for (int i = 0; i < VOLUMES; i++) {
            client.persistentVolumes().withName(namespace + "-" + i).delete();
        }
    }

    /** The second change comes while the controllers are busy with the first. */
    private Consumer<KubernetesClient> twice(
            Consumer<KubernetesClient> one, Consumer<KubernetesClient> other, String set) {
        return client -> {
            one.accept(client);
            awaitObserved(() -> client.apps()
                    .statefulSets()
                    .inNamespace(namespace)
                    .withName(set)
                    .get());
            other.accept(client);
        };
    }

    @Override
    Step first(int index) {
        return new Step("create s" + index, false, actions.create("s" + index));
    }

    @Override
    Step next() {
        String set = "s" + random.nextInt(2);
        return switch (random.nextInt(18)) {
            case 0 -> new Step("create " + set, true, actions.create(set));
            case 1, 2 -> new Step("scale " + set, random.nextBoolean(), actions.scale(set));
            case 3, 4, 5 -> new Step("set image of " + set, true, actions.setImage(set));
            case 6 ->
                new Step("set two images of " + set, true, twice(actions.setImage(set), actions.setImage(set), set));
            case 7, 8 -> new Step("set partition of " + set, true, actions.setPartition(set));
            case 9 -> new Step("set policy of " + set, true, actions.setPolicy(set));
            case 10 -> new Step("set start of " + set, true, actions.setStart(set));
            case 11 -> new Step("delete " + set, true, actions.delete(set));
            case 12 -> new Step("delete pods of " + set, true, actions.deletePods(set));
            case 13 -> new Step("return pods to " + set, true, actions.returnPods(set));
            case 14 -> new Step("fail a pod of " + set, true, actions.failPod(set));
            case 15 -> new Step("make a pod of " + set + " unready", true, actions.makePodUnready(set));
            case 16 -> new Step("delete unused claims of " + set, true, actions.deleteClaims(set));
            default ->
                random.nextBoolean()
                        ? new Step("release a pod of " + set, true, actions.releasePod(set))
                        : new Step("remove the identity of a pod of " + set, true, actions.removeIdentity(set));
        };
    }
}
