package io.github.reconciler4j.test.tree.cel;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.cel.checker.CelCheckerBuilder;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeParamType;
import dev.cel.compiler.CelCompilerLibrary;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelFunctionOverload;
import dev.cel.runtime.CelRuntimeBuilder;
import dev.cel.runtime.CelRuntimeLibrary;
import io.github.reconciler4j.test.tree.schema.Quantities;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BinaryOperator;

/** The functions that Kubernetes adds to CEL: regular expressions, lists, URLs and quantities. Immutable. */
final class KubernetesFunctions implements CelCompilerLibrary, CelRuntimeLibrary {
    private static final CelType URL = OpaqueType.create("kubernetes.URL");
    private static final CelType QUANTITY = OpaqueType.create("kubernetes.Quantity");
    private static final CelType ANY = TypeParamType.create("T");
    private static final CelType LIST = ListType.create(ANY);
    private static final CelType TEXTS = ListType.create(SimpleType.STRING);
    private static final CelType QUERY = MapType.create(SimpleType.STRING, TEXTS);

    private final Map<String, List<CelOverloadDecl>> declarations = new LinkedHashMap<>();
    private final List<CelFunctionBinding> bindings = new ArrayList<>();

    KubernetesFunctions() {
        addExpressions();
        addLists();
        addUrls();
        addQuantities();
    }

    @Override
    public void setCheckerOptions(CelCheckerBuilder checker) {
        declarations.forEach((name, overloads) ->
                checker.addFunctionDeclarations(CelFunctionDecl.newFunctionDeclaration(name, overloads)));
    }

    @Override
    public void setRuntimeOptions(CelRuntimeBuilder runtime) {
        runtime.addFunctionBindings(bindings);
    }

    private void member(String name, String id, CelType result, CelFunctionOverload body, CelType... parameters) {
        add(name, CelOverloadDecl.newMemberOverload(id, result, List.of(parameters)), body);
    }

    private void global(String name, String id, CelType result, CelFunctionOverload body, CelType... parameters) {
        add(name, CelOverloadDecl.newGlobalOverload(id, result, List.of(parameters)), body);
    }

    private void add(String name, CelOverloadDecl overload, CelFunctionOverload body) {
        declarations.computeIfAbsent(name, n -> new ArrayList<>()).add(overload);
        List<Class<?>> types = new ArrayList<>();
        overload.parameterTypes().forEach(type -> types.add(javaClass(type)));
        bindings.add(CelFunctionBinding.from(overload.overloadId(), types, body));
    }

    private static Class<?> javaClass(CelType type) {
        if (type.equals(URL)) {
            return URI.class;
        }
        if (type.equals(QUANTITY)) {
            return BigDecimal.class;
        }
        return switch (type.kind()) {
            case STRING -> String.class;
            case INT -> Long.class;
            case LIST -> List.class;
            default -> Object.class;
        };
    }

    private void addExpressions() {
        member(
                "find",
                "string_find_string",
                SimpleType.STRING,
                args -> {
                    Matcher matcher = Pattern.compile((String) args[1]).matcher((String) args[0]);
                    return matcher.find() ? matcher.group() : "";
                },
                SimpleType.STRING,
                SimpleType.STRING);
        member(
                "findAll",
                "string_find_all_string",
                TEXTS,
                args -> findAll(args, -1),
                SimpleType.STRING,
                SimpleType.STRING);
        member(
                "findAll",
                "string_find_all_string_int",
                TEXTS,
                args -> findAll(args, (Long) args[2]),
                SimpleType.STRING,
                SimpleType.STRING,
                SimpleType.INT);
    }

    private static List<String> findAll(Object[] args, long limit) {
        Matcher matcher = Pattern.compile((String) args[1]).matcher((String) args[0]);
        List<String> found = new ArrayList<>();
        while ((limit < 0 || found.size() < limit) && matcher.find()) {
            found.add(matcher.group());
        }
        return found;
    }

