package io.github.reconciler4j.controllers.internal.replicationcontroller;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ReplicationController;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetStatus;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.OwnerReferences;
import io.github.reconciler4j.controllers.ControllersOptions;
import io.github.reconciler4j.controllers.internal.replicaset.ReplicaPlan;
import io.github.reconciler4j.controllers.internal.replicaset.ReplicaSetStatuses;
import io.github.reconciler4j.controllers.internal.support.Candidates;
import io.github.reconciler4j.controllers.internal.support.Claim;
import io.github.reconciler4j.controllers.internal.support.Claims;
import io.github.reconciler4j.controllers.internal.support.Numbers;
import io.github.reconciler4j.controllers.internal.support.PodChanges;
import io.github.reconciler4j.controllers.internal.support.Pods;
import io.github.reconciler4j.controllers.internal.support.Selectors;
import io.github.reconciler4j.event.ObjectSnapshot;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.ObjectHeader;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/** Keeps as many pods as each ReplicationController asks for, by the rules of ReplicaSets. */
final class ReplicationControllerReconciler implements ObjectReconciler<ReplicationController> {

    /** How many pods are created or deleted for one ReplicationController at a time. */
    private static final int BURST = 500;

    private final Client client;
    private final Claims claims;
    private final Candidates<Pod> candidates;
    private final Cache cache;
    private final PodChanges changes;
    private final Clock clock;

    ReplicationControllerReconciler(Manager manager, ControllersOptions options) {
        this.client = manager.client();
        this.changes = new PodChanges(client, manager.recorder());
        this.cache = manager.cache();
        this.claims = new Claims(client);
        this.candidates = new Candidates<>(client, cache, Pod.class);
        this.clock = options.clock();
    }

    /** A pod without a controller is adopted by a ReplicationController that selects it. */
    List<Request> possibleOwners(ObjectHeader pod) {
        return Candidates.isOrphan(pod)
                ? Selectors.matching(
                                client.list(
                                        ReplicationController.class, pod.key().namespace()),
                                AsReplicaSet::selector,
                                pod.labels())
                        .stream()
                        .map(Request::of)
                        .toList()
                : List.of();
    }

    @Override
    public Result reconcile(ReplicationController controller, ReconcileContext context) {
        List<Pod> active = claims.claim(
                controller,
                pod -> selects(controller, pod),
                candidates.of(controller).stream().filter(Pods::isActive).toList());
        RuntimeException failure = null;
        if (controller.getMetadata().getDeletionTimestamp() == null) {
            ReplicaPlan plan = ReplicaPlan.of(
                    Numbers.orZero(controller.getSpec().getReplicas()),
                    active,
                    () -> relatedPods(controller),
                    BURST,
                    clock.instant());
            failure = changes.carryOut(
                    controller, Collections.nCopies(plan.create(), () -> podFor(controller)), plan.delete());
            if (plan.create() > 0 || !plan.delete().isEmpty()) {
                active = client.listOwned(controller, Pod.class).stream() // with what was created and deleted just now
                        .filter(pod ->
                                Pods.isActive(pod) && Claim.of(controller, selects(controller, pod), pod) == Claim.KEEP)
                        .toList();
            }
        }
        Instant now = clock.instant();
        ReplicaSetStatus status = ReplicaSetStatuses.of(
                AsReplicaSet.of(controller), active, 0, failure == null ? null : failure.getMessage(), now);
        client.status().edit(controller, changed -> changed.setStatus(AsReplicaSet.statusOf(status)));
        if (failure != null) {
            throw failure;
        }
        return nextCheck(controller, status, active, now);
    }

    private static boolean selects(ReplicationController controller, Pod pod) {
        return Selectors.matches(AsReplicaSet.selector(controller), pod);
    }

    /** Return the pods of all ReplicationControllers with the same controller, which are of the same application. */
    private List<Pod> relatedPods(ReplicationController controller) {
        return OwnerReferences.controllerOf(controller).stream()
                .flatMap(owner -> cache.informer(ReplicationController.class).ownedBy(owner.getUid()).stream())
                .map(ObjectSnapshot::object)
                .flatMap(sibling -> client.listOwned(sibling, Pod.class).stream())
                .toList();
    }

    static Pod podFor(ReplicationController controller) {
        return PodChanges.podOf(controller, controller.getSpec().getTemplate());
    }

    /** Reconcile again when the next ready pod becomes available: no event reports that. */
    private static Result nextCheck(
            ReplicationController controller, ReplicaSetStatus status, List<Pod> active, Instant now) {
        int minReadySeconds = Numbers.orZero(controller.getSpec().getMinReadySeconds());
        if (minReadySeconds <= 0 || Objects.equals(status.getReadyReplicas(), status.getAvailableReplicas())) {
            return Result.done();
        }
        return Result.requeueAfter(
                Pods.untilNextAvailable(active, minReadySeconds, now).orElse(Duration.ofSeconds(minReadySeconds)));
    }
}
