package io.github.reconciler4j.generator.crd;

import io.github.reconciler4j.generator.yaml.Yaml;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Each annotation that limits values, on each kind of type, in each place; with a value that it permits and one that it does not. */
final class LimitCases {

    static final String PACKAGE = "limits";

    private static final String HEADER = """
            package limits;
            import com.fasterxml.jackson.annotation.JsonValue;
            import com.fasterxml.jackson.databind.JsonNode;
            import io.fabric8.crd.generator.annotation.*;
            import io.fabric8.generator.annotation.*;
            import io.fabric8.kubernetes.api.model.AnyType;
            import io.fabric8.kubernetes.api.model.IntOrString;
            import io.fabric8.kubernetes.api.model.Quantity;
            import io.fabric8.kubernetes.client.CustomResource;
            import io.fabric8.kubernetes.model.annotation.Group;
            import io.fabric8.kubernetes.model.annotation.Kind;
            import io.fabric8.kubernetes.model.annotation.Plural;
            import io.fabric8.kubernetes.model.annotation.Version;
            import io.github.reconciler4j.crd.*;
            import java.math.*;
            import java.net.URI;
            import java.nio.ByteBuffer;
            import java.time.*;
            import java.util.*;
            import java.util.concurrent.atomic.*;
            """;

    /** What the JSON of a type is. */
    enum Form {
        NUMBER,
        TEXT,
        MANY,
        OTHER
    }

    /**
     * A type.
     *
     * @param small a value in JSON, the smaller one of two
     * @param large the larger one
     * @param least the size of the smaller one
     * @param most the size of the larger one
     */
    record Type(String name, Form form, String small, String large, int least, int most) {

        static Type number(String name) {
            return new Type(name, Form.NUMBER, "2", "5", 0, 0);
        }

        static Type text(String name, String small, String large) {
            return new Type(name, Form.TEXT, '"' + small + '"', '"' + large + '"', small.length(), large.length());
        }

        static Type many(String name, String small, String large) {
            return new Type(name, Form.MANY, small, large, 1, 2);
        }

        static Type other(String name) {
            return new Type(name, Form.OTHER, "", "", 1, 2);
        }

        boolean isPrimitive() {
            return Character.isLowerCase(name.charAt(0)) && !name.endsWith("]");
        }
    }

    /**
     * A field with an annotation.
     *
     * @param annotation its name in messages
     * @param declaration the type with the annotation
     * @param good a value in JSON that is permitted, null if the annotation does not fit
     * @param bad one that is not
     */
    record Cell(String annotation, String declaration, String good, String bad) {

        boolean fits() {
            return good != null;
        }
    }

    private LimitCases() {}

    static List<Type> types() {
        List<Type> types = new ArrayList<>();
        for (String name : List.of("int", "Integer", "long", "Long", "short", "Byte", "double", "Double", "float")) {
            types.add(Type.number(name));
        }
        for (String name : List.of("BigDecimal", "BigInteger", "AtomicInteger", "Level")) {
            types.add(Type.number(name));
        }
        types.add(Type.text("String", "ab", "abcd"));
        types.add(Type.text("char[]", "ab", "abcd"));
        types.add(new Type("byte[]", Form.TEXT, "\"AQI=\"", "\"AQID\"", 2, 3));
        types.add(new Type("ByteBuffer", Form.TEXT, "\"AQIDBA==\"", "\"AQIDBAU=\"", 4, 5));
        types.add(Type.text("Color", "RED", "GREEN"));
        types.add(Type.text("Duration", "PT5S", "PT1H5S"));
        types.add(Type.text("Period", "P1D", "P1M1D"));
        types.add(Type.text("Instant", "2024-01-01T00:00:00Z", "2024-01-01T00:00:00.123Z"));
        types.add(Type.text("URI", "a:b", "https://example.com"));
        types.add(Type.many("List<String>", "[\"a\"]", "[\"a\", \"b\"]"));
        types.add(Type.many("Set<Integer>", "[1]", "[1, 2]"));
        types.add(Type.many("String[]", "[\"a\"]", "[\"a\", \"b\"]"));
        types.add(Type.many("Map<String, Integer>", "{a: 1}", "{a: 1, b: 2}"));
        types.add(Type.many("Map<String, Object>", "{a: 1}", "{a: 1, b: x}"));
        types.add(Type.many("Part", "{a: x}", "{a: x, b: x}"));
        for (String name : List.of("boolean", "Boolean", "Quantity", "IntOrString", "Object", "JsonNode", "AnyType")) {
            types.add(Type.other(name));
        }
        return types;
    }

