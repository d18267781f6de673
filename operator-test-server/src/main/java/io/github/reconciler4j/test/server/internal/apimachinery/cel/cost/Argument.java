package io.github.reconciler4j.test.server.internal.apimachinery.cel.cost;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.types.CelType;
import org.jspecify.annotations.Nullable;

/**
 * What a function is called with.
 *
 * @param path where the value is, or {@link FieldPath#NONE}
 * @param computed the size, if it follows from the expression
 */
record Argument(
        FieldPath path,
        CelType type,
        CelExpr expression,
        @Nullable Estimate computed) {

    /** Return the size, which can be unknown. */
    Estimate size(SchemaSizes schema) {
        Estimate declared = computed == null ? schema.at(path) : computed;
        return declared == null ? Estimate.UNKNOWN : declared;
    }

    /** Return the number if it is one in the text of the expression; negative ones are 0. */
    long number(long otherwise) {
        boolean number = expression.getKind() == CelExpr.ExprKind.Kind.CONSTANT
                && expression.constant().getKind() == CelConstant.Kind.INT64_VALUE;
        return number ? Math.max(0, expression.constant().int64Value()) : otherwise;
    }
}
