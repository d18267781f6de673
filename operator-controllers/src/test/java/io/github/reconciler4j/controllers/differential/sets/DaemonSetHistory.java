package io.github.reconciler4j.controllers.differential.sets;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.function.Consumer;

/** What users do to DaemonSets and nodes. */
final class DaemonSetHistory extends SetHistory {

    private final DaemonActions actions;

    DaemonSetHistory(SetClusters clusters, long seed) {
        super(clusters, "ds", seed);
        this.actions = new DaemonActions(random, namespace);
    }

    @Override
    void prepare(KubernetesClient client) {
        for (int i = 0; i < DaemonActions.NODES - 1; i++) {
            actions.addNode(i).accept(client);
        }
    }

    @Override
    void cleanUp(KubernetesClient client) {
        for (int i = 0; i < DaemonActions.NODES; i++) {
            actions.removeNode(i).accept(client);
        }
    }

    /** The second change comes while the controllers are busy with the first. */
    private Consumer<KubernetesClient> twice(
            Consumer<KubernetesClient> one, Consumer<KubernetesClient> other, String set) {
        return client -> {
            one.accept(client);
            awaitObserved(() -> client.apps()
                    .daemonSets()
                    .inNamespace(namespace)
                    .withName(set)
                    .get());
            other.accept(client);
        };
    }

    @Override
    Step first(int index) {
        return new Step("create d" + index, false, actions.create("d" + index));
    }

    @Override
    Step next() {
        String set = "d" + random.nextInt(2);
        int node = random.nextInt(DaemonActions.NODES);
        return switch (random.nextInt(19)) {
            case 0 -> new Step("create " + set, true, actions.create(set));
            case 1, 2, 3 -> new Step("set image of " + set, true, actions.setImage(set));
            case 4 ->
                new Step("set two images of " + set, true, twice(actions.setImage(set), actions.setImage(set), set));
            case 5 -> new Step("set strategy of " + set, true, actions.setStrategy(set));
            case 6 -> new Step("delete " + set, true, actions.delete(set));
            case 7 -> new Step("delete pods of " + set, true, actions.deletePods(set));
            case 8 -> new Step("end a pod of " + set, true, actions.endPod(set));
            case 9 -> new Step("make a pod of " + set + " unready", true, actions.makePodUnready(set));
            case 10 -> new Step("release a pod of " + set, true, actions.releasePod(set));
            case 11 -> new Step("return pods to " + set, true, actions.returnPods(set));
            case 12 -> new Step("add node " + node, true, actions.addNode(node));
            case 13 -> new Step("remove node " + node, true, actions.removeNode(node));
            case 14 -> new Step("taint node " + node, true, actions.taint(node));
            case 15 -> new Step("untaint node " + node, true, actions.untaint(node));
            case 16 -> new Step("cordon node " + node, true, actions.cordon(node));
            default -> new Step("move node " + node, true, actions.moveNode(node));
        };
    }
}
