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
import io.github.reconciler4j.test.server.internal.apimachinery.cel.cost.RuleCosts;
import io.github.reconciler4j.test.server.internal.apimachinery.cel.cost.RuleCosts.Cardinality;
import io.github.reconciler4j.test.server.internal.apimachinery.cel.cost.SchemaSizes;
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

    private CelRules(
            JsonNode schema,
            boolean resource,
            String name,
            String path,
            Cardinality cardinality,
            CelCompiler compiler) {
        this.schema = schema;
        this.resource = resource;
        Cardinality inside = cardinality.inside(schema);
        schema.path("properties").properties().forEach(property -> {
            String field = property.getKey();
            String at = path + ".properties[" + field + "]";
            CelRules child = child(property.getValue(), name + "." + field, at, inside, compiler);
            if (child != null) {
                properties.put(field, child);
            }
        });
        values = child(
                schema.path("additionalProperties"), name + ".@elem", path + ".additionalProperties", inside, compiler);
        items = child(schema.path("items"), name + ".@idx", path + ".items", inside, compiler);
        addOwn(name, path, cardinality, compiler);
    }

    private void addOwn(String name, String path, Cardinality cardinality, CelCompiler compiler) {
        JsonNode own = schema.path("x-kubernetes-validations");
        CelType type = own.isEmpty() ? null : compiler.types().type(schema, name, resource);
        SchemaSizes sizes = own.isEmpty() ? null : SchemaSizes.of(schema, resource || isResource(schema));
        if (type == null || sizes == null) {
            return;
        }
        Subjects subjects = new Subjects(type, sizes, cardinality);
        for (int i = 0; i < own.size(); i++) {
            CelRule rule = compiler.rule(own.get(i), subjects, path + ".x-kubernetes-validations[" + i + "]");
            if (rule != null) {
                rules.add(rule);
            }
        }
    }

    private static boolean isResource(JsonNode schema) {
        return schema.path("x-kubernetes-embedded-resource").asBoolean();
    }

    private static @Nullable CelRules child(
            JsonNode schema, String name, String path, Cardinality cardinality, CelCompiler compiler) {
        if (!schema.isObject()) {
            return null;
        }
        CelRules rules = new CelRules(schema, false, name, path, cardinality, compiler);
        return rules.isEmpty() ? null : rules;
    }

    /**
     * Compile the rules of a schema.
     *
     * @param path where it is in its definition
     * @param errors receives the errors of the rules
     */
    public static CelRules compile(JsonNode schema, String path, FieldErrors errors) {
        RuleCosts costs = new RuleCosts(errors);
        CelCompiler compiler = new CelCompiler(new CelSchema(), costs, errors);
        CelRules rules = new CelRules(schema, true, "selfType", path, Cardinality.ONCE, compiler);
        costs.checkTotal(path);
        return rules;
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

    /** The values that a rule is for: their type, how large they can be, and how many there can be in an object. */
    private record Subjects(CelType type, SchemaSizes sizes, Cardinality cardinality) {}

    /** Compiles the rules of one schema. For one thread. */
    private static final class CelCompiler {

        private final CelSchema types;
        private final RuleCosts costs;
        private final FieldErrors errors;

        CelCompiler(CelSchema types, RuleCosts costs, FieldErrors errors) {
            this.types = types;
            this.costs = costs;
            this.errors = errors;
        }

        CelSchema types() {
            return types;
        }

        /** Compile a rule; if it has errors, add them and return null. */
        @Nullable
        CelRule rule(JsonNode json, Subjects subjects, String path) {
            CelAbstractSyntaxTree tree = tree(json, "rule", SimpleType.BOOL, subjects, path);
            if (tree == null) {
                return null;
            }
            costs.addRule(tree, subjects.sizes(), subjects.cardinality(), path + ".rule");
            CelAbstractSyntaxTree message =
                    json.path("messageExpression").asText().isBlank()
                            ? null
                            : tree(json, "messageExpression", SimpleType.STRING, subjects, path);
            if (message != null) {
                costs.addMessage(message, subjects.sizes(), path + ".messageExpression");
            }
            CelRuntime.Program rule = program(tree, json, "rule", path);
            return rule == null
                    ? null
                    : new CelRule(
                            json, rule, message == null ? null : program(message, json, "messageExpression", path));
        }

        private @Nullable CelAbstractSyntaxTree tree(
                JsonNode json, String field, CelType wanted, Subjects subjects, String path) {
            boolean optional = json.path("optionalOldSelf").asBoolean();
            String text = json.path(field).asText();
            try {
                CelAbstractSyntaxTree tree = CelEnvironment.compile(text, subjects.type(), optional, types);
                if (tree.getResultType().equals(wanted)) {
                    return tree;
                }
                String type = wanted.equals(SimpleType.BOOL) ? "bool" : "string";
                errors.invalid(path + "." + field, text, "cel expression must evaluate to a " + type);
            } catch (CelValidationException e) {
                errors.invalid(path + "." + field, text, "compilation failed: " + e.getMessage());
            }
            return null;
        }

        private CelRuntime.@Nullable Program program(
                CelAbstractSyntaxTree tree, JsonNode json, String field, String path) {
            try {
                return CelEnvironment.program(tree);
            } catch (CelEvaluationException e) {
                errors.invalid(path + "." + field, json.path(field).asText(), "compilation failed: " + e.getMessage());
                return null;
            }
        }
    }
}