    private void addLists() {
        member("isSorted", "list_is_sorted", SimpleType.BOOL, args -> isSorted(list(args)), LIST);
        member("sum", "list_sum", ANY, args -> sum(list(args)), LIST);
        member("min", "list_min", ANY, args -> best(list(args), (a, b) -> compare(a, b) <= 0 ? a : b), LIST);
        member("max", "list_max", ANY, args -> best(list(args), (a, b) -> compare(a, b) >= 0 ? a : b), LIST);
        member(
                "indexOf",
                "list_index_of",
                SimpleType.INT,
                args -> (long) list(args).indexOf(args[1]),
                LIST,
                ANY);
        member(
                "lastIndexOf",
                "list_last_index_of",
                SimpleType.INT,
                args -> (long) list(args).lastIndexOf(args[1]),
                LIST,
                ANY);
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

    private static Object sum(List<Object> list) {
        if (!list.isEmpty() && list.get(0) instanceof Double) {
            return list.stream().mapToDouble(item -> (Double) item).sum();
        }
        return list.stream().mapToLong(item -> (Long) item).sum();
    }

    private static Object best(List<Object> list, BinaryOperator<Object> better) {
        return list.stream()
                .reduce(better)
                .orElseThrow(() -> new IllegalArgumentException("min or max called on empty list"));
    }

    private void addUrls() {
        global("url", "string_to_url", URL, args -> url((String) args[0]), SimpleType.STRING);
        global("isURL", "is_url_string", SimpleType.BOOL, args -> isUrl((String) args[0]), SimpleType.STRING);
        member(
                "getScheme",
                "url_get_scheme",
                SimpleType.STRING,
                args -> text(uri(args).getScheme()),
                URL);
        member(
                "getHost",
                "url_get_host",
                SimpleType.STRING,
                args -> text(uri(args).getRawAuthority()),
                URL);
        member(
                "getHostname",
                "url_get_hostname",
                SimpleType.STRING,
                args -> text(uri(args).getHost()),
                URL);
        member(
                "getEscapedPath",
                "url_get_escaped_path",
                SimpleType.STRING,
                args -> text(uri(args).getRawPath()),
                URL);
        member(
                "getPort",
                "url_get_port",
                SimpleType.STRING,
                args -> uri(args).getPort() < 0
                        ? ""
                        : Integer.toString(uri(args).getPort()),
                URL);
        member("getQuery", "url_get_query", QUERY, args -> query(text(uri(args).getQuery())), URL);
    }

    private static URI uri(Object[] args) {
        return (URI) args[0];
    }

    private static String text(@org.jspecify.annotations.Nullable String text) {
        return text == null ? "" : text;
    }

    private static boolean isUrl(String text) {
        try {
            URI uri = new URI(text);
            return uri.isAbsolute() || text.startsWith("/");
        } catch (URISyntaxException e) {
            return false;
        }
    }

    private static URI url(String text) {
        if (!isUrl(text)) {
            throw new IllegalArgumentException("URL parse error during conversion from string: " + text);
        }
        return URI.create(text);
    }

    private static Map<String, List<String>> query(String query) {
        Map<String, List<String>> values = new LinkedHashMap<>();
        Arrays.stream(query.split("&")).filter(part -> !part.isEmpty()).forEach(part -> {
            String[] pair = part.split("=", 2);
            values.computeIfAbsent(pair[0], name -> new ArrayList<>()).add(pair.length == 2 ? pair[1] : "");
        });
        return values;
    }

    private void addQuantities() {
        global("quantity", "string_to_quantity", QUANTITY, args -> quantity((String) args[0]), SimpleType.STRING);
        global(
                "isQuantity",
                "is_quantity_string",
                SimpleType.BOOL,
                args -> Quantities.value((String) args[0]).isPresent(),
                SimpleType.STRING);
        member(
                "sign",
                "quantity_sign",
                SimpleType.INT,
                args -> (long) number(args, 0).signum(),
                QUANTITY);
        member(
                "isInteger",
                "quantity_is_integer",
                SimpleType.BOOL,
                args -> number(args, 0).stripTrailingZeros().scale() <= 0,
                QUANTITY);
        member(
                "asInteger",
                "quantity_as_integer",
                SimpleType.INT,
                args -> number(args, 0).longValueExact(),
                QUANTITY);
        member(
                "asApproximateFloat",
                "quantity_as_float",
                SimpleType.DOUBLE,
                args -> number(args, 0).doubleValue(),
                QUANTITY);
        addQuantityArithmetic();
    }

    private void addQuantityArithmetic() {
        for (String name : List.of("add", "sub")) {
            boolean adds = name.equals("add");
            member(name, "quantity_" + name, QUANTITY, args -> combined(args, adds), QUANTITY, QUANTITY);
            member(name, "quantity_" + name + "_int", QUANTITY, args -> combined(args, adds), QUANTITY, SimpleType.INT);
        }
        member("compareTo", "quantity_compare", SimpleType.INT, args -> (long) order(args), QUANTITY, QUANTITY);
        member("isLessThan", "quantity_less", SimpleType.BOOL, args -> order(args) < 0, QUANTITY, QUANTITY);
        member("isGreaterThan", "quantity_greater", SimpleType.BOOL, args -> order(args) > 0, QUANTITY, QUANTITY);
    }

    private static BigDecimal number(Object[] args, int index) {
        return args[index] instanceof Long whole
                ? BigDecimal.valueOf(whole)
                : (BigDecimal) Objects.requireNonNull(args[index]);
    }

    private static int order(Object[] args) {
        return number(args, 0).compareTo(number(args, 1));
    }

    private static BigDecimal combined(Object[] args, boolean adds) {
        BigDecimal second = number(args, 1);
        return number(args, 0).add(adds ? second : second.negate()).stripTrailingZeros();
    }

    private static BigDecimal quantity(String text) {
        return Quantities.value(text)
                .orElseThrow(() -> new IllegalArgumentException("quantities must match the regular expression"
                        + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"));
    }
}
