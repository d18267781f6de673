package io.github.reconciler4j.test.expect;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An object as it was seen: its tree, and a line on it that tells metadata and conditions but no content. */
final class Sight {
    private static final String STATUS = "status";

    private final JsonNode tree;

    private Sight(JsonNode tree) {
        this.tree = tree;
    }

    static Sight of(HasMetadata object, KubernetesSerialization serialization) {
        return new Sight(serialization.convertValue(object, JsonNode.class));
    }

    JsonNode at(String pointer) {
        return tree.at(pointer);
    }

    boolean isSecret() {
        return tree.path("kind").asText().equals("Secret");
    }

    /** The condition of a type, unless it is about an earlier generation of the object. */
    @Nullable
    JsonNode currentCondition(String type) {
        for (JsonNode condition : tree.at("/status/conditions")) {
            if (condition.path("type").asText().equals(type)) {
                return isCurrent(condition) ? condition : null;
            }
        }
        return null;
    }

    private boolean isCurrent(JsonNode condition) {
        JsonNode own = condition.path("observedGeneration");
        JsonNode observed = own.isMissingNode() ? tree.at("/status/observedGeneration") : own;
        return !observed.isNumber()
                || observed.asLong() >= tree.at("/metadata/generation").asLong();
    }

    String describe() {
        JsonNode metadata = tree.path("metadata");
        List<String> parts = new ArrayList<>();
        parts.add("resourceVersion " + metadata.path("resourceVersion").asText());
        if (metadata.has("generation")) {
            parts.add("generation " + metadata.path("generation").asText());
        }
        if (tree.path(STATUS).has("observedGeneration")) {
            parts.add("observed " + tree.path(STATUS).path("observedGeneration").asText());
        }
        if (metadata.has("deletionTimestamp")) {
            parts.add("being deleted, finalizers " + metadata.path("finalizers"));
        }
        List<String> conditions = new ArrayList<>();
        tree.at("/status/conditions").forEach(condition -> conditions.add(text(condition)));
        parts.add(conditions.isEmpty() ? "no conditions" : "conditions " + conditions);
        return String.join(", ", parts);
    }

    private static String text(JsonNode condition) {
        String text =
                condition.path("type").asText() + "=" + condition.path(STATUS).asText();
        String reason = condition.path("reason").asText();
        String message = condition.path("message").asText();
        return text + (reason.isEmpty() ? "" : " (" + reason + (message.isEmpty() ? "" : ": " + message) + ")");
    }
}
