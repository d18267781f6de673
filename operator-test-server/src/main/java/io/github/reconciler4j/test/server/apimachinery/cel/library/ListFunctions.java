package io.github.reconciler4j.test.server.apimachinery.cel.library;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeParamType;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;

/** Sums, extremes, order and places of items. */
final class ListFunctions {
    private static final CelType ITEM = TypeParamType.create("A");
    private static final Map<String, CelType> SUMMABLE = new LinkedHashMap<>();
    private static final Map<String, CelType> COMPARABLE = new LinkedHashMap<>();

    static {
        SUMMABLE.put("int", SimpleType.INT);
        SUMMABLE.put("uint", SimpleType.UINT);
        SUMMABLE.put("double", SimpleType.DOUBLE);
        SUMMABLE.put("duration", SimpleType.DURATION);
        COMPARABLE.putAll(SUMMABLE);
        COMPARABLE.put("bool", SimpleType.BOOL);
        COMPARABLE.put("timestamp", SimpleType.TIMESTAMP);
        COMPARABLE.put("string", SimpleType.STRING);
        COMPARABLE.put("bytes", SimpleType.BYTES);
    }

    private ListFunctions() {}

    static void addTo(FunctionTable functions) {
        COMPARABLE.forEach((name, type) -> {
            CelType list = ListType.create(type);
            String id = "list_" + name;
            functions.member("isSorted", id + "_is_sorted_bool", SimpleType.BOOL, args -> isSorted(list(args)), list);
            functions.member(
                    "min",
                    id + "_min_" + name,
                    type,
                    args -> best("min", list(args), (a, b) -> compare(a, b) <= 0 ? a : b),
                    list);
            functions.member(
                    "max",
                    id + "_max_" + name,
                    type,
                    args -> best("max", list(args), (a, b) -> compare(a, b) >= 0 ? a : b),
                    list);
        });
        SUMMABLE.forEach((name, type) -> functions.member(
                "sum", "list_" + name + "_sum_" + name, type, args -> sum(list(args), name), ListType.create(type)));
        functions.member(
                "indexOf",
                "list_a_index_of_int",
                SimpleType.INT,
                args -> (long) list(args).indexOf(args[1]),
                ListType.create(ITEM),
                ITEM);
        functions.member(
                "lastIndexOf",
                "list_a_last_index_of_int",
                SimpleType.INT,
                args -> (long) list(args).lastIndexOf(args[1]),
                ListType.create(ITEM),
                ITEM);
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
            case "uint" ->
                list.stream()
                        .map(com.google.common.primitives.UnsignedLong.class::cast)
                        .reduce(
                                com.google.common.primitives.UnsignedLong.ZERO,
                                com.google.common.primitives.UnsignedLong::plus);
            default -> list.stream().map(Long.class::cast).reduce(0L, Math::addExact);
        };
    }

    private static Object best(String name, List<Object> list, BinaryOperator<Object> better) {
        return Collections.unmodifiableList(list).stream()
                .reduce(better)
                .orElseThrow(() -> new IllegalArgumentException(name + " called on empty list"));
    }
}
