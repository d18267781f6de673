package io.github.reconciler4j.webhook.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Draws objects from the schema of a custom resource. Rules in CEL do not count. Optional fields whose values it cannot draw,
 * those with unusual patterns, are left out. Not thread-safe.
 */
public final class SchemaObjects {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final int MAX_ITEMS = 3;
    private static final int MAX_NUMBER = 1000;
    private static final double PRESENT = 0.7;
    private static final String[] TEXTS = {
        "a", "b-1", "abc", "1", "10m", "1Gi", "example.com", "a/b:1", "1.2.3", "A", ""
    };

    private final Random random;

    public SchemaObjects(Random random) {
        this.random = random;
    }

    /** Return an object with the given schema. */
    public ObjectNode draw(String apiVersion, String kind, JsonNode schema) {
        ObjectNode object = NODES.objectNode();
        object.put("apiVersion", apiVersion).put("kind", kind);
        ObjectNode metadata = object.putObject("metadata");
        metadata.put("name", "drawn-" + random.nextInt(MAX_NUMBER)).put("namespace", "default");
        metadata.put("uid", "8b0c3a53-0e3c-4d2b-9c11-6f0c5e5f3a7e");
        if (random.nextBoolean()) {
            metadata.putObject("labels").put("drawn", TEXTS[random.nextInt(2)]);
        }
        if (random.nextBoolean()) {
            metadata.putObject("annotations").put("example.com/drawn", TEXTS[random.nextInt(TEXTS.length)]);
        }
        schema.path("properties").properties().forEach(property -> {
            if (!Set.of("apiVersion", "kind", "metadata").contains(property.getKey())) {
                JsonNode value = value(property.getValue());
                if (value != null && (property.getKey().equals("spec") || isPresent())) {
                    object.set(property.getKey(), value);
                }
            }
        });
        return object;
    }

    private boolean isPresent() {
        return random.nextDouble() < PRESENT;
    }

    /** Return a value; null if none can be drawn. */
    private @Nullable JsonNode value(JsonNode schema) {
        JsonNode values = schema.path("enum");
        if (!values.isEmpty()) {
            return values.get(random.nextInt(values.size()));
        }
        if (schema.path("x-kubernetes-int-or-string").asBoolean()) {
            return random.nextBoolean() ? NODES.numberNode(random.nextInt(MAX_NUMBER)) : NODES.textNode("50%");
        }
        return switch (schema.path("type").asText()) {
            case "object" -> object(schema);
            case "array" -> array(schema);
            case "integer" -> NODES.numberNode(number(schema));
            case "number" -> NODES.numberNode(number(schema) + (schema.has("maximum") ? 0 : 0.5));
            case "boolean" -> NODES.booleanNode(random.nextBoolean());
            case "string" -> text(schema);
            default -> null;
        };
    }

    private @Nullable JsonNode object(JsonNode schema) {
        ObjectNode object = NODES.objectNode();
        Set<String> required = new HashSet<>();
        schema.path("required").forEach(name -> required.add(name.asText()));
        for (var property : schema.path("properties").properties()) {
            boolean needed = required.contains(property.getKey());
            JsonNode value = needed || isPresent() ? value(property.getValue()) : null;
            if (value != null) {
                object.set(property.getKey(), value);
            } else if (needed) {
                return null;
            }
        }
        JsonNode others = schema.path("additionalProperties");
        for (int i = random.nextInt(MAX_ITEMS); others.isObject() && i > 0; i--) {
            JsonNode value = value(others);
            if (value != null) {
                object.set("key-" + i, value);
            }
        }
        return object;
    }

    private @Nullable JsonNode array(JsonNode schema) {
        int least = schema.path("minItems").asInt();
        int most = Math.max(least, schema.path("maxItems").asInt(least + MAX_ITEMS - 1));
        ArrayNode array = NODES.arrayNode();
        for (int i = least + random.nextInt(most - least + 1); i > 0; i--) {
            JsonNode value = value(schema.path("items"));
            if (value == null) {
                return least == 0 ? NODES.arrayNode() : null;
            }
            array.add(value);
        }
        return array;
    }

    private long number(JsonNode schema) {
        long least = schema.path("minimum").asLong(0)
                + (schema.path("exclusiveMinimum").asBoolean() ? 1 : 0);
        long most = schema.path("maximum").asLong(least + MAX_NUMBER)
                - (schema.path("exclusiveMaximum").asBoolean() ? 1 : 0);
        long step = Math.max(1, schema.path("multipleOf").asLong(1));
        long drawn = least + (long) (random.nextDouble() * (most - least + 1));
        return drawn - Math.floorMod(drawn, step) < least ? drawn : drawn - Math.floorMod(drawn, step);
    }

    private @Nullable JsonNode text(JsonNode schema) {
        switch (schema.path("format").asText()) {
            case "date-time":
                return NODES.textNode("2026-01-02T03:04:0" + random.nextInt(10) + "Z");
            case "date":
                return NODES.textNode("2026-01-0" + (1 + random.nextInt(9)));
            case "byte":
                return NODES.textNode("YWJj");
            case "duration":
                return NODES.textNode(1 + random.nextInt(9) + "m0s");
            case "uuid":
                return NODES.textNode("8b0c3a53-0e3c-4d2b-9c11-6f0c5e5f3a7" + random.nextInt(10));
            case "uri":
                return NODES.textNode("https://example.com/" + random.nextInt(10));
            default:
                return plainText(schema);
        }
    }

    private @Nullable JsonNode plainText(JsonNode schema) {
        Pattern pattern = Pattern.compile(schema.path("pattern").asText());
        int least = schema.path("minLength").asInt();
        int most = schema.path("maxLength").asInt(Integer.MAX_VALUE);
        List<String> fitting = List.of(TEXTS).stream()
                .map(text -> text + "x".repeat(Math.max(0, least - text.length())))
                .filter(text -> text.length() <= most && pattern.matcher(text).find())
                .toList();
        return fitting.isEmpty() ? null : NODES.textNode(fitting.get(random.nextInt(fitting.size())));
    }
}
