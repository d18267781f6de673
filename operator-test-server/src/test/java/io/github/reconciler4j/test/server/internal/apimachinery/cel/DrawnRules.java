package io.github.reconciler4j.test.server.internal.apimachinery.cel;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.TestJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Definitions whose schemas, limits and rules are drawn at random; the same seed draws the same. */
final class DrawnRules {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final List<String> OF_TEXT = List.of(
            "%s == 'abc'",
            "%s != ''",
            "%s.startsWith('a')",
            "%s.endsWith(%s)",
            "%s.contains('längs')",
            "%s.contains(%s)",
            "%s.matches('^[a-z]+%$')",
            "matches(%s, '[0-9]{1,3}')",
            "%s.size() < 10",
            "%s < 'b'",
            "%s in ['a', 'b', 'c']",
            "%s.lowerAscii() == %s",
            "%s.upperAscii().trim() != %s",
            "%s.replace('a', 'bb').size() < 9",
            "%s.replace('abc', 'b', 2).contains('b')",
            "%s.substring(0, 1) == 'a'",
            "%s.charAt(0) == 'a'",
            "%s.indexOf('a') < 3",
            "%s.find('[0-9]+') != '42'",
            "(%s + '-' + %s).size() < 64",
            "(%s + 'x').startsWith('y')",
            "isQuantity(%s)",
            "quantity(%s).isLessThan(quantity('2Gi'))",
            "quantity(%s) == quantity('1')",
            "isURL(%s)",
            "url(%s).getHost() == 'a'",
            "url(%s) == url(%s)",
            "isIP(%s)",
            "ip(%s).family() == 4",
            "ip(%s) == ip('1.2.3.4')",
            "ip.isCanonical(%s)",
            "cidr(%s).containsIP('10.0.0.1')",
            "cidr('10.0.0.0/8').containsCIDR(%s)",
            "cidr(%s).ip() == ip('10.0.0.0')",
            "isSemver(%s)",
            "semver(%s).major() > 1",
            "!format.dns1123Label().validate(%s).hasValue()",
            "'%d items of %s'.format([3, %s]).size() > 3".replace("%d items of %s'", "items'"),
            "bytes(%s).size() < 7",
            "string(bytes(%s)) == %s",
            "int(%s) > 3",
            "duration(%s) > duration('1s')",
            "[%s, 'a'].exists(w, w == 'a')",
            "[%s, 'abc'].all(w, w.startsWith(%s))",
            "{'a': %s, 'bcd': 'x'}.all(w, w.size() < 4)",
            "{'a': %s}.all(w, u, u.contains(w))",
            "(%s == 'a' ? [%s] : ['b', 'c']).all(w, w.contains('x'))",
            "optional.of(%s).orValue('b') == 'a'",
            "optional.ofNonZeroValue(%s).optMap(w, w.size()).orValue(0) < 4");
    private static final List<Integer> LIMITS = List.of(0, 1, 3, 10, 64, 253, 1000, 20000, 1_000_000);
    private static final List<String> SCALARS = List.of(
            "text",
            "text",
            "text",
            "text",
            "integer",
            "number",
            "boolean",
            "either",
            "byte",
            "duration",
            "date",
            "date-time");

    private final Random random;
    private int variables;

    private DrawnRules(long seed) {
        random = new Random(seed * 31 + 7);
    }

    /** Draws a definition. */
    static ObjectNode definition(long seed) {
        return new DrawnRules(seed).definition();
    }

    /** The part of a definition that is drawn. */
    static JsonNode spec(JsonNode definition) {
        return definition.at("/spec/versions/0/schema/openAPIV3Schema/properties/spec");
    }

    private ObjectNode definition() {
        ObjectNode definition = (ObjectNode)
                TestJson.of(
                        "{apiVersion: 'apiextensions.k8s.io/v1', kind:"
                                + " 'CustomResourceDefinition', metadata: {name: 'drawns.cost.example.com'}, spec: {group:"
                                + " 'cost.example.com', scope: 'Namespaced', names: {plural: 'drawns', kind: 'Drawn'}, versions: [{name:"
                                + " 'v1', served: true, storage: true, schema: {openAPIV3Schema: {type: 'object', properties: {}}}}]}}");
        ObjectNode root = (ObjectNode) definition.at("/spec/versions/0/schema/openAPIV3Schema");
        Type spec = object(3);
        ((ObjectNode) root.get("properties")).set("spec", spec.schema);
        List<Type> all = new ArrayList<>();
        spec.collect(all);
        int rules = 1 + random.nextInt(4);
        for (int i = 0; i < rules; i++) {
            addRule(all.get(random.nextInt(all.size())));
        }
        return definition;
    }

    private void addRule(Type type) {
        ObjectNode rule = JSON.objectNode();
        boolean transition = !type.repeated && chance(4);
        String old = transition ? pick(List.of(" && self == oldSelf", " || oldSelf == self")) : "";
        rule.put("rule", "(" + check(type, "self", 3) + ")" + old);
        if (chance(6) && type.kind.equals("text")) {
            rule.put("messageExpression", "'bad ' + self" + (chance(2) ? " + self.lowerAscii()" : ""));
        }
        ArrayNode rules = (ArrayNode) type.schema.get("x-kubernetes-validations");
        (rules == null ? type.schema.putArray("x-kubernetes-validations") : rules).add(rule);
    }

