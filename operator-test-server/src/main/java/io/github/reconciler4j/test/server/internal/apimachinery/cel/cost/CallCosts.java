package io.github.reconciler4j.test.server.internal.apimachinery.cel.cost;

import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the call of a function costs, after {@code functionCost} of cel-go, its libraries of sets and lists, and
 * {@code EstimateCallCost} of k8s.io/apiserver. For one call and one thread.
 */
final class CallCosts {
    private static final double TEXT = 0.1;
    private static final double REGEX = 0.25;
    private static final Set<String> COMPARISONS = Set.of(
            "less_string",
            "greater_string",
            "less_equals_string",
            "greater_equals_string",
            "less_bytes",
            "greater_bytes",
            "less_equals_bytes",
            "greater_equals_bytes",
            "equals",
            "not_equals");
    private static final Estimate BYTES_OF_ADDRESS = new Estimate(4, 16);

    private final CostEstimator estimator;
    private final SchemaSizes schema;
    private final String function;
    private final @Nullable Argument target;
    private final List<Argument> arguments;
    private final List<Estimate> costs;

    /**
     * The result.
     *
     * @param size of the value that the function returns, or null
     * @param entries of that value, or null
     */
    record Result(Estimate cost, @Nullable Estimate size, CostEstimator.@Nullable Entries entries) {
        Result(Estimate cost, @Nullable Estimate size) {
            this(cost, size, null);
        }

        Result(Estimate cost) {
            this(cost, null, null);
        }
    }

    CallCosts(
            CostEstimator estimator,
            SchemaSizes schema,
            String function,
            @Nullable Argument target,
            List<Argument> arguments,
            List<Estimate> costs) {
        this.estimator = estimator;
        this.schema = schema;
        this.function = function;
        this.target = target;
        this.arguments = arguments;
        this.costs = costs;
    }

    /** Return the cost of an overload with that of its arguments. */
    Result of(String overload) {
        Result special = ofLists();
        if (special == null) {
            special = ofKubernetes();
        }
        if (special == null) {
            special = ofStandard(overload);
        }
        if (special != null) {
            return new Result(special.cost().plus(argumentCosts()), special.size(), special.entries());
        }
        return switch (overload) {
            case "logical_or", "logical_and" ->
                new Result(new Estimate(
                        costs.get(0).min(), costs.get(0).plus(costs.get(1)).max()));
            case "conditional" -> conditional();
            default -> new Result(Estimate.ONE.plus(argumentCosts()));
        };
    }

    private Estimate argumentCosts() {
        return costs.stream().reduce(Estimate.ZERO, Estimate::plus);
    }

    private Estimate size(int argument) {
        return arguments.get(argument).size(schema);
    }

    private Estimate targetSize() {
        return Objects.requireNonNull(target).size(schema);
    }

    private Estimate computed(int argument) {
        return computed(arguments.get(argument));
    }

    private static Estimate computed(Argument argument) {
        return argument.computed() == null ? Estimate.UNKNOWN : argument.computed();
    }

    /** The libraries of sets and lists. */
    private @Nullable Result ofLists() {
        return switch (function) {
            case "sets.contains", "sets.intersects" -> sets(1);
            case "sets.equivalent" -> sets(2);
            case "slice" -> {
                long start = arguments.get(0).number(0);
                long end = arguments.get(1).number(targetSize().max());
                yield newList(1, Estimate.fixed(end < start ? Estimate.MAX : end - start));
            }
            case "lists.range" -> newList(1, Estimate.fixed(arguments.get(0).number(Estimate.MAX)));
            case "reverse" -> newList(1, targetSize());
            case "flatten" -> newList(arguments.isEmpty() ? 1 : arguments.get(0).number(Estimate.MAX), targetSize());
            case "distinct" -> newList(2, targetSize().times(targetSize()));
            case "sort" ->
                newList(
                        2 + (isText(element(Objects.requireNonNull(target).type())) ? TEXT : 0),
                        targetSize().times(targetSize()));
            default -> null;
        };
    }

