package io.github.reconciler4j.test.server.apimachinery.cel.cost;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.ast.CelExpr.CelComprehension;
import dev.cel.common.ast.CelExpr.CelSelect;
import dev.cel.common.types.CelKind;
import io.github.reconciler4j.test.server.apimachinery.cel.cost.Memory.Entries;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Estimates what an expression costs at most, by walking through it once. For one thread and one expression. */
final class Estimate {
    private static final Entries EMPTY_LIST = new Entries(true, Range.ONE, Range.NONE);
    private static final Entries EMPTY_MAP = new Entries(false, Range.NONE, Range.NONE);

    private final CelAbstractSyntaxTree tree;
    private final Sizes sizes;
    private final Memory memory;

    Estimate(CelAbstractSyntaxTree tree, SizedSchema schema) {
        this.tree = tree;
        sizes = new Sizes(schema);
        memory = new Memory(tree, sizes);
    }

    Range cost() {
        return cost(tree.getExpr());
    }

    private Range cost(CelExpr expression) {
        return switch (expression.getKind()) {
            case IDENT -> {
                memory.reached(expression);
                yield Range.ONE;
            }
            case SELECT -> select(expression, expression.select());
            case CALL -> call(expression, expression.call());
            case LIST -> list(expression);
            case MAP -> map(expression);
            case STRUCT ->
                expression.struct().entries().stream()
                        .map(entry -> cost(entry.value()))
                        .reduce(Range.of(Units.STRUCT), Range::plus);
            case COMPREHENSION -> {
                CelComprehension loop = expression.comprehension();
                yield isBinding(loop) ? binding(expression, loop) : loop(expression, loop);
            }
            default -> Range.NONE;
        };
    }

    private Range select(CelExpr expression, CelSelect select) {
        Range cost = cost(select.operand());
        if (select.testOnly()) {
            return cost;
        }
        CelKind kind = memory.type(select.operand()).kind();
        memory.reached(expression, select.operand(), select.field());
        boolean looksUp = kind == CelKind.MAP || kind == CelKind.STRUCT || kind == CelKind.TYPE_PARAM;
        return looksUp ? cost.plus(Range.ONE) : cost;
    }

    private Range list(CelExpr expression) {
        Range cost = Range.of(Units.LIST);
        Range items = null;
        for (CelExpr item : expression.list().elements()) {
            cost = cost.plus(cost(item));
            Range size = memory.sizeOrUnknown(item);
            items = items == null ? size : items.or(size);
        }
        memory.filled(expression, items == null ? EMPTY_LIST : new Entries(true, Range.ONE, items));
        return cost;
    }

    private Range map(CelExpr expression) {
        Range cost = Range.of(Units.MAP);
        Entries all = null;
        for (var entry : expression.map().entries()) {
            cost = cost.plus(cost(entry.key())).plus(cost(entry.value()));
            Entries one = new Entries(false, memory.sizeOrUnknown(entry.key()), memory.sizeOrUnknown(entry.value()));
            all = all == null ? one : Entries.union(all, one);
        }
        memory.filled(expression, all == null ? EMPTY_MAP : all);
        return cost;
    }

    /** Names for values are loops over nothing. */
    private static boolean isBinding(CelComprehension loop) {
        CelExpr range = loop.iterRange();
        CelExpr condition = loop.loopCondition();
        return range.getKind() == CelExpr.ExprKind.Kind.LIST
                && range.list().elements().isEmpty()
                && condition.getKind() == CelExpr.ExprKind.Kind.CONSTANT
                && condition.constant().getKind() == CelConstant.Kind.BOOLEAN_VALUE
                && !condition.constant().booleanValue();
    }

    private Range binding(CelExpr expression, CelComprehension loop) {
        Range cost = cost(loop.iterRange()).plus(cost(loop.accuInit()));
        memory.bind(loop.accuVar(), loop.accuInit());
        cost = cost.plus(cost(loop.result()));
        memory.unbind(loop.accuVar());
        memory.sized(expression, memory.size(loop.result()));
        memory.filled(expression, memory.entries(loop.result()));
        return cost;
    }

