package io.github.reconciler4j.test.server.apimachinery.cel;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.runtime.CelEvaluationException;
import io.github.reconciler4j.test.server.apimachinery.FieldError;
import io.github.reconciler4j.test.server.apimachinery.GoFormat;
import io.github.reconciler4j.test.server.apimachinery.cel.CelEnvironment.Expression;
import io.github.reconciler4j.test.server.apimachinery.cel.cost.CostMeter;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One validation rule. Immutable; safe for use by many threads. */
final class CelRule {
    private static final Pattern OLD = Pattern.compile("\\boldSelf\\b");
    private static final int MAX_MESSAGE = 5 * 1024;

    private final JsonNode json;
    private final Expression rule;
    private final @Nullable Expression message;
    private final boolean usesOld;

    CelRule(JsonNode json, Expression rule, @Nullable Expression message) {
        this.json = json;
        this.rule = rule;
        this.message = message;
        this.usesOld = usesOld(json);
    }

    static boolean usesOld(JsonNode json) {
        return OLD.matcher(json.path("rule").asText()).find();
    }

    /** Whether the rule compares with the value before the update. */
    boolean usesOld() {
        return usesOld;
    }

    /**
     * What a check is about.
     *
     * @param self the value
     * @param oldSelf the value before; null if there is none
     * @param value the value as JSON
     * @param type its type in the schema
     * @param path where it is
     */
    record Subject(Object self, @Nullable Object oldSelf, JsonNode value, String type, String path) {
        FieldError invalid(String detail) {
            return new FieldError(
                    shown(path), "FieldValueInvalid", "Invalid value: " + GoFormat.quoted(type) + ": " + detail);
        }
    }

    /**
     * What a rule found.
     *
     * @param error what is wrong
     * @param evaluated whether the rule said so, rather than failed to run
     */
    record Finding(FieldError error, boolean evaluated) {}

    /** Evaluates the rule; returns what is wrong, or null. */
    @Nullable
    Finding check(Subject subject, CelBudget budget) {
        boolean optional = json.path("optionalOldSelf").asBoolean();
        Object old = subject.oldSelf();
        if (usesOld && old == null && !optional) {
            return null;
        }
        Object before = optional ? Optional.ofNullable(old) : old == null ? subject.self() : old;
        Map<String, Object> variables = CelEnvironment.variables(subject.self(), before);
        CostMeter meter = new CostMeter();
        try {
            boolean kept = Boolean.TRUE.equals(rule.evaluate(variables, budget.counts() ? meter : null));
            if (!budget.take(meter.cost())) {
                return outOfBudget(subject);
            }
            return kept ? null : failure(subject, variables, budget);
        } catch (CelEvaluationException e) {
            if (!budget.take(meter.cost())) {
                return outOfBudget(subject);
            }
            return new Finding(subject.invalid(problem(e, budget)), false);
        }
    }

    private static Finding outOfBudget(Subject subject) {
        return new Finding(outOfBudgetError(subject), false);
    }

    static FieldError outOfBudgetError(Subject subject) {
        return subject.invalid(
                "validation failed due to running out of cost budget, no further validation rules will be run");
    }

    private String problem(CelEvaluationException error, CelBudget budget) {
        String reason = CelProblems.reason(error);
        if (reason.startsWith("operation cancelled")) {
            budget.stop();
            return "'" + reason + "': no further validation rules will be run due to call cost exceeds limit for rule: "
                    + plainMessage(false);
        }
        return reason.startsWith("no such overload")
                ? "'" + reason + "': call arguments did not match a supported operator, function or macro signature for"
                        + " rule: " + plainMessage(false)
                : reason + " evaluating rule: " + plainMessage(false);
    }

    private String plainMessage(boolean failed) {
        String own = json.path("message").asText().trim();
        String text = json.path("rule").asText().trim();
        return own.isEmpty() ? (failed ? "failed rule: " + text : text) : own;
    }

    private Finding failure(Subject subject, Map<String, Object> variables, CelBudget budget) {
        String path = subject.path();
        JsonNode value = subject.value();
        String field = json.path("fieldPath").asText();
        String place = shown(path + (path.isEmpty() && field.startsWith(".") ? field.substring(1) : field));
        String detail = plainMessage(true);
        if (message != null) {
            CostMeter meter = new CostMeter();
            try {
                String spoken = String.valueOf(message.evaluate(variables, budget.counts() ? meter : null))
                        .trim();
                boolean usable = !spoken.isEmpty() && !spoken.contains("\n") && spoken.length() <= MAX_MESSAGE;
                detail = usable ? spoken : detail;
            } catch (CelEvaluationException e) {
                if (CelProblems.reason(e).startsWith("operation cancelled")) {
                    budget.stop();
                    detail = "no further validation rules will be run due to call cost exceeds limit for"
                            + " messageExpression: "
                            + GoFormat.quoted(json.path("messageExpression").asText());
                    return new Finding(new Subject("", null, value, subject.type(), place).invalid(detail), true);
                }
            }
            if (!budget.take(meter.cost())) {
                detail = "messageExpression evaluation failed due to running out of cost budget, no further validation"
                        + " rules will be run";
                return new Finding(new Subject("", null, value, subject.type(), place).invalid(detail), true);
            }
        }
        return new Finding(error(place, value, detail), true);
    }

    private FieldError error(String place, JsonNode value, String detail) {
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

    private static String shown(String path) {
        return path.isEmpty() ? "<nil>" : path;
    }
}
