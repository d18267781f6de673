package io.github.reconciler4j.test.fullcluster.internal.volumes;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.Optional;

/** The storage classes of claims. Stateless. */
final class ClaimClasses {

    private ClaimClasses() {}

    /** Return the class of a claim; empty if the claim has none, or if its class does not exist. */
    static Optional<StorageClass> find(Client client, PersistentVolumeClaim claim) {
        String name = Volumes.classOf(claim);
        return name.isEmpty() ? Optional.empty() : client.get(StorageClass.class, ObjectKey.of("", name));
    }
}
