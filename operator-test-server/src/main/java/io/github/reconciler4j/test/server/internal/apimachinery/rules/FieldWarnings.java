package io.github.reconciler4j.test.server.internal.apimachinery.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldErrors;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import java.math.BigDecimal;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Warnings about fields of built-in kinds, from the table {@code field-rules.tsv}. Stateless. */
public final class FieldWarnings {
    private static final List<String> OF_NEW = List.of("warn of dots", "warn of class");

    private FieldWarnings() {}

    /** Warn about a new object, or about one whose wish has changed. */
    public static void warn(ObjectNode object, @Nullable ObjectNode before, Consumer<String> warnings) {
        String[] generation = {"metadata", "generation"};
        if (before == null
                || Json.at(object, generation) == null
                || !Json.same(Json.path(object, generation), Json.path(before, generation))) {
            FieldRules.visit(object, (rule, holder, base) -> {
                if (rule.form().startsWith("warn") && (before == null || !OF_NEW.contains(rule.form()))) {
                    JsonNode value = Json.path(holder, rule.field().split("\\."));
                    warn(rule.form(), rule.detail(), holder, value, rule.path(base), warnings);
                }
            });
        }
    }

    private static void warn(
            String form, String detail, JsonNode holder, JsonNode value, String path, Consumer<String> warnings) {
        String text = value.asText();
        switch (form) {
            case "warn of key" -> {
                String[] key = detail.split("=", 2);
                if (value.has(key[0])) {
                    warnings.accept(path + "[" + key[0] + "]: " + key[1]);
                }
            }
            case "warn of class" -> {
                if (value.has(detail) && Json.at(holder, "spec", "ingressClassName") == null) {
                    warnings.accept(
                            "annotation \"" + detail + "\" is deprecated, please use 'spec.ingressClassName' instead");
                }
            }
            case "warn of fraction" -> {
                JsonNode amount = value.path(detail);
                if (PodRules.amount(amount).remainder(BigDecimal.ONE).signum() != 0) {
                    warnings.accept(path + "[" + detail + "]: fractional byte value " + amount
                            + " is invalid, must be an integer");
                }
            }
            default -> {
                boolean applies = switch (form) {
                    case "warn of Recycle" -> text.equals("Recycle");
                    case "warn of negative" -> value.asLong() < 0;
                    case "warn of dots" -> text.contains(".");
                    default -> FieldErrors.isSet(value);
                };
                if (applies) {
                    warnings.accept(path + ": " + detail);
                }
            }
        }
    }
}
