package io.github.reconciler4j.test.server.apimachinery.cel.cost;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import io.github.reconciler4j.test.server.apimachinery.cel.cost.Call.Cost;

/** The estimated cost of functions on texts that make texts of another size. Immutable. */
final class TextCalls {
    private final Sizes sizes;

    TextCalls(Sizes sizes) {
        this.sizes = sizes;
    }

    Cost cost(Call call, Node target) {
        Range size = sizes.of(target);
        return switch (call.function()) {
            case "replace" ->
                new Cost(
                        size.times(2 * Units.TRAVERSAL),
                        replaced(size, sizes.of(call.argument(0)), sizes.of(call.argument(1))));
            case "split" -> new Cost(size.times(2 * Units.TRAVERSAL), new Range(0, parts(call, size.max())));
            case "join" -> join(call, target, size);
            default -> {
                Range expression = sizes.of(call.argument(0)).times(Units.EXPRESSION);
                Range text = size.plus(Range.ONE).times(Units.TRAVERSAL);
                yield new Cost(text.times(expression), new Range(0, size.max()));
            }
        };
    }

    private static Range replaced(Range size, Range search, Range by) {
        return new Range(shortest(size, search, by), longest(size, search, by));
    }

    private static long longest(Range size, Range search, Range by) {
        if (search.min() == 0) {
            return Range.add(Range.multiply(Range.add(size.max(), 1), by.max()), size.max());
        }
        return by.max() <= search.min()
                ? size.max()
                : Range.multiply((long) Math.ceil((double) size.max() / search.min()), by.max());
    }

    private static long shortest(Range size, Range search, Range by) {
        if (search.max() == 0) {
            return Range.add(Range.multiply(Range.add(size.min(), 1), by.min()), size.min());
        }
        return search.max() <= by.min()
                ? size.min()
                : Range.multiply((long) Math.ceil((double) size.min() / search.max()), by.min());
    }

    private static long parts(Call call, long otherwise) {
        CelExpr limit = call.arguments().size() > 1 ? call.argument(1).expression() : null;
        if (limit == null) {
            return otherwise;
        }
        boolean known = limit.getKind() == CelExpr.ExprKind.Kind.CONSTANT
                && limit.constant().getKind() == CelConstant.Kind.INT64_VALUE;
        return known ? limit.constant().int64Value() : otherwise;
    }

    private Cost join(Call call, Node target, Range count) {
        Node items = Sizes.items(target);
        Range size = items == null ? Range.NONE : count.times(sizes.of(items));
        if (!call.arguments().isEmpty()) {
            Range gaps = new Range(Math.max(0, count.min() - 1), Math.max(0, count.max() - 1));
            size = size.plus(sizes.of(call.argument(0)).times(gaps));
        }
        return new Cost(size.times(Units.TRAVERSAL), size);
    }
}
