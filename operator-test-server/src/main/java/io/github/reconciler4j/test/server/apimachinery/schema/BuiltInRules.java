package io.github.reconciler4j.test.server.apimachinery.schema;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.server.apimachinery.FieldError;
import io.github.reconciler4j.test.server.apimachinery.Names;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Rules for single fields of built-in types, from a table beside this class: what has to be there, which values it may
 * have. Rules between fields are not its business. Immutable; safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class BuiltInRules {
    private static final Map<String, List<Rule>> RULES = new HashMap<>();
    private static final int MAX_PORT = 65_535;

    static {
        BuiltInTables.read(
                "built-in-rules.tsv",
                cells -> RULES.computeIfAbsent(cells[0], type -> new ArrayList<>())
                        .add(new Rule(cells[1], cells[2], cells.length > 3 ? cells[3] : "")));
    }

    private BuiltInRules() {}

    /**
     * A rule of a field.
     *
     * @param field the field
     * @param form what kind of rule it is
     * @param detail its limits, or what its error says
     */
    private record Rule(String field, String form, String detail) {}

    /** Returns what is wrong with an object; nothing is known of kinds that are not built in. */
    public static List<FieldError> check(String apiVersion, String kind, JsonNode object) {
        List<FieldError> errors = new ArrayList<>();
        BuiltInTypes.get().schemaName(apiVersion, kind).ifPresent(schema -> check(object, schema, "", errors));
        return errors;
    }

    private static void check(JsonNode object, String schema, String path, List<FieldError> errors) {
        for (Rule rule : RULES.getOrDefault(GoType.tableName(schema), List.of())) {
            String field = path.isEmpty() ? rule.field() : path + "." + rule.field();
            check(rule, object.path(rule.field()), field, errors);
        }
        Map<String, GoType> fields = BuiltInDecoder.get().struct(schema).fields();
        object.properties().forEach(entry -> {
            GoType type = fields.get(entry.getKey());
            String name = path.isEmpty() ? entry.getKey() : path + "." + entry.getKey();
            if (type != null
                    && type.kind() == GoType.Kind.STRUCT
                    && entry.getValue().isObject()) {
                check(entry.getValue(), type.schema(), name, errors);
            } else if (type != null && type.element() != null && type.element().kind() == GoType.Kind.STRUCT) {
                checkItems(entry.getValue(), type.element().schema(), name, errors);
            }
        });
    }

    private static void checkItems(JsonNode list, String schema, String path, List<FieldError> errors) {
        for (int i = 0; list.isArray() && i < list.size(); i++) {
            check(list.path(i), schema, path + "[" + i + "]", errors);
        }
    }

    private static void check(Rule rule, JsonNode value, String path, List<FieldError> errors) {
        boolean absent = value.isMissingNode()
                || value.isNull()
                || value.isTextual() && value.asText().isEmpty();
        if (rule.form().equals("required")) {
            boolean nothing = absent || value.isArray() && value.isEmpty() || value.isNumber() && value.asLong() == 0;
            if (nothing) {
                errors.add(FieldError.required(path, rule.detail()));
            }
        } else if (!absent) {
            present(rule, value, path, errors);
        }
    }

    private static void present(Rule rule, JsonNode value, String path, List<FieldError> errors) {
        switch (rule.form()) {
            case "min" -> {
                if (value.asLong() < Long.parseLong(rule.detail())) {
                    errors.add(FieldError.invalid(path, value, "must be greater than or equal to " + rule.detail()));
                }
            }
            case "positive" -> {
                if (value.asLong() <= 0) {
                    errors.add(FieldError.invalid(path, value, "must be greater than 0"));
                }
            }
            case "port" -> {
                boolean inRange = value.asLong() >= 1 && value.asLong() <= MAX_PORT;
                if (!inRange && !(value.asLong() == 0 && rule.detail().equals("or 0"))) {
                    errors.add(FieldError.invalid(path, value, "must be between 1 and 65535, inclusive"));
                }
            }
            case "enum" -> {
                List<String> allowed = List.of(rule.detail().split(","));
                if (!allowed.contains(value.asText())) {
                    errors.add(FieldError.notSupported(path, value, allowed));
                }
            }
            case "label" ->
                Names.dnsLabel(value.asText()).forEach(problem -> errors.add(FieldError.invalid(path, value, problem)));
            case "subdomain" ->
                Names.dnsSubdomain(value.asText())
                        .forEach(problem -> errors.add(FieldError.invalid(path, value, problem)));
            case "unique" -> unique(value, rule.detail(), path, errors);
            default -> throw new IllegalStateException("'" + rule.form() + "' is no form of a rule");
        }
    }

    private static void unique(JsonNode list, String key, String path, List<FieldError> errors) {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < list.size(); i++) {
            JsonNode value = list.path(i).path(key);
            if (!value.asText().isEmpty() && !seen.add(value.asText())) {
                errors.add(FieldError.duplicate(path + "[" + i + "]." + key, value));
            }
        }
    }
}
