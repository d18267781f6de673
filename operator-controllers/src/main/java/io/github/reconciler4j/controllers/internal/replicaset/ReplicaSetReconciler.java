package io.github.reconciler4j.controllers.internal.replicaset;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetStatus;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.cache.Informer;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.OwnerReferences;
import io.github.reconciler4j.controllers.ControllersOptions;
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

/**
 * Keeps as many pods as each ReplicaSet asks for.
 *
 * <p>Kubernetes' own controller counts the pods it has created and deleted until its cache has seen them
 * ("expectations"), as it would create them twice otherwise. Here no such count is needed: what the client reads includes
 * the pods that it has written, however late the cache is.
 */
final class ReplicaSetReconciler implements ObjectReconciler<ReplicaSet> {

    private final Client client;
    private final Claims claims;
    private final Candidates<Pod> candidates;
    private final Cache cache;
    private final PodChanges changes;
    private final int burst;
    private final Clock clock;

    ReplicaSetReconciler(Manager manager, ControllersOptions options) {
        this.client = manager.client();
        this.changes = new PodChanges(client, manager.recorder());
        this.cache = manager.cache();
        this.claims = new Claims(client);
        this.candidates = new Candidates<>(client, cache, Pod.class);
        this.burst = options.replicaSetBurst();
        this.clock = options.clock();
    }

    /** A pod without a controller is adopted by a ReplicaSet that selects it. */
    List<Request> possibleOwners(ObjectHeader pod) {
        if (!Candidates.isOrphan(pod)) {
            return List.of();
        }
        List<ReplicaSet> sets = client.list(ReplicaSet.class, pod.key().namespace());
        return Selectors.matching(sets, set -> set.getSpec().getSelector(), pod.labels()).stream()
                .map(Request::of)
                .toList();
    }

    @Override
    public Result reconcile(ReplicaSet set, ReconcileContext context) {
        List<Pod> pods = candidates.of(set);
        List<Pod> active = claims.claim(
                set,
                pod -> Selectors.matches(set.getSpec().getSelector(), pod),
                pods.stream().filter(Pods::isActive).toList());
        RuntimeException failure = null;
        if (set.getMetadata().getDeletionTimestamp() == null) {
            ReplicaPlan plan = ReplicaPlan.of(
                    Numbers.orZero(set.getSpec().getReplicas()),
                    active,
                    () -> relatedPods(set),
                    burst,
                    clock.instant());
            failure = changes.carryOut(
                    set,
                    Collections.nCopies(
                            plan.create(),
                            () -> PodChanges.podOf(set, set.getSpec().getTemplate())),
                    plan.delete());
            if (plan.create() > 0 || !plan.delete().isEmpty()) {
                pods = client.listOwned(set, Pod.class); // with what was created and deleted just now
                active = pods.stream()
                        .filter(pod -> Pods.isActive(pod) && isClaimed(set, pod))
                        .toList();
            }
        }
        Instant now = clock.instant();
        int terminating = (int) pods.stream()
                .filter(pod -> Pods.isTerminating(pod) && isClaimed(set, pod))
                .count();
        ReplicaSetStatus status =
                ReplicaSetStatuses.of(set, active, terminating, failure == null ? null : failure.getMessage(), now);
        client.status().edit(set, changed -> changed.setStatus(status));
        if (failure != null) {
            throw failure;
        }
        return nextCheck(set, status, active, now);
    }

    private static boolean isClaimed(ReplicaSet set, Pod pod) {
        return Claim.of(set, Selectors.matches(set.getSpec().getSelector(), pod), pod) == Claim.KEEP;
    }

    /** The pods of all ReplicaSets of the same Deployment. */
    private List<Pod> relatedPods(ReplicaSet set) {
        Informer<ReplicaSet> replicaSets = cache.informer(ReplicaSet.class);
        List<ReplicaSet> siblings = OwnerReferences.controllerOf(set).stream()
                .flatMap(owner -> replicaSets.ownedBy(owner.getUid()).stream())
                .map(ObjectSnapshot::object)
                .toList();
        List<Pod> pods = siblings.stream()
                .flatMap(sibling -> client.listOwned(sibling, Pod.class).stream())
                .toList();
        return RelatedPods.of(set, siblings, pods);
    }

    /** Reconcile again when the next ready pod becomes available: no event reports that. */
    private static Result nextCheck(ReplicaSet set, ReplicaSetStatus status, List<Pod> active, Instant now) {
        int minReadySeconds = Numbers.orZero(set.getSpec().getMinReadySeconds());
        if (minReadySeconds <= 0 || Objects.equals(status.getReadyReplicas(), status.getAvailableReplicas())) {
            return Result.done();
        }
        return Result.requeueAfter(
                Pods.untilNextAvailable(active, minReadySeconds, now).orElse(Duration.ofSeconds(minReadySeconds)));
    }
}
