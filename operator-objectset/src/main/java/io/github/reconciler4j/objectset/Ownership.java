package io.github.reconciler4j.objectset;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.github.reconciler4j.client.OwnerReferences;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.OwnerRef;
import io.github.reconciler4j.support.KubernetesJson;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What makes an object part of a set, and which objects are. Immutable. */
final class Ownership {

    /** The uid of the owner, on objects that cannot refer to it. */
    static final String OWNER_UID = "reconciler4j.io/owner-uid";

    /** Namespace and name of the owner, on objects that cannot refer to it; for requests. */
    static final String OWNER = "reconciler4j.io/owner";

    /** The name of the set, on objects of sets with a name. */
    static final String SET = "reconciler4j.io/object-set";

    /** An object with this annotation or label is not deleted. */
    static final String KEEP = "reconciler4j.io/keep";

    private final HasMetadata owner;
    private final KindInfo ownerKind;
    private final String set;
    private final String uid;

    Ownership(HasMetadata owner, KindInfo ownerKind, String set) {
        this.owner = owner;
        this.ownerKind = ownerKind;
        this.set = set;
        this.uid = OwnerReferences.uid(owner);
    }

    String uid() {
        return uid;
    }

    /** Return the key of a desired object, with the namespace of the owner if it has none. */
    ObjectKey keyOf(HasMetadata object, KindInfo kind) {
        String name = object.getMetadata() == null ? null : object.getMetadata().getName();
        if (name == null || name.isBlank()) {
            throw new IllegalArgumentException("A " + kind.kind().kind() + " in the set of " + describe(owner)
                    + " has no name: set metadata.name, so that it is found again");
        }
        if (!kind.namespaced()) {
            return ObjectKey.ofName(name);
        }
        String namespace = Objects.requireNonNullElse(object.getMetadata().getNamespace(), "");
        String chosen = namespace.isEmpty() ? namespace() : namespace;
        if (chosen.isEmpty()) {
            throw new IllegalArgumentException(kind.kind().kind() + " " + name + " in the set of " + describe(owner)
                    + " has no namespace: set metadata.namespace, since the owner has none either");
        }
        return ObjectKey.of(chosen, name);
    }

    private String namespace() {
        return Objects.requireNonNullElse(owner.getMetadata().getNamespace(), "");
    }

    /** Return whether an object can refer to the owner, or needs the label. */
    boolean canReferTo(ObjectKey key) {
        return namespace().isEmpty() || namespace().equals(key.namespace());
    }

    /** Return a copy of a desired object that belongs to the owner. */
    <T extends HasMetadata> T owned(T object, ObjectKey key) {
        T copy = copy(object);
        ObjectMeta metadata = copy.getMetadata();
        metadata.setNamespace(key.namespace().isEmpty() ? null : key.namespace());
        metadata.setResourceVersion(null);
        metadata.setUid(null);
        if (!set.isEmpty()) {
            metadata.setAnnotations(with(metadata.getAnnotations(), SET, set));
        }
        if (canReferTo(key)) {
            OwnerReferences.setController(copy, owner);
        } else {
            metadata.setLabels(with(metadata.getLabels(), OWNER_UID, uid));
            metadata.setAnnotations(with(metadata.getAnnotations(), OWNER, ownerText()));
        }
        return copy;
    }

    private String ownerText() {
        return ownerKind.resource() + "/" + ObjectKey.of(owner);
    }

    private static Map<String, String> with(Map<String, String> before, String key, String value) {
        Map<String, String> after = before == null ? new HashMap<>() : new HashMap<>(before);
        after.put(key, value);
        return after;
    }

    @SuppressWarnings("unchecked") // the class of the object itself
    private static <T extends HasMetadata> T copy(T object) {
        try {
            return (T)
                    KubernetesJson.mapper().treeToValue(KubernetesJson.mapper().valueToTree(object), object.getClass());
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(object.getClass().getName() + " cannot be copied by way of JSON", e);
        }
    }

    /** Return whether an object belongs to this set of this very owner. */
    boolean isOurs(ObjectHeader header) {
        return set.equals(header.annotations().getOrDefault(SET, "")) && belongsToOwner(header);
    }

    private boolean belongsToOwner(ObjectHeader header) {
        return canReferTo(header.key())
                ? controller(header).filter(found -> found.uid().equals(uid)).isPresent()
                : uid.equals(header.labels().get(OWNER_UID))
                        && controller(header).isEmpty();
    }

    /** Return why an existing object cannot be applied; {@code ""} if it is ours, or has no owner. */
    String objection(ObjectHeader header) {
        Optional<OwnerRef> controller = controller(header);
        if (controller.isPresent() && !controller.get().uid().equals(uid)) {
            return "belongs to " + controller.get().kind() + " "
                    + controller.get().name();
        }
        String label = header.labels().get(OWNER_UID);
        if (label != null && !label.equals(uid)) {
            return "belongs to another object (" + header.annotations().getOrDefault(OWNER, "uid " + label) + ")";
        }
        String other = header.annotations().get(SET);
        return belongsToOwner(header) && !set.equals(Objects.requireNonNullElse(other, ""))
                ? "belongs to the set '" + Objects.requireNonNullElse(other, "") + "' of the same owner"
                : "";
    }

    /** Return whether an object belongs to a former object of the same name, so that it is about to be collected. */
    boolean isOfFormerOwner(ObjectHeader header) {
        return controller(header)
                .filter(found -> !found.uid().equals(uid)
                        && found.name().equals(owner.getMetadata().getName())
                        && KindName.of(found.apiVersion(), found.kind()).sameGroupKind(ownerKind.kind()))
                .isPresent();
    }

    private static Optional<OwnerRef> controller(ObjectHeader header) {
        return header.ownerReferences().stream().filter(OwnerRef::controller).findFirst();
    }

    /** Return whether the object asks not to be deleted. */
    static boolean isKept(ObjectHeader header) {
        return isSet(header.annotations().get(KEEP)) || isSet(header.labels().get(KEEP));
    }

    private static boolean isSet(@Nullable String value) {
        return value != null && !value.equals("false");
    }

    static String describe(HasMetadata object) {
        return object.getKind() + " " + ObjectKey.of(object);
    }

    static String describe(Kind<?> kind, ObjectKey key) {
        return kind.kind() + " " + key;
    }
}
