package io.github.reconciler4j.test.server.differential;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a step sends, with the saved values filled in. For one thread. */
final class Requests {
    private static final String JSON = "application/json";
    private static final Map<String, String> TYPES = Map.of(
            "json-patch", "application/json-patch+json",
            "merge", "application/merge-patch+json",
            "strategic", "application/strategic-merge-patch+json",
            "apply", "application/apply-patch+yaml",
            "yaml", "application/yaml");
    private static final Map<String, String> ACCEPTS = Map.of(
            "table", "application/json;as=Table;v=v1;g=meta.k8s.io",
            "metadata", "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
            "metadata-list", "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
            "discovery", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList");

    private final Step step;
    private final Variables variables;

    Requests(Step step, Variables variables) {
        this.step = step;
        this.variables = variables;
    }

    String path() {
        return variables.fill(step.target());
    }

    Map<String, String> headers() {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        String accept = step.text("accept", JSON);
        headers.put("Accept", ACCEPTS.getOrDefault(accept, accept));
        String type = step.text("type", step.verb().equals("PATCH") ? "merge" : JSON);
        if (body() != null && !type.equals("none")) {
            headers.put("Content-Type", TYPES.getOrDefault(type, type));
        }
        headers.putAll(step.map("headers"));
        return headers;
    }

    byte @Nullable [] body() {
        String text = null;
        if (step.options().has("raw")) {
            text = step.text("raw", "");
        } else if (step.options().has("base")) {
            return merged(variables.tree(step.text("base", "")).deepCopy()).getBytes(StandardCharsets.UTF_8);
        } else if (step.options().has("body")) {
            text = step.option("body").toString();
        }
        return text == null ? null : variables.fill(text).getBytes(StandardCharsets.UTF_8);
    }

    /** A saved object, changed by the merge patch {@code with}. */
    private String merged(JsonNode base) {
        ObjectNode with = step.option("with") instanceof ObjectNode given ? given : null;
        if (with != null && base instanceof ObjectNode object) {
            merge(object, with);
        }
        return base.toString();
    }

    private void merge(ObjectNode object, ObjectNode with) {
        with.properties().forEach(field -> {
            if (field.getValue().isNull()) {
                object.remove(field.getKey());
            } else if (field.getValue() instanceof ObjectNode inner
                    && object.path(field.getKey()) instanceof ObjectNode target) {
                merge(target, inner);
            } else if (field.getValue().isTextual()) {
                object.put(field.getKey(), variables.fill(field.getValue().asText()));
            } else {
                object.set(field.getKey(), field.getValue());
            }
        });
    }
}
