package io.github.reconciler4j.test.fullcluster.internal.scheduler;

import io.fabric8.kubernetes.api.model.Binding;
import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.Status;
import io.github.reconciler4j.cache.Informer;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.event.ObjectSnapshot;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.test.fullcluster.internal.support.ClusterEvents;
import io.github.reconciler4j.test.fullcluster.internal.support.Times;
import io.github.reconciler4j.test.fullcluster.internal.volumes.PodClaims;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Assigns pods to nodes, one pod after the other. For one worker. */
final class SchedulerReconciler implements ObjectReconciler<Pod> {

    private static final String SCHEDULED = "PodScheduled";
    private static final Duration UNTIL_A_POD_ENDS = Duration.ofSeconds(1);

    private final Client client;
    private final Informer<Pod> pods;
    private final Informer<Node> nodes;
    private final @Nullable PodClaims claims;
    private final ClusterEvents events;
    private final Clock clock;
    /** The nodes of pods that the cache still shows without one, by uid. */
    private final Map<String, String> assumed = new HashMap<>();

    /** Create one; without {@code claims}, pods do not wait for theirs. */
    SchedulerReconciler(
            Client client,
            Informer<Pod> pods,
            Informer<Node> nodes,
            @Nullable PodClaims claims,
            ClusterEvents events,
            Clock clock) {
        this.client = client;
        this.pods = pods;
        this.nodes = nodes;
        this.claims = claims;
        this.events = events;
        this.clock = clock;
    }

    @Override
    public Result reconcile(Pod pod, ReconcileContext context) {
        String uid = pod.getMetadata().getUid();
        if (!Schedulable.isWaiting(pod)) {
            assumed.remove(uid);
            return Result.done();
        }
        if (assumed.containsKey(uid)) {
            return Result.done(); // the event of the binding will come
        }
        List<Node> all = nodes.list("").stream().map(ObjectSnapshot::object).toList();
        String problem = claims == null ? "" : claims.problem(pod);
        Placement placement =
                problem.isEmpty() ? Placement.of(pod, all, podsByNode()) : Placement.none(all.size(), problem);
        if (placement.node().isEmpty()) {
            reject(pod, placement.message());
            return placement.isFull() ? Result.requeueAfter(UNTIL_A_POD_ENDS) : Result.done();
        }
        if (claims == null || claims.areBound(pod, placement.node())) {
            bind(pod, placement.node());
        }
        return Result.done();
    }

    private Map<String, Integer> podsByNode() {
        Map<String, Integer> numbers = new HashMap<>();
        List<String> present = new ArrayList<>();
        for (ObjectSnapshot<Pod> snapshot : pods.list("")) {
            Pod pod = snapshot.object();
            present.add(pod.getMetadata().getUid());
            String node = Objects.requireNonNullElse(
                    pod.getSpec().getNodeName(),
                    assumed.getOrDefault(pod.getMetadata().getUid(), ""));
            if (!node.isEmpty() && !Schedulable.hasEnded(pod)) {
                numbers.merge(node, 1, Integer::sum);
            }
        }
        assumed.keySet().retainAll(present);
        return numbers;
    }

    private void bind(Pod pod, String node) {
        String namespace = pod.getMetadata().getNamespace();
        String name = pod.getMetadata().getName();
        Binding binding = new BindingBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .withUid(pod.getMetadata().getUid())
                .endMetadata()
                .withNewTarget()
                .withKind("Node")
                .withName(node)
                .endTarget()
                .build();
        try {
            client.subresource("binding").post(pod, binding, Status.class, WriteOptions.defaults());
        } catch (ConflictException | NotFoundException e) {
            return; // it has a node, or it is gone: the event will come
        }
        assumed.put(pod.getMetadata().getUid(), node);
        events.scheduling(
                pod,
                "Normal",
                "Scheduled",
                "Binding",
                "Successfully assigned " + namespace + "/" + name + " to " + node);
    }

    private void reject(Pod pod, String message) {
        PodCondition known = pod.getStatus().getConditions().stream()
                .filter(condition -> SCHEDULED.equals(condition.getType()) && "False".equals(condition.getStatus()))
                .findFirst()
                .orElse(null);
        if (known != null && message.equals(known.getMessage())) {
            return;
        }
        PodCondition condition = new PodConditionBuilder()
                .withType(SCHEDULED)
                .withStatus("False")
                .withReason("Unschedulable")
                .withMessage(message)
                .withObservedGeneration(pod.getMetadata().getGeneration())
                .withLastTransitionTime(known == null ? Times.format(clock.instant()) : known.getLastTransitionTime())
                .build();
        try {
            client.status().edit(pod, changed -> {
                List<PodCondition> conditions =
                        new ArrayList<>(changed.getStatus().getConditions());
                conditions.removeIf(one -> SCHEDULED.equals(one.getType()));
                conditions.add(condition);
                changed.getStatus().setConditions(conditions);
            });
        } catch (NotFoundException e) {
            return;
        }
        events.scheduling(pod, "Warning", "FailedScheduling", "Scheduling", message);
    }
}
