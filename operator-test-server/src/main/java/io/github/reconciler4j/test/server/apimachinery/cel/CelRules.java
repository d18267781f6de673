package io.github.reconciler4j.test.server.apimachinery.cel;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.common.types.CelType;
import io.github.reconciler4j.test.server.apimachinery.FieldError;
import io.github.reconciler4j.test.server.apimachinery.Trees;
import io.github.reconciler4j.test.server.apimachinery.cel.cost.CostMeter;
import io.github.reconciler4j.test.server.apimachinery.cel.cost.CostTotal;
import io.github.reconciler4j.test.server.apimachinery.cel.cost.RuleCost;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The validation rules of a schema. Compiling takes a few milliseconds per rule. Immutable; safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class CelRules {
    private static final long UNLIMITED = -1;

    private final JsonNode schema;
    private final boolean resource;
    private final List<CelRule> rules = new ArrayList<>();
    private final Map<String, CelRules> properties = new LinkedHashMap<>();
    private final @Nullable CelRules values;
    private final @Nullable CelRules items;
    private boolean counts;

    private CelRules(JsonNode schema, boolean resource, String name, String path, long times, CelCompiler compiler) {
        this.schema = schema;
        this.resource = resource;
        long inside = inside(schema, times);
        schema.path("properties").properties().forEach(property -> {
            String field = property.getKey();
            CelRules child = child(
                    property.getValue(), name + "." + field, path + ".properties[" + field + "]", inside, compiler);
            if (child != null) {
                properties.put(field, child);
            }
        });
        values = child(
                schema.path("additionalProperties"), name + ".@elem", path + ".additionalProperties", inside, compiler);
        items = child(schema.path("items"), name + ".@idx", path + ".items", inside, compiler);
        addOwn(name, path, times, compiler);
    }

    private void addOwn(String name, String path, long times, CelCompiler compiler) {
        JsonNode own = schema.path("x-kubernetes-validations");
        CelType type = own.isEmpty() ? null : compiler.types().type(schema, name, resource);
        if (type == null) {
            return;
        }
        boolean whole =
                resource || schema.path("x-kubernetes-embedded-resource").asBoolean();
        CelCompiler.Place place = new CelCompiler.Place(type, RuleCost.on(schema, whole), times);
        for (int i = 0; i < own.size(); i++) {
            CelRule rule = compiler.rule(own.get(i), place, path + ".x-kubernetes-validations[" + i + "]");
            if (rule != null) {
                rules.add(rule);
            }
        }
    }

    /** How often what is in a value of this schema can be there, if the value is there this often. */
    private static long inside(JsonNode schema, long times) {
        boolean map = schema.path("additionalProperties").isObject();
        boolean list = schema.path("type").asText().equals("array");
        JsonNode limit = map ? schema.path("maxProperties") : schema.path("maxItems");
        if (times == UNLIMITED || !map && !list) {
            return times;
        }
        return limit.isNumber() ? multiplied(times, Math.max(0, limit.longValue())) : UNLIMITED;
    }

    private static long multiplied(long one, long other) {
        return other != 0 && one > Long.MAX_VALUE / other ? Long.MAX_VALUE : one * other;
    }

    private static @Nullable CelRules child(
            JsonNode schema, String name, String path, long times, CelCompiler compiler) {
        if (!schema.isObject()) {
            return null;
        }
        CelRules rules = new CelRules(schema, false, name, path, times, compiler);
        return rules.isEmpty() ? null : rules;
    }

    /**
     * Compiles the rules of a schema.
     *
     * @param schema the {@code openAPIV3Schema}
     * @param path where it is in its definition
     * @param errors takes what is wrong with the rules, also that they may cost too much
     */
    public static CelRules compile(JsonNode schema, String path, List<FieldError> errors) {
        CostTotal total = new CostTotal();
        CelCompiler compiler = new CelCompiler(new CelSchema(), total, errors);
        CelRules rules = new CelRules(schema, true, "selfType", path, 1, compiler);
        total.check(path, errors);
        rules.counts = !CostMeter.isHarmless(total.total());
        return rules;
    }

    /** Tells whether there is no rule at all. */
    public boolean isEmpty() {
        return rules.isEmpty() && properties.isEmpty() && values == null && items == null;
    }

    /**
     * Returns what the rules find wrong with an object.
     *
     * @param old the object before an update; null for a new one
     */
    public List<FieldError> check(JsonNode object, @Nullable JsonNode old) {
        List<FieldError> errors = new ArrayList<>();
        check(object, old, "", errors, new CelBudget(counts));
        return errors;
    }

    private void check(JsonNode value, @Nullable JsonNode old, String path, List<FieldError> errors, CelBudget budget) {
        if (budget.isStopped()) {
            return;
        }
        checkOwn(value, old, path, errors, budget);
        if (value.isObject()) {
            value.properties().forEach(field -> {
                CelRules declared = properties.get(field.getKey());
                JsonNode before = old == null ? null : old.get(field.getKey());
                String name = field.getKey();
                if (declared != null) {
                    declared.check(field.getValue(), before, path.isEmpty() ? name : path + "." + name, errors, budget);
                } else if (values != null) {
                    values.check(field.getValue(), before, path + "[" + name + "]", errors, budget);
                }
            });
        } else if (value.isArray() && items != null) {
            for (int i = 0; i < value.size(); i++) {
                items.check(value.get(i), before(value.get(i), old), path + "[" + i + "]", errors, budget);
            }
        }
    }

    private void checkOwn(
            JsonNode value, @Nullable JsonNode old, String path, List<FieldError> errors, CelBudget budget) {
        if (rules.isEmpty() || value.isNull() || budget.isStopped()) {
            return;
        }
        Object self = CelValues.of(value, schema, resource);
        Object before = old == null || old.isNull() ? null : CelValues.of(old, schema, resource);
        CelRule.Subject subject =
                new CelRule.Subject(self, before, value, schema.path("type").asText(), path);
        if (budget.isSpent()) {
            errors.add(CelRule.outOfBudgetError(subject));
            budget.stop();
            return;
        }
        boolean unchanged = old != null && Trees.equal(value, old);
        for (CelRule rule : rules) {
            CelRule.Finding finding = rule.check(subject, budget);
            if (finding != null && !(finding.evaluated() && unchanged && !rule.usesOld())) {
                errors.add(finding.error());
            }
            if (budget.isStopped()) {
                return;
            }
        }
    }

    /** The item of the same keys before the update; only items of associative lists have one. */
    private @Nullable JsonNode before(JsonNode item, @Nullable JsonNode old) {
        if (old == null || !schema.path("x-kubernetes-list-type").asText().equals("map")) {
            return null;
        }
        for (JsonNode candidate : old) {
            boolean same = true;
            for (JsonNode key : schema.path("x-kubernetes-list-map-keys")) {
                same &= Trees.equal(item.path(key.asText()), candidate.path(key.asText()));
            }
            if (same) {
                return candidate;
            }
        }
        return null;
    }
}
