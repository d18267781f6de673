package io.github.reconciler4j.controllers.internal.disruption;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ReplicationController;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.autoscaling.v1.Scale;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.Discovery.ServedKind;
import io.github.reconciler4j.client.OwnerReferences;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.controllers.internal.support.Numbers;
import io.github.reconciler4j.scheme.KindName;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;

/**
 * Finds out how many pods the controllers of pods ask for: of Kubernetes' own kinds from the cache, of others from their
 * subresource {@code scale}.
 *
 * <p>Safe for use by many threads.
 */
final class Scales {

    private static final Set<String> APPS = Set.of("apps", "extensions");

    /**
     * What is asked for.
     *
     * @param pods how many pods
     * @param unmanaged the names of pods that have no controller
     */
    record Sum(int pods, List<String> unmanaged) {}

    /**
     * The controller that decides how many pods there are.
     *
     * @param uid its uid
     * @param replicas how many pods it asks for
     */
    private record Owner(String uid, int replicas) {}

    private final Client client;

    /** Create one; this lets the cache watch the kinds. */
    Scales(Client client, Cache cache) {
        this.client = client;
        List.of(ReplicationController.class, ReplicaSet.class, Deployment.class, StatefulSet.class)
                .forEach(cache::informer);
    }

    /**
     * Add up what the controllers of pods ask for, each once.
     *
     * @throws IllegalStateException if a controller is gone, or has no scale
     */
    Sum of(Collection<Pod> pods) {
        Map<String, Integer> byUid = new HashMap<>();
        for (Pod pod : pods) {
            OwnerReference reference = OwnerReferences.controllerOf(pod).orElse(null);
            if (reference != null && !byUid.containsKey(reference.getUid())) {
                Owner owner = find(reference, pod.getMetadata().getNamespace())
                        .orElseThrow(() -> new IllegalStateException("found no controllers for pod \""
                                + pod.getMetadata().getName() + "\""));
                byUid.put(owner.uid(), owner.replicas());
            }
        }
        List<String> unmanaged = pods.stream()
                .filter(pod -> OwnerReferences.controllerOf(pod).isEmpty())
                .map(pod -> pod.getMetadata().getName())
                .toList();
        return new Sum(byUid.values().stream().mapToInt(Integer::intValue).sum(), unmanaged);
    }

    private Optional<Owner> find(OwnerReference reference, String namespace) {
        Optional<Owner> owner = Optional.empty();
        if (is(reference, "ReplicationController", Set.of(""))) {
            owner = replicas(
                    ReplicationController.class,
                    reference,
                    namespace,
                    rc -> Numbers.orZero(rc.getSpec().getReplicas()));
        } else if (is(reference, "ReplicaSet", APPS)) {
            owner = ofReplicaSet(reference, namespace);
        } else if (is(reference, "StatefulSet", Set.of("apps"))) {
            owner = replicas(
                    StatefulSet.class,
                    reference,
                    namespace,
                    set -> Numbers.orZero(set.getSpec().getReplicas()));
        }
        return owner.isPresent() ? owner : ofSubresource(reference, namespace);
    }

    private static boolean is(OwnerReference reference, String kind, Set<String> groups) {
        return reference.getKind().equals(kind)
                && groups.contains(KindName.of(reference.getApiVersion(), kind).group());
    }

    private <T extends HasMetadata> Optional<Owner> replicas(
            Class<T> type, OwnerReference reference, String namespace, ToIntFunction<T> replicas) {
        return get(type, reference, namespace).map(owner -> new Owner(reference.getUid(), replicas.applyAsInt(owner)));
    }

    private <T extends HasMetadata> Optional<T> get(Class<T> type, OwnerReference reference, String namespace) {
        return client.get(type, namespace, reference.getName())
                .filter(owner -> owner.getMetadata().getUid().equals(reference.getUid()));
    }

    /** During a rollout there are several ReplicaSets, but the Deployment decides. */
    private Optional<Owner> ofReplicaSet(OwnerReference reference, String namespace) {
        return get(ReplicaSet.class, reference, namespace).flatMap(set -> {
            Optional<OwnerReference> deployment = OwnerReferences.controllerOf(set);
            if (deployment.isPresent() && is(deployment.get(), "Deployment", APPS)) {
                return replicas(
                        Deployment.class,
                        deployment.get(),
                        namespace,
                        d -> Numbers.orZero(d.getSpec().getReplicas()));
            }
            return deployment.isPresent() && deployment.get().getKind().equals("Deployment")
                    ? Optional.empty()
                    : Optional.of(new Owner(
                            reference.getUid(), Numbers.orZero(set.getSpec().getReplicas())));
        });
    }

    private Optional<Owner> ofSubresource(OwnerReference reference, String namespace) {
        GenericKubernetesResource owner = new GenericKubernetesResource();
        owner.setApiVersion(reference.getApiVersion());
        owner.setKind(reference.getKind());
        owner.setMetadata(new ObjectMetaBuilder()
                .withNamespace(namespace)
                .withName(reference.getName())
                .build());
        try {
            Scale scale = client.scale().get(owner);
            return scale.getMetadata().getUid().equals(reference.getUid())
                    ? Optional.of(new Owner(
                            reference.getUid(), Numbers.orZero(scale.getSpec().getReplicas())))
                    : Optional.empty();
        } catch (NotFoundException e) {
            Optional<ServedKind> kind =
                    client.discovery().find(KindName.of(reference.getApiVersion(), reference.getKind()));
            if (kind.filter(served -> served.subresources().contains("scale")).isPresent()) {
                return Optional.empty();
            }
            throw new IllegalStateException(
                    kind.map(served -> served.info().resource()).orElseGet(reference::getKind)
                            + " does not implement the scale subresource",
                    e);
        }
    }
}
