package io.github.reconciler4j.test.server.apimachinery.cel.cost;

import io.github.reconciler4j.test.server.apimachinery.cel.cost.Call.Cost;
import java.util.List;
import java.util.Objects;

/** The estimated cost of the functions of CEL itself. Immutable. */
final class StandardCalls {
    private static final int BYTES_PER_CHARACTER = 4;

    private final Sizes sizes;

    StandardCalls(Sizes sizes) {
        this.sizes = sizes;
    }

    /** The cost of a call without that of its arguments; 1 for all that take the same time for any value. */
    Cost cost(Call call) {
        return switch (call.overload()) {
            case "string_format" ->
                Cost.of(sizes.of(Objects.requireNonNull(call.target())).times(Units.TRAVERSAL));
            case "string_to_bytes" -> {
                Range size = sizes.of(call.argument(0));
                yield new Cost(
                        size.times(Units.TRAVERSAL),
                        new Range(size.min(), Range.multiply(size.max(), BYTES_PER_CHARACTER)));
            }
            case "bytes_to_string" -> {
                Range size = sizes.of(call.argument(0));
                yield new Cost(size.times(Units.TRAVERSAL), new Range(size.min() / BYTES_PER_CHARACTER, size.max()));
            }
            case "strings_quote" -> {
                Range size = sizes.of(call.argument(0));
                yield new Cost(
                        size.times(Units.TRAVERSAL), size.or(size.plus(size)).plus(Range.of(2)));
            }
            case "starts_with_string", "ends_with_string" ->
                Cost.of(sizes.of(call.argument(0)).times(Units.TRAVERSAL));
            case "in_list" -> Cost.of(sizes.of(call.argument(1)));
            case "matches", "matches_string" -> matches(call);
            case "contains_string" -> {
                Range text = sizes.of(Objects.requireNonNull(call.target())).times(Units.TRAVERSAL);
                yield Cost.of(text.times(sizes.of(call.argument(0)).times(Units.TRAVERSAL)));
            }
            case "add_string", "add_bytes" -> {
                Range size = sizes.of(call.argument(0)).plus(sizes.of(call.argument(1)));
                yield new Cost(size.times(Units.TRAVERSAL), size);
            }
            case "add_list" -> new Cost(Range.ONE, sizes.of(call.argument(0)).plus(sizes.of(call.argument(1))));
            default -> compares(call.overload()) ? comparison(call.arguments()) : Cost.of(1);
        };
    }

    private static boolean compares(String overload) {
        return overload.equals("equals")
                || overload.equals("not_equals")
                || overload.matches("(less|greater)(_equals)?_(string|bytes)");
    }

    private Cost comparison(List<Node> arguments) {
        Range one = known(arguments.get(0));
        Range other = known(arguments.get(1));
        long most = Math.min(one.max(), other.max());
        return Cost.of(new Range(most > 0 ? 1 : 0, most).times(Units.TRAVERSAL));
    }

    /** Only what the expression and the schema told before. */
    private static Range known(Node node) {
        return node.size() == null ? Range.UNKNOWN : node.size();
    }

    private Cost matches(Call call) {
        Node target = call.target();
        Node text = target != null ? target : call.argument(0);
        Node expression = call.argument(target != null ? 0 : 1);
        Range traversal = sizes.of(text).plus(Range.ONE).times(Units.TRAVERSAL);
        return Cost.of(traversal.times(sizes.of(expression).times(Units.EXPRESSION)));
    }
}
