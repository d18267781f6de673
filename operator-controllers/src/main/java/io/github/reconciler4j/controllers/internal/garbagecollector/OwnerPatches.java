package io.github.reconciler4j.controllers.internal.garbagecollector;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.scheme.OwnerRef;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * Patches of owner references. The strategic ones name the uid of the object, so that they fail if another object has taken
 * its name. Custom resources need the others, which replace the whole list and name the version of the object.
 */
final class OwnerPatches {

    private OwnerPatches() {}

    /** Return the patch that removes references. */
    static ObjectPatch release(String uid, Collection<String> owners) {
        List<Map<String, String>> removed = owners.stream()
                .map(owner -> Map.of("$patch", "delete", "uid", owner))
                .toList();
        return ObjectPatch.strategic(Map.of("metadata", Map.of("uid", uid, "ownerReferences", removed)));
    }

    /** Return the patch that removes references from a custom resource as it was read. */
    static ObjectPatch release(HasMetadata object, Collection<String> owners) {
        return replace(object, references -> {
            List<OwnerReference> left = new ArrayList<>(references);
            left.removeIf(reference -> owners.contains(reference.getUid()));
            return left;
        });
    }

    /** Return the patch that lets these owners go before the object. */
    static ObjectPatch unblock(String uid, Collection<OwnerRef> blocked) {
        List<Map<String, Object>> changed = blocked.stream()
                .map(owner -> Map.<String, Object>of(
                        "apiVersion", owner.apiVersion(),
                        "kind", owner.kind(),
                        "name", owner.name(),
                        "uid", owner.uid(),
                        "controller", owner.controller(),
                        "blockOwnerDeletion", false))
                .toList();
        return ObjectPatch.strategic(Map.of("metadata", Map.of("uid", uid, "ownerReferences", changed)));
    }

    /** Return the patch that lets all owners of a custom resource, as it was read, go before it. */
    static ObjectPatch unblock(HasMetadata object) {
        return replace(
                object,
                references -> references.stream()
                        .map(reference -> new OwnerReferenceBuilder(reference)
                                .withBlockOwnerDeletion(false)
                                .build())
                        .toList());
    }

    private static ObjectPatch replace(HasMetadata object, UnaryOperator<List<OwnerReference>> change) {
        List<OwnerReference> references =
                Objects.requireNonNullElse(object.getMetadata().getOwnerReferences(), List.of());
        return ObjectPatch.merge(Map.of(
                "metadata",
                Map.of(
                        "uid",
                        object.getMetadata().getUid(),
                        "resourceVersion",
                        object.getMetadata().getResourceVersion(),
                        "ownerReferences",
                        change.apply(references))));
    }

    /** Return the patch that removes a finalizer from an object of a version. */
    static ObjectPatch finalizers(String uid, String resourceVersion, List<String> finalizers, String removed) {
        List<String> left = finalizers.stream()
                .filter(finalizer -> !finalizer.equals(removed))
                .toList();
        return ObjectPatch.merge(
                Map.of("metadata", Map.of("uid", uid, "resourceVersion", resourceVersion, "finalizers", left)));
    }
}
