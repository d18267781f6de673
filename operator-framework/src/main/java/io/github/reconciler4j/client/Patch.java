package io.github.reconciler4j.client;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.internal.Patches;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A change to an object, in one of the forms the API server takes. Immutable.
 *
 * @since 0.1.0
 */
public interface Patch {

    /** The media type of the body. */
    String contentType();

    /** The body, made with the connection's mapper. */
    byte[] body(ObjectMapper mapper);

    /** Whether it certainly changes nothing; then {@link Writer#patch} sends nothing. */
    default boolean isEmpty(ObjectMapper mapper) {
        return false;
    }

    /**
     * This patch, but only for the version that an object was read with: if there is a newer one, patching fails with
     * {@link ConflictException}.
     *
     * @throws IllegalArgumentException if {@code read} has no resourceVersion
     */
    default Patch lockedTo(HasMetadata read) {
        return Patches.locked(this, read);
    }

    /**
     * A JSON merge patch: members given replace those of the object, null removes, lists are replaced whole.
     *
     * @param tree a map, or anything else the mapper writes as a JSON object
     */
    static Patch merge(Object tree) {
        return Patches.tree("application/merge-patch+json", tree);
    }

    /**
     * A strategic merge patch: like a merge patch, but lists are merged by their keys. Built-in kinds only; the server
     * answers 415 for custom resources. It cannot be computed from two states, because which lists have which keys is not
     * in the classes: where lists have several writers, {@link Writer#apply} does that job, on the server.
     *
     * @param tree a map, or anything else the mapper writes as a JSON object
     */
    static Patch strategic(Object tree) {
        return Patches.tree("application/strategic-merge-patch+json", tree);
    }

    /** A JSON patch: operations that are carried out in order, all or none. */
    static Patch json(List<Operation> operations) {
        return Patches.tree("application/json-patch+json", List.copyOf(operations));
    }

    /** A JSON patch: operations that are carried out in order, all or none. */
    static Patch json(Operation... operations) {
        return json(List.of(operations));
    }

    /**
     * The merge patch that makes one state of an object into another; the states are compared when the patch is sent.
     * Whoever else changed the object meanwhile is overruled in the fields that differ, and in lists as a whole.
     */
    static <T extends HasMetadata> Patch between(T before, T after) {
        return Patches.between(before, after);
    }

    /**
     * As {@link #between}, but fails with {@link ConflictException} if the object is no longer the version of
     * {@code before}.
     *
     * @throws IllegalArgumentException if {@code before} has no resourceVersion
     */
    static <T extends HasMetadata> Patch lockedBetween(T before, T after) {
        return between(before, after).lockedTo(before);
    }

    /**
     * One operation of a JSON patch.
     *
     * @param op {@code add}, {@code remove}, {@code replace}, {@code move}, {@code copy} or {@code test}
     * @param path where, as a JSON pointer
     * @param from the source of {@code move} and {@code copy}, else null
     * @param value the value of {@code add}, {@code replace} and {@code test}; anything the mapper writes
     */
    record Operation(
            String op,
            String path,
            @Nullable String from,
            @Nullable Object value) {

        /** Adds or replaces a value. */
        public static Operation add(String path, @Nullable Object value) {
            return new Operation("add", path, null, value);
        }

        /** Replaces a value that is there. */
        public static Operation replace(String path, @Nullable Object value) {
            return new Operation("replace", path, null, value);
        }

        /** Removes a value that is there. */
        public static Operation remove(String path) {
            return new Operation("remove", path, null, null);
        }

        /** Makes the whole patch fail unless the value is there. */
        public static Operation test(String path, @Nullable Object value) {
            return new Operation("test", path, null, value);
        }

        /** The operation as it is sent. */
        public Map<String, @Nullable Object> toTree() {
            return Patches.operation(this);
        }
    }
}
