package io.github.reconciler4j.test.fullcluster.internal.volumes;

import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.github.reconciler4j.builder.AbstractControllerBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.cache.Informer;
import io.github.reconciler4j.event.ObjectSnapshot;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.test.fullcluster.internal.support.ClusterEvents;
import java.util.List;

/** Declares the controllers of claims and volumes. */
public final class VolumeControllers {

    /** The name that selects all of them. */
    public static final String NAME = "volumes";

    private static final String RELEASE = "volumes-release";
    private static final String PROTECTION = "volumes-protection";

    private VolumeControllers() {}

    /** Return the names of the controllers beside {@link #NAME}. */
    public static List<String> others() {
        return List.of(RELEASE, PROTECTION);
    }

    /** Return the builders of the controllers for a manager. */
    public static List<AbstractControllerBuilder<?, ?>> builders(Manager manager, ClusterEvents events) {
        Informer<PersistentVolumeClaim> claims = manager.cache().informer(PersistentVolumeClaim.class);
        Informer<PersistentVolume> volumes = manager.cache().informer(PersistentVolume.class);
        return List.of(
                ControllerBuilder.of(PersistentVolumeClaim.class)
                        .named(NAME)
                        .watches(PersistentVolume.class, volume -> unbound(claims))
                        .watches(StorageClass.class, type -> unbound(claims))
                        .reconciler(new ClaimReconciler(manager.client(), events)),
                ControllerBuilder.of(PersistentVolume.class)
                        .named(RELEASE)
                        .watches(PersistentVolumeClaim.class, claim -> of(claim, volumes))
                        .reconciler(new VolumeReconciler(manager.client())),
                ControllerBuilder.of(PersistentVolumeClaim.class)
                        .named(PROTECTION)
                        .watches(Pod.class, VolumeControllers::claims)
                        .reconciler(new ClaimProtection(manager.client())));
    }

    private static List<Request> unbound(Informer<PersistentVolumeClaim> claims) {
        return claims.list("").stream()
                .map(ObjectSnapshot::object)
                .filter(claim -> claim.getStatus() == null
                        || !"Bound".equals(claim.getStatus().getPhase()))
                .map(Request::of)
                .toList();
    }

    private static List<Request> of(PersistentVolumeClaim claim, Informer<PersistentVolume> volumes) {
        return volumes.list("").stream()
                .map(ObjectSnapshot::object)
                .filter(volume -> Volumes.isReserved(volume, claim))
                .map(Request::of)
                .toList();
    }

    private static List<Request> claims(Pod pod) {
        return PodClaims.names(pod).stream()
                .map(name -> Request.of(ObjectKey.of(pod.getMetadata().getNamespace(), name)))
                .toList();
    }
}
