package io.github.reconciler4j.client.internal.write;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.ObjectPatch.Operation;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.client.internal.request.ObjectCodec;
import io.github.reconciler4j.support.KubernetesJson;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Creates {@link ObjectPatch}es.
 *
 * @since 0.1.0
 */
public final class Patches {

    private static final String MERGE_PATCH = "application/merge-patch+json";

    private Patches() {}

    /** Create a patch whose body is the given tree. */
    public static ObjectPatch tree(String contentType, Object tree) {
        return new TreePatch(contentType, tree);
    }

    /** Create the merge patch between two states of an object. */
    public static ObjectPatch between(HasMetadata before, HasMetadata after) {
        return new DiffPatch(before, after);
    }

    /**
     * Create a patch for one version of an object only.
     *
     * @throws IllegalArgumentException if the object has no resourceVersion
     */
    public static ObjectPatch locked(ObjectPatch patch, HasMetadata read) {
        String version = read.getMetadata().getResourceVersion();
        if (version == null || version.isEmpty()) {
            throw new IllegalArgumentException("The object needs a resourceVersion, since the patch is locked to it");
        }
        return new LockedPatch(patch, version);
    }

    /** Return an operation in the form that is sent; a null value is sent if the operation takes one. */
    public static Map<String, @Nullable Object> operation(Operation operation) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("op", operation.op());
        tree.put("path", operation.path());
        if (operation.from() != null) {
            tree.put("from", operation.from());
        }
        if (List.of("add", "replace", "test").contains(operation.op())) {
            tree.put("value", operation.value());
        }
        return tree;
    }

    private record TreePatch(String contentType, Object tree) implements ObjectPatch {

        @Override
        public byte[] body() {
            return ObjectCodec.bytes(tree);
        }

        @Override
        public boolean isEmpty() {
            return tree instanceof List<?> list && list.isEmpty() || tree instanceof Map<?, ?> map && map.isEmpty();
        }
    }

    /** Return what a patch from {@link #between} is the difference of, locked or not; null if it is another patch. */
    static @Nullable Difference differenceOf(ObjectPatch patch) {
        if (patch instanceof LockedPatch locked && locked.patch instanceof DiffPatch difference) {
            return new Difference(difference, locked.version);
        }
        return patch instanceof DiffPatch difference ? new Difference(difference, "") : null;
    }

    /** The difference between two states of an object, for one version or, if that is empty, for any. */
    record Difference(DiffPatch patch, String version) {

        <T extends HasMetadata> T write(ContentWrites contents, T object, WriteOptions options) {
            ObjectNode before = ObjectCodec.tree(patch.before);
            return contents.edit(object, before, ObjectCodec.tree(patch.after), version, options);
        }
    }

    private record DiffPatch(HasMetadata before, HasMetadata after) implements ObjectPatch {

        @Override
        public String contentType() {
            return MERGE_PATCH;
        }

        @Override
        public byte[] body() {
            return ObjectCodec.bytes(difference());
        }

        @Override
        public boolean isEmpty() {
            return difference().isEmpty();
        }

        private ObjectNode difference() {
            return MergeDiff.between(ObjectCodec.tree(before), ObjectCodec.tree(after));
        }
    }

    /** Replaces the resourceVersion, which makes the server compare it. */
    private record LockedPatch(ObjectPatch patch, String version) implements ObjectPatch {

        @Override
        public String contentType() {
            return patch.contentType();
        }

        @Override
        public byte[] body() {
            try {
                JsonNode tree = KubernetesJson.mapper().readTree(patch.body());
                if (tree instanceof ArrayNode operations) {
                    Object lock = operation(Operation.replace("/metadata/resourceVersion", version));
                    operations.insert(0, KubernetesJson.mapper().<JsonNode>valueToTree(lock));
                } else if (tree instanceof ObjectNode object) {
                    object.withObjectProperty("metadata").put("resourceVersion", version);
                }
                return ObjectCodec.bytes(tree);
            } catch (IOException e) {
                throw new IllegalArgumentException("The patch is not JSON, so it cannot be locked to a version", e);
            }
        }

        @Override
        public boolean isEmpty() {
            return patch.isEmpty();
        }
    }
}
