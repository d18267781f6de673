package io.github.reconciler4j.test.tree.cel;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelEvaluationException;
import io.github.reconciler4j.test.tree.FieldError;
import io.github.reconciler4j.test.tree.GoFormat;
import io.github.reconciler4j.test.tree.cel.CelEnvironment.Expression;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One validation rule. Immutable; safe for use by many threads. */
final class CelRule {
    private static final Pattern OLD = Pattern.compile("\\boldSelf\\b");
    private static final Pattern MISSING = Pattern.compile("key '([^']*)' is not present in map");
    private static final Pattern CANDIDATES = Pattern.compile(" \\(candidates: [^\n]*\\)");
    private static final Pattern POSITION = Pattern.compile("^evaluation error(?: at [^:]*:\\d+)?: ");

    private final JsonNode json;
    private final Expression rule;
    private final @Nullable Expression message;
    private final boolean usesOld;

    private CelRule(JsonNode json, Expression rule, @Nullable Expression message, boolean usesOld) {
        this.json = json;
        this.rule = rule;
        this.message = message;
        this.usesOld = usesOld;
    }

    /** Compiles a rule; null if it has errors, which are added. */
    static @Nullable CelRule compile(
            JsonNode json, CelType self, CelSchema schema, String path, List<FieldError> errors) {
        Expression rule = expression(json, "rule", self, schema, path, errors);
        boolean speaks = !json.path("messageExpression").asText().isBlank();
        Expression message = speaks ? expression(json, "messageExpression", self, schema, path, errors) : null;
        if (rule != null && !rule.type().equals(SimpleType.BOOL)) {
            errors.add(error(json, path + ".rule", "cel expression must evaluate to a bool"));
            return null;
        }
        if (message != null && !message.type().equals(SimpleType.STRING)) {
            errors.add(error(json, path + ".messageExpression", "messageExpression must evaluate to a string"));
            return null;
        }
        boolean old = OLD.matcher(json.path("rule").asText()).find();
        return rule == null ? null : new CelRule(json, rule, message, old);
    }

    private static @Nullable Expression expression(
            JsonNode json, String field, CelType self, CelSchema schema, String path, List<FieldError> errors) {
        boolean optional = json.path("optionalOldSelf").asBoolean();
        try {
            return CelEnvironment.compile(json.path(field).asText(), self, optional, schema);
        } catch (CelValidationException | CelEvaluationException e) {
            errors.add(error(
                    json,
                    path + "." + field,
                    "compilation failed: "
                            + CANDIDATES.matcher(String.valueOf(e.getMessage())).replaceAll("")));
            return null;
        }
    }

    private static FieldError error(JsonNode json, String path, String detail) {
        String shown = "{\"Rule\":" + GoFormat.json(json.path("rule")) + ",\"Message\":" + text(json, "message", "\"\"")
                + ",\"MessageExpression\":" + text(json, "messageExpression", "\"\"")
                + ",\"Reason\":" + text(json, "reason", "null") + ",\"FieldPath\":" + text(json, "fieldPath", "\"\"")
                + ",\"OptionalOldSelf\":" + text(json, "optionalOldSelf", "null") + "}";
        return new FieldError(path, "FieldValueInvalid", "Invalid value: " + shown + ": " + detail);
    }

    private static String text(JsonNode json, String field, String absent) {
        return json.hasNonNull(field) ? GoFormat.json(json.path(field)) : absent;
    }

    /** Whether the rule compares with the value before the update. */
    boolean usesOld() {
        return usesOld;
    }

    /**
     * Evaluates the rule.
     *
     * @param self the value
     * @param oldSelf the value before; null if there is none
     * @param value the value as JSON
     * @param type its type in the schema
     * @param path where it is
     * @return what is wrong, or null
     */
    @Nullable
    FieldError check(Object self, @Nullable Object oldSelf, JsonNode value, String type, String path) {
        boolean optional = json.path("optionalOldSelf").asBoolean();
        if (usesOld && oldSelf == null && !optional) {
            return null;
        }
        Object before = optional ? Optional.ofNullable(oldSelf) : oldSelf == null ? self : oldSelf;
        Map<String, Object> variables = CelEnvironment.variables(self, before);
        try {
            return Boolean.TRUE.equals(rule.evaluate(variables)) ? null : failure(variables, value, path);
        } catch (CelEvaluationException e) {
            String detail = reason(e) + " evaluating rule: " + plainMessage(false);
            return new FieldError(
                    shown(path), "FieldValueInvalid", "Invalid value: " + GoFormat.quoted(type) + ": " + detail);
        }
    }

    private static String reason(CelEvaluationException e) {
        String message = POSITION.matcher(String.valueOf(e.getMessage())).replaceFirst("");
        Matcher missing = MISSING.matcher(message);
        if (missing.find()) {
            return "no such key: " + missing.group(1);
        }
        return switch (e.getErrorCode()) {
            case ATTRIBUTE_NOT_FOUND -> "no such key: " + message;
            case DIVIDE_BY_ZERO -> "division by zero";
            default -> message;
        };
    }

    private String plainMessage(boolean failed) {
        String own = json.path("message").asText().trim();
        String text = json.path("rule").asText().trim();
        return own.isEmpty() ? (failed ? "failed rule: " + text : text) : own;
    }

    private FieldError failure(Map<String, Object> variables, JsonNode value, String path) {
        String detail = spoken(variables);
        String field = json.path("fieldPath").asText();
        String place = shown(path + (path.isEmpty() && field.startsWith(".") ? field.substring(1) : field));
        String spelled = value.isContainerNode()
                ? ""
                : ": " + (value.isTextual() ? GoFormat.quoted(value.textValue()) : GoFormat.value(value));
        String reason = json.path("reason").asText("FieldValueInvalid");
        return switch (reason) {
            case "FieldValueForbidden" -> new FieldError(place, reason, "Forbidden: " + detail);
            case "FieldValueRequired" -> new FieldError(place, reason, "Required value: " + detail);
            case "FieldValueDuplicate" -> new FieldError(place, reason, "Duplicate value" + spelled);
            default -> new FieldError(place, "FieldValueInvalid", "Invalid value" + spelled + ": " + detail);
        };
    }

    private String spoken(Map<String, Object> variables) {
        if (message != null) {
            try {
                String text = String.valueOf(message.evaluate(variables)).trim();
                if (!text.isEmpty() && !text.contains("\n")) {
                    return text;
                }
            } catch (CelEvaluationException e) {
                return plainMessage(true);
            }
        }
        return plainMessage(true);
    }

    private static String shown(String path) {
        return path.isEmpty() ? "<nil>" : path;
    }
}