    static List<Cell> all() {
        List<Cell> cells = new ArrayList<>();
        for (Type type : types()) {
            for (String annotation : List.of("Min", "Over", "Max", "Under", "Pattern", "Least", "Most", "multipleOf")) {
                for (String place : places(type)) {
                    Cell cell = cell(type, annotation, place);
                    boolean isOfItems = cell.declaration().equals("@Pattern(\"^a$\") String[]");
                    cells.add(isOfItems ? new Cell("@Pattern", cell.declaration(), "[a]", "[b]") : cell);
                }
            }
        }
        addNested(cells);
        addExtremes(cells);
        return cells;
    }

    private static void addNested(List<Cell> cells) {
        for (String annotation : List.of("@Min(3)", "@Max(3)", "@Pattern(\"a\")", "@Size(max = 3)")) {
            String name = annotation.substring(0, annotation.indexOf('('));
            cells.add(new Cell(name, "Map<" + annotation + " String, Integer>", null, null));
            cells.add(new Cell(name, "List<Map<" + annotation + " String, Integer>>", null, null));
            cells.add(new Cell(name, "Box<" + annotation + " String>", null, null));
        }
        cells.add(new Cell("@Size", "Names", "[ab]", "[abcd]"));
        cells.add(new Cell("@Max", "Numbers", "{a: [2]}", "{a: [5]}"));
        cells.add(new Cell("@Size", "AtomicReference<@Size(max = 2) String>", "ab", "abcd"));
        cells.add(new Cell("@Size", "List<? extends @Size(max = 2) String>", "[ab]", "[abcd]"));
        cells.add(new Cell("@Size", "String @Size(max = 1) []", "[abcd]", "[a, b]"));
        cells.add(new Cell("@Size", "List<String @Size(max = 1) []>", "[[abcd]]", "[[a, b]]"));
        cells.add(new Cell("@Size", "@Size(max = 3) String @Size(max = 1) []", "[abc]", "[abcd]"));
        cells.add(new Cell("@Size", "@Size(max = 3) String @Size(max = 1) []", "[abc]", "[a, b]"));
        cells.add(new Cell("@Size", "List<@Size(max = 2) byte[]>", "[\"AQI=\"]", "[\"AQID\"]"));
        cells.add(new Cell("@Size", "Map<String, @Size(max = 2) char[]>", "{a: ab}", "{a: abc}"));
        cells.add(new Cell("@Min", "@Min(3) int[][]", "[[5]]", "[[2]]"));
        cells.add(new Cell(
                "@Size",
                "@Size(max = 1) List<@Size(min = 2) List<@Size(max = 3) String>>",
                "[[abc, abc]]",
                "[[abc, abcd]]"));
        cells.add(new Cell(
                "@Size", "@Size(max = 1) List<@Size(min = 2) List<@Size(max = 3) String>>", "[[abc, abc]]", "[[abc]]"));
    }

    private static void addExtremes(List<Cell> cells) {
        cells.add(new Cell("@Min", "@Min(Long.MIN_VALUE) long", "-9223372036854775808", "x"));
        cells.add(new Cell("@Max", "@Max(Long.MAX_VALUE) long", "9223372036854775807", "x"));
        cells.add(new Cell("@Min", "@Min(2.5) long", "3", "2"));
        cells.add(new Cell("@Max", "@Max(2.5) long", "2", "3"));
        cells.add(new Cell("@Min", "@Min(value = 2.5, inclusive = false) long", "3", "2"));
        cells.add(new Cell("@Min", "@Min(2.5) double", "2.5", "2.4"));
        cells.add(new Cell("@Min", "@Min(-1e300) double", "-1e299", "-1e301"));
        cells.add(new Cell("@Min", "@Min(-1e300) long", "-9223372036854775808", "x"));
        for (String never : List.of(
                "@Min(1e300) long",
                "@Min(Double.NaN) double",
                "@Min(5) @Max(4) int",
                "@Size(min = 3, max = 2) String",
                "@Size(max = -1) String",
                "@Min(Double.POSITIVE_INFINITY) double",
                "@Min(value = 5, inclusive = false) @Max(5) int",
                "@Max(-1e300) int",
                "@Size(min = -1) List<String>")) {
            cells.add(new Cell(never.substring(0, never.indexOf('(')), never, null, null));
        }
    }

    /** All places for some types, two of them for the others. */
    private static List<String> places(Type type) {
        if (type.isPrimitive() || type.name.endsWith("]")) {
            return List.of("A T");
        }
        return Set.of("Integer", "String", "Part", "Map<String, Integer>", "Quantity")
                        .contains(type.name)
                ? List.of("A T", "List<A T>", "Map<String, A T>", "Map<String, List<A T>>", "List<List<A T>>", "A T[]")
                : List.of("A T", "Map<String, List<A T>>");
    }

