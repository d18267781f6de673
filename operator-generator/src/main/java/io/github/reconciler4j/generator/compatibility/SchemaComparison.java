package io.github.reconciler4j.generator.compatibility;

import static io.github.reconciler4j.generator.compatibility.CrdCompatibility.map;
import static io.github.reconciler4j.generator.compatibility.CrdCompatibility.maps;

import io.github.reconciler4j.generator.compatibility.CrdCompatibility.Report;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Compares two schemas, property by property. New properties break no client and are skipped. */
final class SchemaComparison {

    private static final List<String> UPPER = List.of("maximum", "maxItems", "maxLength", "maxProperties");
    private static final List<String> LOWER = List.of("minimum", "minItems", "minLength", "minProperties");
    private static final List<String> COMBINATIONS = List.of("allOf", "anyOf", "oneOf", "not");

    /** What other methods look at, and what only documents. */
    private static final Set<String> HANDLED = Set.of(
            "properties",
            "items",
            "additionalProperties",
            "type",
            "required",
            "default",
            "enum",
            "maximum",
            "maxItems",
            "maxLength",
            "maxProperties",
            "minimum",
            "minItems",
            "minLength",
            "minProperties",
            "exclusiveMaximum",
            "exclusiveMinimum",
            "multipleOf",
            "uniqueItems",
            "pattern",
            "format",
            "nullable",
            "description",
            "x-kubernetes-validations",
            "x-kubernetes-list-type",
            "x-kubernetes-list-map-keys",
            "x-kubernetes-map-type",
            "x-kubernetes-preserve-unknown-fields",
            "x-kubernetes-embedded-resource",
            "x-kubernetes-int-or-string",
            "allOf",
            "anyOf",
            "oneOf",
            "not",
            "title",
            "example",
            "externalDocs",
            "id",
            "$schema");

    private final Report report;

    SchemaComparison(Report report) {
        this.report = report;
    }

    void compare(Map<String, Object> before, Map<String, Object> after, String path) {
        type(before, after, path);
        required(before, after, path);
        defaults(before, after, path);
        enums(before.get("enum"), after.get("enum"), path);
        limits(before, after, path);
        texts(before, after, path);
        nullable(before, after, path);
        rules(before, after, path);
        merging(before, after, path);
        combinations(before, after, path);
        pruning(before, after, path);
        others(before, after, path);
        children(before, after, path);
    }

    private void children(Map<String, Object> before, Map<String, Object> after, String path) {
        Map<String, Object> properties = map(after, "properties");
        new TreeMap<>(map(before, "properties")).keySet().forEach(name -> {
            String child = path + "." + name;
            if (properties.containsKey(name)) {
                compare(map(map(before, "properties"), name), map(properties, name), child);
            } else {
                report.add(CrdRule.FIELD_REMOVED, child, "the field is gone, and what is stored in it is lost");
            }
        });
        if (before.get("items") instanceof Map && after.get("items") instanceof Map) {
            compare(map(before, "items"), map(after, "items"), path + "[]");
        }
        additional(before, after, path);
    }

    private void additional(Map<String, Object> before, Map<String, Object> after, String path) {
        boolean had = isOpen(before.get("additionalProperties"));
        boolean has = isOpen(after.get("additionalProperties"));
        if (had && !has) {
            report.add(
                    CrdRule.ADDITIONAL_PROPERTIES_REMOVED,
                    path,
                    "keys that the schema does not name were allowed and are now dropped");
        } else if (had && after.get("additionalProperties") instanceof Map) {
            compare(map(before, "additionalProperties"), map(after, "additionalProperties"), path + "{}");
        }
    }

    private static boolean isOpen(@Nullable Object additional) {
        return additional != null && !Boolean.FALSE.equals(additional);
    }

    private void type(Map<String, Object> before, Map<String, Object> after, String path) {
        String old = typeOf(before);
        String now = typeOf(after);
        if (!old.equals(now)) {
            report.add(CrdRule.TYPE_CHANGED, path, "the type went from " + old + " to " + now);
        }
    }

    private static String typeOf(Map<String, Object> schema) {
        if (Boolean.TRUE.equals(schema.get("x-kubernetes-int-or-string"))) {
            return "integer or string";
        }
        return Objects.toString(schema.get("type"), "anything");
    }

    /** A required field with a default is filled in before it is missed. */
    private void required(Map<String, Object> before, Map<String, Object> after, String path) {
        Set<String> added = strings(after.get("required"));
        added.removeAll(strings(before.get("required")));
        for (String name : added) {
            if (!map(map(after, "properties"), name).containsKey("default")) {
                report.add(CrdRule.REQUIRED_ADDED, path + "." + name, "the field is required now");
            }
        }
    }

