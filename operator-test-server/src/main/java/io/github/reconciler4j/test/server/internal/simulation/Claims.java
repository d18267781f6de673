package io.github.reconciler4j.test.server.internal.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.github.reconciler4j.test.server.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.storage.ObjectName;
import java.util.Map;

/** Binds claims at once, to volumes that do not exist as objects, and lets deleted claims go that no pod uses. */
final class Claims implements Simulation {
    private static final String PROTECTION = "kubernetes.io/pvc-protection";

    private final SimulatedObjects objects;

    Claims(SimulatedObjects objects) {
        this.objects = objects;
    }

    @Override
    public void sync(ObjectName name) {
        PersistentVolumeClaim claim = objects.find(PersistentVolumeClaim.class, name);
        if (claim != null) {
            bind(name);
        } else if (!isUsed(name)) {
            objects.updateTree(PersistentVolumeClaim.class, name, Claims::unprotected);
        }
    }

    private void bind(ObjectName name) {
        objects.update(
                PersistentVolumeClaim.class,
                name,
                claim -> claim.getSpec().getVolumeName() != null
                        ? claim
                        : new PersistentVolumeClaimBuilder(claim)
                                .editSpec()
                                .withVolumeName("pvc-" + claim.getMetadata().getUid())
                                .endSpec()
                                .build());
        objects.updateStatus(
                PersistentVolumeClaim.class,
                name,
                claim -> new PersistentVolumeClaimBuilder(claim)
                        .editOrNewStatus()
                        .withPhase("Bound")
                        .withAccessModes(claim.getSpec().getAccessModes())
                        .withCapacity(claim.getSpec().getResources().getRequests())
                        .endStatus()
                        .build());
    }

    private boolean isUsed(ObjectName name) {
        return objects.all(Pod.class, name.namespace(), Map.of()).stream()
                .flatMap(pod -> pod.getSpec().getVolumes().stream())
                .anyMatch(volume -> volume.getPersistentVolumeClaim() != null
                        && name.name().equals(volume.getPersistentVolumeClaim().getClaimName()));
    }

    private static ObjectNode unprotected(ObjectNode claim) {
        var kept = Json.texts(claim, "metadata", "finalizers").stream()
                .filter(finalizer -> !finalizer.equals(PROTECTION))
                .toList();
        Json.metadata(claim).set("finalizers", Json.strings(kept));
        return claim;
    }
}
