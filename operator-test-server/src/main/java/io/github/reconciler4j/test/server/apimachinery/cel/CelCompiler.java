package io.github.reconciler4j.test.server.apimachinery.cel;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import io.github.reconciler4j.test.server.apimachinery.FieldError;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes rules of one schema out of their texts. For one thread. */
final class CelCompiler {

    private final CelSchema types;
    private final List<FieldError> errors;

    CelCompiler(CelSchema types, List<FieldError> errors) {
        this.types = types;
        this.errors = errors;
    }

    CelSchema types() {
        return types;
    }

    /** Compile a rule on values of a type; if it has errors, add them and return null. */
    @Nullable
    CelRule rule(JsonNode json, CelType self, String path) {
        CelRuntime.Program rule = program(json, "rule", SimpleType.BOOL, self, path);
        if (rule == null || json.path("messageExpression").asText().isBlank()) {
            return rule == null ? null : new CelRule(json, rule, null);
        }
        return new CelRule(json, rule, program(json, "messageExpression", SimpleType.STRING, self, path));
    }

    private CelRuntime.@Nullable Program program(
            JsonNode json, String field, CelType wanted, CelType self, String path) {
        boolean optional = json.path("optionalOldSelf").asBoolean();
        String text = json.path(field).asText();
        try {
            CelAbstractSyntaxTree tree = CelEnvironment.compile(text, self, optional, types);
            if (tree.getResultType().equals(wanted)) {
                return CelEnvironment.program(tree);
            }
            String type = wanted.equals(SimpleType.BOOL) ? "bool" : "string";
            errors.add(FieldError.invalid(path + "." + field, text, "cel expression must evaluate to a " + type));
        } catch (CelValidationException | CelEvaluationException e) {
            errors.add(FieldError.invalid(path + "." + field, text, "compilation failed: " + e.getMessage()));
        }
        return null;
    }
}
