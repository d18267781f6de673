package io.github.reconciler4j.test.server.internal.apimachinery.cel.cost;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.common.CelAbstractSyntaxTree;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldErrors;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Adds up what the rules of one schema cost at most, and refuses those that are too expensive. A rule may cost 10 million
 * units, times the number of values that it can be evaluated for in one request; all rules of a schema together 100 million.
 * For one thread.
 */
public final class RuleCosts {
    private static final long OF_RULE = 10_000_000;
    private static final long OF_SCHEMA = 100_000_000;
    private static final int NAMED = 4;

    private final FieldErrors errors;
    private final List<Cost> expensive = new ArrayList<>();
    private long total;

    /** A rule that takes more than a hundredth of what all may cost. */
    private record Cost(String path, long cost) {}

    public RuleCosts(FieldErrors errors) {
        this.errors = errors;
    }

    /**
     * How often the rules of a schema can be evaluated for one object.
     *
     * @param most or null if only the size of the request is the limit
     */
    public record Cardinality(@Nullable Long most) {
        public static final Cardinality ONCE = new Cardinality(1L);
        private static final Cardinality UNLIMITED = new Cardinality(null);

        /** Return how often, for what a schema contains. */
        public Cardinality inside(JsonNode schema) {
            String limit = switch (schema.path("type").asText()) {
                case "object" -> schema.has("additionalProperties") ? "maxProperties" : "";
                case "array" -> "maxItems";
                default -> "";
            };
            if (limit.isEmpty() || most == null) {
                return this;
            }
            return schema.has(limit)
                    ? new Cardinality(Estimate.product(
                            most, Math.max(0, schema.path(limit).asLong())))
                    : UNLIMITED;
        }
    }

    /** Add a rule; its path is that of its text. */
    public void addRule(CelAbstractSyntaxTree rule, SchemaSizes schema, Cardinality cardinality, String path) {
        long times = cardinality.most() == null ? schema.mostOften() : cardinality.most();
        add("estimated rule cost", Estimate.product(CostEstimator.estimate(rule, schema), times), path);
    }

    /** Add an expression for the message of a rule, which is evaluated at most once. */
    public void addMessage(CelAbstractSyntaxTree message, SchemaSizes schema, String path) {
        add("estimated messageExpression cost", CostEstimator.estimate(message, schema), path);
    }

    private void add(String what, long cost, String path) {
        if (cost > OF_RULE) {
            errors.forbidden(path, exceeds(what, cost, OF_RULE));
        }
        total = Estimate.sum(total, cost);
        if (cost >= OF_SCHEMA / 100) {
            expensive.add(new Cost(path, cost));
        }
    }

    /** Refuse the schema at a path if all its rules together are too expensive. */
    public void checkTotal(String path) {
        if (total <= OF_SCHEMA) {
            return;
        }
        expensive.stream()
                .sorted(Comparator.comparingLong(Cost::cost).reversed())
                .limit(NAMED)
                .forEach(cost -> errors.forbidden(
                        cost.path(),
                        "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema"));
        errors.forbidden(
                path,
                exceeds(
                        "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema",
                        total,
                        OF_SCHEMA));
    }

    private static String exceeds(String what, long cost, long limit) {
        double factor = (double) cost / limit;
        String shown = factor > 100 ? "more than 100" : rounded(factor, factor < 1.5 ? 6 : 1);
        return what + " exceeds budget by factor of " + shown + "x"
                + " (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and"
                + " strings are declared)";
    }

    /** Round as Go does: the exact value of the number, not its shortest text. */
    private static String rounded(double number, int digits) {
        return new BigDecimal(number).setScale(digits, RoundingMode.HALF_EVEN).toPlainString();
    }
}
