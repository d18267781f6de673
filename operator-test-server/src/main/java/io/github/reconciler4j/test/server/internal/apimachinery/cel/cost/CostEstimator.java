package io.github.reconciler4j.test.server.internal.apimachinery.cel.cost;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.ast.CelExpr.CelComprehension;
import dev.cel.common.ast.CelExpr.CelMap;
import dev.cel.common.ast.CelExpr.CelSelect;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.ast.CelReference;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Walks a checked expression and adds up what it costs, after {@code checker/cost.go} of cel-go with the options that
 * kube-apiserver sets. For one expression and one thread.
 */
final class CostEstimator {
    static final String ITEMS = "@items";
    static final String VALUES = "@values";
    static final String KEYS = "@keys";
    /** What {@code optMap} is called on; cel-java evaluates it once, cel-go writes it twice. */
    private static final String TARGET = "@target";

    private static final Set<String> ACCUMULATORS = Set.of("__result__", "@result");
    private static final Set<CelKind> SCALARS =
            Set.of(CelKind.BOOL, CelKind.DOUBLE, CelKind.DURATION, CelKind.INT, CelKind.TIMESTAMP, CelKind.UINT);
    private static final Estimate NEW_LIST = Estimate.fixed(10);
    private static final Estimate NEW_MAP = Estimate.fixed(30);
    private static final Estimate NEW_OBJECT = Estimate.fixed(40);

    private final CelAbstractSyntaxTree tree;
    private final SchemaSizes schema;
    private final Map<Long, FieldPath> paths = new HashMap<>();
    private final Map<Long, Estimate> sizes = new HashMap<>();
    private final Map<Long, Entries> entries = new HashMap<>();
    private final Map<String, Deque<Variable>> variables = new HashMap<>();
    private final Deque<CelExpr> targets = new ArrayDeque<>();

    /** The sizes of what a list or a map contains. */
    record Entries(CelKind container, Estimate key, Estimate value) {}

    /** A variable of a macro. */
    private record Variable(
            FieldPath path,
            @Nullable Estimate size,
            @Nullable Entries entries) {}

    private CostEstimator(CelAbstractSyntaxTree tree, SchemaSizes schema) {
        this.tree = tree;
        this.schema = schema;
    }

    /** Return the most that an expression on values of a schema costs. */
    static long estimate(CelAbstractSyntaxTree tree, SchemaSizes schema) {
        return new CostEstimator(tree, schema).cost(tree.getExpr()).max();
    }

    private Estimate cost(CelExpr e) {
        return switch (e.getKind()) {
            case IDENT -> ident(e);
            case SELECT -> select(e);
            case CALL -> call(e);
            case LIST -> list(e);
            case MAP -> map(e);
            case STRUCT ->
                sum(e.struct().entries().stream()
                                .map(CelExpr.CelStruct.Entry::value)
                                .toList())
                        .plus(NEW_OBJECT);
            case COMPREHENSION -> isBinding(e.comprehension()) ? binding(e) : comprehension(e);
            default -> Estimate.ZERO;
        };
    }

    private Estimate sum(List<CelExpr> all) {
        Estimate sum = Estimate.ZERO;
        for (CelExpr e : all) {
            sum = sum.plus(cost(e));
        }
        return sum;
    }

    private Estimate ident(CelExpr e) {
        if (e.ident().name().equals(TARGET)) {
            return target(e);
        }
        Variable variable = variable(e);
        paths.put(e.id(), variable == null ? FieldPath.of(e.ident().name()) : variable.path());
        return Estimate.ONE;
    }

    private Estimate target(CelExpr e) {
        CelExpr target = targets.pop();
        Estimate cost = cost(target);
        paths.put(e.id(), path(target));
        copySizes(e, target);
        targets.push(target);
        return cost;
    }

    private Estimate select(CelExpr e) {
        CelSelect select = e.select();
        Estimate cost = cost(select.operand());
        if (select.testOnly()) {
            return cost;
        }
        CelKind kind = type(select.operand()).kind();
        paths.put(e.id(), path(select.operand()).append(select.field()));
        return kind == CelKind.MAP || kind == CelKind.STRUCT || kind == CelKind.TYPE_PARAM
                ? cost.plus(Estimate.ONE)
                : cost;
    }

