package io.github.reconciler4j.controllers.internal.statefulset;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Writes down what a step does, and does it to the claims that a case has. */
class RecordedActions implements PodActions {

    private final StatefulSet set;
    private final Map<String, PersistentVolumeClaim> claims = new HashMap<>();
    private final List<String> effects = new ArrayList<>();

    RecordedActions(StatefulSet set, List<PersistentVolumeClaim> present) {
        this.set = set;
        present.forEach(claim -> claims.put(claim.getMetadata().getName(), claim));
    }

    List<String> effects() {
        return effects;
    }

    @Override
    public void create(Pod pod) {
        createMissingClaims(pod);
        effects.add("create pod " + pod.getMetadata().getName());
    }

    @Override
    public void update(Pod pod) {
        if (!StatefulPods.hasStorage(set, pod)) {
            createMissingClaims(pod);
        }
        setClaimOwners(pod);
        effects.add("update pod " + pod.getMetadata().getName());
    }

    @Override
    public void delete(Pod pod) {
        effects.add("delete pod " + pod.getMetadata().getName());
    }

    @Override
    public void createMissingClaims(Pod pod) {
        for (PersistentVolumeClaim claim : StatefulPods.claims(set, pod)) {
            String name = claim.getMetadata().getName();
            if (claims.putIfAbsent(name, claim) == null) {
                effects.add("create claim " + name);
            }
        }
        setClaimOwners(pod);
    }

    @Override
    public boolean hasStaleClaim(Pod pod) {
        return !ClaimOwners.keepsWhenScaled(set)
                && claimsOf(pod).stream().anyMatch(claim -> new ClaimOwners(claim, set, pod).isStale(pod));
    }

    @Override
    public boolean haveClaimsRightOwners(Pod pod) {
        return claimsOf(pod).stream().allMatch(claim -> new ClaimOwners(claim, set, pod).areRight());
    }

    @Override
    public void setClaimOwners(Pod pod) {
        for (PersistentVolumeClaim claim : claimsOf(pod)) {
            ClaimOwners owners = new ClaimOwners(claim, set, pod);
            if (!owners.areRight()) {
                claim.getMetadata().setOwnerReferences(owners.wanted());
            }
        }
    }

    private List<PersistentVolumeClaim> claimsOf(Pod pod) {
        return StatefulPods.claims(set, pod).stream()
                .map(claim -> claims.get(claim.getMetadata().getName()))
                .filter(Objects::nonNull)
                .toList();
    }

    @Override
    public @Nullable RuntimeException runAll(List<Runnable> actions) {
        actions.forEach(Runnable::run);
        return null;
    }
}
