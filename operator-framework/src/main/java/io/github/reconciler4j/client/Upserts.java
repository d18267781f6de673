package io.github.reconciler4j.client;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.internal.KubernetesMapper;
import io.github.reconciler4j.scheme.GroupVersionKind;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Creates an object, or changes the one there is, so that it is as a function wants it; sends nothing if it is so
 * already. The function is called once, with the object as the client reads it or, if there is none, with the object
 * passed in, and sets the fields it cares about. Where one field manager owns what it sets,
 * {@link Writer#apply(HasMetadata) apply} is simpler.
 *
 * <pre>{@code
 * Upserts.createOrUpdate(client, configMapNamed("web"), map -> {
 *     map.setData(data);
 *     OwnerReferences.setController(map, app);
 * });
 * }</pre>
 */
public final class Upserts {

    private static final ObjectMapper MAPPER = KubernetesMapper.create();
    private static final String STATUS = "status";

    private Upserts() {}

    /** What was done. */
    public enum Outcome {
        /** Nothing: the object was as it should be. */
        UNCHANGED,
        /** The object was created. */
        CREATED,
        /** The object was changed; its status was not. */
        UPDATED,
        /** The object and its status were changed. */
        UPDATED_STATUS,
        /** The status alone was changed. */
        UPDATED_STATUS_ONLY
    }

    /**
     * What was done, and the object as it is now.
     *
     * @param <T> the class of the object
     */
    public record Upserted<T>(T object, Outcome outcome) {}

    /**
     * Creates the object or replaces the one there is; the status is not written.
     *
     * @param object names the object; what is created if there is none, after the change
     * @param change sets the fields that matter; must not change namespace or name
     * @throws ConflictException if the object has changed since the client read it
     * @throws AlreadyExistsException if it was created since the client looked for it
     * @throws ApiException if it could not be read or written; nothing is written after a failed read
     * @throws IllegalArgumentException if the change has changed namespace or name
     */
    public static <T extends HasMetadata> Upserted<T> createOrUpdate(
            Client client, T object, Consumer<? super T> change) {
        Optional<T> existing = read(client, object);
        if (existing.isEmpty()) {
            change(object, change);
            return new Upserted<>(client.create(object), Outcome.CREATED);
        }
        T current = existing.get();
        ObjectNode before = tree(current);
        change(current, change);
        return tree(current).equals(before)
                ? new Upserted<>(current, Outcome.UNCHANGED)
                : new Upserted<>(client.update(current), Outcome.UPDATED);
    }

    /**
     * Creates the object or patches the one there is with what changed, and its status likewise, each only if it differs.
     * Whoever else changed the object meanwhile is overruled in the fields that differ, and in lists as a whole.
     *
     * @param object names the object; what is created if there is none, after the change
     * @param change sets the fields that matter, of the status too; must not change namespace or name
     * @throws AlreadyExistsException if it was created since the client looked for it
     * @throws ApiException if it could not be read or written; nothing is written after a failed read
     * @throws IllegalArgumentException if the change has changed namespace or name
     */
    public static <T extends HasMetadata> Upserted<T> createOrPatch(
            Client client, T object, Consumer<? super T> change) {
        Optional<T> existing = read(client, object);
        if (existing.isEmpty()) {
            change(object, change);
            T created = client.create(object);
            ObjectNode wanted = tree(object);
            return new Upserted<>(
                    wanted.has(STATUS) ? patchStatus(client, created, tree(created), wanted) : created,
                    Outcome.CREATED);
        }
        T current = existing.get();
        ObjectNode before = tree(current);
        change(current, change);
        return patch(client, current, before, tree(current));
    }

    private static <T extends HasMetadata> Upserted<T> patch(
            Client client, T current, ObjectNode before, ObjectNode after) {
        Patch rest = Patch.between(without(before), without(after));
        boolean restDiffers = !rest.isEmpty(MAPPER);
        boolean statusDiffers = after.has(STATUS) && !Objects.equals(before.get(STATUS), after.get(STATUS));
        T result = restDiffers ? client.patch(current, rest) : current;
        if (statusDiffers) {
            result = patchStatus(client, current, before, after);
        }
        if (restDiffers) {
            return new Upserted<>(result, statusDiffers ? Outcome.UPDATED_STATUS : Outcome.UPDATED);
        }
        return new Upserted<>(result, statusDiffers ? Outcome.UPDATED_STATUS_ONLY : Outcome.UNCHANGED);
    }

    private static <T extends HasMetadata> T patchStatus(Client client, T object, ObjectNode before, ObjectNode after) {
        return client.status().patch(object, Patch.between(only(before), only(after)));
    }

    @SuppressWarnings("unchecked")
    private static <T extends HasMetadata> Optional<T> read(Client client, T object) {
        if (object instanceof GenericKubernetesResource) {
            GroupVersionKind kind = GroupVersionKind.of(object.getApiVersion(), object.getKind());
            return (Optional<T>) client.get(kind, key(object));
        }
        return client.get((Class<T>) object.getClass(), key(object));
    }

    private static <T extends HasMetadata> void change(T object, Consumer<? super T> change) {
        ObjectKey before = key(object);
        change.accept(object);
        ObjectKey after = key(object);
        if (!before.equals(after)) {
            throw new IllegalArgumentException(
                    "the change must not change namespace or name, made " + after + " of " + before);
        }
    }

    private static ObjectKey key(HasMetadata object) {
        String namespace = object.getMetadata().getNamespace();
        return new ObjectKey(
                namespace == null ? "" : namespace, object.getMetadata().getName());
    }

    private static ObjectNode tree(HasMetadata object) {
        return MAPPER.valueToTree(object);
    }

    private static GenericKubernetesResource without(ObjectNode object) {
        ObjectNode rest = object.deepCopy();
        rest.remove(STATUS);
        return generic(rest);
    }

    private static GenericKubernetesResource only(ObjectNode object) {
        ObjectNode status = MAPPER.createObjectNode();
        status.putObject("metadata"); // patches look into it
        if (object.has(STATUS)) {
            status.set(STATUS, object.get(STATUS));
        }
        return generic(status);
    }

    /** Patches compare objects; in this form any part of any object is one. */
    private static GenericKubernetesResource generic(ObjectNode tree) {
        return MAPPER.convertValue(tree, GenericKubernetesResource.class);
    }
}