    private Estimate call(CelExpr e) {
        CelCall call = e.call();
        if (call.function().equals("dyn")) {
            return dynamic(e, call.args().get(0));
        }
        List<Argument> arguments = new ArrayList<>();
        List<Estimate> costs = new ArrayList<>();
        for (CelExpr argument : call.args()) {
            costs.add(cost(argument));
            arguments.add(argument(argument));
        }
        List<String> overloads = overloads(e);
        if (overloads.isEmpty()) {
            return Estimate.ZERO;
        }
        Estimate target = Estimate.ZERO;
        Argument receiver = null;
        if (call.target().isPresent()) {
            target = cost(call.target().get());
            receiver = argument(call.target().get());
        }
        CallCosts function = new CallCosts(this, schema, call.function(), receiver, arguments, costs);
        Estimate cost = new Estimate(Estimate.MAX, 0);
        Estimate size = null;
        for (String overload : overloads) {
            CallCosts.Result result = function.of(overload);
            cost = cost.union(result.cost());
            size = union(size, result.size());
            if (result.entries() != null) {
                entries.put(e.id(), result.entries());
            }
            size = sizeOfElement(e, overload, size);
        }
        if (size != null) {
            sizes.put(e.id(), size);
        }
        return target.plus(cost);
    }

    private List<String> overloads(CelExpr e) {
        return tree.getReference(e.id())
                .map(CelReference::overloadIds)
                .map(List::copyOf)
                .orElse(List.of());
    }

    private static @Nullable Estimate union(@Nullable Estimate a, @Nullable Estimate b) {
        return a == null ? b : b == null ? a : a.union(b);
    }

    private Estimate dynamic(CelExpr e, CelExpr argument) {
        Estimate cost = cost(argument).plus(Estimate.ONE);
        copySizes(e, argument);
        return cost;
    }

    private @Nullable Estimate sizeOfElement(CelExpr e, String overload, @Nullable Estimate size) {
        Estimate found = size;
        if (overload.equals("index_list") || overload.equals("index_map")) {
            CelExpr container = e.call().args().get(0);
            Entries inside = entries(container);
            found = inside == null ? null : inside.value();
            paths.put(e.id(), path(container).append(overload.equals("index_list") ? ITEMS : VALUES));
        }
        return found == null ? size(e) : found;
    }

    private Estimate list(CelExpr e) {
        List<CelExpr> elements = e.list().elements();
        Estimate cost = Estimate.ZERO;
        Estimate item = nothing(elements.isEmpty());
        for (CelExpr element : elements) {
            cost = cost.plus(cost(element));
            item = item.union(sizeOrUnknown(element));
        }
        entries.put(e.id(), new Entries(CelKind.LIST, Estimate.ONE, item));
        return cost.plus(NEW_LIST);
    }

    private Estimate map(CelExpr e) {
        List<CelMap.Entry> all = e.map().entries();
        Estimate cost = Estimate.ZERO;
        Estimate key = nothing(all.isEmpty());
        Estimate value = nothing(all.isEmpty());
        for (CelMap.Entry entry : all) {
            cost = cost.plus(cost(entry.key())).plus(cost(entry.value()));
            key = key.union(sizeOrUnknown(entry.key()));
            value = value.union(sizeOrUnknown(entry.value()));
        }
        entries.put(e.id(), new Entries(CelKind.MAP, key, value));
        return cost.plus(NEW_MAP);
    }

    private static Estimate nothing(boolean empty) {
        return new Estimate(empty ? 0 : Estimate.MAX, 0);
    }

    private Estimate comprehension(CelExpr e) {
        CelComprehension loop = e.comprehension();
        Estimate cost = cost(loop.iterRange()).plus(cost(loop.accuInit()));
        push(loop.accuVar(), variableOf(loop.accuInit()));
        Entries inside = entries(loop.iterRange());
        CelKind container = inside == null ? type(loop.iterRange()).kind() : inside.container();
        boolean list = container == CelKind.LIST;
        boolean two = !loop.iterVar2().isEmpty();
        if (two) {
            pushEntry(loop.iterVar(), loop, list ? "@indices" : KEYS, inside == null ? null : inside.key());
            pushEntry(loop.iterVar2(), loop, list ? ITEMS : VALUES, inside == null ? null : inside.value());
        } else {
            Estimate size = inside == null ? null : list ? inside.value() : inside.key();
            pushEntry(loop.iterVar(), loop, list ? ITEMS : KEYS, size);
        }
        Estimate round = cost(loop.loopCondition());
        round = round.plus(cost(loop.loopStep()));
        pop(loop.iterVar());
        if (two) {
            pop(loop.iterVar2());
        }
        cost = cost.plus(cost(loop.result()));
        pop(loop.accuVar());
        Estimate rounds = sizeOrUnknown(loop.iterRange());
        remember(e, loop, rounds);
        return cost.plus(rounds.times(round));
    }