    private Range loop(CelExpr expression, CelComprehension loop) {
        Range cost = cost(loop.iterRange()).plus(cost(loop.accuInit()));
        memory.bind(loop.accuVar(), loop.accuInit());
        boolean two = !loop.iterVar2().isEmpty();
        if (two) {
            memory.bindKeys(loop.iterVar(), loop.iterRange());
            memory.bindValues(loop.iterVar2(), loop.iterRange());
        } else {
            memory.bindItems(loop.iterVar(), loop.iterRange());
        }
        Range each = cost(loop.loopCondition()).plus(cost(loop.loopStep()));
        memory.unbind(loop.iterVar());
        if (two) {
            memory.unbind(loop.iterVar2());
        }
        cost = cost.plus(cost(loop.result()));
        memory.unbind(loop.accuVar());
        Range times = memory.sizeOrUnknown(loop.iterRange());
        switch (loop.accuInit().getKind()) {
            case CONSTANT -> memory.sized(expression, memory.size(loop.accuInit()));
            case LIST, MAP -> {
                memory.sized(expression, times);
                memory.filled(expression, memory.entries(loop.loopStep()));
            }
            default -> {}
        }
        return cost.plus(times.times(each));
    }

    private Range call(CelExpr expression, CelCall call) {
        if (call.function().equals("dyn")) {
            CelExpr value = call.args().get(0);
            Range cost = cost(value);
            memory.sized(expression, memory.size(value));
            memory.filled(expression, memory.entries(value));
            return cost.plus(Range.ONE);
        }
        List<Range> costs = new ArrayList<>();
        List<Node> arguments = new ArrayList<>();
        for (CelExpr argument : call.args()) {
            costs.add(cost(argument));
            arguments.add(memory.node(argument));
        }
        Range targetCost = Range.NONE;
        Node target = null;
        if (call.target().isPresent()) {
            targetCost = cost(call.target().get());
            target = memory.node(call.target().get());
        }
        return targetCost.plus(overloads(expression, call.function(), target, arguments, costs));
    }

    /** What covers the costs of all functions that may be meant. */
    private Range overloads(
            CelExpr expression, String function, @Nullable Node target, List<Node> arguments, List<Range> costs) {
        List<String> overloads = tree.getReference(expression.id())
                .map(reference -> (List<String>) reference.overloadIds())
                .orElse(List.of());
        Range most = null;
        Range size = null;
        for (String overload : overloads) {
            Call.Cost one = call(expression, new Call(function, overload, target, arguments), costs);
            most = most == null ? one.cost() : most.or(one.cost());
            size = one.result() == null ? size : size == null ? one.result() : size.or(one.result());
            size = indexed(expression, overload, arguments, size);
            size = size != null ? size : memory.size(expression);
        }
        memory.sized(expression, size);
        return most == null ? Range.NONE : most;
    }

    private @Nullable Range indexed(CelExpr expression, String overload, List<Node> arguments, @Nullable Range size) {
        if (!overload.equals("index_list") && !overload.equals("index_map") || arguments.isEmpty()) {
            return size;
        }
        CelExpr container = Objects.requireNonNull(arguments.get(0).expression());
        memory.reached(expression, container, overload.equals("index_list") ? "@items" : "@values");
        Entries entries = memory.entries(container);
        return entries == null ? null : entries.value();
    }

    private Call.Cost call(CelExpr expression, Call call, List<Range> costs) {
        Range all = costs.stream().reduce(Range.NONE, Range::plus);
        Call.Cost own = new ListCalls(sizes).cost(call);
        own = own != null ? own : new KubernetesCalls(sizes).cost(call);
        if (own != null) {
            return new Call.Cost(own.cost().plus(all), own.result());
        }
        return switch (call.overload()) {
            case "logical_or", "logical_and" ->
                Call.Cost.of(new Range(costs.get(0).min(), all.max()));
            case "conditional" -> {
                CelExpr yes = Objects.requireNonNull(call.argument(1).expression());
                CelExpr no = Objects.requireNonNull(call.argument(2).expression());
                memory.filled(expression, Entries.union(memory.entries(yes), memory.entries(no)));
                yield new Call.Cost(
                        costs.get(0).plus(costs.get(1).or(costs.get(2))),
                        memory.sizeOrUnknown(yes).or(memory.sizeOrUnknown(no)));
            }
            default -> {
                if (call.overload().startsWith("add_") && call.arguments().size() == 2) {
                    CelExpr one = Objects.requireNonNull(call.argument(0).expression());
                    CelExpr other = Objects.requireNonNull(call.argument(1).expression());
                    memory.filled(expression, Entries.union(memory.entries(one), memory.entries(other)));
                }
                Call.Cost standard = new StandardCalls(sizes).cost(call);
                yield new Call.Cost(standard.cost().plus(all), standard.result());
            }
        };
    }
}
