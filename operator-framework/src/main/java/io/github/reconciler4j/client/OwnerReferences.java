package io.github.reconciler4j.client;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.github.reconciler4j.client.error.AlreadyControlledException;
import io.github.reconciler4j.scheme.KindName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Sets the owners in the metadata of an object. The garbage collector deletes the object with its owners, and its changes reach
 * the controller of the owner. An owner is identified by group, kind and name; setting it again updates its version and uid. The
 * methods change the given object, not the one on the server.
 *
 * <!-- snippet: PasswordReconciler -->
 * <pre>{@code
 * OwnerReferences.setController(secret, bucket);
 * return secret;
 * }</pre>
 *
 * @since 0.1.0
 */
public final class OwnerReferences {

    private OwnerReferences() {}

    /**
     * Make an owner the managing controller of an object. A foreground deletion of the owner waits for the object.
     *
     * @throws AlreadyControlledException if another owner is its managing controller
     * @throws IllegalArgumentException if the owner has no uid, or cannot own the object: because it is in another
     *     namespace, because the object is cluster-scoped and the owner is not, or because both are the same object
     */
    public static void setController(HasMetadata owned, HasMetadata owner) {
        controllerOf(owned).ifPresent(controller -> {
            if (!isSame(controller, owner)) {
                throw new AlreadyControlledException(describe(owned) + " is controlled by " + controller.getKind() + " "
                        + controller.getName() + " already and cannot be controlled by " + describe(owner));
            }
        });
        set(owned, owner, true);
    }

    /**
     * Add an owner to an object that is not its managing controller.
     *
     * @throws IllegalArgumentException as for {@link #setController}
     */
    public static void addOwner(HasMetadata owned, HasMetadata owner) {
        set(owned, owner, false);
    }

    private static void set(HasMetadata owned, HasMetadata owner, boolean controller) {
        check(owned, owner);
        ObjectMeta meta = owned.getMetadata();
        List<OwnerReference> references = references(meta);
        references.removeIf(reference -> isSame(reference, owner));
        references.add(new OwnerReferenceBuilder()
                .withApiVersion(owner.getApiVersion())
                .withKind(owner.getKind())
                .withName(owner.getMetadata().getName())
                .withUid(owner.getMetadata().getUid())
                .withController(controller ? Boolean.TRUE : null)
                .withBlockOwnerDeletion(controller ? Boolean.TRUE : null)
                .build());
        meta.setOwnerReferences(references);
    }

    private static void check(HasMetadata owned, HasMetadata owner) {
        if (uid(owner).equals(owned.getMetadata().getUid())) {
            throw new IllegalArgumentException(
                    describe(owner) + " cannot own itself: name the object that it belongs to");
        }
        String ownerNamespace = namespace(owner);
        String ownedNamespace = namespace(owned);
        if (!ownerNamespace.isEmpty() && ownedNamespace.isEmpty()) {
            throw new IllegalArgumentException(
                    describe(owned) + " has no namespace, so " + describe(owner) + ", which has one, cannot own it");
        }
        if (!ownerNamespace.isEmpty() && !ownerNamespace.equals(ownedNamespace)) {
            throw new IllegalArgumentException(
                    describe(owner) + " cannot own " + describe(owned) + ": owner and owned must share a namespace");
        }
    }

    /**
     * Remove an owner from an object.
     *
     * @throws IllegalArgumentException if it is not one of its owners; check with {@link #isOwnedBy}
     */
    public static void remove(HasMetadata owned, HasMetadata owner) {
        List<OwnerReference> references = references(owned.getMetadata());
        if (!references.removeIf(reference -> isSame(reference, owner))) {
            throw new IllegalArgumentException(describe(owner) + " is not an owner of " + describe(owned));
        }
        owned.getMetadata().setOwnerReferences(references);
    }

    /** Return whether the first object has the second one as an owner. */
    public static boolean isOwnedBy(HasMetadata owned, HasMetadata owner) {
        return references(owned.getMetadata()).stream().anyMatch(reference -> isSame(reference, owner));
    }

    /** Return the managing controller of an object, or empty if it has none. */
    public static Optional<OwnerReference> controllerOf(HasMetadata owned) {
        return references(owned.getMetadata()).stream()
                .filter(reference -> Boolean.TRUE.equals(reference.getController()))
                .findFirst();
    }

    /**
     * Return the uid of an owner.
     *
     * @throws IllegalArgumentException if it has none
     */
    public static String uid(HasMetadata owner) {
        String uid = owner.getMetadata().getUid();
        if (uid == null || uid.isEmpty()) {
            throw new IllegalArgumentException(describe(owner)
                    + " has no uid, so it cannot own anything: use the object as the server returned it");
        }
        return uid;
    }

    /** Return a mutable copy; the list of the object may be immutable. */
    private static List<OwnerReference> references(ObjectMeta meta) {
        return meta.getOwnerReferences() == null ? new ArrayList<>() : new ArrayList<>(meta.getOwnerReferences());
    }

    private static boolean isSame(OwnerReference reference, HasMetadata owner) {
        return KindName.of(reference.getApiVersion(), reference.getKind())
                        .sameGroupKind(KindName.of(owner.getApiVersion(), owner.getKind()))
                && reference.getName().equals(owner.getMetadata().getName());
    }

    private static String namespace(HasMetadata object) {
        String namespace = object.getMetadata().getNamespace();
        return namespace == null ? "" : namespace;
    }

    private static String describe(HasMetadata object) {
        String namespace = namespace(object);
        return object.getKind() + " " + (namespace.isEmpty() ? "" : namespace + "/")
                + object.getMetadata().getName();
    }
}