    /** Remember what a macro results in: a value of the kind that it starts with. */
    private void remember(CelExpr e, CelComprehension loop, Estimate rounds) {
        Kind kind = loop.accuInit().getKind();
        if (kind == Kind.CONSTANT) {
            Estimate size = size(loop.accuInit());
            if (size != null) {
                sizes.put(e.id(), size);
            }
        } else if (kind == Kind.LIST || kind == Kind.MAP) {
            sizes.put(e.id(), rounds);
            Entries step = entries(loop.loopStep());
            if (step != null) {
                entries.put(e.id(), step);
            }
        }
    }

    /** Return whether this only names a value, as {@code optMap} does. */
    private static boolean isBinding(CelComprehension loop) {
        CelExpr range = loop.iterRange();
        CelExpr condition = loop.loopCondition();
        return range.getKind() == Kind.LIST
                && range.list().elements().isEmpty()
                && condition.getKind() == Kind.CONSTANT
                && condition.constant().getKind() == CelConstant.Kind.BOOLEAN_VALUE
                && !ACCUMULATORS.contains(loop.accuVar());
    }

    private Estimate binding(CelExpr e) {
        CelComprehension loop = e.comprehension();
        if (loop.accuVar().equals(TARGET)) {
            targets.push(loop.accuInit());
            Estimate cost = cost(loop.result());
            targets.pop();
            copySizes(e, loop.result());
            return cost;
        }
        Estimate cost = cost(loop.iterRange()).plus(cost(loop.accuInit()));
        push(loop.accuVar(), variableOf(loop.accuInit()));
        cost = cost.plus(cost(loop.result()));
        pop(loop.accuVar());
        copySizes(e, loop.result());
        return cost;
    }

    private Variable variableOf(CelExpr value) {
        return new Variable(path(value), size(value), entries(value));
    }

    private void pushEntry(String name, CelComprehension loop, String part, @Nullable Estimate size) {
        push(name, new Variable(path(loop.iterRange()).append(part), size, null));
    }

    private void push(String name, Variable variable) {
        variables.computeIfAbsent(name, key -> new ArrayDeque<>()).push(variable);
    }

    private void pop(String name) {
        variables.getOrDefault(name, new ArrayDeque<>()).pop();
    }

    private @Nullable Variable variable(CelExpr e) {
        Deque<Variable> all =
                e.getKind() == Kind.IDENT ? variables.get(e.ident().name()) : null;
        return all == null ? null : all.peek();
    }

    private FieldPath path(CelExpr e) {
        Variable variable = variable(e);
        return variable == null ? paths.getOrDefault(e.id(), FieldPath.NONE) : variable.path();
    }

    private CelType type(CelExpr e) {
        return tree.getType(e.id()).orElse(SimpleType.DYN);
    }

    private Argument argument(CelExpr e) {
        FieldPath path = path(e);
        boolean accumulator = !path.isEmpty() && ACCUMULATORS.contains(path.get(0));
        return new Argument(accumulator ? FieldPath.NONE : path, type(e), e, size(e));
    }

    private void copySizes(CelExpr to, CelExpr from) {
        Estimate size = size(from);
        if (size != null) {
            sizes.put(to.id(), size);
        }
        Entries inside = entries(from);
        if (inside != null) {
            entries.put(to.id(), inside);
        }
    }

    private Estimate sizeOrUnknown(CelExpr e) {
        Estimate size = size(e);
        return size == null ? Estimate.UNKNOWN : size;
    }

    private @Nullable Estimate size(CelExpr e) {
        Estimate known = sizes.get(e.id());
        if (known == null) {
            known = spelledOut(e);
        }
        if (known != null) {
            return known;
        }
        Estimate declared = schema.at(path(e));
        if (declared != null) {
            sizes.put(e.id(), declared);
            return declared;
        }
        if (isScalar(type(e))) {
            return Estimate.ONE;
        }
        Variable variable = variable(e);
        return variable == null ? null : variable.size();
    }

    private static @Nullable Estimate spelledOut(CelExpr e) {
        return switch (e.getKind()) {
            case LIST -> Estimate.fixed(e.list().elements().size());
            case MAP -> Estimate.fixed(e.map().entries().size());
            case CONSTANT ->
                switch (e.constant().getKind()) {
                    case STRING_VALUE ->
                        Estimate.fixed(e.constant()
                                .stringValue()
                                .codePointCount(0, e.constant().stringValue().length()));
                    case BYTES_VALUE -> Estimate.fixed(e.constant().bytesValue().size());
                    default -> Estimate.ONE;
                };
            default -> null;
        };
    }

    private static boolean isScalar(CelType type) {
        return type instanceof OptionalType optional
                ? isScalar(optional.parameters().get(0))
                : SCALARS.contains(type.kind());
    }

    @Nullable
    Entries entries(CelExpr e) {
        Entries known = entries.get(e.id());
        if (known != null) {
            return known;
        }
        Variable variable = variable(e);
        return variable == null ? null : variable.entries();
    }
}
