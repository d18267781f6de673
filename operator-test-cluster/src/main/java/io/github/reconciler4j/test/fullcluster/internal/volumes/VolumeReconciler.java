package io.github.reconciler4j.test.fullcluster.internal.volumes;

import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeStatus;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.Optional;

/** Sets the phase of volumes, and deletes those whose claim is gone, if their policy says so. */
final class VolumeReconciler implements ObjectReconciler<PersistentVolume> {

    private static final String PROTECTION = "kubernetes.io/pv-protection";

    private final Client client;

    VolumeReconciler(Client client) {
        this.client = client;
    }

    @Override
    public Result reconcile(PersistentVolume volume, ReconcileContext context) {
        String phase = phase(volume);
        try {
            if (volume.getStatus() == null || !phase.equals(volume.getStatus().getPhase())) {
                client.status().edit(volume, changed -> {
                    if (changed.getStatus() == null) {
                        changed.setStatus(new PersistentVolumeStatus());
                    }
                    changed.getStatus().setPhase(phase);
                });
            }
            boolean isDeleted = volume.getMetadata().getDeletionTimestamp() != null;
            if (isDeleted && !phase.equals("Bound")) {
                unprotect(volume);
            } else if (!isDeleted
                    && phase.equals("Released")
                    && "Delete".equals(volume.getSpec().getPersistentVolumeReclaimPolicy())) {
                client.delete(volume);
            }
        } catch (NotFoundException e) {
            return Result.done();
        }
        return Result.done();
    }

    private String phase(PersistentVolume volume) {
        ObjectReference reference = volume.getSpec().getClaimRef();
        if (reference == null
                || reference.getUid() == null
                || reference.getUid().isEmpty()) {
            return "Available";
        }
        return isAlive(reference) ? "Bound" : "Released";
    }

    /** Ask the server if the cache has no claim: a missing one is the end of the data. */
    private boolean isAlive(ObjectReference reference) {
        ObjectKey key = ObjectKey.of(reference.getNamespace(), reference.getName());
        return isClaim(client.get(PersistentVolumeClaim.class, key), reference)
                || isClaim(client.live().get(PersistentVolumeClaim.class, key), reference);
    }

    private static boolean isClaim(Optional<PersistentVolumeClaim> claim, ObjectReference reference) {
        return claim.filter(found -> found.getMetadata().getUid().equals(reference.getUid()))
                .isPresent();
    }

    private void unprotect(PersistentVolume volume) {
        if (volume.getMetadata().getFinalizers().contains(PROTECTION)) {
            client.edit(volume, changed -> changed.getMetadata().getFinalizers().remove(PROTECTION));
        }
    }
}
