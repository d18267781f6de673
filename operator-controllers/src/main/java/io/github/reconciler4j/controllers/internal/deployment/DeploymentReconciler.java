package io.github.reconciler4j.controllers.internal.deployment;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.OwnerReferences;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.controllers.internal.support.Candidates;
import io.github.reconciler4j.controllers.internal.support.Claims;
import io.github.reconciler4j.controllers.internal.support.Selectors;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.recorder.EventRecorder;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.OwnerRef;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Rolls Deployments out by scaling their ReplicaSets. */
final class DeploymentReconciler implements ObjectReconciler<Deployment> {

    private final Client client;
    private final EventRecorder events;
    private final Claims claims;
    private final Candidates<ReplicaSet> candidates;
    private final Clock clock;

    DeploymentReconciler(Manager manager, Clock clock) {
        this.client = manager.client();
        this.events = manager.recorder();
        this.claims = new Claims(client);
        this.candidates = new Candidates<>(client, manager.cache(), ReplicaSet.class);
        this.clock = clock;
    }

    /** A Deployment that waits until all old pods are gone continues when a pod is deleted. */
    List<Request> deploymentsThatWaitFor(ObjectHeader pod) {
        return controller(pod, "ReplicaSet")
                .flatMap(key -> client.get(ReplicaSet.class, key))
                .flatMap(set -> OwnerReferences.controllerOf(set)
                        .filter(owner -> owner.getKind().equals("Deployment"))
                        .flatMap(owner -> client.get(
                                Deployment.class, ObjectKey.of(set.getMetadata().getNamespace(), owner.getName()))))
                .filter(deployment ->
                        "Recreate".equals(deployment.getSpec().getStrategy().getType()))
                .map(deployment -> List.of(Request.of(deployment)))
                .orElse(List.of());
    }

    private static Optional<ObjectKey> controller(ObjectHeader object, String kind) {
        return object.ownerReferences().stream()
                .filter(owner -> owner.controller() && owner.kind().equals(kind))
                .map(OwnerRef::name)
                .map(name -> ObjectKey.of(object.key().namespace(), name))
                .findFirst();
    }

    /** A ReplicaSet without a controller is adopted by a Deployment that selects it. */
    List<Request> possibleOwners(ObjectHeader set) {
        if (!Candidates.isOrphan(set)) {
            return List.of();
        }
        List<Deployment> deployments = client.list(Deployment.class, set.key().namespace());
        return Selectors.matching(deployments, d -> d.getSpec().getSelector(), set.labels()).stream()
                .map(Request::of)
                .toList();
    }

    @Override
    public Result reconcile(Deployment deployment, ReconcileContext context) {
        if (Selectors.isEmpty(deployment.getSpec().getSelector())) {
            events.warning(
                    deployment,
                    "SelectingAll",
                    "Reconcile",
                    "This deployment is selecting all pods. A non-empty selector is required.");
            return Result.done();
        }
        List<ReplicaSet> sets = claims.claim(
                deployment,
                set -> Selectors.matches(deployment.getSpec().getSelector(), set),
                candidates.of(deployment));
        try {
            return new Rollout(client, events, clock.instant(), deployment, sets).run();
        } catch (ApiException e) {
            if (Claims.isNamespaceTerminating(e)) {
                return Result.done(); // all further attempts would fail, too
            }
            throw e;
        }
    }

    static boolean isControlledBy(ReplicaSet set, Deployment deployment) {
        return OwnerReferences.controllerOf(set)
                .filter(owner ->
                        Objects.equals(owner.getUid(), deployment.getMetadata().getUid()))
                .isPresent();
    }
}
