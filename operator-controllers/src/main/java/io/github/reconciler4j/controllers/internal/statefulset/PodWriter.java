package io.github.reconciler4j.controllers.internal.statefulset;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.error.AlreadyExistsException;
import io.github.reconciler4j.controllers.internal.support.PodCalls;
import io.github.reconciler4j.recorder.EventRecorder;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Carries out the step of one StatefulSet, and records events about it. Safe for use by many threads. */
final class PodWriter implements PodActions {

    private final Client client;
    private final EventRecorder events;
    private final PodCalls calls;
    private final StatefulSet set;

    PodWriter(Client client, EventRecorder events, PodCalls calls, StatefulSet set) {
        this.client = client;
        this.events = events;
        this.calls = calls;
        this.set = set;
    }

    @Override
    public void create(Pod pod) {
        recordFailure("Create", pod, () -> createClaims(pod));
        RuntimeException failure = null;
        try {
            client.create(pod);
        } catch (AlreadyExistsException e) {
            throw e; // of another owner: the step is repeated until it is gone
        } catch (RuntimeException e) {
            failure = e;
        }
        recordFailure("Update", pod, () -> setClaimOwners(pod));
        if (failure != null) {
            recordFailure("Create", pod, failure);
            throw failure;
        }
        recordSuccess("Create", pod);
    }

    @Override
    public void update(Pod pod) {
        recordFailure("Update", pod, () -> {
            if (!StatefulPods.hasStorage(set, pod)) {
                createClaims(pod);
            }
            if (!haveClaimsRightOwners(pod)) {
                setClaimOwners(pod);
            }
            client.edit(pod, changed -> {
                if (!StatefulPods.hasIdentity(set, changed)) {
                    StatefulPods.giveIdentity(set, changed);
                }
                if (!StatefulPods.hasStorage(set, changed)) {
                    StatefulPods.giveStorage(set, changed);
                }
            });
        });
        recordSuccess("Update", pod);
    }

    @Override
    public void delete(Pod pod) {
        recordFailure("Delete", pod, () -> client.delete(pod));
        recordSuccess("Delete", pod);
    }

    @Override
    public void createMissingClaims(Pod pod) {
        createClaims(pod);
        recordFailure("Update", pod, () -> setClaimOwners(pod));
    }

    /** Creates all claims that it can before a failure is thrown. */
    private void createClaims(Pod pod) {
        RuntimeException failure = null;
        for (PersistentVolumeClaim claim : StatefulPods.claims(set, pod)) {
            try {
                createClaim(pod, claim);
            } catch (RuntimeException e) {
                failure = failure == null ? e : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private void createClaim(Pod pod, PersistentVolumeClaim claim) {
        String name = claim.getMetadata().getName();
        PersistentVolumeClaim present =
                client.get(PersistentVolumeClaim.class, ObjectKey.of(claim)).orElse(null);
        if (present != null) {
            if (present.getMetadata().getDeletionTimestamp() != null) {
                throw new IllegalStateException("pvc " + name + " is being deleted");
            }
            return;
        }
        String subject = name + " %sPod " + podInSet(pod);
        try {
            client.create(claim);
        } catch (AlreadyExistsException e) {
            throw e;
        } catch (RuntimeException e) {
            events.warning(
                    set,
                    "FailedCreate",
                    "Create",
                    "Create Claim " + String.format(subject, "for ") + " failed error: " + e.getMessage());
            throw e;
        }
        events.normal(set, "SuccessfulCreate", "Create", "Create Claim " + String.format(subject, "") + " success");
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
            if (owners.haveForeignController()) {
                events.warning(
                        set,
                        "ConflictingController",
                        "Update",
                        "PersistentVolumeClaim " + claim.getMetadata().getName()
                                + " has a conflicting OwnerReference that acts as a managing controller, the retention"
                                + " policy is ignored for this claim");
            }
            if (!owners.areRight()) {
                client.edit(claim, changed -> changed.getMetadata().setOwnerReferences(owners.wanted()));
            }
        }
    }

    /** The claims of a pod that are there. */
    private List<PersistentVolumeClaim> claimsOf(Pod pod) {
        int ordinal = Ordinals.of(pod);
        String namespace = set.getMetadata().getNamespace();
        return set.getSpec().getVolumeClaimTemplates().stream()
                .map(template -> Ordinals.claimName(set, template.getMetadata().getName(), ordinal))
                .map(name -> client.get(PersistentVolumeClaim.class, namespace, name))
                .flatMap(Optional::stream)
                .toList();
    }

    @Override
    public @Nullable RuntimeException runAll(List<Runnable> actions) {
        return calls.runAll(actions).failure();
    }

    private void recordFailure(String verb, Pod pod, Runnable action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            recordFailure(verb, pod, e);
            throw e;
        }
    }

    private void recordFailure(String verb, Pod pod, RuntimeException failure) {
        events.warning(
                set, "Failed" + verb, verb, verb + " Pod " + podInSet(pod) + " failed error: " + failure.getMessage());
    }

    private void recordSuccess(String verb, Pod pod) {
        events.normal(set, "Successful" + verb, verb, verb + " Pod " + podInSet(pod) + " successful");
    }

    private String podInSet(Pod pod) {
        return pod.getMetadata().getName() + " in StatefulSet "
                + set.getMetadata().getName();
    }
}
