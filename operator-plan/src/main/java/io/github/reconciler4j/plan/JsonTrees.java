package io.github.reconciler4j.plan;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.support.KubernetesJson;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** What the API server would make of a write, for writes that it does not get. */
final class JsonTrees {

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

    /** Return those parts of an object that another one names as well, to compare it with one that has no defaults. */
    static byte[] masked(byte[] object, byte[] mask) {
        ObjectNode names = object(mask).orElseGet(KubernetesJson.mapper()::createObjectNode);
        return bytes(masked(object(object).orElseGet(names::objectNode), names));
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
