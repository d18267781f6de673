package io.github.reconciler4j.plan;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.KubernetesJson;
import io.github.reconciler4j.support.TimeSource;
import java.io.IOException;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What the API server would make of a write, for writes that it does not get. */
final class JsonTrees {

    /** What the API server never adds to the metadata of an object. */
    private static final List<String> METADATA = List.of("labels", "annotations", "finalizers", "ownerReferences");

    /** What the API server never adds to an object. */
    private static final List<String> DATA = List.of("data", "binaryData");

    private JsonTrees() {}

    static byte[] bytes(Object tree) {
        try {
            return KubernetesJson.mapper().writeValueAsBytes(tree);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("An object cannot be written as JSON", e);
        }
    }

    /** Return an object; empty for anything else, such as a JSON patch. */
    static Optional<ObjectNode> object(byte[] json) {
        try {
            JsonNode tree = KubernetesJson.read(KubernetesJson.mapper(), json, JsonNode.class);
            return tree instanceof ObjectNode object ? Optional.of(object) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    static String resourceVersion(byte[] json) {
        return object(json)
                .map(tree -> tree.path("metadata").path("resourceVersion").asText(""))
                .orElse("");
    }

    static boolean isTerminating(byte[] json) {
        return object(json)
                .map(tree -> tree.path("metadata").hasNonNull("deletionTimestamp"))
                .orElse(false);
    }

    private static boolean hasFinalizers(JsonNode metadata) {
        return !metadata.path("finalizers").isEmpty();
    }

    /** Return whether a write takes the last finalizer of an object that is being deleted. */
    static boolean isReleased(byte[] before, byte[] after) {
        JsonNode left = object(after)
                .map(tree -> tree.path("metadata"))
                .orElseGet(() -> KubernetesJson.mapper().createObjectNode());
        return isTerminating(before)
                && isTerminating(after)
                && !hasFinalizers(left)
                && left.path("deletionGracePeriodSeconds").asInt() == 0;
    }

    /** Return a deleted object that its finalizers keep for now; null if it is gone at once. */
    static byte @Nullable [] keptByFinalizers(byte[] before, ApiRequest deletion) {
        ObjectNode tree = object(before).orElseGet(KubernetesJson.mapper()::createObjectNode);
        String policy = Optional.ofNullable(deletion.body())
                .flatMap(JsonTrees::object)
                .map(options -> options.path("propagationPolicy").asText(""))
                .orElse("");
        ObjectNode metadata = tree.withObjectProperty("metadata");
        if (!hasFinalizers(metadata) && !policy.equals("Foreground") && !policy.equals("Orphan")) {
            return null;
        }
        metadata.put(
                "deletionTimestamp",
                TimeSource.system().instant().truncatedTo(ChronoUnit.SECONDS).toString());
        return bytes(tree);
    }

    /** Return the state after a write of some fields: what an object names replaces what was there, null removes it. */
    static byte[] merged(byte[] before, ApiRequest write) {
        ObjectNode result = object(before).orElseGet(KubernetesJson.mapper()::createObjectNode);
        byte[] body = write.body();
        if (body != null) {
            object(body).ifPresent(patch -> merge(result, patch));
        }
        return bytes(result);
    }

    private static void merge(ObjectNode target, ObjectNode patch) {
        for (Map.Entry<String, JsonNode> member : patch.properties()) {
            JsonNode value = member.getValue();
            if (value.isNull()) {
                target.remove(member.getKey());
            } else if (value instanceof ObjectNode nested) {
                JsonNode known = target.get(member.getKey());
                ObjectNode into = known instanceof ObjectNode object ? object : target.objectNode();
                merge(into, nested);
                target.set(member.getKey(), into);
            } else {
                target.set(member.getKey(), value);
            }
        }
    }

    /** Return a new object as the API server would return it. */
    static byte[] stored(byte[] body, byte[] before) {
        ObjectNode tree = object(body).orElseGet(KubernetesJson.mapper()::createObjectNode);
        ObjectNode metadata = tree.withObjectProperty("metadata");
        metadata.put("uid", UUID.randomUUID().toString());
        metadata.put("resourceVersion", resourceVersion(before));
        return bytes(tree);
    }

    /** Return a subresource of an object that does not exist yet, as the API server would return it. */
    static byte[] subresource(ClientCall call) {
        ObjectNode tree = KubernetesJson.mapper().createObjectNode();
        if (call.subresource().equals("scale")) {
            ObjectKey key = call.key().orElseThrow();
            tree.put("apiVersion", "autoscaling/v1").put("kind", "Scale");
            tree.putObject("metadata").put("namespace", key.namespace()).put("name", key.name());
        }
        return merged(bytes(tree), call.request());
    }

    /**
     * Return those parts of an object that have no defaults, and those that another one names as well: to compare it with that one,
     * which has no defaults.
     */
    static byte[] comparable(byte[] object, byte[] mask) {
        ObjectNode names = object(mask).orElseGet(KubernetesJson.mapper()::createObjectNode);
        ObjectNode whole = object(object).orElseGet(names::objectNode);
        ObjectNode kept = (ObjectNode) masked(whole, names);
        keep(whole, kept, DATA);
        keep(whole.path("metadata"), kept.withObjectProperty("metadata"), METADATA);
        return bytes(kept);
    }

    private static void keep(JsonNode from, ObjectNode to, List<String> fields) {
        for (String field : fields) {
            if (from.has(field)) {
                to.set(field, from.path(field));
            }
        }
    }

    private static JsonNode masked(JsonNode value, JsonNode mask) {
        if (value instanceof ObjectNode object && mask instanceof ObjectNode names) {
            ObjectNode kept = object.objectNode();
            for (Map.Entry<String, JsonNode> member : names.properties()) {
                if (object.has(member.getKey())) {
                    kept.set(member.getKey(), masked(object.get(member.getKey()), member.getValue()));
                }
            }
            return kept;
        }
        if (value.isArray() && mask.isArray() && value.size() == mask.size()) {
            var kept = KubernetesJson.mapper().createArrayNode();
            for (int i = 0; i < value.size(); i++) {
                kept.add(masked(Objects.requireNonNull(value.get(i)), Objects.requireNonNull(mask.get(i))));
            }
            return kept;
        }
        return value;
    }
}
