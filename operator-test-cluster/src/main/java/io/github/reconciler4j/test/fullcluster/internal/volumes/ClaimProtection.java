package io.github.reconciler4j.test.fullcluster.internal.volumes;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Result;

/** Keeps a deleted claim until no pod on a node uses it. */
final class ClaimProtection implements ObjectReconciler<PersistentVolumeClaim> {

    private static final String PROTECTION = "kubernetes.io/pvc-protection";

    private final Client client;

    ClaimProtection(Client client) {
        this.client = client;
    }

    @Override
    public Result reconcile(PersistentVolumeClaim claim, ReconcileContext context) {
        if (claim.getMetadata().getDeletionTimestamp() == null
                || !claim.getMetadata().getFinalizers().contains(PROTECTION)
                || isUsed(claim)) {
            return Result.done();
        }
        try {
            client.edit(claim, changed -> changed.getMetadata().getFinalizers().remove(PROTECTION));
        } catch (NotFoundException e) {
            return Result.done();
        }
        return Result.done();
    }

    /** The cache can be behind: ask the server before the data goes. */
    private boolean isUsed(PersistentVolumeClaim claim) {
        String namespace = claim.getMetadata().getNamespace();
        return client.list(Pod.class, namespace).stream().anyMatch(pod -> uses(pod, claim))
                || client.live().list(Pod.class, namespace).stream().anyMatch(pod -> uses(pod, claim));
    }

    private static boolean uses(Pod pod, PersistentVolumeClaim claim) {
        String node = pod.getSpec().getNodeName();
        return node != null
                && !node.isEmpty()
                && PodClaims.names(pod).contains(claim.getMetadata().getName());
    }
}
