package io.github.reconciler4j.test.server.apimachinery.cel.cost;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import io.github.reconciler4j.test.server.apimachinery.cel.cost.Call.Cost;
import org.jspecify.annotations.Nullable;

/** The estimated cost of CEL's own functions on lists and sets. Immutable. */
final class ListCalls {
    private final Sizes sizes;

    ListCalls(Sizes sizes) {
        this.sizes = sizes;
    }

    /** The cost of a call; null for functions that are reckoned like all others. */
    @Nullable
    Cost cost(Call call) {
        return switch (call.overload()) {
            case "list_slice" -> {
                long end = number(call.argument(1), target(call).max());
                yield listOf(Range.of(Math.max(0, end - number(call.argument(0), 0))), 1);
            }
            case "lists_range" -> listOf(Range.of(number(call.argument(0), Range.ENDLESS)), 1);
            case "list_reverse" -> listOf(target(call), 1);
            case "list_flatten" -> listOf(target(call), 1);
            case "list_flatten_list_int" -> listOf(target(call), number(call.argument(0), Range.ENDLESS));
            case "list_distinct" -> listOf(target(call).times(target(call)), 2);
            case "list_sort" -> sort(call.target());
            case "list_sortByAssociatedKeys" ->
                sort(call.argument(call.arguments().size() - 1));
            case "list_sets_contains_list", "list_sets_intersects_list" -> sets(call, 1);
            case "list_sets_equivalent_list" -> sets(call, 2);
            default -> null;
        };
    }

    private Range target(Call call) {
        return call.target() == null ? Range.UNKNOWN : sizes.of(call.target());
    }

    private static Cost listOf(Range size, double each) {
        return new Cost(size.times(each).plus(Range.of(1 + Units.LIST)), size);
    }

    /** Each item is compared with each other. */
    private @Nullable Cost sort(@Nullable Node list) {
        if (list == null) {
            return null;
        }
        Range size = sizes.of(list);
        Node items = Sizes.items(list);
        boolean texts = items != null && Sizes.isText(items.type());
        return listOf(size.times(size), texts ? 2 + Units.TRAVERSAL : 2);
    }

    private Cost sets(Call call, int times) {
        Range pairs = sizes.of(call.argument(0)).times(sizes.of(call.argument(1)));
        return Cost.of(pairs.times((double) times).plus(Range.ONE));
    }

    private static long number(Node node, long otherwise) {
        CelExpr expression = node.expression();
        if (expression == null) {
            return otherwise;
        }
        boolean known = expression.getKind() == CelExpr.ExprKind.Kind.CONSTANT
                && expression.constant().getKind() == CelConstant.Kind.INT64_VALUE;
        return known ? Math.max(0, expression.constant().int64Value()) : otherwise;
    }
}
