package io.github.reconciler4j.controllers.internal.statefulset;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetPersistentVolumeClaimRetentionPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The owners of a pod's claim: the garbage collector deletes the claim with them. The StatefulSet is the owner if claims
 * go with it, the pod is if claims go when the StatefulSet shrinks and the pod is no longer part of it.
 */
final class ClaimOwners {

    private final PersistentVolumeClaim claim;
    private final StatefulSet set;
    private final Pod pod;

    ClaimOwners(PersistentVolumeClaim claim, StatefulSet set, Pod pod) {
        this.claim = claim;
        this.set = set;
        this.pod = pod;
    }

    /** Return whether there is nothing to change; owners of an earlier StatefulSet or pod of these names stay. */
    boolean areRight() {
        if (isStale(set) || isStale(pod)) {
            return true;
        }
        if (haveForeignController()) {
            return !isOwnedBy(set) && !isOwnedBy(pod);
        }
        return !isOwnedWithoutControl() && isOwnedBy(set) == ownedBySet() && isOwnedBy(pod) == ownedByPod();
    }

    /** Return whether the claim goes with something else, so that the policy of the StatefulSet does not apply. */
    boolean haveForeignController() {
        return !(keptWhenScaled() && keptWhenDeleted())
                && owners().stream()
                        .anyMatch(owner -> names(owner, set) || names(owner, pod)
                                ? !isUid(owner, names(owner, set) ? set : pod)
                                : Boolean.TRUE.equals(owner.getController()));
    }

    /** Return whether the claim has an owner of this name that is not this object. */
    boolean isStale(HasMetadata object) {
        return owners().stream()
                .filter(owner -> names(owner, object))
                .findFirst()
                .filter(owner -> !isUid(owner, object))
                .isPresent();
    }

    /** Return the owners that the claim should have. */
    List<OwnerReference> wanted() {
        List<OwnerReference> wanted = new ArrayList<>(owners());
        wanted.removeIf(owner -> names(owner, set) || names(owner, pod));
        if (!haveForeignController()) {
            if (ownedBySet() && wanted.stream().noneMatch(owner -> isUid(owner, set))) {
                wanted.add(controller(set));
            }
            if (ownedByPod() && wanted.stream().noneMatch(owner -> isUid(owner, pod))) {
                wanted.add(controller(pod));
            }
        }
        return wanted;
    }

    private static OwnerReference controller(HasMetadata owner) {
        return new OwnerReferenceBuilder()
                .withApiVersion(owner.getApiVersion())
                .withKind(owner.getKind())
                .withName(owner.getMetadata().getName())
                .withUid(owner.getMetadata().getUid())
                .withController(true)
                .withBlockOwnerDeletion(true)
                .build();
    }

    private boolean ownedBySet() {
        return !keptWhenDeleted() && (keptWhenScaled() || Ordinals.contains(set, pod));
    }

    private boolean ownedByPod() {
        return !keptWhenScaled() && !Ordinals.contains(set, pod);
    }

    boolean isOwnedWithoutControl() {
        return owners().stream()
                .anyMatch(owner ->
                        (isUid(owner, set) || isUid(owner, pod)) && !Boolean.TRUE.equals(owner.getController()));
    }

    private boolean isOwnedBy(HasMetadata object) {
        return owners().stream().anyMatch(owner -> isUid(owner, object));
    }

    private boolean keptWhenDeleted() {
        StatefulSetPersistentVolumeClaimRetentionPolicy policy =
                set.getSpec().getPersistentVolumeClaimRetentionPolicy();
        return policy == null || !"Delete".equals(policy.getWhenDeleted());
    }

    private boolean keptWhenScaled() {
        return keepsWhenScaled(set);
    }

    static boolean keepsWhenScaled(StatefulSet set) {
        StatefulSetPersistentVolumeClaimRetentionPolicy policy =
                set.getSpec().getPersistentVolumeClaimRetentionPolicy();
        return policy == null || !"Delete".equals(policy.getWhenScaled());
    }

    private List<OwnerReference> owners() {
        return claim.getMetadata().getOwnerReferences();
    }

    private static boolean names(OwnerReference owner, HasMetadata object) {
        return object.getApiVersion().equals(owner.getApiVersion())
                && object.getKind().equals(owner.getKind())
                && Objects.equals(owner.getName(), object.getMetadata().getName());
    }

    private static boolean isUid(OwnerReference owner, HasMetadata object) {
        return Objects.equals(owner.getUid(), object.getMetadata().getUid());
    }
}
