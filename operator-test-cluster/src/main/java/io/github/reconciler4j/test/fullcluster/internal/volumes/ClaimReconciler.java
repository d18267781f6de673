package io.github.reconciler4j.test.fullcluster.internal.volumes;

import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimStatus;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.test.fullcluster.internal.support.ClusterEvents;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Binds claims to volumes, and creates the volumes. For one worker, so that no volume goes to two claims. */
final class ClaimReconciler implements ObjectReconciler<PersistentVolumeClaim> {

    /** Set by the scheduler on a claim that waits for its first pod. */
    static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

    private static final String COMPLETED = "pv.kubernetes.io/bind-completed";
    private static final String BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";
    private static final String STORAGE_PROVISIONER = "volume.kubernetes.io/storage-provisioner";
    private static final String NO_PROVISIONER = "kubernetes.io/no-provisioner";

    private final Client client;
    private final ClusterEvents events;

    ClaimReconciler(Client client, ClusterEvents events) {
        this.client = client;
        this.events = events;
    }

    @Override
    public Result reconcile(PersistentVolumeClaim claim, ReconcileContext context) {
        if (claim.getMetadata().getDeletionTimestamp() != null) {
            return Result.done();
        }
        try {
            String name = claim.getSpec().getVolumeName();
            if (name == null || name.isEmpty()) {
                bindUnbound(claim);
            } else {
                bindNamed(claim, name);
            }
        } catch (NotFoundException e) {
            return Result.done(); // one of the two is gone: its event comes
        }
        return Result.done();
    }

    private void bindUnbound(PersistentVolumeClaim claim) {
        String className = Volumes.classOf(claim);
        StorageClass type = ClaimClasses.find(client, claim).orElse(null);
        List<PersistentVolume> volumes = client.list(PersistentVolume.class);
        PersistentVolume volume =
                (isWaiting(claim, type) ? Volumes.reserved(claim, volumes) : Volumes.find(claim, volumes)).orElse(null);
        if (volume == null) {
            volume = provision(claim, className, type);
        }
        if (volume != null) {
            bind(claim, volume, type);
        }
    }

    private static boolean isWaiting(PersistentVolumeClaim claim, @Nullable StorageClass type) {
        return type != null
                && "WaitForFirstConsumer".equals(type.getVolumeBindingMode())
                && annotations(claim).get(SELECTED_NODE) == null;
    }

    private static Map<String, String> annotations(PersistentVolumeClaim claim) {
        return Objects.requireNonNullElse(claim.getMetadata().getAnnotations(), Map.of());
    }

    private @Nullable PersistentVolume provision(
            PersistentVolumeClaim claim, String className, @Nullable StorageClass type) {
        if (type == null && !className.isEmpty()) {
            events.claim(
                    claim,
                    "Warning",
                    "ProvisioningFailed",
                    "storageclass.storage.k8s.io \"" + className + "\" not found");
            return null;
        }
        if (isWaiting(claim, type)) {
            events.claim(
                    claim, "Normal", "WaitForFirstConsumer", "waiting for first consumer to be created before binding");
            return null;
        }
        if (Volumes.provisioner(type).equals(NO_PROVISIONER)) {
            return null;
        }
        PersistentVolume created = client.create(Volumes.provisioned(claim, type));
        events.claim(
                claim,
                "Normal",
                "ProvisioningSucceeded",
                "Successfully provisioned volume " + created.getMetadata().getName());
        return created;
    }

    private void bindNamed(PersistentVolumeClaim claim, String name) {
        PersistentVolume volume =
                client.get(PersistentVolume.class, ObjectKey.of("", name)).orElse(null);
        if (volume == null) {
            if (annotations(claim).containsKey(COMPLETED)) {
                client.status().edit(claim, lost -> status(lost).setPhase("Lost"));
            }
            return;
        }
        if (volume.getSpec().getClaimRef() == null || Volumes.isReserved(volume, claim)) {
            bind(claim, volume, ClaimClasses.find(client, claim).orElse(null));
        }
    }

    private void bind(PersistentVolumeClaim claim, PersistentVolume volume, @Nullable StorageClass type) {
        PersistentVolume bound = client.edit(volume, changed -> {
            if (!Volumes.isReserved(changed, claim)
                    || changed.getSpec().getClaimRef().getUid() == null) {
                changed.getSpec().setClaimRef(Volumes.reference(claim));
            }
            if (Volumes.grows(claim, changed, type)) {
                Volumes.grow(changed, claim);
            }
        });
        client.editWithStatus(claim, changed -> {
            boolean byController = changed.getSpec().getVolumeName() == null
                    || changed.getSpec().getVolumeName().isEmpty();
            Map<String, String> annotations = new HashMap<>(annotations(changed));
            annotations.put(COMPLETED, "yes");
            if (byController) {
                annotations.put(BY_CONTROLLER, "yes");
                annotations.put(STORAGE_PROVISIONER, Volumes.provisioner(type));
            }
            changed.getMetadata().setAnnotations(annotations);
            changed.getSpec().setVolumeName(bound.getMetadata().getName());
            PersistentVolumeClaimStatus status = status(changed);
            status.setPhase("Bound");
            status.setAccessModes(bound.getSpec().getAccessModes());
            status.setCapacity(bound.getSpec().getCapacity());
        });
    }

    private static PersistentVolumeClaimStatus status(PersistentVolumeClaim claim) {
        if (claim.getStatus() == null) {
            claim.setStatus(new PersistentVolumeClaimStatus());
        }
        return claim.getStatus();
    }
}
