package io.github.reconciler4j.test.server.internal.apimachinery.rules;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldErrors;
import io.github.reconciler4j.test.server.internal.apimachinery.Names;
import io.github.reconciler4j.test.server.internal.apimachinery.schema.BuiltInDecoder;
import io.github.reconciler4j.test.server.internal.apimachinery.schema.BuiltInTables;
import io.github.reconciler4j.test.server.internal.apimachinery.schema.BuiltInTypes;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Rules for single fields of built-in types, from the table {@code field-rules.tsv}: which fields are required, and which
 * values they may have. Immutable; safe for use by multiple threads.
 */
final class FieldRules {
    private static final Map<String, List<Rule>> RULES = new HashMap<>();
    private static final int MAX_PORT = 65_535;
    private static final int MAX_PORT_NAME = 15;

    static {
        BuiltInTables.read(
                FieldRules.class,
                "field-rules.tsv",
                cells -> RULES.computeIfAbsent(cells[0], type -> new ArrayList<>())
                        .add(new Rule(cells[1], cells[2], cells.length > 3 ? cells[3] : "")));
    }

    /**
     * A rule of a field.
     *
     * @param form the form of the rule
     * @param detail its limits, or the detail of its error
     */
    private record Rule(String field, String form, String detail) {}

    private FieldRules() {}

    /** Check an object. Objects of kinds that are not built in have no errors. */
    static void check(String apiVersion, String kind, JsonNode object, FieldErrors errors) {
        BuiltInTypes.get().schemaName(apiVersion, kind).ifPresent(schema -> check(object, schema, "", errors));
    }

    private static void check(JsonNode object, String schema, String path, FieldErrors errors) {
        for (Rule rule : RULES.getOrDefault(BuiltInTables.typeName(schema), List.of())) {
            String field = path.isEmpty() ? rule.field() : path + "." + rule.field();
            check(rule, object.path(rule.field()), field, errors);
        }
        object.properties().forEach(entry -> {
            String name = path.isEmpty() ? entry.getKey() : path + "." + entry.getKey();
            BuiltInDecoder.get().structOf(schema, entry.getKey()).ifPresent(struct -> {
                if (entry.getValue().isObject()) {
                    check(entry.getValue(), struct, name, errors);
                }
                for (int i = 0;
                        entry.getValue().isArray() && i < entry.getValue().size();
                        i++) {
                    check(entry.getValue().path(i), struct, name + "[" + i + "]", errors);
                }
            });
        });
    }

    private static void check(Rule rule, JsonNode value, String path, FieldErrors errors) {
        boolean isSet = FieldErrors.isSet(value);
        if (rule.form().equals("required")) {
            if (!isSet || value.isArray() && value.isEmpty() || value.isNumber() && value.asLong() == 0) {
                errors.required(path, rule.detail());
            }
        } else if (isSet) {
            checkValue(rule, value, path, errors);
        }
    }

    private static void checkValue(Rule rule, JsonNode value, String path, FieldErrors errors) {
        String[] allowed = rule.detail().split(",");
        switch (rule.form()) {
            case "min" -> {
                if (value.asLong() < Long.parseLong(rule.detail())) {
                    errors.invalid(path, value, "must be greater than or equal to " + rule.detail());
                }
            }
            case "positive" -> {
                if (value.asLong() <= 0) {
                    errors.invalid(path, value, "must be greater than 0");
                }
            }
            case "port" -> port(value, path, rule.detail().equals("or 0") ? 0 : 1, errors);
            case "port-or-name" -> portOrName(path, value, errors);
            case "share" -> share(path, value, Integer.parseInt(rule.detail()), errors);
            case "enum" -> {
                if (value.isArray()) {
                    value.forEach(item -> errors.oneOf(path, item, allowed));
                } else {
                    errors.oneOf(path, value, allowed);
                }
            }
            case "choice" -> {
                if (!List.of(allowed).contains(value.asText())) {
                    errors.invalid(path, value, "must be one of " + rule.detail());
                }
            }
            case "label" -> errors.invalid(path, value.asText(), Names.dnsLabel(value.asText()));
            case "subdomain" -> errors.invalid(path, value.asText(), Names.dnsSubdomain(value.asText()));
            case "labels" -> labels(path, value, errors);
            case "selector" -> selector(path, value, errors);
            case "unique" -> unique(value, rule.detail(), path, errors);
            default -> throw new IllegalStateException("'" + rule.form() + "' is not a form of a rule");
        }
    }

    private static void port(JsonNode value, String path, int least, FieldErrors errors) {
        if (value.asLong() < least || value.asLong() > MAX_PORT) {
            errors.invalid(path, value, "must be between 1 and 65535, inclusive");
        }
    }

    static void portOrName(String path, JsonNode port, FieldErrors errors) {
        String name = port.asText();
        if (port.isNumber()) {
            port(port, path, 1, errors);
        } else if (name.length() > MAX_PORT_NAME
                || !name.matches("[a-z0-9]+(-[a-z0-9]+)*")
                || !name.matches(".*[a-z].*")) {
            errors.invalid(
                    path, port, "must be a port name: up to 15 characters a-z, 0-9 and '-', with at least one letter");
        }
    }

    /** A number that is not negative, or a percentage up to the limit; a limit of 0 allows any percentage. */
    private static void share(String path, JsonNode share, int limit, FieldErrors errors) {
        String text = share.asText();
        if (share.isNumber() && share.asLong() < 0) {
            errors.invalid(path, share, "must be greater than or equal to 0");
        } else if (share.isTextual() && !text.matches("[0-9]+%")) {
            errors.invalid(path, share, "must be a number, or a percentage such as '10%'");
        } else if (share.isTextual()
                && limit > 0
                && new BigDecimal(text.replace("%", "")).compareTo(BigDecimal.valueOf(limit)) > 0) {
            errors.invalid(path, share, "must not be greater than " + limit + "%");
        }
    }

    private static void labels(String path, JsonNode labels, FieldErrors errors) {
        labels.properties().forEach(label -> {
            for (String problem : Names.labelKey(label.getKey())) {
                errors.invalid(path, label.getKey(), problem);
            }
            errors.invalid(
                    path,
                    label.getValue().asText(),
                    Names.labelValue(label.getValue().asText()));
        });
    }

    static void selector(String path, JsonNode selector, FieldErrors errors) {
        labels(path + ".matchLabels", selector.path("matchLabels"), errors);
        for (int i = 0; i < selector.path("matchExpressions").size(); i++) {
            JsonNode one = selector.path("matchExpressions").path(i);
            String at = path + ".matchExpressions[" + i + "]";
            String operator = one.path("operator").asText();
            boolean values = !one.path("values").isEmpty();
            if (List.of("In", "NotIn").contains(operator)) {
                if (!values) {
                    errors.required(at + ".values", "must be specified when `operator` is 'In' or 'NotIn'");
                }
            } else if (!List.of("Exists", "DoesNotExist").contains(operator)) {
                errors.invalid(at + ".operator", one.path("operator"), "not a valid selector operator");
            } else if (values) {
                errors.forbidden(at + ".values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
            }
            errors.invalid(
                    at + ".key",
                    one.path("key").asText(),
                    Names.labelKey(one.path("key").asText()));
        }
    }

    private static void unique(JsonNode list, String key, String path, FieldErrors errors) {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < list.size(); i++) {
            JsonNode value = list.path(i).path(key);
            if (!value.asText().isEmpty() && !seen.add(value.asText())) {
                errors.duplicate(path + "[" + i + "]." + key, value);
            }
        }
    }
}
