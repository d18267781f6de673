package io.github.reconciler4j.test.server.internal.apimachinery.schema;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;

/**
 * Reads objects of built-in kinds in Kubernetes' protobuf encoding, which {@code kubectl create} sends. Stateless; safe for
 * use by multiple threads.
 */
public final class ProtobufDecoder {
    private static final byte[] MAGIC = {'k', '8', 's', 0};
    private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private ProtobufDecoder() {}

    /**
     * Decode an object with its {@code apiVersion} and {@code kind}.
     *
     * @throws IOException if the bytes are no such object
     */
    public static ObjectNode decode(byte[] body) throws IOException {
        if (body.length == 0) {
            throw new IOException("empty data");
        }
        for (int i = 0; i < MAGIC.length; i++) {
            if (i >= body.length || body[i] != MAGIC[i]) {
                throw new IOException(
                        "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]");
            }
        }
        CodedInputStream input = CodedInputStream.newInstance(body, MAGIC.length, body.length - MAGIC.length);
        String apiVersion = "";
        String kind = "";
        byte[] raw = {};
        for (int tag = input.readTag(); tag != 0; tag = input.readTag()) {
            switch (WireFormat.getTagFieldNumber(tag)) {
                case 1 -> {
                    JsonNode type = message(input.readByteArray(), ProtobufMessages.TYPE_META);
                    apiVersion = type.path("apiVersion").asText();
                    kind = type.path("kind").asText();
                }
                case 2 -> raw = input.readByteArray();
                default -> input.skipField(tag);
            }
        }
        // options of deletions come in the version of any group
        String schema = kind.equals("DeleteOptions")
                ? META + kind
                : BuiltInTypes.get().schemaName(apiVersion, kind).orElse("");
        if (schema.isEmpty()) {
            throw new IOException("no kind \"" + kind + "\" is registered for version \"" + apiVersion + "\"");
        }
        ObjectNode object = NODES.objectNode().put("apiVersion", apiVersion).put("kind", kind);
        return object.setAll((ObjectNode) message(raw, schema));
    }

    private static JsonNode message(byte[] bytes, String type) throws IOException {
        ObjectNode fields = fields(bytes, type);
        return switch (type) {
            case META + "Time", META + "MicroTime" -> time(fields, type.endsWith("MicroTime"));
            case "io.k8s.apimachinery.pkg.api.resource.Quantity" ->
                TextNode.valueOf(fields.path("string").asText());
            case "io.k8s.apimachinery.pkg.util.intstr.IntOrString" ->
                fields.path("type").asInt() == 0
                        ? LongNode.valueOf(fields.path("intVal").asLong())
                        : TextNode.valueOf(fields.path("strVal").asText());
            case META + "FieldsV1", "io.k8s.apimachinery.pkg.runtime.RawExtension" -> embedded(fields);
            case META + "Verbs",
                    "io.k8s.api.authentication.v1.ExtraValue",
                    "io.k8s.api.authorization.v1.ExtraValue",
                    "io.k8s.api.certificates.v1.ExtraValue" -> fields.path("items");
            default -> fields;
        };
    }

    private static JsonNode time(ObjectNode fields, boolean micro) {
        if (fields.isEmpty()) {
            return NullNode.getInstance();
        }
        Instant instant = Instant.ofEpochSecond(
                fields.path("seconds").asLong(), fields.path("nanos").asLong());
        String text = instant.toString();
        return TextNode.valueOf(micro ? text.substring(0, 19) + ".%06dZ".formatted(instant.getNano() / 1000) : text);
    }

    private static JsonNode embedded(ObjectNode fields) throws JsonProcessingException {
        byte[] raw = Base64.getDecoder().decode(fields.path("raw").asText());
        return raw.length == 0 ? NullNode.getInstance() : MAPPER.readTree(new String(raw, StandardCharsets.UTF_8));
    }

    private static ObjectNode fields(byte[] bytes, String type) throws IOException {
        ObjectNode object = NODES.objectNode();
        CodedInputStream input = CodedInputStream.newInstance(bytes);
        for (int tag = input.readTag(); tag != 0; tag = input.readTag()) {
            ProtobufMessages.Field field = ProtobufMessages.field(type, WireFormat.getTagFieldNumber(tag));
            if (field == null) {
                input.skipField(tag);
            } else {
                put(object, type, field, input);
            }
        }
        return object;
    }

    private static void put(ObjectNode object, String type, ProtobufMessages.Field field, CodedInputStream input)
            throws IOException {
        if (field.kind() == 'm') {
            entry(object.withObjectProperty(field.name()), field, CodedInputStream.newInstance(input.readByteArray()));
            return;
        }
        JsonNode value = value(field.type(), input);
        if (field.kind() == 'r') {
            ArrayNode list = object.withArrayProperty(field.name());
            list.add(value);
        } else if (value instanceof ObjectNode inline && isInline(type, field.name())) {
            object.setAll(inline);
        } else {
            object.set(field.name(), value);
        }
    }

    /** Some messages hold others whose fields JSON has in the outer object. */
    private static boolean isInline(String type, String field) {
        JsonNode properties = BuiltInTypes.get().schemas().path(type).path("properties");
        return !properties.isEmpty() && !properties.has(field);
    }

    private static void entry(ObjectNode map, ProtobufMessages.Field field, CodedInputStream input) throws IOException {
        String key = "";
        JsonNode value = TextNode.valueOf("");
        for (int tag = input.readTag(); tag != 0; tag = input.readTag()) {
            if (WireFormat.getTagFieldNumber(tag) == 1) {
                key = input.readString();
            } else {
                value = value(field.type(), input);
            }
        }
        map.set(key, value);
    }

    private static JsonNode value(String type, CodedInputStream input) throws IOException {
        return switch (type) {
            case "string" -> TextNode.valueOf(input.readString());
            case "bool" -> BooleanNode.valueOf(input.readBool());
            case "int32", "int64", "uint32", "uint64" -> LongNode.valueOf(input.readInt64());
            case "double" -> DoubleNode.valueOf(input.readDouble());
            case "bytes" -> TextNode.valueOf(Base64.getEncoder().encodeToString(input.readByteArray()));
            default -> message(input.readByteArray(), type);
        };
    }
}