    private static Cell cell(Type type, String annotation, String place) {
        boolean number = type.form == Form.NUMBER;
        boolean sized = type.form == Form.TEXT || type.form == Form.MANY;
        String text = type.form == Form.TEXT ? type.small.substring(1, type.small.length() - 1) : "a";
        boolean array = place.equals("A T[]");
        return switch (annotation) {
            case "Min" -> cell(place, type, "@Min(3)", number, type.large, type.small);
            case "Over" -> cell(place, type, "@Min(value = 2, inclusive = false)", number, type.large, type.small);
            case "Max" -> cell(place, type, "@Max(3)", number, type.small, type.large);
            case "Under" -> cell(place, type, "@Max(value = 5, inclusive = false)", number, type.small, type.large);
            case "Pattern" ->
                cell(
                        place,
                        type,
                        "@Pattern(\"^" + text.replace("+", "[+]") + "$\")",
                        type.form == Form.TEXT,
                        type.small,
                        type.large);
            case "Least" ->
                array
                        ? arraySize(type, "@Size(min = 2)", 2, 1)
                        : cell(place, type, "@Size(min = " + type.most + ")", sized, type.large, type.small);
            case "Most" ->
                array
                        ? arraySize(type, "@Size(max = 1)", 1, 2)
                        : cell(place, type, "@Size(max = " + type.least + ")", sized, type.small, type.large);
            default -> cell(place, type, "@SchemaDetails(multipleOf = 5)", number && !array, type.large, type.small);
        };
    }

    /** {@code @Size} of an array is its own, unless it is between the type and the brackets. */
    private static Cell arraySize(Type type, String annotation, int good, int bad) {
        String value = type.form == Form.OTHER ? "1" : type.small;
        return new Cell(
                "@Size",
                annotation + " " + type.name + "[]",
                List.of(value, value).subList(0, good).toString(),
                List.of(value, value).subList(0, bad).toString());
    }

    private static Cell cell(String place, Type type, String annotation, boolean fits, String good, String bad) {
        String declaration = place.replace("A T", annotation + " " + type.name);
        String name = annotation.substring(0, annotation.indexOf('('));
        return new Cell(name, declaration, fits ? placed(place, good) : null, fits ? placed(place, bad) : null);
    }

    private static String placed(String place, String value) {
        return switch (place) {
            case "A T" -> value;
            case "List<A T>", "A T[]" -> "[" + value + "]";
            case "Map<String, A T>" -> "{a: " + value + "}";
            case "Map<String, List<A T>>" -> "{a: [" + value + "]}";
            default -> "[[" + value + "]]";
        };
    }

    /** Return the sources of a kind with fields by their names. */
    static Map<String, String> source(String kind, Map<String, Cell> fields) {
        StringBuilder text = new StringBuilder(HEADER);
        text.append("@Group(\"example.com\") @Version(\"v1\") @Kind(\"")
                .append(kind)
                .append("\") @Plural(\"");
        text.append(kind.toLowerCase(java.util.Locale.ROOT))
                .append("s\") public class ")
                .append(kind);
        text.append(" extends CustomResource<").append(kind).append(".Spec, Void> {\npublic static class Spec {\n");
        fields.forEach((name, cell) -> text.append("  public ")
                .append(cell.declaration())
                .append(" ")
                .append(name)
                .append(";\n"));
        text.append("}}\n");
        return Map.of(PACKAGE + "." + kind, text.toString());
    }

    /** Return the sources of the types that are not of the JDK or of fabric8. */
    static Map<String, String> shared() {
        Map<String, String> sources = new LinkedHashMap<>();
        Map<String, String> types = Map.of(
                "Color", "public enum Color { RED, GREEN }",
                "Level",
                        "public enum Level { LOW(2), HIGH(5); private final int value; Level(int v) { value = v; }"
                                + " @JsonValue public int value() { return value; } }",
                "Part", "public class Part { public String a; public String b; }",
                "Box", "public class Box<T> { public T content; }",
                "Names", "public class Names extends ArrayList<@Size(max = 3) String> {}",
                "Numbers", "public class Numbers extends HashMap<String, List<@Max(3) Integer>> {}");
        types.forEach((name, text) -> sources.put(PACKAGE + "." + name, HEADER + text));
        return sources;
    }

    static Object value(String json) {
        return Yaml.readValue(json, "value");
    }
}