    private Result sets(double factor) {
        return new Result(size(0).times(size(1)).times(factor).plus(Estimate.ONE));
    }

    private static Result newList(double factor, Estimate size) {
        return new Result(size.times(factor).plus(Estimate.fixed(1 + 10)), size);
    }

    private @Nullable Result ofKubernetes() {
        return switch (function) {
            case "isSorted", "sum", "max", "min", "indexOf", "lastIndexOf", "includes" ->
                target == null ? null : searched(target);
            case "url" -> new Result(size(0).times(TEXT), size(0));
            case "lowerAscii", "upperAscii", "substring", "trim" ->
                target == null ? null : new Result(targetSize().times(TEXT), targetSize());
            case "replace" -> target == null ? null : new Result(targetSize().times(2 * TEXT), replaced());
            case "split" -> {
                long most = arguments.size() > 1
                        ? arguments.get(1).number(targetSize().max())
                        : targetSize().max();
                yield new Result(targetSize().times(2 * TEXT), new Estimate(0, most));
            }
            case "join" -> joined();
            case "find", "findAll" ->
                new Result(
                        targetSize().plus(Estimate.ONE).times(TEXT).times(size(0).times(REGEX)),
                        new Estimate(0, targetSize().max()));
            case "validate" -> new Result(size(0).times(TEXT).times(128 * REGEX));
            case "quantity", "isQuantity", "semver", "isSemver", "cidr", "isIP", "isCIDR" ->
                new Result(size(0).times(TEXT));
            case "ip" -> new Result(target != null ? Estimate.ONE : size(0).times(TEXT));
            case "ip.isCanonical" -> new Result(size(0).times(2 * TEXT));
            case "containsIP" -> new Result(compared(Estimate.ZERO));
            case "containsCIDR" ->
                new Result(compared(BYTES_OF_ADDRESS.times(TEXT).plus(Estimate.ONE)));
            case "_==_" -> equalKubernetes();
            default -> null;
        };
    }

    private Result searched(Argument list) {
        CelType element = element(list.type());
        if (element != null) {
            Estimate each = Estimate.ONE;
            if (isText(element)) {
                FieldPath path =
                        list.path().isEmpty() ? FieldPath.NONE : list.path().appendToCopy(CostEstimator.ITEMS);
                Estimate size = schema.at(path);
                each = each.plus((size == null ? Estimate.UNKNOWN : size).times(TEXT));
            }
            return new Result(targetSize().times(each));
        }
        return new Result(
                function.equals("includes") ? targetSize() : targetSize().times(TEXT));
    }

    private static @Nullable CelType element(CelType type) {
        return type.parameters().isEmpty() ? null : type.parameters().get(0);
    }

    private static boolean isText(@Nullable CelType type) {
        return type != null && (type.kind() == CelKind.STRING || type.kind() == CelKind.BYTES);
    }

    private Estimate replaced() {
        Estimate all = targetSize();
        Estimate old = size(0);
        Estimate with = size(1);
        long most;
        long kept = 0;
        if (old.min() == 0) {
            most = Estimate.sum(all.max(), 1);
            kept = all.max();
        } else if (with.max() <= old.min()) {
            most = 0;
            kept = all.max();
        } else {
            most = (long) Math.ceil((double) all.max() / old.min());
        }
        long least;
        long keptLeast = 0;
        if (old.max() == 0) {
            least = Estimate.sum(all.min(), 1);
            keptLeast = all.min();
        } else if (old.max() <= with.min()) {
            least = 0;
            keptLeast = all.min();
        } else {
            least = (long) Math.ceil((double) all.min() / old.max());
        }
        return new Estimate(least, most).times(with).plus(new Estimate(keptLeast, kept));
    }

