package io.github.reconciler4j.client.internal;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.client.error.UndecodableObjectException;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.KubernetesJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Turns objects into JSON and back. Its errors never quote content. Safe for use by many threads. */
final class ObjectCodec {

    private static final ObjectKey UNKNOWN = ObjectKey.ofName("?");
    private static final byte[] DELETION = "\"deletionTimestamp\"".getBytes(StandardCharsets.US_ASCII);

    private final ObjectMapper mapper = KubernetesJson.mapper();

    ObjectMapper mapper() {
        return mapper;
    }

    /** A tree of the object's JSON that shares nothing with it. */
    ObjectNode tree(Object object) {
        try {
            JsonNode tree = mapper.valueToTree(object);
            if (tree instanceof ObjectNode node) {
                return node;
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(object.getClass().getName() + " cannot be written as JSON", e);
        }
        throw new IllegalArgumentException(object.getClass().getName() + " is not written as a JSON object");
    }

    byte[] bytes(Object tree) {
        return Patches.bytes(tree);
    }

    /** A deep copy of an object. */
    <T> T copy(T object) {
        @SuppressWarnings("unchecked")
        Class<T> type = (Class<T>) object.getClass();
        try {
            return mapper.treeToValue(tree(object), type);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(type.getName() + " cannot be copied by way of JSON", e);
        }
    }

    /**
     * Reads an object.
     *
     * @throws UndecodableObjectException if it does not fit the class
     */
    <T> T decode(byte[] json, Class<T> type, KindInfo kind) {
        try {
            return mapper.readValue(json, type);
        } catch (JsonProcessingException e) {
            throw new UndecodableObjectException(kind.kind(), keyOf(json), type, pathOf(e));
        } catch (IOException e) {
            throw new UndecodableObjectException(kind.kind(), keyOf(json), type, "");
        }
    }

    /** Reads one item of a list; those of built-in kinds come without kind and apiVersion. */
    <T> T decodeItem(JsonNode item, Class<T> type, KindInfo kind) {
        try {
            T object = mapper.treeToValue(item, type);
            if (object instanceof GenericKubernetesResource generic && generic.getKind() == null) {
                generic.setKind(kind.kind().kind());
                generic.setApiVersion(kind.kind().apiVersion());
            }
            return object;
        } catch (JsonProcessingException e) {
            throw new UndecodableObjectException(
                    kind.kind(), MetadataHeader.of(item.path("metadata")).key(), type, pathOf(e));
        }
    }

    /**
     * Reads any JSON.
     *
     * @param what names the answer in the error
     */
    JsonNode readTree(byte[] json, String what) {
        try {
            return mapper.readTree(json);
        } catch (IOException e) {
            throw new ApiException(what + ": the response is not JSON", ErrorDetails.of(0, "Undecodable"));
        }
    }

    /** The value of {@code kind} at the top of a JSON object, {@code ""} if there is none. */
    String kindOf(byte[] json) {
        try (JsonParser parser = mapper.createParser(json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return "";
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                boolean found = parser.currentName().equals("kind");
                parser.nextToken();
                if (found) {
                    return parser.getText();
                }
                parser.skipChildren();
            }
        } catch (IOException e) {
            return "";
        }
        return "";
    }

    /** Whether the word {@code deletionTimestamp} is in it; cheaper than reading it. */
    static boolean mentionsDeletion(byte[] json) {
        int length = DELETION.length;
        for (int i = json.length - length; i >= 0; i--) {
            if (json[i] == '"' && Arrays.equals(json, i, i + length, DELETION, 0, length)) {
                return true;
            }
        }
        return false;
    }

    private ObjectKey keyOf(byte[] json) {
        try {
            return MetadataHeader.of(mapper.readTree(json).path("metadata")).key();
        } catch (IOException | IllegalArgumentException e) {
            return UNKNOWN;
        }
    }

    /** Where an object does not fit; Jackson's own text is left out because it quotes values. */
    private static String pathOf(JsonProcessingException failure) {
        StringBuilder path = new StringBuilder();
        if (failure instanceof JsonMappingException mapping) {
            for (JsonMappingException.Reference reference : mapping.getPath()) {
                append(path, reference.getFieldName(), reference.getIndex());
            }
        }
        return path.toString();
    }

    private static void append(StringBuilder path, @Nullable String field, int index) {
        if (field == null) {
            path.append('[').append(index).append(']');
        } else {
            path.append(path.isEmpty() ? "" : ".").append(field);
        }
    }
}
