package io.github.reconciler4j.client;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.internal.write.Patches;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A change of an object in one of the formats that the API server supports. Immutable and thread-safe if its content is.
 *
 * <!-- snippet: ClientUse -->
 * <pre>{@code
 * client.patch(wanted, ObjectPatch.merge(Map.of("data", Map.of("mode", "fast"))));
 * }</pre>
 *
 * @since 0.1.0
 */
public interface ObjectPatch {

    /** Return the media type of the body. */
    String contentType();

    /**
     * Return the body as JSON.
     *
     * @throws IllegalArgumentException if the content cannot be written as JSON
     */
    byte[] body();

    /** Return whether the patch changes nothing for certain; then {@link Writer#patch} sends nothing. */
    default boolean isEmpty() {
        return false;
    }

    /**
     * Return this patch for the given version of an object only: if the object has changed since it was read, patching throws
     * {@link ConflictException}.
     *
     * @throws IllegalArgumentException if {@code read} has no resourceVersion
     */
    default ObjectPatch lockedTo(HasMetadata read) {
        return Patches.locked(this, read);
    }

    /**
     * Create a JSON merge patch: its members replace those of the object, null removes a member, lists are replaced as a
     * whole.
     *
     * @param tree a map, or any other object that is written as a JSON object
     */
    static ObjectPatch merge(Object tree) {
        return Patches.tree("application/merge-patch+json", tree);
    }

    /**
     * Create a strategic merge patch, which merges lists by their keys. The server supports it for built-in kinds only and
     * returns status 415 for custom resources. It cannot be computed from two states, because the classes do not declare the
     * keys of lists; if a list has several writers, use {@link Writer#apply}.
     *
     * @param tree a map, or any other object that is written as a JSON object
     */
    static ObjectPatch strategic(Object tree) {
        return Patches.tree("application/strategic-merge-patch+json", tree);
    }

    /** Create a JSON patch, whose operations are carried out in order, all or none. */
    static ObjectPatch json(List<Operation> operations) {
        return Patches.tree(
                "application/json-patch+json",
                operations.stream().map(Patches::operation).toList());
    }

    /** Create a JSON patch, whose operations are carried out in order, all or none. */
    static ObjectPatch json(Operation... operations) {
        return json(List.of(operations));
    }

    /**
     * Create the merge patch that turns one state of an object into another; the states are compared when the patch is sent.
     * The patch overwrites concurrent changes of the fields that differ. Items of lists are added, changed and removed in the list
     * that the server has, as {@link SubresourceClient#edit(HasMetadata, java.util.function.Consumer, WriteOptions)} does; {@link #body} contains
     * lists as a whole.
     */
    static <T extends HasMetadata> ObjectPatch between(T before, T after) {
        return Patches.between(before, after);
    }

    /**
     * Create a patch as {@link #between} does, but for the version of {@code before} only: if the object has changed since,
     * patching throws {@link ConflictException}.
     *
     * @throws IllegalArgumentException if {@code before} has no resourceVersion
     */
    static <T extends HasMetadata> ObjectPatch lockedBetween(T before, T after) {
        return between(before, after).lockedTo(before);
    }

    /**
     * One operation of a JSON patch. Immutable.
     *
     * @param op {@code add}, {@code remove}, {@code replace}, {@code move}, {@code copy} or {@code test}
     * @param path the location as a JSON pointer
     * @param from the source of {@code move} and {@code copy}, otherwise null
     * @param value the value of {@code add}, {@code replace} and {@code test}; any object that can be written as JSON
     * @since 0.1.0
     */
    record Operation(
            String op,
            String path,
            @Nullable String from,
            @Nullable Object value) {

        /** Create an operation that adds or replaces a value. */
        public static Operation add(String path, @Nullable Object value) {
            return new Operation("add", path, null, value);
        }

        /** Create an operation that replaces an existing value. */
        public static Operation replace(String path, @Nullable Object value) {
            return new Operation("replace", path, null, value);
        }

        /** Create an operation that removes an existing value. */
        public static Operation remove(String path) {
            return new Operation("remove", path, null, null);
        }

        /** Create an operation that makes the whole patch fail unless the location has the given value. */
        public static Operation test(String path, @Nullable Object value) {
            return new Operation("test", path, null, value);
        }
    }
}
