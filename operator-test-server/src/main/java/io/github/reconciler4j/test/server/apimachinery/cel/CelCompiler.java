package io.github.reconciler4j.test.server.apimachinery.cel;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelEvaluationException;
import io.github.reconciler4j.test.server.apimachinery.FieldError;
import io.github.reconciler4j.test.server.apimachinery.GoFormat;
import io.github.reconciler4j.test.server.apimachinery.cel.CelEnvironment.Expression;
import io.github.reconciler4j.test.server.apimachinery.cel.cost.CostTotal;
import io.github.reconciler4j.test.server.apimachinery.cel.cost.RuleCost;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Makes rules of one schema out of their texts. For one thread. */
final class CelCompiler {
    private static final Pattern CANDIDATES = Pattern.compile(" \\(candidates: [^\n]*\\)");

    private final CelSchema types;
    private final CostTotal total;
    private final List<FieldError> errors;

    CelCompiler(CelSchema types, CostTotal total, List<FieldError> errors) {
        this.types = types;
        this.total = total;
        this.errors = errors;
    }

    CelSchema types() {
        return types;
    }

    /**
     * Where rules are.
     *
     * @param self the type of their value
     * @param costs what expressions on it cost
     * @param times how often it can be there at most; below 0 if nothing around limits that
     */
    record Place(CelType self, RuleCost costs, long times) {}

    /** Compiles a rule; null if it has errors, which are added. */
    @Nullable
    CelRule rule(JsonNode json, Place place, String path) {
        Expression rule = expression(json, "rule", "", SimpleType.BOOL, place, path);
        if (rule == null) {
            return null;
        }
        long most = place.costs().most(rule.tree());
        total.add(path + ".rule", "rule", place.costs().mostInRequest(most, place.times()), errors);
        if (json.path("messageExpression").asText().isBlank()) {
            return new CelRule(json, rule, null);
        }
        Expression message =
                expression(json, "messageExpression", "messageExpression ", SimpleType.STRING, place, path);
        if (message != null) {
            long once = place.costs().most(message.tree());
            total.add(path + ".messageExpression", "messageExpression", once, errors);
        }
        return new CelRule(json, rule, message);
    }

    private @Nullable Expression expression(
            JsonNode json, String field, String subject, CelType wanted, Place place, String path) {
        boolean optional = json.path("optionalOldSelf").asBoolean();
        try {
            Expression expression = CelEnvironment.compile(json.path(field).asText(), place.self(), optional, types);
            Optional<String> search = LiteralChecks.badSearch(expression.tree());
            if (expression.tree().getResultType().equals(wanted) && search.isEmpty()) {
                return expression;
            }
            String what = search.isPresent()
                    ? (subject.isEmpty() ? "program " : subject) + "instantiation failed: " + search.get()
                    : wanted.equals(SimpleType.BOOL)
                            ? "cel expression must evaluate to a bool"
                            : subject + "must evaluate to a string";
            errors.add(error(json, path + "." + field, what));
        } catch (CelValidationException | CelEvaluationException e) {
            String said = CANDIDATES.matcher(String.valueOf(e.getMessage())).replaceAll("");
            errors.add(error(json, path + "." + field, subject + "compilation failed: " + said));
        }
        return null;
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
}