    private void defaults(Map<String, Object> before, Map<String, Object> after, String path) {
        Object old = before.get("default");
        Object now = after.get("default");
        if (old == null && now != null) {
            report.add(CrdRule.DEFAULT_ADDED, path, "a missing value now means " + now);
        } else if (old != null && now == null) {
            report.add(CrdRule.DEFAULT_REMOVED, path, "a missing value meant " + old + " and is now left out");
        } else if (old != null && !same(old, now)) {
            report.add(CrdRule.DEFAULT_CHANGED, path, "a missing value meant " + old + " and now means " + now);
        }
    }

    private void enums(@Nullable Object before, @Nullable Object after, String path) {
        List<?> old = before instanceof List<?> list ? list : List.of();
        List<?> now = after instanceof List<?> list ? list : List.of();
        if (old.isEmpty() && !now.isEmpty()) {
            report.add(CrdRule.ENUM_ADDED, path, "only " + now + " are allowed now");
            return;
        }
        if (!now.isEmpty()) {
            old.stream()
                    .filter(value -> !now.contains(value))
                    .forEach(value ->
                            report.add(CrdRule.ENUM_VALUE_REMOVED, path, "'" + value + "' is not allowed any more"));
        }
        now.stream()
                .filter(value -> !old.contains(value))
                .forEach(value -> report.add(
                        CrdRule.ENUM_VALUE_ADDED,
                        path,
                        "'" + value + "' is new: programs that read it may not know it"));
        if (now.isEmpty() && !old.isEmpty()) {
            report.add(
                    CrdRule.ENUM_VALUE_ADDED, path, "any value is allowed now: programs that read it may not know it");
        }
    }

    private void limits(Map<String, Object> before, Map<String, Object> after, String path) {
        UPPER.forEach(key -> limit(key, before.get(key), after.get(key), path, 1));
        LOWER.forEach(key -> limit(key, before.get(key), after.get(key), path, -1));
        for (String key : List.of("exclusiveMaximum", "exclusiveMinimum", "uniqueItems")) {
            if (Boolean.TRUE.equals(after.get(key)) && !Boolean.TRUE.equals(before.get(key))) {
                report.add(CrdRule.LIMIT_ADDED, path, "'" + key + "' holds now");
            }
        }
        Object multiple = after.get("multipleOf");
        if (multiple != null && !same(before.get("multipleOf"), multiple)) {
            report.add(CrdRule.LIMIT_ADDED, path, "the value must be a multiple of " + multiple + " now");
        }
    }

    private void limit(String key, @Nullable Object before, @Nullable Object after, String path, int direction) {
        if (after == null) {
            return;
        }
        if (before == null) {
            report.add(CrdRule.LIMIT_ADDED, path, "'" + key + "' is " + after + " and was not limited");
        } else if (number(before).compareTo(number(after)) * direction > 0) {
            report.add(CrdRule.LIMIT_TIGHTENED, path, "'" + key + "' went from " + before + " to " + after);
        }
    }

    private static BigDecimal number(Object value) {
        return new BigDecimal(String.valueOf(value));
    }

    private void texts(Map<String, Object> before, Map<String, Object> after, String path) {
        changed(
                before.get("pattern"),
                after.get("pattern"),
                path,
                "pattern",
                List.of(CrdRule.PATTERN_ADDED, CrdRule.PATTERN_CHANGED, CrdRule.PATTERN_REMOVED));
        changed(
                before.get("format"),
                after.get("format"),
                path,
                "format",
                List.of(CrdRule.FORMAT_CHANGED, CrdRule.FORMAT_CHANGED, CrdRule.FORMAT_REMOVED));
        changed(
                before.get("description"),
                after.get("description"),
                path,
                "description",
                List.of(CrdRule.DESCRIPTION_CHANGED, CrdRule.DESCRIPTION_CHANGED, CrdRule.DESCRIPTION_CHANGED));
    }

    private void changed(
            @Nullable Object before, @Nullable Object after, String path, String key, List<CrdRule> rules) {
        if (before == null && after != null) {
            report.add(rules.get(0), path, "the " + key + " '" + after + "' is new");
        } else if (before != null && after == null) {
            report.add(rules.get(2), path, "the " + key + " '" + before + "' is gone");
        } else if (!Objects.equals(before, after)) {
            report.add(rules.get(1), path, "the " + key + " went from '" + before + "' to '" + after + "'");
        }
    }

