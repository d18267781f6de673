package io.github.reconciler4j.test.internal.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.github.reconciler4j.test.internal.error.StatusException;
import io.github.reconciler4j.test.internal.exchange.ApiRequest;
import io.github.reconciler4j.test.internal.json.Json;
import io.github.reconciler4j.test.internal.registry.ResourceType;
import java.io.IOException;

/** Reads the bodies of requests. Stateless; safe for use by many threads. */
final class Bodies {
    private static final ObjectMapper YAML = new YAMLMapper();

    private Bodies() {}

    /** The object in the body of a create or update, with the kind's own apiVersion and kind. */
    static ObjectNode object(Call call) {
        return object(call.request(), call.type().apiVersion(), call.type().kind());
    }

    /** The object in the body, which must be of this kind or say nothing. */
    static ObjectNode object(ApiRequest request, String apiVersion, String kind) {
        if (!(tree(request) instanceof ObjectNode object)) {
            throw StatusException.badRequest("couldn't get version/kind; json parse error: json: cannot unmarshal"
                    + " into Go value of type struct");
        }
        requireKind(object, apiVersion, kind);
        object.put("apiVersion", apiVersion).put("kind", kind);
        return object;
    }

    /** The object must say that it is of this kind, or say nothing. */
    static void requireKind(ObjectNode object, String apiVersion, String kind) {
        String otherVersion = Json.text(object, "apiVersion");
        String otherKind = Json.text(object, "kind");
        if (!otherVersion.isEmpty() && !otherVersion.equals(apiVersion)) {
            throw StatusException.badRequest("the API version in the data (" + otherVersion
                    + ") does not match the expected API version (" + apiVersion + ")");
        }
        if (!otherKind.isEmpty() && !otherKind.equals(kind)) {
            throw StatusException.badRequest(
                    "the kind in the data (" + otherKind + ") does not match the expected kind (" + kind + ")");
        }
    }

    /** The body as a tree, read as its content type says. */
    static JsonNode tree(ApiRequest request) {
        return switch (request.contentType()) {
            case "", "application/json" -> json(request.body());
            case "application/yaml" -> yaml(request.body());
            default -> throw StatusException.unsupportedMediaType("application/json, application/yaml");
        };
    }

    static JsonNode json(byte[] body) {
        try {
            JsonNode tree = Json.parse(body);
            if (tree.isMissingNode()) {
                throw StatusException.badRequest("EOF");
            }
            return tree;
        } catch (JsonProcessingException e) {
            throw StatusException.badRequest("couldn't get version/kind; json parse error: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw StatusException.badRequest("couldn't get version/kind; json parse error");
        }
    }

    static JsonNode yaml(byte[] body) {
        try {
            JsonNode tree = YAML.readTree(body);
            if (tree == null || tree.isMissingNode()) {
                throw StatusException.badRequest("EOF");
            }
            return tree;
        } catch (IOException e) {
            throw StatusException.badRequest("error converting YAML to JSON: yaml: not a document of this kind");
        }
    }

    /** The name in the body must be that of the path. */
    static void requireName(ResourceType type, ObjectNode object, String name) {
        String own = Json.text(object, "metadata", "name");
        if (own.isEmpty()) {
            Json.metadata(object).put("name", name);
        } else if (!own.equals(name)) {
            throw StatusException.badRequest(
                    "the name of the object (" + own + ") does not match the name on the URL (" + name + ")");
        }
    }
}
