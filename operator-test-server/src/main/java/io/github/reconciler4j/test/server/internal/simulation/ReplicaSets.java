package io.github.reconciler4j.test.server.internal.simulation;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetBuilder;
import io.github.reconciler4j.test.server.internal.storage.ObjectName;
import java.util.List;

/** ReplicaSets have as many pods as they want. */
final class ReplicaSets implements Simulation {
    private final SimulatedObjects objects;

    ReplicaSets(SimulatedObjects objects) {
        this.objects = objects;
    }

    @Override
    public void sync(ObjectName name) {
        ReplicaSet set = objects.find(ReplicaSet.class, name);
        if (set == null) {
            return;
        }
        List<Pod> pods = livingPods(set);
        int wanted = SimulatedObjects.number(set.getSpec().getReplicas(), 1);
        for (int i = pods.size(); i < wanted; i++) {
            objects.create(Pods.of(set, set.getSpec().getTemplate(), name.name() + "-"));
        }
        pods.stream().skip(wanted).forEach(objects::delete);
        List<Pod> now = livingPods(set);
        int ready = (int) now.stream().filter(Pods::isReady).count();
        objects.updateStatus(
                ReplicaSet.class,
                name,
                current -> new ReplicaSetBuilder(current)
                        .editOrNewStatus()
                        .withObservedGeneration(current.getMetadata().getGeneration())
                        .withReplicas(now.size())
                        .withFullyLabeledReplicas(now.size())
                        .withReadyReplicas(ready)
                        .withAvailableReplicas(ready)
                        .endStatus()
                        .build());
    }

    private List<Pod> livingPods(ReplicaSet set) {
        return objects.ownedBy(set, Pod.class).stream()
                .filter(pod -> !Pods.isOver(pod))
                .toList();
    }
}
