package io.github.reconciler4j.test.server.apimachinery.rules;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.server.apimachinery.FieldError;
import io.github.reconciler4j.test.server.apimachinery.Names;
import io.github.reconciler4j.test.server.apimachinery.schema.Quantities;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Rules that fields of several kinds share. Each adds what is wrong with the value at a path. */
final class FieldRules {
    private static final int MAX_PORT = 65_535;
    private static final int MAX_PORT_NAME = 15;
    private static final int WHOLE = 100;
    private static final String PERCENT = "a valid percent string must be a numeric string followed by an ending '%'"
            + " (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

    private final List<FieldError> errors;

    FieldRules(List<FieldError> errors) {
        this.errors = errors;
    }

    void add(FieldError error) {
        errors.add(error);
    }

    void invalid(String path, JsonNode value, String detail) {
        errors.add(FieldError.invalid(path, value, detail));
    }

    void invalid(String path, String value, String detail) {
        errors.add(FieldError.invalid(path, value, detail));
    }

    void required(String path, String detail) {
        errors.add(FieldError.required(path, detail));
    }

    void forbidden(String path, String detail) {
        errors.add(FieldError.forbidden(path, detail));
    }

    void oneOf(String path, JsonNode value, String... allowed) {
        if (isSet(value) && !Set.of(allowed).contains(value.asText())) {
            errors.add(FieldError.notSupported(path, value, List.of(allowed)));
        }
    }

    void label(String path, JsonNode value) {
        if (isSet(value)) {
            Names.dnsLabel(value.asText()).forEach(problem -> invalid(path, value, problem));
        }
    }

    void subdomain(String path, JsonNode value) {
        if (isSet(value)) {
            Names.dnsSubdomain(value.asText()).forEach(problem -> invalid(path, value, problem));
        }
    }

    void labels(String path, JsonNode labels) {
        labels.properties().forEach(label -> {
            Names.labelKey(label.getKey())
                    .forEach(problem -> invalid(path, label.getKey(), problem.replace("a valid label key ", "")));
            Names.labelValue(label.getValue().asText()).forEach(problem -> invalid(path, label.getValue(), problem));
        });
    }

    /** A number of a port, or its name. */
    void port(String path, JsonNode port) {
        if (port.isNumber()) {
            if (port.asLong() < 1 || port.asLong() > MAX_PORT) {
                invalid(path, port, "must be between 1 and 65535, inclusive");
            }
        } else if (port.isTextual()) {
            portName(port.asText()).forEach(problem -> invalid(path, port, problem));
        }
    }

    private static List<String> portName(String name) {
        List<String> problems = new ArrayList<>();
        if (name.length() > MAX_PORT_NAME) {
            problems.add("must be no more than " + MAX_PORT_NAME + " characters");
        }
        if (!name.matches("[-a-z0-9]+")) {
            problems.add("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
        }
        if (!name.matches(".*[a-z].*")) {
            problems.add("must contain at least one letter (a-z)");
        }
        if (name.contains("--")) {
            problems.add("must not contain consecutive hyphens");
        }
        if (name.startsWith("-") || name.endsWith("-")) {
            problems.add("must not begin or end with a hyphen");
        }
        return problems;
    }

    /** A number that is not negative, or a percentage of up to a hundred. */
    void share(String path, JsonNode share) {
        if (share.isNumber() && share.asLong() < 0) {
            invalid(path, share, "must be greater than or equal to 0");
        } else if (share.isTextual()) {
            String text = share.asText();
            if (!text.matches("[0-9]+%")) {
                invalid(path, share, PERCENT);
            } else if (new BigDecimal(text.substring(0, text.length() - 1)).intValue() > WHOLE) {
                invalid(path, share, "must not be greater than 100%");
            }
        }
    }

    void notNegative(String path, JsonNode number) {
        if (number.isNumber() && number.asLong() < 0) {
            invalid(path, number, "must be greater than or equal to 0");
        }
    }

    /** A selector of labels with expressions. */
    void selector(String path, JsonNode selector) {
        labels(path + ".matchLabels", selector.path("matchLabels"));
        JsonNode expressions = selector.path("matchExpressions");
        for (int i = 0; i < expressions.size(); i++) {
            String at = path + ".matchExpressions[" + i + "]";
            JsonNode one = expressions.path(i);
            boolean values = !one.path("values").isEmpty();
            switch (one.path("operator").asText()) {
                case "In", "NotIn" -> {
                    if (!values) {
                        required(at + ".values", "must be specified when `operator` is 'In' or 'NotIn'");
                    }
                }
                case "Exists", "DoesNotExist" -> {
                    if (values) {
                        forbidden(at + ".values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
                    }
                }
                default -> invalid(at + ".operator", one.path("operator"), "not a valid selector operator");
            }
            Names.labelKey(one.path("key").asText())
                    .forEach(problem ->
                            invalid(at + ".key", one.path("key"), problem.replace("a valid label key ", "")));
        }
    }

    static BigDecimal amount(JsonNode quantity) {
        return Quantities.value(quantity.asText()).orElse(BigDecimal.ZERO);
    }

    static boolean isSet(JsonNode value) {
        return !value.isMissingNode()
                && !value.isNull()
                && !(value.isTextual() && value.asText().isEmpty());
    }
}
