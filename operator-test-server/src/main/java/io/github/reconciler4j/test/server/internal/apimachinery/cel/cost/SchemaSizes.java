package io.github.reconciler4j.test.server.internal.apimachinery.cel.cost;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.server.internal.apimachinery.schema.CelNames;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How large values of a schema can be in one request of 3 MiB, after {@code SchemaDeclType} of k8s.io/apiserver. Immutable.
 */
public final class SchemaSizes {
    static final long MAX_REQUEST = 3 * 1024 * 1024;
    private static final String REQUIRED = "required";

    private final long most;
    private final long leastBytes;
    private final Map<String, SchemaSizes> fields;
    private final @Nullable SchemaSizes key;
    private final @Nullable SchemaSizes element;

    private SchemaSizes(
            long most,
            long leastBytes,
            Map<String, SchemaSizes> fields,
            @Nullable SchemaSizes key,
            @Nullable SchemaSizes element) {
        this.most = most;
        this.leastBytes = leastBytes;
        this.fields = fields;
        this.key = key;
        this.element = element;
    }

    private static SchemaSizes plain(long most, long leastBytes) {
        return new SchemaSizes(most, leastBytes, Map.of(), null, null);
    }

    /**
     * Return the sizes of a schema, or null if rules do not see its values.
     *
     * @param resource whether it is the schema of a whole object
     */
    public static @Nullable SchemaSizes of(JsonNode schema, boolean resource) {
        if (schema.path("x-kubernetes-int-or-string").asBoolean()) {
            return plain(schema.has("maxLength") ? limit(schema, "maxLength") * 4 : MAX_REQUEST - 2, 1);
        }
        return switch (schema.path("type").asText()) {
            case "array" -> list(schema);
            case "object" -> schema.path("additionalProperties").isObject() ? map(schema) : object(schema, resource);
            case "string" -> text(schema);
            case "boolean" -> plain(0, 4);
            case "number", "integer" -> plain(0, 1);
            default -> null;
        };
    }

    private static @Nullable SchemaSizes child(JsonNode schema) {
        return of(schema, schema.path("x-kubernetes-embedded-resource").asBoolean());
    }

    private static @Nullable SchemaSizes list(JsonNode schema) {
        SchemaSizes items = child(schema.path("items"));
        if (items == null) {
            return null;
        }
        long most = schema.has("maxItems") ? limit(schema, "maxItems") : (MAX_REQUEST - 2) / (items.leastBytes + 1);
        return new SchemaSizes(most, 2, Map.of(), null, items);
    }

    private static @Nullable SchemaSizes map(JsonNode schema) {
        SchemaSizes values = child(schema.path("additionalProperties"));
        if (values == null) {
            return null;
        }
        long most = schema.has("maxProperties")
                ? limit(schema, "maxProperties")
                : (MAX_REQUEST - 2) / (values.leastBytes + 6);
        return new SchemaSizes(most, 2, Map.of(), plain(0, 2), values);
    }

    private static SchemaSizes object(JsonNode schema, boolean resource) {
        Set<String> required = new HashSet<>();
        schema.path(REQUIRED).forEach(name -> required.add(name.asText()));
        Map<String, SchemaSizes> fields = new HashMap<>();
        long least = 2;
        for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
            String name = property.getKey();
            SchemaSizes sizes = child(property.getValue());
            if (sizes == null) {
                continue;
            }
            CelNames.escaped(name).ifPresent(escaped -> fields.put(escaped, sizes));
            if (required.contains(name) && !property.getValue().has("default")) {
                least += bytes(name) + sizes.leastBytes + 4;
            }
        }
        if (resource) {
            SchemaSizes text = plain(MAX_REQUEST - 2, 2);
            fields.put("kind", text);
            fields.put("apiVersion", text);
            fields.put("metadata", new SchemaSizes(0, 2, Map.of("name", text, "generateName", text), null, null));
        }
        return new SchemaSizes(0, least, fields, null, null);
    }

    private static SchemaSizes text(JsonNode schema) {
        return switch (schema.path("format").asText()) {
            case "byte" -> plain(schema.has("maxLength") ? limit(schema, "maxLength") : MAX_REQUEST - 2, 2);
            case "duration" -> plain(32, 3);
            case "date" -> plain(12, 12);
            case "date-time" -> plain(32, 21);
            default -> plain(characters(schema), 2);
        };
    }

    /** A character has up to four bytes. */
    private static long characters(JsonNode schema) {
        if (schema.has("maxLength")) {
            return limit(schema, "maxLength") * 4;
        }
        long longest = 0;
        for (JsonNode value : schema.path("enum")) {
            longest = value.isTextual() ? Math.max(longest, bytes(value.asText())) : longest;
        }
        return schema.path("enum").isEmpty() ? MAX_REQUEST - 2 : longest;
    }

    private static long limit(JsonNode schema, String field) {
        return Math.max(0, Math.min(schema.path(field).asLong(), Estimate.MAX / 8));
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** Return how often a value can occur in a request that holds nothing else. */
    long mostOften() {
        return MAX_REQUEST / (leastBytes + 1);
    }

    /** Return the size of the value at a path, whose first element is the variable; null if it is unknown. */
    @Nullable
    Estimate at(FieldPath path) {
        SchemaSizes at = this;
        for (int i = 1; i < path.length() && at != null; i++) {
            at = switch (path.get(i)) {
                case CostEstimator.ITEMS, CostEstimator.VALUES -> at.element;
                case CostEstimator.KEYS -> at.key;
                default -> at.fields.get(path.get(i));
            };
        }
        return path.isEmpty() || at == null ? null : new Estimate(0, at.most);
    }
}