    private Result joined() {
        Argument list = Objects.requireNonNull(target);
        Estimate length = targetSize();
        Estimate size = Estimate.ZERO;
        if (element(list.type()) != null) {
            FieldPath path =
                    list.path().isEmpty() ? FieldPath.NONE : list.path().appendToCopy(CostEstimator.ITEMS);
            Estimate each = schema.at(path);
            size = length.times(each == null ? Estimate.UNKNOWN : each);
        }
        if (!arguments.isEmpty()) {
            Estimate separators = new Estimate(Math.max(0, length.min() - 1), Math.max(0, length.max() - 1));
            size = size.plus(size(0).times(separators));
        }
        return new Result(size.times(TEXT), size);
    }

    private Estimate compared(Estimate more) {
        Estimate cost = BYTES_OF_ADDRESS.plus(BYTES_OF_ADDRESS).times(TEXT).plus(more);
        return isText(arguments.get(0).type()) ? cost.plus(size(0).times(TEXT)) : cost;
    }

    private @Nullable Result equalKubernetes() {
        String type = arguments.get(0).type().name();
        if (!type.equals(arguments.get(1).type().name())) {
            return null;
        }
        return switch (type) {
            case "net.IP", "net.CIDR", "kubernetes.Quantity", "kubernetes.Semver" -> new Result(Estimate.ONE);
            case "kubernetes.NamedFormat" -> new Result(new Estimate(1, 64).times(TEXT));
            case "kubernetes.URL" -> {
                Estimate right = arguments.get(1).computed();
                yield new Result(new Estimate(1, right == null ? 1 : right.max()).times(TEXT));
            }
            default -> null;
        };
    }

    private @Nullable Result ofStandard(String overload) {
        return switch (overload) {
            case "string_to_bytes" ->
                new Result(
                        computed(0).times(TEXT),
                        new Estimate(
                                computed(0).min(), Estimate.product(computed(0).max(), 4)));
            case "bytes_to_string" ->
                new Result(
                        computed(0).times(TEXT),
                        new Estimate(computed(0).min() / 4, computed(0).max()));
            case "strings_quote" ->
                new Result(
                        computed(0).times(TEXT),
                        new Estimate(
                                computed(0).min() + 2,
                                Estimate.sum(Estimate.product(computed(0).max(), 2), 2)));
            case "string_format" ->
                new Result(computed(Objects.requireNonNull(target)).times(TEXT));
            case "starts_with_string", "ends_with_string" ->
                new Result(computed(0).times(TEXT));
            case "in_list" -> new Result(computed(1));
            case "matches_string" -> matches(Objects.requireNonNull(target), arguments.get(0));
            case "matches" ->
                target == null ? matches(arguments.get(0), arguments.get(1)) : matches(target, arguments.get(0));
            case "contains_string" ->
                new Result(computed(Objects.requireNonNull(target))
                        .times(TEXT)
                        .times(computed(0).times(TEXT)));
            case "add_string", "add_bytes", "add_list" -> added(overload);
            default -> COMPARISONS.contains(overload) ? shorter() : null;
        };
    }

    /** Two values are compared until the shorter one ends. */
    private Result shorter() {
        long most = Math.min(computed(0).max(), computed(1).max());
        return new Result(new Estimate(most > 0 ? 1 : 0, most).times(TEXT));
    }

    private static Result matches(Argument text, Argument pattern) {
        Estimate length = computed(text).plus(Estimate.ONE).times(TEXT);
        return new Result(length.times(computed(pattern).times(REGEX)));
    }

    private Result added(String overload) {
        Estimate size = computed(0).plus(computed(1));
        CostEstimator.Entries entries = union(0, 1);
        return new Result(overload.equals("add_list") ? Estimate.ONE : size.times(TEXT), size, entries);
    }

    private Result conditional() {
        Estimate cost = costs.get(0).plus(costs.get(1).union(costs.get(2)));
        return new Result(cost, computed(1).union(computed(2)), union(1, 2));
    }

    private CostEstimator.@Nullable Entries union(int first, int second) {
        CostEstimator.Entries left = estimator.entries(arguments.get(first).expression());
        CostEstimator.Entries right = estimator.entries(arguments.get(second).expression());
        return left == null || right == null
                ? null
                : new CostEstimator.Entries(
                        left.container(),
                        left.key().union(right.key()),
                        left.value().union(right.value()));
    }
}
