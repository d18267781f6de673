package io.github.reconciler4j.test.fullcluster.internal.volumes;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The claims of a pod, for the scheduler. Safe for use by multiple threads. */
public final class PodClaims {

    private final Client client;

    /** Create one that reads and writes with this client. */
    public PodClaims(Client client) {
        this.client = client;
    }

    /** Return the names of the claims that a pod mounts. */
    public static List<String> names(Pod pod) {
        return pod.getSpec().getVolumes().stream()
                .map(volume -> volume.getPersistentVolumeClaim())
                .filter(Objects::nonNull)
                .map(source -> source.getClaimName())
                .toList();
    }

    /** Return why no node is possible yet, as kube-scheduler says it; empty if one is. */
    public String problem(Pod pod) {
        for (String name : names(pod)) {
            PersistentVolumeClaim claim = find(pod, name);
            if (claim == null) {
                return "persistentvolumeclaim \"" + name + "\" not found";
            }
            if (claim.getMetadata().getDeletionTimestamp() != null) {
                return "persistentvolumeclaim \"" + name + "\" is being deleted";
            }
            if (!isBound(claim) && !waitsForPod(claim)) {
                return "pod has unbound immediate PersistentVolumeClaims";
            }
        }
        return "";
    }

    private @Nullable PersistentVolumeClaim find(Pod pod, String name) {
        return client.get(
                        PersistentVolumeClaim.class,
                        ObjectKey.of(pod.getMetadata().getNamespace(), name))
                .orElse(null);
    }

    private static boolean isBound(PersistentVolumeClaim claim) {
        return claim.getStatus() != null && "Bound".equals(claim.getStatus().getPhase());
    }

    private boolean waitsForPod(PersistentVolumeClaim claim) {
        return ClaimClasses.find(client, claim)
                .filter(type -> "WaitForFirstConsumer".equals(type.getVolumeBindingMode()))
                .isPresent();
    }

    /** Select the node of claims that wait for a pod, and return whether all claims are bound. */
    public boolean areBound(Pod pod, String node) {
        List<PersistentVolumeClaim> unbound = new ArrayList<>();
        for (String name : names(pod)) {
            PersistentVolumeClaim claim = find(pod, name);
            if (claim == null) {
                return false;
            }
            if (!isBound(claim)) {
                unbound.add(claim);
            }
        }
        unbound.forEach(claim -> select(claim, node));
        return unbound.isEmpty();
    }

    private void select(PersistentVolumeClaim claim, String node) {
        try {
            client.edit(claim, changed -> {
                Map<String, String> annotations = new HashMap<>(
                        Objects.requireNonNullElse(changed.getMetadata().getAnnotations(), Map.of()));
                annotations.put(ClaimReconciler.SELECTED_NODE, node);
                changed.getMetadata().setAnnotations(annotations);
            });
        } catch (NotFoundException e) {
            // The event of its end comes.
        }
    }
}
