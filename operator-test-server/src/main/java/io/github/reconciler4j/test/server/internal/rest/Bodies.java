package io.github.reconciler4j.test.server.internal.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import io.github.reconciler4j.test.server.internal.apimachinery.JsonValues;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;
import io.github.reconciler4j.test.server.internal.apimachinery.schema.ProtobufDecoder;
import io.github.reconciler4j.test.server.internal.exchange.ApiRequest;
import io.github.reconciler4j.test.server.internal.registry.ResourceType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/** Reads the bodies of requests. Stateless; safe for use by multiple threads. */
final class Bodies {
    private static final ObjectMapper YAML = new YAMLMapper();

    /** A half of a pair of surrogates with an odd number of backslashes before it. */
    private static final Pattern SURROGATE = Pattern.compile("(?<!\\\\)(\\\\\\\\)*\\\\u[dD][89a-fA-F]");

    private Bodies() {}

    /** Return the object in the body of a create or update, with the apiVersion and kind of the request. */
    static ObjectNode object(Call call) {
        ResourceType type = call.type();
        ObjectNode object = typed(tree(call.request()));
        String kind = Json.text(object, "kind");
        if (type.custom() != null) {
            for (String field : List.of("kind", "apiVersion")) {
                if (Json.text(object, field).isEmpty()) {
                    throw StatusException.badRequest("Object '" + field + "' is missing");
                }
            }
            if (!kind.equals(type.kind()) && Json.text(object, "apiVersion").equals(type.apiVersion())) {
                FieldError error = FieldError.invalid("kind", kind, "must be " + type.kind());
                throw StatusException.invalid(
                        type.group(), kind, Json.text(object, "metadata", "name"), List.of(error));
            }
        }
        requireKind(object, type.apiVersion(), type.kind());
        return object.put("apiVersion", type.apiVersion()).put("kind", type.kind());
    }

    private static ObjectNode typed(JsonNode tree) {
        if (tree.isNull()) {
            return Json.object();
        }
        if (!(tree instanceof ObjectNode object)) {
            throw noObject(tree);
        }
        for (String field : List.of("apiVersion", "kind")) {
            JsonNode value = object.get(field);
            if (value != null && !value.isTextual() && !value.isNull()) {
                throw StatusException.badRequest("couldn't get version/kind; json parse error: json: cannot unmarshal "
                        + JsonValues.jsonType(value) + " into Go struct field ." + field + " of type string");
            }
        }
        return object;
    }

    /** Return the object in the body, which must be of this kind or say nothing. */
    static ObjectNode object(ApiRequest request, String apiVersion, String kind) {
        return object(tree(request), apiVersion, kind);
    }

    static ObjectNode object(JsonNode tree, String apiVersion, String kind) {
        if (!(tree instanceof ObjectNode object)) {
            throw noObject(tree);
        }
        requireKind(object, apiVersion, kind);
        object.put("apiVersion", apiVersion).put("kind", kind);
        return object;
    }

    /** Reject a body that is JSON but no object. */
    static StatusException noObject(JsonNode tree) {
        return StatusException.badRequest("couldn't get version/kind; json parse error: cannot unmarshal "
                + JsonValues.jsonType(tree) + " into an object");
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

    /** Return the body as a tree, read as its content type says. */
    static JsonNode tree(ApiRequest request) {
        String form = request.header("content-type").isBlank() ? "application/json" : request.contentType();
        return switch (form) {
            case "application/json" -> json(request.body());
            case "application/yaml" -> yaml(request.body());
            case "application/vnd.kubernetes.protobuf" -> protobuf(request.body());
            default ->
                throw StatusException.unsupportedMediaType(
                        "application/json, application/yaml, application/vnd.kubernetes.protobuf");
        };
    }

    private static JsonNode protobuf(byte[] body) {
        try {
            return ProtobufDecoder.decode(body);
        } catch (IOException e) {
            throw StatusException.badRequest(String.valueOf(e.getMessage()));
        }
    }

    static JsonNode json(byte[] body) {
        try {
            JsonNode tree = Json.parse(body);
            if (tree.isMissingNode()) {
                throw StatusException.badRequest(
                        "couldn't get version/kind; json parse error: unexpected end of JSON input");
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
            if (SURROGATE.matcher(new String(body, StandardCharsets.UTF_8)).find()
                    && tree.toString().chars().anyMatch(c -> Character.isSurrogate((char) c))) {
                throw StatusException.badRequest("yaml: found invalid Unicode character escape code");
            }
            return tree == null || tree.isMissingNode() ? Json.object() : tree;
        } catch (IOException e) {
            throw StatusException.badRequest("yaml: not a document");
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
