package io.github.reconciler4j.test.server.apimachinery.cel.cost;

import dev.cel.common.values.CelByteString;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a call costs in fact, by the sizes of its values. Stateless. */
final class RunCosts {
    private RunCosts() {}

    /** The cost of a call; {@code values} begin with what the function is called on, if it is called on something. */
    static long cost(String function, List<Object> values, Object result) {
        Object first = values.isEmpty() ? "" : values.get(0);
        long size = size(first);
        long second = values.size() > 1 ? size(values.get(1)) : 1;
        return switch (function) {
            case "_&&_", "_||_", "_?_:_" -> 0;
            case "_==_", "_!=_" -> scanned(Math.min(size, second));
            case "_<_", "_<=_", "_>_", "_>=_" -> isText(first) ? scanned(Math.min(size, second)) : 1;
            case "_+_" -> isText(first) ? scanned(size + second) : 1;
            case "@in", "in" -> values.get(1) instanceof List ? second : 1;
            case "startsWith", "endsWith" -> scanned(second);
            case "contains" -> scanned(size) * scanned(second);
            case "matches", "find", "findAll" -> scanned(1 + size) * (long) Math.ceil(second * Units.EXPRESSION);
            case "isSorted", "sum", "max", "min", "indexOf", "lastIndexOf" -> traversal(first);
            case "url",
                    "lowerAscii",
                    "upperAscii",
                    "substring",
                    "trim",
                    "cidr",
                    "isIP",
                    "isCIDR",
                    "quantity",
                    "isQuantity",
                    "semver",
                    "isSemver",
                    "format",
                    "strings.quote" -> scanned(size);
            case "ip" -> first instanceof String ? scanned(size) : 1;
            case "bytes", "string" -> isText(first) ? scanned(size) : 1;
            case "replace", "split", "ip.isCanonical" -> scanned(2 * size);
            case "join" -> scanned(2 * size(result));
            default -> listed(function, values, size, size(result));
        };
    }

    private static long listed(String function, List<Object> values, long size, long result) {
        return switch (function) {
            case "slice", "lists.range", "reverse" -> result + 1 + Units.LIST;
            case "flatten" ->
                size * (values.size() > 1 && values.get(1) instanceof Long depth ? depth : 1) + 1 + Units.LIST;
            case "distinct", "sort" -> compared(values.get(0));
            case "lists.@sortByAssociatedKeys", "@sortByAssociatedKeys" -> compared(values.get(values.size() - 1));
            case "sets.contains", "sets.intersects" -> 1 + size * size(values.get(1));
            case "sets.equivalent" -> 1 + 2 * size * size(values.get(1));
            case "validate" -> scanned(1 + size(values.get(1))) * (long) (Units.FORMAT_EXPRESSION * Units.EXPRESSION);
            default -> 1;
        };
    }

    private static long compared(Object list) {
        long size = size(list);
        boolean texts = list instanceof List<?> items && !items.isEmpty() && isText(items.get(0));
        return (long) (size * size * (texts ? 2 + Units.TRAVERSAL : 2)) + 1 + Units.LIST;
    }

    private static long scanned(long size) {
        return (long) Math.ceil(size * Units.TRAVERSAL);
    }

    private static boolean isText(Object value) {
        return value instanceof String || value instanceof CelByteString;
    }

    private static long traversal(Object value) {
        if (isText(value)) {
            return (long) (size(value) * Units.TRAVERSAL);
        }
        if (value instanceof Collection<?> list) {
            return list.stream().mapToLong(RunCosts::traversal).sum();
        }
        return 1;
    }

    private static long size(Object value) {
        if (value instanceof String text) {
            return text.codePointCount(0, text.length());
        }
        if (value instanceof CelByteString bytes) {
            return bytes.size();
        }
        if (value instanceof Collection<?> list) {
            return list.size();
        }
        if (value instanceof Map<?, ?> map) {
            return map.size();
        }
        return value instanceof Optional<?> optional && optional.isPresent() ? size(optional.get()) : 1;
    }
}
