package io.github.reconciler4j.controllers.internal.support;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.github.reconciler4j.client.OwnerReferences;
import java.util.Objects;
import java.util.Optional;

/**
 * What an owner with a label selector does about an object: it adopts orphans that match, and releases objects that no
 * longer do.
 *
 * @since 0.1.0
 */
public enum Claim {

    /** The object is the owner's, and stays so. */
    KEEP,

    /** The object has no controller and matches: the owner becomes its controller. */
    ADOPT,

    /** The object is the owner's but no longer matches: it becomes an orphan. */
    RELEASE,

    /** The object does not concern the owner. */
    IGNORE;

    /** Decide what to do about an object that the owner's selector matches, or does not match. */
    public static Claim of(HasMetadata owner, boolean matches, HasMetadata object) {
        boolean ownerStays = owner.getMetadata().getDeletionTimestamp() == null;
        Optional<OwnerReference> controller = OwnerReferences.controllerOf(object);
        if (controller.isPresent()) {
            if (!Objects.equals(controller.get().getUid(), owner.getMetadata().getUid())) {
                return IGNORE;
            }
            return matches ? KEEP : ownerStays ? RELEASE : IGNORE;
        }
        boolean objectStays = object.getMetadata().getDeletionTimestamp() == null;
        boolean sameNamespace = owner.getMetadata().getNamespace() == null
                || owner.getMetadata()
                        .getNamespace()
                        .equals(object.getMetadata().getNamespace());
        return ownerStays && objectStays && matches && sameNamespace ? ADOPT : IGNORE;
    }
}