    /** A type of values with its schema. */
    private static final class Type {
        final String kind;
        final ObjectNode schema = JSON.objectNode();
        final Map<String, Type> fields = new TreeMap<>();
        Type element;
        boolean repeated;

        Type(String kind) {
            this.kind = kind;
        }

        /** Adds this and all types inside; rules of those inside of lists and maps have no old value. */
        void collect(List<Type> all) {
            all.add(this);
            fields.values().forEach(field -> {
                field.repeated = repeated;
                field.collect(all);
            });
            if (element != null) {
                element.repeated = true;
                element.collect(all);
            }
        }
    }

    private boolean chance(int oneOf) {
        return random.nextInt(oneOf) == 0;
    }

    private <T> T pick(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    private Type type(int depth) {
        int kind = random.nextInt(depth > 0 ? 10 : 4);
        return kind < 4 ? scalar() : kind < 7 ? list(depth - 1) : kind < 8 ? map(depth - 1) : object(depth - 1);
    }

    private void limit(Type type, String field, int oneOf) {
        if (chance(oneOf)) {
            type.schema.put(field, pick(LIMITS));
        }
    }

    private Type scalar() {
        Type type = new Type(pick(SCALARS));
        switch (type.kind) {
            case "text" -> {
                type.schema.put("type", "string");
                limit(type, "maxLength", 2);
                if (chance(6)) {
                    type.schema.putArray("enum").add("a").add("größer").add("");
                }
            }
            case "either" -> {
                type.schema.put("x-kubernetes-int-or-string", true);
                limit(type, "maxLength", 3);
            }
            case "integer", "number", "boolean" -> type.schema.put("type", type.kind);
            default -> {
                type.schema.put("type", "string").put("format", type.kind);
                limit(type, "maxLength", 2);
            }
        }
        return type;
    }

    private Type list(int depth) {
        Type type = new Type("list");
        type.element = type(depth);
        type.schema.put("type", "array").set("items", type.element.schema);
        limit(type, "maxItems", 2);
        return type;
    }

    private Type map(int depth) {
        Type type = new Type("map");
        type.element = type(depth);
        type.schema.put("type", "object").set("additionalProperties", type.element.schema);
        limit(type, "maxProperties", 2);
        return type;
    }

    private Type object(int depth) {
        Type type = new Type("object");
        ObjectNode properties = type.schema.put("type", "object").putObject("properties");
        int fields = 1 + random.nextInt(4);
        ArrayNode required = JSON.arrayNode();
        for (int i = 0; i < fields; i++) {
            String name = pick(List.of("a", "size", "with-dash", "longName", "namespace", "x")) + (i > 1 ? i : "");
            Type field = type(depth);
            type.fields.put(name, field);
            properties.set(name, field.schema);
        }
        type.fields.keySet().stream().filter(name -> chance(3)).forEach(required::add);
        if (!required.isEmpty()) {
            type.schema.set("required", required);
        }
        return type;
    }

    private static String field(String name) {
        return name.equals("namespace") ? "__namespace__" : name.replace("-", "__dash__");
    }

    /** Writes an expression that is true or false for a value. */
    private String check(Type type, String value, int depth) {
        if (depth > 0 && chance(4)) {
            String left = check(type, value, depth - 1);
            String right = check(type, value, depth - 1);
            return switch (random.nextInt(4)) {
                case 0 -> left + " && " + right;
                case 1 -> "(" + left + " || " + right + ")";
                case 2 -> "(" + left + " ? " + right + " : !(" + left + "))";
                default -> "!(" + left + ")";
            };
        }
        return switch (type.kind) {
            case "object" -> ofObject(type, value, depth);
            case "list" -> ofList(type, value, depth);
            case "map" -> ofMap(type, value, depth);
            case "text" -> ofText(value, depth);
            default -> ofScalar(type, value);
        };
    }

    private String ofScalar(Type type, String value) {
        return switch (type.kind) {
            case "byte" ->
                pick(List.of("%s.size() < 5", "%s == b'ab'", "(%s + b'c').size() > 3", "string(%s) == 'x'"))
                        .replace("%s", value);
            case "duration" ->
                pick(List.of("%s < duration('1h')", "%s.getSeconds() > 3", "%s == duration('3s')"))
                        .replace("%s", value);
            case "date", "date-time" ->
                pick(List.of("%s > timestamp('2024-01-01T00:00:00Z')", "%s.getFullYear() > 2000", "%s == %s"))
                        .replace("%s", value);
            case "either" ->
                pick(List.of(
                                "(type(%s) == int ? %s > 3 : %s == 'a')",
                                "string(%s).size() < 9",
                                "dyn(%s) == 'a'",
                                "%s == %s",
                                "type(%s) == string && %s.matches('^[0-9]+%$')"))
                        .replace("%s", value);
            case "boolean" ->
                pick(List.of("%s", "!%s", "%s == true", "%s != false")).replace("%s", value);
            case "integer" ->
                pick(List.of(
                                "%s > 3",
                                "%s in [1, 2, 3]", "%s + 1 > %s", "%s % 2 == 0", "string(%s) != '7'", "[%s].sum() > 1"))
                        .replace("%s", value);
            default ->
                pick(List.of("%s > 3.5", "%s in [1.0, 2.0]", "%s * 2.0 < %s", "int(%s) == 3"))
                        .replace("%s", value);
        };
    }

    private String ofObject(Type type, String value, int depth) {
        List<String> names = new ArrayList<>(type.fields.keySet());
        String name = pick(names);
        Type field = type.fields.get(name);
        String at = value + "." + field(name);
        return switch (random.nextInt(6)) {
            case 0 -> "has(" + at + ")";
            case 1 -> "(!has(" + at + ") || " + check(field, at, depth - 1) + ")";
            case 2 -> "(has(" + at + ") ? " + check(field, at, depth - 1) + " : true)";
            case 3 -> value + ".?" + field(name) + ".hasValue()";
            case 4 -> "[" + at + "].exists(" + "z, z == " + at + ")";
            default -> check(field, at, depth - 1);
        };
    }

    private String ofList(Type type, String value, int depth) {
        String x = "v" + variables++;
        String inside = depth > 0 ? check(type.element, x, depth - 1) : "true";
        String plain = switch (random.nextInt(16)) {
            case 0, 1, 2 -> "%s.all(" + x + ", " + inside + ")";
            case 3 -> "%s.exists(" + x + ", " + inside + ")";
            case 4 -> "%s.exists_one(" + x + ", " + inside + ")";
            case 5 -> "%s.filter(" + x + ", " + inside + ").size() == 1";
            case 6 -> "%s.map(" + x + ", " + x + ").size() > 0";
            case 7 -> "%s.map(" + x + ", [" + x + ", " + x + "]).all(y, y.size() > 1)";
            case 8 -> "%s.size() < 9";
            case 9 -> "(%s.size() == 0 || " + check(type.element, value + "[0]", depth - 1) + ")";
            case 10 -> "(%s + %s).size() > 3";
            case 11 -> "(%s + %s).all(" + x + ", " + inside + ")";
            case 12 -> "%s.all(i, " + x + ", i < 3 || " + inside + ")";
            case 13 -> "sets.contains(%s, %s)";
            case 14 -> "%s.filter(" + x + ", " + inside + ").all(" + x + ", " + inside + ")";
            default -> "%s == %s";
        };
        return (chance(3) ? ofPlainList(type, plain) : plain).replace("%s", value);
    }

    /** Functions of lists that need elements of some types. */
    private String ofPlainList(Type type, String otherwise) {
        return switch (type.element.kind) {
            case "text" ->
                pick(List.of(
                        "%s.isSorted()",
                        "%s.join(',').size() < 5",
                        "%s.join().contains('a')",
                        "'a' in %s",
                        "%s.indexOf('a') > 1",
                        "%s.max() == 'b'",
                        "%s.distinct().size() == 2",
                        "%s.sort().size() == 2",
                        "%s.reverse().join('-') == 'a-b'"));
            case "integer" ->
                pick(List.of(
                        "%s.sum() > 3",
                        "%s.min() < 2",
                        "%s.max() > 2",
                        "%s.isSorted()",
                        "3 in %s",
                        "%s.slice(0, 2).size() == 2",
                        "%s.sort()[0] == 1",
                        "lists.range(3).size() == 3 && %s.lastIndexOf(3) < 2",
                        "sets.intersects(%s, [1, 2])",
                        "sets.equivalent(%s, [3])"));
            case "list" -> pick(List.of("%s.flatten().size() > 2", "%s.map(l, l.size()).sum() < 9"));
            default -> otherwise;
        };
    }

    private String ofMap(Type type, String value, int depth) {
        String k = "k" + variables++;
        Type text = new Type("text");
        String inside = depth > 0 ? check(type.element, value + "[" + k + "]", depth - 1) : "true";
        String plain = switch (random.nextInt(8)) {
            case 0 -> "%s.all(" + k + ", " + check(text, k, depth - 1) + ")";
            case 1 -> "%s.all(" + k + ", " + inside + ")";
            case 2 -> "%s.all(" + k + ", v" + k + ", " + check(type.element, "v" + k, depth - 1) + ")";
            case 3 -> "(!('a' in %s) || " + check(type.element, value + "['a']", depth - 1) + ")";
            case 4 -> "%s.size() < 3";
            case 5 -> "%s.exists(" + k + ", " + inside + ")";
            case 6 -> "%s.map(" + k + ", " + k + ").size() == 1";
            default -> "%s == %s";
        };
        return plain.replace("%s", value);
    }

    private String ofText(String value, int depth) {
        if (depth > 0 && chance(5)) {
            String x = "t" + variables++;
            return value + pick(List.of(".split(',')", ".split('', 3)", ".findAll('[a-z]')")) + ".all(" + x + ", "
                    + ofText(x, depth - 1) + ")";
        }
        return pick(OF_TEXT).replace("%s", value);
    }
}
