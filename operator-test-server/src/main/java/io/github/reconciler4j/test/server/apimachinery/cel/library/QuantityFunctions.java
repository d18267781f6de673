package io.github.reconciler4j.test.server.apimachinery.cel.library;

import dev.cel.common.types.SimpleType;
import io.github.reconciler4j.test.server.apimachinery.schema.Quantities;
import java.math.BigDecimal;

/** Amounts. */
final class QuantityFunctions {
    private QuantityFunctions() {}

    static void addTo(FunctionTable functions) {
        functions.global(
                "quantity",
                "string_to_quantity",
                Types.QUANTITY,
                args -> quantity((String) args[0]),
                SimpleType.STRING);
        functions.global(
                "isQuantity",
                "is_quantity_string",
                SimpleType.BOOL,
                args -> Quantities.value((String) args[0]).isPresent(),
                SimpleType.STRING);
        functions.global(
                "sign",
                "quantity_sign",
                SimpleType.INT,
                args -> (long) of(args, 0).value().signum(),
                Types.QUANTITY);
        functions.member(
                "isInteger",
                "quantity_is_integer",
                SimpleType.BOOL,
                args -> of(args, 0).isInteger(),
                Types.QUANTITY);
        functions.member(
                "asInteger",
                "quantity_get_int",
                SimpleType.INT,
                args -> of(args, 0).asInteger(),
                Types.QUANTITY);
        functions.member(
                "asApproximateFloat",
                "quantity_get_float",
                SimpleType.DOUBLE,
                args -> of(args, 0).value().doubleValue(),
                Types.QUANTITY);
        addArithmetic(functions);
        addComparisons(functions);
    }

    private static void addArithmetic(FunctionTable functions) {
        for (String name : new String[] {"add", "sub"}) {
            boolean adds = name.equals("add");
            functions.member(
                    name,
                    "quantity_" + name,
                    Types.QUANTITY,
                    args -> combined(args, of(args, 1).value(), adds),
                    Types.QUANTITY,
                    Types.QUANTITY);
            functions.member(
                    name,
                    "quantity_" + name + "_int",
                    Types.QUANTITY,
                    args -> combined(args, BigDecimal.valueOf((Long) args[1]), adds),
                    Types.QUANTITY,
                    SimpleType.INT);
        }
    }

    private static void addComparisons(FunctionTable functions) {
        functions.member(
                "compareTo",
                "quantity_compare_to",
                SimpleType.INT,
                args -> (long) order(args),
                Types.QUANTITY,
                Types.QUANTITY);
        functions.member(
                "isLessThan",
                "quantity_is_less_than",
                SimpleType.BOOL,
                args -> order(args) < 0,
                Types.QUANTITY,
                Types.QUANTITY);
        functions.member(
                "isGreaterThan",
                "quantity_is_greater_than",
                SimpleType.BOOL,
                args -> order(args) > 0,
                Types.QUANTITY,
                Types.QUANTITY);
    }

    private static Quantity of(Object[] args, int index) {
        return (Quantity) args[index];
    }

    private static int order(Object[] args) {
        return of(args, 0).value().compareTo(of(args, 1).value());
    }

    private static Quantity combined(Object[] args, BigDecimal second, boolean adds) {
        return new Quantity(of(args, 0).value().add(adds ? second : second.negate()));
    }

    private static Quantity quantity(String text) {
        return new Quantity(Quantities.value(text)
                .orElseThrow(() -> new IllegalArgumentException("quantities must match the regular expression"
                        + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'")));
    }
}
