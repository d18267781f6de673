package io.github.reconciler4j.generator.crd;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.jsonFormatVisitors.JsonFormatTypes;
import com.fasterxml.jackson.databind.jsonFormatVisitors.JsonFormatVisitorWrapper;
import com.fasterxml.jackson.databind.jsonFormatVisitors.JsonStringFormatVisitor;
import com.fasterxml.jackson.databind.jsonFormatVisitors.JsonValueFormat;
import com.fasterxml.jackson.databind.type.TypeFactory;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.github.reconciler4j.test.server.internal.apimachinery.schema.Formats;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What a serializer has made of sample values. Immutable. */
final class WrittenForm {

    private static final ObjectMapper TREES = new ObjectMapper();

    private final List<JsonNode> values;
    private final Set<String> kinds = new TreeSet<>();

    private WrittenForm(List<JsonNode> values) {
        this.values = List.copyOf(values);
        values.forEach(value -> kinds.add(kind(value)));
    }

    /** Write samples; those that the serializer refuses are left out. */
    @SuppressWarnings("unchecked")
    static WrittenForm of(JsonSerializer<?> serializer, List<?> samples, SerializerProvider provider) {
        List<JsonNode> values = new ArrayList<>();
        for (Object sample : samples) {
            StringWriter text = new StringWriter();
            try (JsonGenerator generator = TREES.createGenerator(text)) {
                ((JsonSerializer<Object>) serializer).serialize(sample, generator, provider);
                generator.flush();
                values.add(TREES.readTree(text.toString()));
            } catch (IOException | RuntimeException e) {
                continue; // such as one that parses its text
            }
        }
        return new WrittenForm(values);
    }

    private static String kind(JsonNode value) {
        return switch (value.getNodeType()) {
            case STRING -> "string";
            case NUMBER -> value.isIntegralNumber() ? "integer" : "number";
            case BOOLEAN -> "boolean";
            case ARRAY -> "array";
            default -> "object";
        };
    }

    boolean isEmpty() {
        return values.isEmpty();
    }

    /** Return the types that were written, as schemas name them. */
    Set<String> kinds() {
        return kinds;
    }

    private boolean isNumber() {
        return Set.of("integer", "number").containsAll(kinds);
    }

    /** Return the type that Jackson writes in this form; null if it is an object or mixed. */
    @Nullable
    JavaType type(TypeFactory types) {
        if (kinds.equals(Set.of("integer", "string"))) {
            return types.constructType(IntOrString.class);
        }
        if (isNumber()) {
            return types.constructType(kinds.contains("number") ? Double.class : Long.class);
        }
        if (kinds.size() > 1) {
            return null;
        }
        return switch (kinds.iterator().next()) {
            case "string" -> types.constructType(String.class);
            case "boolean" -> types.constructType(Boolean.class);
            case "array" -> array(types);
            default -> null;
        };
    }

    private @Nullable JavaType array(TypeFactory types) {
        List<JsonNode> items = new ArrayList<>();
        values.forEach(value -> value.forEach(items::add));
        JavaType item = items.isEmpty() ? null : new WrittenForm(items).type(types);
        return item == null ? null : types.constructCollectionType(List.class, item);
    }

    /** Describe this form to a visitor, with the format that the serializer declares if the samples are of that format. */
    void describe(JsonFormatVisitorWrapper visitor, JavaType type, JsonSerializer<?> serializer)
            throws JsonMappingException {
        if (kinds.equals(Set.of("string"))) {
            JsonStringFormatVisitor text = visitor.expectStringFormat(type);
            if (text == null) {
                return;
            }
            if (type.isEnumType()) {
                Set<String> constants = new LinkedHashSet<>();
                values.forEach(value -> constants.add(value.textValue()));
                text.enumTypes(constants);
            }
            JsonValueFormat format = declaredFormat(serializer, type, visitor.getProvider());
            if (format != null
                    && values.stream().allMatch(value -> Formats.matches(format.toString(), value.textValue()))) {
                text.format(format);
            }
        } else if (kinds.equals(Set.of("integer"))) {
            visitor.expectIntegerFormat(type);
        } else if (isNumber()) {
            visitor.expectNumberFormat(type);
        } else if (kinds.equals(Set.of("boolean"))) {
            visitor.expectBooleanFormat(type);
        } else if (kinds.equals(Set.of("array")) && array(TypeFactory.defaultInstance()) != null) {
            describeItems(visitor, type);
        } else {
            serializer.acceptJsonFormatVisitor(visitor, type);
        }
    }

    private void describeItems(JsonFormatVisitorWrapper visitor, JavaType type) throws JsonMappingException {
        var items = visitor.expectArrayFormat(type);
        Set<String> inner = new TreeSet<>();
        values.forEach(value -> value.forEach(item -> inner.add(kind(item))));
        if (items != null && inner.size() == 1) {
            items.itemsFormat(JsonFormatTypes.forValue(inner.iterator().next()));
        }
    }

    private static @Nullable JsonValueFormat declaredFormat(
            JsonSerializer<?> serializer, JavaType type, SerializerProvider provider) throws JsonMappingException {
        JsonValueFormat[] found = new JsonValueFormat[1];
        serializer.acceptJsonFormatVisitor(
                new JsonFormatVisitorWrapper.Base(provider) {
                    @Override
                    public JsonStringFormatVisitor expectStringFormat(JavaType ignored) {
                        return new JsonStringFormatVisitor.Base() {
                            @Override
                            public void format(JsonValueFormat format) {
                                found[0] = format;
                            }
                        };
                    }
                },
                type);
        return found[0];
    }
}
