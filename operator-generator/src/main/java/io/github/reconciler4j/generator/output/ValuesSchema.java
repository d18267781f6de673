package io.github.reconciler4j.generator.output;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code values.schema.json}: what the templates know has the type of its default, so that a misspelled or misplaced value
 * is refused. What people have added to {@code values.yaml} may be anything.
 */
final class ValuesSchema {

    /** Parts of Kubernetes objects, whose fields are not ours: people replace them as a whole. */
    private static final Set<String> PARTS = Set.of("resources", "podSecurityContext", "securityContext");

    private ValuesSchema() {}

    /** Returns whether a value is a part of a Kubernetes object. */
    static boolean isPart(String key) {
        return PARTS.contains(key);
    }

    /**
     * Returns the schema as a tree.
     *
     * @param known the defaults of what the templates use
     * @param present what is in {@code values.yaml}
     */
    static Map<String, Object> of(Map<String, Object> known, Map<String, Object> present) {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("$schema", "http://json-schema.org/draft-07/schema#");
        schema.putAll(object(known, present, true));
        return schema;
    }

    private static Map<String, Object> object(Map<?, ?> known, Map<?, ?> present, boolean top) {
        Map<String, Object> properties = new LinkedHashMap<>();
        known.forEach((key, value) ->
                properties.put(String.valueOf(key), schema(String.valueOf(key), value, present.get(key))));
        present.keySet().forEach(key -> properties.putIfAbsent(String.valueOf(key), Map.of()));
        if (top) {
            properties.put("global", Map.of("type", "object"));
        }
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        schema.put("additionalProperties", false);
        schema.put("properties", properties);
        return schema;
    }

    private static Map<String, Object> schema(String key, @Nullable Object known, @Nullable Object present) {
        if (known instanceof Map<?, ?> map) {
            return map.isEmpty() || isPart(key)
                    ? Map.of("type", "object")
                    : object(map, present instanceof Map<?, ?> mine ? mine : Map.of(), false);
        }
        if (known instanceof List<?>) {
            return array(key);
        }
        if (known instanceof Boolean) {
            return Map.of("type", "boolean");
        }
        if (known instanceof Number) {
            Map<String, Object> number = new LinkedHashMap<>();
            number.put("type", "integer");
            number.put("minimum", key.endsWith("ort") ? 1 : key.equals("terminationGracePeriodSeconds") ? 16 : 0);
            if (key.endsWith("ort")) {
                number.put("maximum", 65535);
            }
            return number;
        }
        return text(key);
    }

    /** What a policy consists of has its type, because a policy that cannot be evaluated denies everything. */
    private static Map<String, Object> array(String key) {
        Map<String, Object> array = new LinkedHashMap<>();
        array.put("type", "array");
        if (key.equals("validationActions")) {
            array.put("items", Map.of("enum", List.of("Deny", "Warn", "Audit")));
        } else if (key.equals("fieldManagers") || key.equals("allowed")) {
            Map<String, Object> item = new LinkedHashMap<>();
            item.put("type", "string");
            item.put("minLength", 1);
            array.put("items", item);
        }
        return array;
    }

    private static Map<String, Object> text(String key) {
        return switch (key) {
            case "pullPolicy" -> Map.of("enum", List.of("Always", "IfNotPresent", "Never"));
            case "failurePolicy" -> Map.of("enum", List.of("", "Fail", "Ignore"));
            default -> Map.of("type", "string");
        };
    }
}
