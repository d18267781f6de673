package io.github.reconciler4j.test.server.internal.apimachinery.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.net.InetAddresses;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldErrors;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
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
    record Rule(String field, String form, String detail) {
        /** Whether the rule is about values that are not set, too. */
        boolean isForEmpty() {
            return form.endsWith("!");
        }

        String path(String base) {
            return base.isEmpty() ? field : base + "." + field;
        }
    }

    private FieldRules() {}

    /** Receives the rules of an object, with the structs that they are about and their paths. */
    interface Visitor {
        void visit(Rule rule, JsonNode holder, String path);
    }

    /** Check an object. Objects of kinds that are not built in have no errors. */
    static void check(JsonNode object, FieldErrors errors) {
        visit(object, (rule, holder, path) -> check(rule, holder, path, errors));
    }

    /** Visit the rules of an object. */
    static void visit(JsonNode object, Visitor visitor) {
        BuiltInTypes.get()
                .schemaName(Json.text(object, "apiVersion"), Json.text(object, "kind"))
                .ifPresent(schema -> visit(object, schema, "", visitor));
    }

    private static void visit(JsonNode object, String schema, String path, Visitor visitor) {
        for (Rule rule : RULES.getOrDefault(BuiltInTables.typeName(schema), List.of())) {
            visitor.visit(rule, object, path);
        }
        object.properties().forEach(entry -> {
            String name = path.isEmpty() ? entry.getKey() : path + "." + entry.getKey();
            BuiltInDecoder.get().structOf(schema, entry.getKey()).ifPresent(struct -> {
                if (entry.getValue().isObject()) {
                    visit(entry.getValue(), struct, name, visitor);
                }
                for (int i = 0;
                        entry.getValue().isArray() && i < entry.getValue().size();
                        i++) {
                    visit(entry.getValue().path(i), struct, name + "[" + i + "]", visitor);
                }
            });
        });
    }

    private static void check(Rule rule, JsonNode holder, String base, FieldErrors errors) {
        JsonNode value = Json.path(holder, rule.field().split("\\."));
        String path = rule.path(base);
        boolean isSet = FieldErrors.isSet(value);
        if (rule.form().startsWith("warn")) {
            return;
        }
        if (rule.form().equals("required")) {
            if (!isSet || value.isArray() && value.isEmpty() || value.isNumber() && value.asLong() == 0) {
                errors.required(path, rule.detail());
            }
        } else if (rule.form().startsWith("each ")) {
            Rule each = new Rule(rule.field(), rule.form().substring("each ".length()), rule.detail());
            for (int i = 0; i < value.size(); i++) {
                checkValue(each, value.path(i), path + "[" + i + "]", errors);
            }
        } else if (RelationRules.FORMS.contains(rule.form())) {
            RelationRules.check(rule.form(), rule.detail(), holder, value, path, errors);
        } else if (isSet || rule.isForEmpty()) {
            checkValue(rule, value, path, errors);
        }
    }

    private static void checkValue(Rule rule, JsonNode value, String path, FieldErrors errors) {
        String[] allowed = rule.detail().split(",");
        switch (formOf(rule)) {
            case "min" -> {
                if (PodRules.amount(value).compareTo(new BigDecimal(rule.detail())) < 0) {
                    errors.invalid(path, value, "must be greater than or equal to " + rule.detail());
                }
            }
            case "positive" -> {
                if (PodRules.amount(value).signum() <= 0) {
                    errors.invalid(path, value, "must be greater than 0");
                }
            }
            case "range" -> {
                if (value.asLong() < Long.parseLong(allowed[0]) || value.asLong() > Long.parseLong(allowed[1])) {
                    errors.invalid(path, value, "must be between " + allowed[0] + " and " + allowed[1] + ", inclusive");
                }
            }
            default -> checkWords(rule, value, path, errors);
        }
    }

    private static void checkWords(Rule rule, JsonNode value, String path, FieldErrors errors) {
        String[] allowed = rule.detail().split(",");
        String text = value.asText();
        switch (formOf(rule)) {
            case "port" -> port(value, path, rule.detail().equals("or 0") ? 0 : 1, errors);
            case "port-or-name" -> portOrName(path, value, errors);
            case "share" -> share(path, value, Integer.parseInt(rule.detail()), errors);
            case "enum" -> {
                for (JsonNode one : value.isArray() ? value : List.of(value)) {
                    if (!List.of(allowed).contains(one.asText())) {
                        errors.notSupported(path, one, List.of(allowed));
                    }
                }
            }
            case "choice" -> {
                if (!List.of(allowed).contains(text)) {
                    errors.invalid(path, value, "must be one of " + rule.detail());
                }
            }
            case "matches" -> {
                if (!text.matches(rule.detail())) {
                    errors.invalid(path, text, "must match " + rule.detail());
                }
            }
            case "one-matching" -> {
                if (!text.matches(rule.detail())) {
                    errors.notSupported(path, value, List.of());
                }
            }
            default -> checkNames(rule, value, path, errors);
        }
    }

    private static void checkNames(Rule rule, JsonNode value, String path, FieldErrors errors) {
        String text = value.asText();
        switch (formOf(rule)) {
            case "ip" -> {
                if (!InetAddresses.isInetAddress(text)) {
                    errors.invalid(path, text, "must be a valid IP address");
                }
            }
            case "label" -> errors.invalid(path, text, Names.dnsLabel(text));
            case "subdomain" -> errors.invalid(path, text, Names.dnsSubdomain(text));
            case "label-key" -> errors.invalid(path, text, Names.labelKey(text));
            case "labels" -> labels(path, value, errors);
            case "selector" -> selector(path, value, errors);
            case "unique" -> unique(value, rule.detail(), path, errors);
            default -> throw new IllegalStateException("'" + rule.form() + "' is not a form of a rule");
        }
    }

    private static String formOf(Rule rule) {
        return rule.isForEmpty() ? rule.form().substring(0, rule.form().length() - 1) : rule.form();
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
