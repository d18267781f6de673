package io.github.reconciler4j.generator.docs;

import io.github.reconciler4j.generator.yaml.Yaml;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a schema demands of a value, in words. Texts of the schema are escaped. */
final class SchemaRules {

    private static final List<String> COMPOSED = List.of("allOf", "anyOf", "oneOf", "not");

    private final List<String> rules = new ArrayList<>();

    private SchemaRules() {}

    /** Returns the rules for a value and, with a word in front, for its items and values as deep as they have no table. */
    static List<String> of(Map<?, ?> schema) {
        SchemaRules all = new SchemaRules();
        all.add(schema);
        Object items = schema.get("items");
        if (items instanceof Map<?, ?> nested) {
            all.nested("each item", nested);
        }
        if (schema.get("additionalProperties") instanceof Map<?, ?> nested) {
            all.nested("each value", nested);
        }
        return List.copyOf(all.rules);
    }

    private void nested(String word, Map<?, ?> schema) {
        of(schema).forEach(rule -> rules.add(word + ": " + rule));
        if (schema.get("default") != null) {
            rules.add(word + ": defaults to " + json(schema.get("default")));
        }
    }

    private void add(Map<?, ?> schema) {
        if (Boolean.TRUE.equals(schema.get("nullable"))) {
            rules.add("can be `null`");
        }
        if (schema.get("enum") instanceof Collection<?> values) {
            rules.add("one of " + values.stream().map(SchemaRules::json).collect(Collectors.joining(", ")));
        }
        text(schema, "pattern", "matches ");
        range(schema, "minLength", "maxLength", "character");
        numbers(schema);
        text(schema, "multipleOf", "a multiple of ");
        range(schema, "minItems", "maxItems", "item");
        range(schema, "minProperties", "maxProperties", "property");
        if (Boolean.TRUE.equals(schema.get("uniqueItems")) || "set".equals(schema.get("x-kubernetes-list-type"))) {
            rules.add("no item twice");
        }
        if (schema.get("x-kubernetes-list-map-keys") instanceof Collection<?> keys) {
            rules.add("no two items with the same "
                    + keys.stream()
                            .map(key -> Markdown.code(String.valueOf(key)))
                            .collect(Collectors.joining(" and ")));
        }
        if ("atomic".equals(schema.get("x-kubernetes-list-type"))
                || "atomic".equals(schema.get("x-kubernetes-map-type"))) {
            rules.add("server-side apply replaces it as a whole");
        }
        for (String word : COMPOSED) {
            Object composed = schema.get(word);
            if (composed != null && !Boolean.TRUE.equals(schema.get("x-kubernetes-int-or-string"))) {
                rules.add(word + " " + json(composed));
            }
        }
        if (schema.get("x-kubernetes-validations") instanceof Collection<?> validations) {
            validations.forEach(rule -> rules.add(validation((Map<?, ?>) rule)));
        }
    }

    /** The rule itself decides; the message is what the API server answers. */
    private static String validation(Map<?, ?> validation) {
        String rule = Markdown.code(String.valueOf(validation.get("rule")));
        Object message = validation.get("message");
        if (message != null) {
            return Markdown.text(String.valueOf(message)) + ": " + rule;
        }
        Object expression = validation.get("messageExpression");
        return expression == null ? rule : rule + ", or else " + Markdown.code(String.valueOf(expression));
    }

    private void text(Map<?, ?> schema, String key, String words) {
        Object value = schema.get(key);
        if (value != null) {
            rules.add(words + Markdown.code(String.valueOf(value)));
        }
    }

    private void range(Map<?, ?> schema, String low, String high, String unit) {
        Object least = schema.get(low);
        Object most = schema.get(high);
        if (least != null && least.equals(most)) {
            rules.add("exactly " + counted(least, unit));
        } else if (least != null && most != null) {
            rules.add(least + " to " + counted(most, unit));
        } else if (least != null) {
            rules.add("at least " + counted(least, unit));
        } else if (most != null) {
            rules.add("at most " + counted(most, unit));
        }
    }

    private static String counted(Object count, String unit) {
        boolean one = count instanceof Number number && number.longValue() == 1;
        return count + " " + (one ? unit : unit.endsWith("y") ? unit.replaceFirst("y$", "ies") : unit + "s");
    }

    private void numbers(Map<?, ?> schema) {
        Object minimum = schema.get("minimum");
        if (minimum != null) {
            boolean exclusive = Boolean.TRUE.equals(schema.get("exclusiveMinimum"));
            rules.add((exclusive ? "more than " : "at least ") + number(minimum));
        }
        Object maximum = schema.get("maximum");
        if (maximum != null) {
            boolean exclusive = Boolean.TRUE.equals(schema.get("exclusiveMaximum"));
            rules.add((exclusive ? "less than " : "at most ") + number(maximum));
        }
    }

    /** Returns a limit as people write it: definitions hold 1 as 1.0. */
    private static String number(Object limit) {
        return limit instanceof Number
                ? new BigDecimal(limit.toString()).stripTrailingZeros().toPlainString()
                : limit.toString();
    }

    /** Returns a value of the schema as code in JSON; a text without quotes. */
    static String json(@Nullable Object value) {
        if (value instanceof String text && !text.isEmpty()) {
            return Markdown.code(text);
        }
        String json = value == null ? "null" : new String(Yaml.json(value), StandardCharsets.UTF_8);
        return Markdown.code(json);
    }
}
