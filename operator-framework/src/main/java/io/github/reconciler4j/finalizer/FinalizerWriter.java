package io.github.reconciler4j.finalizer;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.Patch;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Writes the finalizers of an object and nothing else. A merge patch replaces the whole list, which can hold finalizers
 * of others, so the patch requires the uid and the resourceVersion that it was computed from. After a conflict it is
 * computed again from the live object.
 */
final class FinalizerWriter {

    private static final int MAX_ATTEMPTS = 5;

    private final Client client;

    FinalizerWriter(Client client) {
        this.client = client;
    }

    /**
     * Add finalizers, except to an object that is marked for deletion.
     *
     * @return the object as it is now, empty if it is gone
     */
    <T extends HasMetadata> Optional<T> add(T object, Collection<String> names) {
        return write(object, list -> list.addAll(names), true);
    }

    /**
     * Remove finalizers.
     *
     * @return the object as it is now, empty if it is gone
     */
    <T extends HasMetadata> Optional<T> remove(T object, Collection<String> names) {
        return write(object, list -> list.removeAll(names), false);
    }

    private <T extends HasMetadata> Optional<T> write(T object, Consumer<Set<String>> change, boolean unlessDeleted) {
        T current = object;
        for (int attempts = 1; ; attempts++) {
            Set<String> names = new LinkedHashSet<>(FinalizerNames.of(current));
            boolean deleted = current.getMetadata().getDeletionTimestamp() != null;
            change.accept(names);
            if ((deleted && unlessDeleted) || List.copyOf(names).equals(FinalizerNames.of(current))) {
                return Optional.of(current);
            }
            try {
                return Optional.of(client.patch(current, patch(current.getMetadata(), List.copyOf(names))));
            } catch (NotFoundException e) {
                return Optional.empty();
            } catch (ConflictException e) {
                if (attempts == MAX_ATTEMPTS) {
                    throw e;
                }
            }
            Optional<T> live = live(current);
            if (live.isEmpty()) {
                return Optional.empty();
            }
            current = live.get();
        }
    }

    private static Patch patch(ObjectMeta metadata, List<String> names) {
        return Patch.merge(Map.of(
                "metadata",
                Map.of(
                        "uid", Objects.requireNonNullElse(metadata.getUid(), ""),
                        "resourceVersion", Objects.requireNonNullElse(metadata.getResourceVersion(), ""),
                        "finalizers", names)));
    }

    /** Return the live object; empty if another object has taken the name. */
    private <T extends HasMetadata> Optional<T> live(T object) {
        Optional<? extends HasMetadata> found = object instanceof GenericKubernetesResource
                ? client.live().get(GroupVersionKind.of(object.getApiVersion(), object.getKind()), key(object))
                : client.live().get(object.getClass(), key(object));
        @SuppressWarnings("unchecked") // the read was for this class or for the generic form
        Optional<T> typed = (Optional<T>) found;
        return typed.filter(live ->
                Objects.equals(live.getMetadata().getUid(), object.getMetadata().getUid()));
    }

    private static ObjectKey key(HasMetadata object) {
        return ObjectKey.of(
                Objects.requireNonNullElse(object.getMetadata().getNamespace(), ""),
                object.getMetadata().getName());
    }

    static String describe(HasMetadata object) {
        return object.getKind() + " " + key(object);
    }
}
