package io.github.reconciler4j.test.server.internal.discovery;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.apimachinery.schema.BuiltInTypes;
import io.github.reconciler4j.test.server.internal.exchange.Response;
import io.github.reconciler4j.test.server.internal.registry.CustomVersion;
import io.github.reconciler4j.test.server.internal.registry.Registry;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The OpenAPI v3 documents, one for each group and version, as far as kubectl needs them: that the server validates
 * fields itself, and the schemas that {@code kubectl explain} shows. Safe for use by multiple threads.
 */
public final class OpenApi {
    private static final String REFERENCE = "#/components/schemas/";
    private static final String PROTOBUF = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

    /** A document of version 2 without kinds: kubectl reads one to say that it does not know a kind. */
    private static final byte[] VERSION_2 = {10, 3, '2', '.', '0'};

    private static final String KINDS = "x-kubernetes-group-version-kind";

    private final Registry registry;

    public OpenApi(Registry registry) {
        this.registry = registry;
    }

    /** Return the response for {@code /openapi/v3} and what is below it, and for {@code /openapi/v2}. */
    public Response answer(List<String> path) {
        if (path.size() == 2 && path.get(1).equals("v2")) {
            return new Response.Whole(200, PROTOBUF, List.of(), List.of(VERSION_2));
        }
        if (path.size() < 2 || !path.get(1).equals("v3")) {
            throw StatusException.noSuchPath();
        }
        return Response.json(
                200, path.size() == 2 ? index() : document(String.join("/", path.subList(2, path.size()))));
    }

    private ObjectNode index() {
        ObjectNode index = Json.object();
        ObjectNode paths = index.putObject("paths");
        for (String each : byPath().keySet()) {
            String hash = Integer.toHexString(document(each).hashCode());
            paths.putObject(each).put("serverRelativeURL", "/openapi/v3/" + each + "?hash=" + hash);
        }
        return index;
    }

    private Map<String, String> byPath() {
        Map<String, String> paths = new TreeMap<>();
        for (ResourceType type : registry.all()) {
            paths.put((type.group().isEmpty() ? "api/" : "apis/") + type.apiVersion(), type.apiVersion());
        }
        return paths;
    }

    private ObjectNode document(String path) {
        String apiVersion = byPath().get(path);
        if (apiVersion == null) {
            throw StatusException.noSuchPath();
        }
        ObjectNode document = Json.object().put("openapi", "3.0.0");
        document.putObject("info")
                .put("title", "Kubernetes")
                .put("version", BuiltInTypes.get().serverVersion());
        ObjectNode paths = document.putObject("paths");
        ObjectNode schemas = document.putObject("components").putObject("schemas");
        for (ResourceType type : registry.all()) {
            if (type.apiVersion().equals(apiVersion)) {
                addPaths(paths, "/" + path, type);
                addSchema(schemas, type);
            }
        }
        return document;
    }

    private static void addPaths(ObjectNode paths, String root, ResourceType type) {
        String collection = root + (type.namespaced() ? "/namespaces/{namespace}/" : "/") + type.plural();
        paths.putObject(collection).set("get", operation("list", type));
        ObjectNode item = paths.putObject(collection + "/{name}");
        item.set("get", operation("get", type));
        ObjectNode patch = operation("patch", type);
        ArrayNode parameters = patch.putArray("parameters");
        for (String parameter : List.of("dryRun", "fieldManager", "fieldValidation", "force")) {
            parameters.addObject().put("name", parameter).put("in", "query");
        }
        item.set("patch", patch);
    }

    private static ObjectNode operation(String action, ResourceType type) {
        ObjectNode operation = Json.object().put("x-kubernetes-action", action);
        operation.set(KINDS, kind(type));
        return operation;
    }

    private static ObjectNode kind(ResourceType type) {
        return Json.object().put("group", type.group()).put("kind", type.kind()).put("version", type.version());
    }

    private static void addSchema(ObjectNode schemas, ResourceType type) {
        ObjectNode schema;
        String name;
        if (type.custom() != null) {
            name = "custom." + type.group() + "." + type.version() + "." + type.kind();
            schema = custom(type.custom());
        } else {
            name = BuiltInTypes.get().schemaName(type.apiVersion(), type.kind()).orElse(null);
            schema = name == null ? null : builtIn(name);
        }
        if (name == null || schema == null) {
            return;
        }
        schema.putArray(KINDS).add(kind(type));
        schemas.set(name, schema);
        addReferences(schemas, schema);
    }

    private static ObjectNode custom(CustomVersion version) {
        ObjectNode schema = version.schema() == null
                ? Json.object().put("type", "object")
                : (ObjectNode) version.schema().structural().json().deepCopy();
        ObjectNode properties = schema.withObject("properties");
        properties.putObject("apiVersion").put("type", "string");
        properties.putObject("kind").put("type", "string");
        properties
                .putObject("metadata")
                .putArray("allOf")
                .addObject()
                .put("$ref", REFERENCE + BuiltInTypes.OBJECT_META);
        return schema;
    }

    private static @Nullable ObjectNode builtIn(String name) {
        JsonNode schema = BuiltInTypes.get().schemas().get(name);
        if (schema == null) {
            return null;
        }
        ObjectNode described = schema.deepCopy();
        describe(name, described);
        return described;
    }

    private static void describe(String name, ObjectNode schema) {
        JsonNode descriptions = BuiltInTypes.get().descriptions(name);
        if (descriptions.has("")) {
            schema.set("description", descriptions.get(""));
        }
        schema.path("properties").properties().forEach(property -> {
            JsonNode text = descriptions.get(property.getKey());
            if (text != null && property.getValue() instanceof ObjectNode field) {
                field.set("description", text);
            }
        });
    }

    /** Add the built-in schemas that a schema refers to, and those that they refer to. */
    private static void addReferences(ObjectNode schemas, JsonNode schema) {
        for (JsonNode reference : schema.findValues("$ref")) {
            // a property can be called $ref, too
            String name = reference.isTextual() ? reference.asText().substring(REFERENCE.length()) : "";
            if (!name.isEmpty() && !schemas.has(name)) {
                ObjectNode found = builtIn(name);
                if (found != null) {
                    schemas.set(name, found);
                    addReferences(schemas, found);
                }
            }
        }
    }
}