    private void nullable(Map<String, Object> before, Map<String, Object> after, String path) {
        boolean was = Boolean.TRUE.equals(before.get("nullable"));
        boolean is = Boolean.TRUE.equals(after.get("nullable"));
        if (was && !is) {
            report.add(CrdRule.NULLABLE_REMOVED, path, "null is not allowed any more");
        } else if (is && !was) {
            report.add(CrdRule.NULLABLE_ADDED, path, "null is allowed now: programs that read it may not expect it");
        }
    }

    private void rules(Map<String, Object> before, Map<String, Object> after, String path) {
        List<Object> old = new ArrayList<>();
        maps(before.get("x-kubernetes-validations")).forEach(rule -> old.add(Objects.toString(rule.get("rule"))));
        maps(after.get("x-kubernetes-validations")).stream()
                .map(rule -> Objects.toString(rule.get("rule")))
                .filter(rule -> !old.contains(rule))
                .forEach(rule -> report.add(CrdRule.VALIDATION_RULE_ADDED, path, "the rule '" + rule + "' is new"));
    }

    private void merging(Map<String, Object> before, Map<String, Object> after, String path) {
        Object oldList = before.getOrDefault("x-kubernetes-list-type", "atomic");
        Object newList = after.getOrDefault("x-kubernetes-list-type", "atomic");
        if (!oldList.equals(newList)) {
            report.add(CrdRule.LIST_TYPE_CHANGED, path, "the list type went from " + oldList + " to " + newList);
        } else if (!strings(before.get("x-kubernetes-list-map-keys"))
                .equals(strings(after.get("x-kubernetes-list-map-keys")))) {
            report.add(
                    CrdRule.LIST_TYPE_CHANGED,
                    path,
                    "items were identified by " + before.get("x-kubernetes-list-map-keys") + " and are now by "
                            + after.get("x-kubernetes-list-map-keys"));
        }
        Object oldMap = before.getOrDefault("x-kubernetes-map-type", "granular");
        Object newMap = after.getOrDefault("x-kubernetes-map-type", "granular");
        if (!oldMap.equals(newMap)) {
            report.add(CrdRule.MAP_TYPE_CHANGED, path, "the map type went from " + oldMap + " to " + newMap);
        }
    }

    private void combinations(Map<String, Object> before, Map<String, Object> after, String path) {
        for (String key : COMBINATIONS) {
            Object now = after.get(key);
            if (now != null && !now.equals(before.get(key))) {
                report.add(
                        CrdRule.COMBINATION_CHANGED,
                        path,
                        "'" + key + "' is " + (before.containsKey(key) ? "another: " : "new: ") + now);
            }
        }
    }

    private void pruning(Map<String, Object> before, Map<String, Object> after, String path) {
        boolean kept = Boolean.TRUE.equals(before.get("x-kubernetes-preserve-unknown-fields"));
        boolean keeps = Boolean.TRUE.equals(after.get("x-kubernetes-preserve-unknown-fields"));
        if (kept && !keeps) {
            report.add(
                    CrdRule.PRUNING_ADDED, path, "fields that the schema does not name were kept and are now dropped");
        } else if (keeps && !kept) {
            report.add(CrdRule.PRUNING_REMOVED, path, "fields that the schema does not name are kept now");
        }
        boolean was = Boolean.TRUE.equals(before.get("x-kubernetes-embedded-resource"));
        boolean is = Boolean.TRUE.equals(after.get("x-kubernetes-embedded-resource"));
        if (was != is) {
            report.add(
                    CrdRule.EMBEDDED_RESOURCE_CHANGED,
                    path,
                    is
                            ? "the value must be a whole Kubernetes object now"
                            : "the value need not be an object any more");
        }
    }

    private void others(Map<String, Object> before, Map<String, Object> after, String path) {
        Set<String> keys = new TreeSet<>(before.keySet());
        keys.addAll(after.keySet());
        keys.removeAll(HANDLED);
        for (String key : keys) {
            if (!Objects.equals(before.get(key), after.get(key))) {
                report.add(
                        CrdRule.UNKNOWN_CHANGE,
                        path,
                        "'" + key + "' went from " + before.get(key) + " to " + after.get(key));
            }
        }
    }

    private static boolean same(@Nullable Object one, @Nullable Object other) {
        if (one instanceof Number && other instanceof Number) {
            return number(one).compareTo(number(other)) == 0;
        }
        return Objects.equals(one, other);
    }

    private static Set<String> strings(@Nullable Object list) {
        Set<String> result = new TreeSet<>();
        if (list instanceof List<?> items) {
            items.forEach(item -> result.add(String.valueOf(item)));
        }
        return result;
    }
}
