package io.github.reconciler4j.test.server.apimachinery.cel.cost;

import dev.cel.common.ast.CelExpr;
import dev.cel.common.types.CelType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of an expression whose size matters to the cost of a call.
 *
 * @param expression the part; null for items of a list
 * @param path where its value is in the schema, a variable first; null if it is made by the expression
 * @param type its type
 * @param size its size where the expression tells it; else null
 */
record Node(
        @Nullable CelExpr expression,
        @Nullable List<String> path,
        CelType type,
        @Nullable Range size) {}
