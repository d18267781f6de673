package io.github.reconciler4j.test.server.internal.apimachinery.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.CodedOutputStream;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes objects of built-in kinds, their lists and watch events in Kubernetes' protobuf encoding. Stateless; safe for use
 * by multiple threads.
 */
public final class ProtobufEncoder {
    private static final byte[] MAGIC = {'k', '8', 's', 0};
    private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";
    private static final int LENGTH_BYTES = 4;

    private ProtobufEncoder() {}

    /** Return an object with its {@code apiVersion} and {@code kind} as an encoded document. */
    public static byte[] encode(JsonNode object) {
        String apiVersion = object.path("apiVersion").asText();
        String kind = object.path("kind").asText();
        String schema = kind.equals("Status")
                ? META + "Status"
                : BuiltInTypes.get().schemaName(apiVersion, kind).orElse("");
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            bytes.write(MAGIC);
            CodedOutputStream output = CodedOutputStream.newInstance(bytes);
            ObjectNode type = Json.object().put("apiVersion", apiVersion).put("kind", kind);
            output.writeByteArray(1, message(type, ProtobufMessages.TYPE_META));
            output.writeByteArray(2, message(object, schema));
            output.flush();
            return bytes.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Return an event of a watch, with its length before it. */
    public static byte[] encodeEvent(String type, JsonNode object) {
        try {
            ByteArrayOutputStream raw = new ByteArrayOutputStream();
            CodedOutputStream extension = CodedOutputStream.newInstance(raw);
            extension.writeByteArray(1, encode(object));
            extension.flush();
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            CodedOutputStream output = CodedOutputStream.newInstance(bytes);
            output.writeString(1, type);
            output.writeByteArray(2, raw.toByteArray());
            output.flush();
            byte[] event = bytes.toByteArray();
            return java.nio.ByteBuffer.allocate(LENGTH_BYTES + event.length)
                    .putInt(event.length)
                    .put(event)
                    .array();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] message(JsonNode value, String type) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CodedOutputStream output = CodedOutputStream.newInstance(bytes);
        JsonNode fields = fieldsOf(value, type);
        for (Map.Entry<Integer, ProtobufMessages.Field> entry :
                new TreeMap<>(ProtobufMessages.fields(type)).entrySet()) {
            write(output, entry.getKey(), entry.getValue(), type, fields);
        }
        output.flush();
        return bytes.toByteArray();
    }

    /** Some messages are written as a text or a number in JSON. */
    private static JsonNode fieldsOf(JsonNode value, String type) throws IOException {
        return switch (type) {
            case META + "Time", META + "MicroTime" -> {
                Instant time = Instant.parse(value.asText());
                yield Json.object().put("seconds", time.getEpochSecond()).put("nanos", time.getNano());
            }
            case "io.k8s.apimachinery.pkg.api.resource.Quantity" ->
                Json.object().put("string", value.asText());
            case "io.k8s.apimachinery.pkg.util.intstr.IntOrString" ->
                value.isTextual()
                        ? Json.object().put("type", 1).put("strVal", value.asText())
                        : Json.object().put("type", 0).put("intVal", value.asLong());
            case META + "FieldsV1", "io.k8s.apimachinery.pkg.runtime.RawExtension" ->
                Json.object().put("raw", Base64.getEncoder().encodeToString(Json.bytes(value)));
            case META + "Verbs",
                    "io.k8s.api.authentication.v1.ExtraValue",
                    "io.k8s.api.authorization.v1.ExtraValue",
                    "io.k8s.api.certificates.v1.ExtraValue" -> Json.object().set("items", value);
            default -> value;
        };
    }

    private static void write(
            CodedOutputStream output, int number, ProtobufMessages.Field field, String type, JsonNode fields)
            throws IOException {
        JsonNode value = fields.path(field.name());
        JsonNode properties = BuiltInTypes.get().schemas().path(type).path("properties");
        boolean isInline = !properties.isEmpty() && !properties.has(field.name());
        if (isInline && !ProtobufMessages.fields(field.type()).isEmpty()) {
            // JSON has the fields of this message in the outer object
            byte[] inline = message(fields, field.type());
            if (inline.length > 0) {
                output.writeByteArray(number, inline);
            }
        } else if (field.kind() == 'm') {
            for (Map.Entry<String, JsonNode> entry : value.properties()) {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                CodedOutputStream pair = CodedOutputStream.newInstance(bytes);
                pair.writeString(1, entry.getKey());
                write(pair, 2, field.type(), entry.getValue());
                pair.flush();
                output.writeByteArray(number, bytes.toByteArray());
            }
        } else if (field.kind() == 'r') {
            for (JsonNode item : value) {
                write(output, number, field.type(), item);
            }
        } else if (!value.isMissingNode() && !value.isNull()) {
            write(output, number, field.type(), value);
        }
    }

    private static void write(CodedOutputStream output, int number, String type, JsonNode value) throws IOException {
        switch (type) {
            case "string" -> output.writeString(number, value.asText());
            case "bool" -> output.writeBool(number, value.asBoolean());
            case "int32", "int64", "uint32", "uint64" -> output.writeInt64(number, value.asLong());
            case "double" -> output.writeDouble(number, value.asDouble());
            case "bytes" -> output.writeByteArray(number, Base64.getDecoder().decode(value.asText()));
            default -> output.writeByteArray(number, message(value, type));
        }
    }
}
