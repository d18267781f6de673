package io.github.reconciler4j.test.server.apimachinery.cel.cost;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.github.reconciler4j.test.server.apimachinery.schema.CelNames;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How large the values of a schema can be. Immutable. */
final class SizedSchema {
    private static final long MAX_REQUEST = 3 * 1024 * 1024;
    private static final int BYTES_PER_CHARACTER = 4;
    private static final int LONGEST_NAME = 253;
    private static final int PAIR = 6;
    private static final int FIELD = 4;
    private static final SizedSchema TEXT = new SizedSchema(MAX_REQUEST - 2, 2);
    private static final SizedSchema KEY = new SizedSchema(0, 2);

    private final long elements;
    private final long leastText;
    private final Map<String, SizedSchema> fields = new HashMap<>();
    private @Nullable SizedSchema keys;
    private @Nullable SizedSchema values;

    private SizedSchema(long elements, long leastText) {
        this.elements = elements;
        this.leastText = leastText;
    }

    /** The sizes of a schema; null for values that rules cannot see. {@code resource} is whether it is a whole object. */
    static @Nullable SizedSchema of(JsonNode schema, boolean resource) {
        if (schema.path("x-kubernetes-int-or-string").asBoolean()) {
            return new SizedSchema(textLength(schema, MAX_REQUEST - 2), 1);
        }
        return switch (schema.path("type").asText()) {
            case "array" -> list(schema);
            case "object" -> schema.path("additionalProperties").isObject() ? map(schema) : object(schema, resource);
            case "string" -> text(schema);
            case "boolean" -> new SizedSchema(0, "true".length());
            case "number", "integer" -> new SizedSchema(0, 1);
            default -> null;
        };
    }

    private static @Nullable SizedSchema child(JsonNode schema) {
        return of(schema, schema.path("x-kubernetes-embedded-resource").asBoolean());
    }

    private static @Nullable SizedSchema list(JsonNode schema) {
        SizedSchema items = child(schema.path("items"));
        if (items == null) {
            return null;
        }
        long most = limit(schema, "maxItems", (MAX_REQUEST - 2) / (items.leastText + 1));
        SizedSchema list = new SizedSchema(most, 2);
        list.values = items;
        return list;
    }

    private static @Nullable SizedSchema map(JsonNode schema) {
        SizedSchema values = child(schema.path("additionalProperties"));
        if (values == null) {
            return null;
        }
        long most = limit(schema, "maxProperties", (MAX_REQUEST - 2) / (values.leastText + PAIR));
        SizedSchema map = new SizedSchema(most, 2);
        map.keys = KEY;
        map.values = values;
        return map;
    }

    private static SizedSchema object(JsonNode schema, boolean resource) {
        Set<String> required = new HashSet<>();
        schema.path("required").forEach(name -> required.add(name.asText()));
        Map<String, SizedSchema> fields = new HashMap<>();
        long[] least = {2};
        schema.path("properties").properties().forEach(property -> {
            String name = property.getKey();
            SizedSchema type = child(property.getValue());
            if (type != null
                    && !(resource && List.of("apiVersion", "kind", "metadata").contains(name))) {
                CelNames.escaped(name).ifPresent(field -> fields.put(field, type));
                if (required.contains(name) && !property.getValue().has("default")) {
                    least[0] += name.length() + type.leastText + FIELD;
                }
            }
        });
        if (resource) {
            addMetadata(fields, schema.path("properties").path("metadata").path("properties"));
        }
        SizedSchema object = new SizedSchema(0, least[0]);
        object.fields.putAll(fields);
        return object;
    }

    private static void addMetadata(Map<String, SizedSchema> fields, JsonNode limits) {
        SizedSchema metadata = new SizedSchema(0, 2);
        metadata.fields.put("name", name(limits.path("name"), LONGEST_NAME));
        metadata.fields.put("generateName", name(limits.path("generateName"), LONGEST_NAME - 1));
        fields.put("apiVersion", TEXT);
        fields.put("kind", TEXT);
        fields.put("metadata", metadata);
    }

    private static SizedSchema name(JsonNode schema, long most) {
        return new SizedSchema(Math.min(most, limit(schema, "maxLength", most)) * BYTES_PER_CHARACTER, 2);
    }

    private static SizedSchema text(JsonNode schema) {
        return switch (schema.path("format").asText()) {
            case "byte" -> new SizedSchema(limit(schema, "maxLength", MAX_REQUEST - 2), 2);
            case "duration" -> new SizedSchema(32, 3);
            case "date" -> new SizedSchema(12, 12);
            case "date-time" -> new SizedSchema(32, 21);
            default -> {
                long longest = -1;
                for (JsonNode value : schema.path("enum")) {
                    longest = Math.max(
                            longest, value.isTextual() ? value.textValue().length() : 0);
                }
                yield new SizedSchema(textLength(schema, longest < 0 ? MAX_REQUEST - 2 : longest), 2);
            }
        };
    }

    private static long textLength(JsonNode schema, long otherwise) {
        return schema.has("maxLength") ? limit(schema, "maxLength", 0) * BYTES_PER_CHARACTER : otherwise;
    }

    private static long limit(JsonNode schema, String field, long otherwise) {
        JsonNode limit = schema.has(field) ? schema.path(field) : MissingNode.getInstance();
        return limit.isNumber() ? Math.max(0, limit.longValue()) : otherwise;
    }

    /** How large the value at a path can be, the first step of which is a variable; null if that is not known. */
    @Nullable
    Range size(List<String> path) {
        SizedSchema at = this;
        for (String step : path.subList(1, path.size())) {
            at = switch (step) {
                case "@items", "@values" -> at.values;
                case "@keys" -> at.keys;
                default -> at.fields.get(step);
            };
            if (at == null) {
                return null;
            }
        }
        return new Range(0, at.elements);
    }

    /** How often values of this schema can be in a request, if nothing around them limits that. */
    long mostTimes() {
        return MAX_REQUEST / (leastText + 1);
    }
}
