package io.github.reconciler4j.test.server.apimachinery.cel.library;

import com.google.common.collect.ImmutableList;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.TypeParamType;
import dev.cel.parser.CelMacro;
import dev.cel.parser.CelMacroExprFactory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** {@code list.sortBy(name, key)}: a list in the order of keys; a loop makes the keys, and a function sorts by them. */
final class SortBy {
    static final CelMacro MACRO = CelMacro.newReceiverMacro("sortBy", 2, SortBy::expand);

    private static final String FUNCTION = "@sortByAssociatedKeys";
    private static final String INPUT = "@__sortBy_input__";
    private static final CelType ITEMS = ListType.create(TypeParamType.create("T"));
    private static final CelType KEYS = ListType.create(TypeParamType.create("U"));

    private SortBy() {}

    static void addTo(FunctionTable functions) {
        functions.member(
                FUNCTION,
                "list_sortByAssociatedKeys",
                ITEMS,
                args -> sorted((List<?>) args[0], (List<?>) args[1]),
                ITEMS,
                KEYS);
    }

    private static Optional<CelExpr> expand(
            CelMacroExprFactory factory, CelExpr target, ImmutableList<CelExpr> arguments) {
        if (arguments.get(0).getKind() != CelExpr.ExprKind.Kind.IDENT) {
            return Optional.of(factory.reportError("sortBy() variable name must be a simple identifier"));
        }
        String item = arguments.get(0).ident().name();
        String keys = factory.getAccumulatorVarName();
        CelExpr step = factory.newGlobalCall("_+_", factory.newIdentifier(keys), factory.newList(arguments.get(1)));
        CelExpr loop = factory.fold(
                item,
                factory.newIdentifier(INPUT),
                keys,
                factory.newList(),
                factory.newBoolLiteral(true),
                step,
                factory.newIdentifier(keys));
        CelExpr call = factory.newReceiverCall(FUNCTION, factory.newIdentifier(INPUT), loop);
        return Optional.of(factory.fold(
                "#unused",
                factory.newList(),
                INPUT,
                target,
                factory.newBoolLiteral(false),
                factory.newIdentifier(INPUT),
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
