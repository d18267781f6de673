package io.github.reconciler4j.test.server.internal.apimachinery.cel;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One validation rule. Immutable; safe for use by multiple threads. */
final class CelRule {
    private static final Pattern OLD = Pattern.compile("\\boldSelf\\b");
    private static final Pattern POSITION = Pattern.compile("^evaluation error(?: at [^:]*:\\d+)?: ");
    private static final int MAX_MESSAGE = 5 * 1024;

    private final JsonNode json;
    private final CelRuntime.Program rule;
    private final CelRuntime.@Nullable Program message;
    private final boolean usesOld;

    CelRule(JsonNode json, CelRuntime.Program rule, CelRuntime.@Nullable Program message) {
        this.json = json;
        this.rule = rule;
        this.message = message;
        this.usesOld = usesOld(json);
    }

    static boolean usesOld(JsonNode json) {
        return OLD.matcher(json.path("rule").asText()).find();
    }

    /** Return whether the rule compares with the value before the update. */
    boolean usesOld() {
        return usesOld;
    }

    /**
     * The subject of a check.
     *
     * @param oldSelf the value before, or null
     * @param type its type in the schema
     */
    record Subject(Object self, @Nullable Object oldSelf, JsonNode value, String type, String path) {
        FieldError invalid(String detail) {
            return new FieldError(
                    shown(path), "FieldValueInvalid", "Invalid value: " + FieldError.quoted(type) + ": " + detail);
        }
    }

    /**
     * The finding of a rule.
     *
     * @param evaluated whether the rule said so, rather than failed to run
     */
    record Finding(FieldError error, boolean evaluated) {}

    /** Evaluate the rule and return what it found, or null if the value keeps the rule. */
    @Nullable
    Finding check(Subject subject) {
        boolean optional = json.path("optionalOldSelf").asBoolean();
        Object old = subject.oldSelf();
        if (usesOld && old == null && !optional) {
            return null;
        }
        Object before = optional ? Optional.ofNullable(old) : old == null ? subject.self() : old;
        Map<String, Object> variables = CelEnvironment.variables(subject.self(), before);
        try {
            return Boolean.TRUE.equals(rule.eval(variables)) ? null : failure(subject, variables);
        } catch (CelEvaluationException e) {
            return new Finding(subject.invalid(reason(e) + " evaluating rule: " + plainMessage(false)), false);
        }
    }

    private String plainMessage(boolean failed) {
        String own = json.path("message").asText().trim();
        String text = json.path("rule").asText().trim();
        return own.isEmpty() ? (failed ? "failed rule: " + text : text) : own;
    }

    private Finding failure(Subject subject, Map<String, Object> variables) {
        String path = subject.path();
        String field = json.path("fieldPath").asText();
        String place = shown(path + (path.isEmpty() && field.startsWith(".") ? field.substring(1) : field));
        return new Finding(error(place, subject.value(), message(variables)), true);
    }

    private String message(Map<String, Object> variables) {
        String plain = plainMessage(true);
        if (message == null) {
            return plain;
        }
        try {
            String text = String.valueOf(message.eval(variables)).trim();
            boolean usable = !text.isEmpty() && !text.contains("\n") && text.length() <= MAX_MESSAGE;
            return usable ? text : plain;
        } catch (CelEvaluationException e) {
            return plain;
        }
    }

    private FieldError error(String place, JsonNode value, String detail) {
        String spelled = value.isContainerNode()
                ? ""
                : ": " + (value.isTextual() ? FieldError.quoted(value.textValue()) : String.valueOf(value));
        String reason = json.path("reason").asText("FieldValueInvalid");
        return switch (reason) {
            case "FieldValueForbidden" -> new FieldError(place, reason, "Forbidden: " + detail);
            case "FieldValueRequired" -> new FieldError(place, reason, "Required value: " + detail);
            case "FieldValueDuplicate" -> new FieldError(place, reason, "Duplicate value" + spelled);
            default -> new FieldError(place, "FieldValueInvalid", "Invalid value" + spelled + ": " + detail);
        };
    }

    private static String shown(String path) {
        return path.isEmpty() ? "<nil>" : path;
    }

    /** Return why an expression cannot be evaluated: the message of the function that failed, if any. */
    static String reason(Throwable error) {
        Throwable cause = error;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return POSITION.matcher(String.valueOf(cause.getMessage())).replaceFirst("");
    }
}
