package io.github.reconciler4j.test.server.internal.apimachinery.cel.library;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.UnsignedLong;
import dev.cel.common.ast.CelExpr;
import dev.cel.parser.CelMacro;
import dev.cel.parser.CelMacroExprFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.stream.IntStream;

/** Sums, extremes, order and positions of items. */
final class ListFunctions {

    /**
     * {@code list.sortBy(name, key)}. It expands to a loop that computes the keys, and a function that sorts by them.
     */
    static final CelMacro SORT_BY = CelMacro.newReceiverMacro("sortBy", 2, ListFunctions::expandSortBy);

    private static final String SORT_FUNCTION = "@sortByAssociatedKeys";
    private static final String SORT_INPUT = "@__sortBy_input__";
    private static final List<String> SUMMABLE = List.of("int", "uint", "double", "duration");
    private static final List<String> COMPARABLE =
            List.of("int", "uint", "double", "duration", "bool", "timestamp", "string", "bytes");

    private ListFunctions() {}

    static void addTo(KubernetesFunctions functions) {
        for (String type : COMPARABLE) {
            String list = "list(" + type + ") -> ";
            functions.member("isSorted", list + "bool", args -> isSorted(list(args)));
            functions.member("min", list + type, args -> best("min", list(args), (a, b) -> compare(a, b) <= 0 ? a : b));
            functions.member("max", list + type, args -> best("max", list(args), (a, b) -> compare(a, b) >= 0 ? a : b));
        }
        for (String type : SUMMABLE) {
            functions.member("sum", "list(" + type + ") -> " + type, args -> sum(list(args), type));
        }
        functions.member(
                "indexOf", "list(A), A -> int", args -> (long) list(args).indexOf(args[1]));
        functions.member(
                "lastIndexOf", "list(A), A -> int", args -> (long) list(args).lastIndexOf(args[1]));
        functions.member(SORT_FUNCTION, "list(A), list(B) -> list(A)", args -> sorted(list(args), (List<?>) args[1]));
    }

    @SuppressWarnings("unchecked")
    private static List<Object> list(Object[] args) {
        return (List<Object>) args[0];
    }

    @SuppressWarnings("unchecked")
    private static int compare(Object one, Object other) {
        return ((Comparable<Object>) one).compareTo(other);
    }

    private static boolean isSorted(List<Object> list) {
        for (int i = 1; i < list.size(); i++) {
            if (compare(list.get(i - 1), list.get(i)) > 0) {
                return false;
            }
        }
        return true;
    }

    private static Object sum(List<Object> list, String type) {
        return switch (type) {
            case "double" ->
                list.stream().mapToDouble(item -> ((Number) item).doubleValue()).sum();
            case "duration" -> list.stream().map(Duration.class::cast).reduce(Duration.ZERO, Duration::plus);
            case "uint" -> list.stream().map(UnsignedLong.class::cast).reduce(UnsignedLong.ZERO, UnsignedLong::plus);
            default -> list.stream().map(Long.class::cast).reduce(0L, Math::addExact);
        };
    }

    private static Object best(String name, List<Object> list, BinaryOperator<Object> better) {
        return list.stream()
                .reduce(better)
                .orElseThrow(() -> new IllegalArgumentException(name + " called on empty list"));
    }

    private static Optional<CelExpr> expandSortBy(
            CelMacroExprFactory factory, CelExpr target, ImmutableList<CelExpr> arguments) {
        if (arguments.get(0).getKind() != CelExpr.ExprKind.Kind.IDENT) {
            return Optional.of(factory.reportError("sortBy() variable name must be a simple identifier"));
        }
        String item = arguments.get(0).ident().name();
        String keys = factory.getAccumulatorVarName();
        CelExpr step = factory.newGlobalCall("_+_", factory.newIdentifier(keys), factory.newList(arguments.get(1)));
        CelExpr loop = factory.fold(
                item,
                factory.newIdentifier(SORT_INPUT),
                keys,
                factory.newList(),
                factory.newBoolLiteral(true),
                step,
                factory.newIdentifier(keys));
        CelExpr call = factory.newReceiverCall(SORT_FUNCTION, factory.newIdentifier(SORT_INPUT), loop);
        return Optional.of(factory.fold(
                "#unused",
                factory.newList(),
                SORT_INPUT,
                target,
                factory.newBoolLiteral(false),
                factory.newIdentifier(SORT_INPUT),
                call));
    }

    @SuppressWarnings("unchecked")
    private static List<Object> sorted(List<?> items, List<?> keys) {
        List<Object> sorted = new ArrayList<>();
        IntStream.range(0, keys.size())
                .boxed()
                .sorted(Comparator.comparing(index -> (Comparable<Object>) keys.get(index)))
                .forEach(index -> sorted.add(items.get(index)));
        return sorted;
    }
}
