package io.github.reconciler4j.test.server.apimachinery.cel.cost;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.common.CelAbstractSyntaxTree;
import org.jspecify.annotations.Nullable;

/**
 * What expressions on values of one schema cost at most. Immutable; safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class RuleCost {
    private final @Nullable SizedSchema schema;

    private RuleCost(@Nullable SizedSchema schema) {
        this.schema = schema;
    }

    /** Costs on values of a schema; {@code resource} is whether it is a whole object. */
    public static RuleCost on(JsonNode schema, boolean resource) {
        return new RuleCost(SizedSchema.of(schema, resource));
    }

    /** The most that an expression can cost once; {@link Long#MAX_VALUE} if that is not limited. */
    public long most(CelAbstractSyntaxTree expression) {
        return schema == null ? 0 : new Estimate(expression, schema).cost().max();
    }

    /** The most that an expression can cost in one request, when it runs at most {@code times}; below 0 for any number. */
    public long mostInRequest(long most, long times) {
        long runs = times >= 0 || schema == null ? times : schema.mostTimes();
        return Range.multiply(most, Math.max(0, runs));
    }
}
