package io.github.reconciler4j.test.server.internal.apimachinery.cel;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldErrors;
import io.github.reconciler4j.test.server.internal.apimachinery.JsonValues;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The validation rules of a schema. Compiling takes a few milliseconds per rule. Immutable; safe for use by multiple threads.
 */
public final class CelRules {

    private final JsonNode schema;
    private final boolean resource;
    private final List<CelRule> rules = new ArrayList<>();
    private final Map<String, CelRules> properties = new LinkedHashMap<>();
    private final @Nullable CelRules values;
    private final @Nullable CelRules items;

    private CelRules(JsonNode schema, boolean resource, String name, String path, CelCompiler compiler) {
        this.schema = schema;
        this.resource = resource;
        schema.path("properties").properties().forEach(property -> {
            String field = property.getKey();
            CelRules child =
                    child(property.getValue(), name + "." + field, path + ".properties[" + field + "]", compiler);
            if (child != null) {
                properties.put(field, child);
            }
        });
        values = child(schema.path("additionalProperties"), name + ".@elem", path + ".additionalProperties", compiler);
        items = child(schema.path("items"), name + ".@idx", path + ".items", compiler);
        addOwn(name, path, compiler);
    }

    private void addOwn(String name, String path, CelCompiler compiler) {
        JsonNode own = schema.path("x-kubernetes-validations");
        CelType type = own.isEmpty() ? null : compiler.types().type(schema, name, resource);
        if (type == null) {
            return;
        }
        for (int i = 0; i < own.size(); i++) {
            CelRule rule = compiler.rule(own.get(i), type, path + ".x-kubernetes-validations[" + i + "]");
            if (rule != null) {
                rules.add(rule);
            }
        }
    }

    private static @Nullable CelRules child(JsonNode schema, String name, String path, CelCompiler compiler) {
        if (!schema.isObject()) {
            return null;
        }
        CelRules rules = new CelRules(schema, false, name, path, compiler);
        return rules.isEmpty() ? null : rules;
    }

    /**
     * Compile the rules of a schema.
     *
     * @param path where it is in its definition
     * @param errors receives the errors of the rules
     */
    public static CelRules compile(JsonNode schema, String path, FieldErrors errors) {
        return new CelRules(schema, true, "selfType", path, new CelCompiler(new CelSchema(), errors));
    }

    /** Return whether the schema has no rule. */
    public boolean isEmpty() {
        return rules.isEmpty() && properties.isEmpty() && values == null && items == null;
    }

    /**
     * Return the errors that the rules find in an object.
     *
     * @param old the object before an update; null for a new one
     */
    public List<FieldError> check(JsonNode object, @Nullable JsonNode old) {
        FieldErrors errors = new FieldErrors();
        check(object, old, "", errors);
        return errors;
    }

    private void check(JsonNode value, @Nullable JsonNode old, String path, FieldErrors errors) {
        checkOwn(value, old, path, errors);
        if (value.isObject()) {
            value.properties().forEach(field -> {
                CelRules declared = properties.get(field.getKey());
                JsonNode before = old == null ? null : old.get(field.getKey());
                String name = field.getKey();
                if (declared != null) {
                    declared.check(field.getValue(), before, path.isEmpty() ? name : path + "." + name, errors);
                } else if (values != null) {
                    values.check(field.getValue(), before, path + "[" + name + "]", errors);
                }
            });
        } else if (value.isArray() && items != null) {
            for (int i = 0; i < value.size(); i++) {
                items.check(value.get(i), before(value.get(i), old), path + "[" + i + "]", errors);
            }
        }
    }

    private void checkOwn(JsonNode value, @Nullable JsonNode old, String path, FieldErrors errors) {
        if (rules.isEmpty() || value.isNull()) {
            return;
        }
        Object self = CelValues.of(value, schema, resource);
        Object before = old == null || old.isNull() ? null : CelValues.of(old, schema, resource);
        CelRule.Subject subject =
                new CelRule.Subject(self, before, value, schema.path("type").asText(), path);
        boolean unchanged = old != null && JsonValues.equal(value, old);
        for (CelRule rule : rules) {
            CelRule.Finding finding = rule.check(subject);
            if (finding != null && !(finding.evaluated() && unchanged && !rule.usesOld())) {
                errors.add(finding.error());
            }
        }
    }

    /** Return the item of the same keys before the update; only items of associative lists have one. */
    private @Nullable JsonNode before(JsonNode item, @Nullable JsonNode old) {
        if (old == null || !schema.path("x-kubernetes-list-type").asText().equals("map")) {
            return null;
        }
        for (JsonNode candidate : old) {
            boolean same = true;
            for (JsonNode key : schema.path("x-kubernetes-list-map-keys")) {
                same &= JsonValues.equal(item.path(key.asText()), candidate.path(key.asText()));
            }
            if (same) {
                return candidate;
            }
        }
        return null;
    }

    /** Compiles the rules of one schema. For one thread. */
    private static final class CelCompiler {

        private final CelSchema types;
        private final FieldErrors errors;

        CelCompiler(CelSchema types, FieldErrors errors) {
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
                errors.invalid(path + "." + field, text, "cel expression must evaluate to a " + type);
            } catch (CelValidationException | CelEvaluationException e) {
                errors.invalid(path + "." + field, text, "compilation failed: " + e.getMessage());
            }
            return null;
        }
    }
}
