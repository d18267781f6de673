package io.github.reconciler4j.test.fullcluster.internal.volumes;

import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which volume a claim gets. Stateless. */
final class Volumes {

    static final String PROVISIONER = "reconciler4j.io/test-cluster";

    private static final String STORAGE = "storage";
    private static final String FILESYSTEM = "Filesystem";
    private static final String DEFAULT_SIZE = "1Gi";
    private static final Comparator<PersistentVolume> SMALLEST = Comparator.comparing(Volumes::capacity)
            .thenComparing(volume -> volume.getMetadata().getName());

    private Volumes() {}

    static String classOf(PersistentVolumeClaim claim) {
        return Objects.requireNonNullElse(claim.getSpec().getStorageClassName(), "");
    }

    /** Return the volume that is reserved for a claim, or else the smallest free one that satisfies it. */
    static Optional<PersistentVolume> find(PersistentVolumeClaim claim, Collection<PersistentVolume> volumes) {
        return reserved(claim, volumes)
                .or(() -> volumes.stream()
                        .filter(volume -> volume.getSpec().getClaimRef() == null && satisfies(volume, claim))
                        .min(SMALLEST));
    }

    /** Return the volume whose reference to a claim is that claim. */
    static Optional<PersistentVolume> reserved(PersistentVolumeClaim claim, Collection<PersistentVolume> volumes) {
        return volumes.stream()
                .filter(volume ->
                        isReserved(volume, claim) && volume.getMetadata().getDeletionTimestamp() == null)
                .min(SMALLEST);
    }

    static boolean isReserved(PersistentVolume volume, PersistentVolumeClaim claim) {
        ObjectReference reference = volume.getSpec().getClaimRef();
        return reference != null
                && claim.getMetadata().getNamespace().equals(reference.getNamespace())
                && claim.getMetadata().getName().equals(reference.getName())
                && (reference.getUid() == null
                        || reference.getUid().isEmpty()
                        || reference.getUid().equals(claim.getMetadata().getUid()));
    }

    private static boolean satisfies(PersistentVolume volume, PersistentVolumeClaim claim) {
        Map<String, String> labels =
                Objects.requireNonNullElse(volume.getMetadata().getLabels(), Map.of());
        Map<String, String> wanted = claim.getSpec().getSelector() == null
                        || claim.getSpec().getSelector().getMatchLabels() == null
                ? Map.of()
                : claim.getSpec().getSelector().getMatchLabels();
        return volume.getMetadata().getDeletionTimestamp() == null
                && Objects.requireNonNullElse(volume.getSpec().getStorageClassName(), "")
                        .equals(classOf(claim))
                && mode(volume.getSpec().getVolumeMode())
                        .equals(mode(claim.getSpec().getVolumeMode()))
                && volume.getSpec().getAccessModes().containsAll(claim.getSpec().getAccessModes())
                && labels.entrySet().containsAll(wanted.entrySet())
                && capacity(volume).compareTo(requested(claim).getNumericalAmount()) >= 0;
    }

    private static String mode(@Nullable String mode) {
        return mode == null ? FILESYSTEM : mode;
    }

    private static BigDecimal capacity(PersistentVolume volume) {
        Quantity size = volume.getSpec().getCapacity() == null
                ? null
                : volume.getSpec().getCapacity().get(STORAGE);
        return size == null ? BigDecimal.ZERO : size.getNumericalAmount();
    }

    private static Quantity requested(PersistentVolumeClaim claim) {
        Map<String, Quantity> requests = claim.getSpec().getResources() == null
                ? null
                : claim.getSpec().getResources().getRequests();
        return requests == null || requests.get(STORAGE) == null ? new Quantity(DEFAULT_SIZE) : requests.get(STORAGE);
    }

    /** Return whether a claim requests more than its volume has, and its class lets volumes grow. */
    static boolean grows(PersistentVolumeClaim claim, PersistentVolume volume, @Nullable StorageClass type) {
        return type != null
                && Boolean.TRUE.equals(type.getAllowVolumeExpansion())
                && requested(claim).getNumericalAmount().compareTo(capacity(volume)) > 0;
    }

    static void grow(PersistentVolume volume, PersistentVolumeClaim claim) {
        volume.getSpec().setCapacity(Map.of(STORAGE, requested(claim)));
    }

    /** Return a new volume for a claim, whose name comes from the claim. */
    static PersistentVolume provisioned(PersistentVolumeClaim claim, @Nullable StorageClass type) {
        String name = "pvc-" + claim.getMetadata().getUid();
        return new PersistentVolumeBuilder()
                .withNewMetadata()
                .withName(name)
                .addToAnnotations("pv.kubernetes.io/provisioned-by", provisioner(type))
                .endMetadata()
                .withNewSpec()
                .withCapacity(Map.of(STORAGE, requested(claim)))
                .withAccessModes(claim.getSpec().getAccessModes())
                .withVolumeMode(mode(claim.getSpec().getVolumeMode()))
                .withStorageClassName(classOf(claim))
                .withPersistentVolumeReclaimPolicy(
                        type == null ? "Delete" : Objects.requireNonNullElse(type.getReclaimPolicy(), "Delete"))
                .withClaimRef(reference(claim))
                .withNewHostPath("/var/lib/volumes/" + name, "")
                .endSpec()
                .build();
    }

    static String provisioner(@Nullable StorageClass type) {
        return type == null ? PROVISIONER : type.getProvisioner();
    }

    static ObjectReference reference(PersistentVolumeClaim claim) {
        return new ObjectReferenceBuilder()
                .withApiVersion("v1")
                .withKind("PersistentVolumeClaim")
                .withNamespace(claim.getMetadata().getNamespace())
                .withName(claim.getMetadata().getName())
                .withUid(claim.getMetadata().getUid())
                .withResourceVersion(claim.getMetadata().getResourceVersion())
                .build();
    }
}
