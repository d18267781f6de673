package io.github.reconciler4j.client.internal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.github.reconciler4j.client.Patch;
import io.github.reconciler4j.support.KubernetesJson;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes {@link Patch}es.
 *
 * @since 0.1.0
 */
public final class Patches {

    private Patches() {}

    /** A patch whose body is a tree as it is. */
    public static Patch tree(String contentType, Object tree) {
        return new TreePatch(contentType, tree);
    }

    /** The merge patch between two states of an object. */
    public static Patch between(HasMetadata before, HasMetadata after) {
        return new DiffPatch(before, after);
    }

    /** A patch that holds for the version of an object only. */
    public static Patch locked(Patch patch, HasMetadata read) {
        String version = read.getMetadata().getResourceVersion();
        if (version == null || version.isEmpty()) {
            throw new IllegalArgumentException(
                    "the object needs a resourceVersion, since the patch is to hold for that version only");
        }
        return new LockedPatch(patch, version);
    }

    /** A JSON patch operation as it is sent; a null value is sent where the operation takes one. */
    public static Map<String, @Nullable Object> operation(Patch.Operation operation) {
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

    static byte[] bytes(Object tree) {
        try {
            return KubernetesJson.mapper().writeValueAsBytes(tree);
        } catch (JsonProcessingException e) {
            // Jackson's own message may quote values.
            throw new IllegalArgumentException(
                    tree.getClass().getName() + " cannot be written as JSON: " + e.getOriginalMessage(), e);
        }
    }

    private record TreePatch(String contentType, Object tree) implements Patch {

        @Override
        public byte[] body() {
            return bytes(tree);
        }

        @Override
        public boolean isEmpty() {
            return tree instanceof List<?> list && list.isEmpty() || tree instanceof Map<?, ?> map && map.isEmpty();
        }
    }

    private record DiffPatch(HasMetadata before, HasMetadata after) implements Patch {

        @Override
        public String contentType() {
            return "application/merge-patch+json";
        }

        @Override
        public byte[] body() {
            return bytes(diff());
        }

        @Override
        public boolean isEmpty() {
            return diff().isEmpty();
        }

        private ObjectNode diff() {
            ObjectMapper mapper = KubernetesJson.mapper();
            return MergeDiff.between(mapper.valueToTree(before), mapper.valueToTree(after));
        }
    }

    /** Replacing the version makes the server compare it, in whatever form. */
    private record LockedPatch(Patch patch, String version) implements Patch {

        @Override
        public String contentType() {
            return patch.contentType();
        }

        @Override
        public byte[] body() {
            ObjectMapper mapper = KubernetesJson.mapper();
            try {
                JsonNode tree = mapper.readTree(patch.body());
                if (tree instanceof ArrayNode operations) {
                    Object lock = operation(Operation.replace("/metadata/resourceVersion", version));
                    operations.insert(0, mapper.<JsonNode>valueToTree(lock));
                } else if (tree instanceof ObjectNode object) {
                    object.withObjectProperty("metadata").put("resourceVersion", version);
                }
                return bytes(tree);
            } catch (IOException e) {
                throw new IllegalArgumentException("the patch is no JSON, so that it cannot be locked to a version", e);
            }
        }

        @Override
        public boolean isEmpty() {
            return patch.isEmpty();
        }
    }
}
