package io.github.reconciler4j.test.server.internal.apimachinery.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.RealApi;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** Records the OpenAPI v3 schemas and the discovery of a real API server. */
final class BuiltInTypesRecorder {

    /** Schemas that differ from group to group in nothing but the list of kinds they are used with. */
    private static final List<String> SHARED = List.of(
            "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions", "io.k8s.apimachinery.pkg.apis.meta.v1.WatchEvent");

    private static final String DISCOVERY = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    /** Texts by schema and field, taken out of the schemas. */
    private final TreeMap<String, TreeMap<String, String>> descriptions = new TreeMap<>();

    private final TreeMap<String, JsonNode> schemas = new TreeMap<>();
    private final RealApi api;

    private BuiltInTypesRecorder(RealApi api) {
        this.api = api;
    }

    /** Return the compressed files by name. */
    static Map<String, byte[]> record(RealApi api) throws IOException {
        BuiltInTypesRecorder recorder = new BuiltInTypesRecorder(api);
        for (var group : api.get("/openapi/v3").body().path("paths").properties()) {
            recorder.readGroup(group.getValue().path("serverRelativeURL").asText());
        }
        ObjectNode types = MAPPER.createObjectNode();
        types.put("origin", "Kubernetes, https://github.com/kubernetes/kubernetes, Apache License 2.0");
        types.put("serverVersion", api.get("/version").body().path("gitVersion").asText());
        types.set("schemas", MAPPER.valueToTree(recorder.schemas));
        types.set("discovery", recorder.discovery());
        return Map.of(
                "built-in-types.json.gz",
                pack(types),
                "built-in-descriptions.json.gz",
                pack(MAPPER.valueToTree(recorder.descriptions)));
    }

    private void readGroup(String path) {
        JsonNode found = api.get(path).body().path("components").path("schemas");
        for (Map.Entry<String, JsonNode> schema : found.properties()) {
            ObjectNode content = schema.getValue().deepCopy();
            if (SHARED.contains(schema.getKey())) {
                content.remove("x-kubernetes-group-version-kind");
            }
            TreeMap<String, String> texts = new TreeMap<>();
            takeDescription(content, "", texts);
            content.path("properties")
                    .properties()
                    .forEach(field -> takeDescription((ObjectNode) field.getValue(), field.getKey(), texts));
            JsonNode earlier = schemas.put(schema.getKey(), content);
            if (earlier != null && !earlier.equals(content)) {
                throw new IllegalStateException(schema.getKey() + " is not the same in all groups");
            }
            descriptions.put(schema.getKey(), texts);
        }
    }

    private static void takeDescription(ObjectNode schema, String field, Map<String, String> texts) {
        JsonNode text = schema.remove("description");
        if (text != null) {
            texts.put(field, text.asText());
        }
    }

    private ArrayNode discovery() {
        ArrayNode groups = MAPPER.createArrayNode();
        for (String root : List.of("/api", "/apis")) {
            api.get(root, DISCOVERY).body().path("items").forEach(item -> groups.add(trimmed(item)));
        }
        return groups;
    }

    private static ObjectNode trimmed(JsonNode group) {
        ObjectNode copy = group.deepCopy();
        ((ObjectNode) copy.path("metadata")).retain(new TreeSet<>(List.of("name")));
        for (Iterator<JsonNode> versions = copy.path("versions").iterator(); versions.hasNext(); ) {
            ((ObjectNode) versions.next()).remove("freshness");
        }
        return copy;
    }

    private static byte[] pack(JsonNode tree) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream stream = new GZIPOutputStream(bytes) {
            {
                def.setLevel(Deflater.BEST_COMPRESSION);
            }
        }) {
            stream.write(MAPPER.writeValueAsBytes(tree));
        }
        return bytes.toByteArray();
    }
}
