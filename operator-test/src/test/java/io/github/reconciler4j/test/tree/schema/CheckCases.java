package io.github.reconciler4j.test.tree.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.tree.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Objects of the kind {@code Check}, right and wrong in all ways. */
final class CheckCases {

    private static final Map<String, List<String>> VALUES = values();

    private CheckCases() {}

    private static Map<String, List<String>> values() {
        Map<String, List<String>> values = new LinkedHashMap<>();
        values.put("must", List.of("'x'", "''", "1", "null"));
        values.put("text", List.of("'ab'", "'a'", "'abcde'", "'AB'", "'a1'", "'äö'", "1", "null", "{}", "[]", "'éé'"));
        values.put("choice", List.of("'red'", "'blue'", "''", "1", "null"));
        values.put("level", List.of("1", "2", "3", "1.0", "1.5", "'1'", "null"));
        values.put("maybe", List.of("null", "'a'", "1"));
        values.put("maybeChoice", List.of("null", "'a'", "'b'"));
        values.put("withDefault", List.of("'x'", "null", "1"));
        values.put("nullableDefault", List.of("1", "null", "'x'"));
        values.put("number", List.of("2", "1", "0", "11", "12", "3", "4.0", "4.5", "1e3", "-1", "1e20", "true"));
        values.put("open", List.of("1", "0.5", "0.6", "100", "99.9", "101", "-3", "'1'", "1e7", "1234567.5"));
        values.put("tenths", List.of("0.1", "0.3", "0.15", "1", "7"));
        values.put("small", List.of("1", "2147483647", "2147483648", "-2147483649", "1.5", "3.0"));
        values.put("single", List.of("1", "1.5", "1e39", "-1e39"));
        values.put("flag", List.of("true", "'true'", "1", "null"));
        values.put("either", List.of("1", "'a'", "1.5", "true", "{}", "[]", "null", "2.0"));
        values.put("eitherChecked", List.of("1", "101", "'5%'", "'a'", "1.5", "true"));
        values.put(
                "list",
                List.of("['a']", "[]", "['a', 'b', 'c']", "['abcd']", "[1]", "'a'", "[null]", "null", "['a', 'a']"));
        values.put(
                "set",
                List.of("['a', 'b']", "['a', 'a']", "['a', 'b', 'a', 'a', 'b']", "[]", "[1, 1]", "[null, null]"));
        values.put(
                "objects",
                List.of(
                        "[{name: 'a', size: 1}]",
                        "[{name: 'a', size: 1}, {name: 'a', size: 2}]",
                        "[{name: 'a'}]",
                        "[{size: 9}]",
                        "[{}, {}]",
                        "[{name: 'a', size: 1, unknown: 1}]",
                        "['x']",
                        "[null]",
                        "[{name: 'a', size: '1', note: null}]"));
        values.put(
                "map",
                List.of("{a: 3}", "{}", "{a: 1, b: 'x'}", "{a: 3, b: 4, c: 5}", "[]", "{a: null}", "{'x/y.z': 1}"));
        values.put(
                "deep",
                List.of(
                        "{}",
                        "{a: {}}",
                        "{a: {b: 'x'}}",
                        "{a: {b: 1}}",
                        "{a: null}",
                        "{a: {b: 'x', z: {y: 1}}, q: 1}"));
        values.put("any", List.of("1", "'a'", "{a: {b: [1]}}", "[1, 'a']", "true", "null"));
        values.put("half", List.of("{known: 1, x: 2}", "{known: 'a'}", "{x: {y: null}}", "{known: null}"));
        values.put(
                "embedded",
                List.of(
                        "{}",
                        "{apiVersion: 'v1', kind: 'Pod'}",
                        "{apiVersion: 'v1', kind: 'Pod', metadata: {name: 'a'}, spec: {a: 'b', c: 1}, other: 1}",
                        "{apiVersion: '', kind: ''}",
                        "{apiVersion: 'a/b/c', kind: 'A b'}"));
        values.put("oneOf", List.of("{a: '1'}", "{a: '1', b: '1'}", "{}", "{a: 1}", "{c: 1}"));
        values.put("allOf", List.of("'ab'", "'a'", "'bb'", "'b'", "1"));
        values.put("anyOf", List.of("'a'", "'zz'", "'ab'", "1"));
        values.put("not", List.of("'a'", "'xa'", "1"));
        values.putAll(formats());
        return values;
    }

    private static Map<String, List<String>> formats() {
        Map<String, List<String>> values = new LinkedHashMap<>();
        values.put("date", List.of("'2024-02-29'", "'2023-02-29'", "'2024-2-9'", "'x'", "1", "''"));
        values.put(
                "time",
                List.of(
                        "'2024-02-29T10:00:00Z'",
                        "'2024-02-29t10:00:00.5z'",
                        "'2024-02-29T25:00:00Z'",
                        "'2024-02-29'",
                        "'2024-02-29T10:00:00+02:00'",
                        "'2024-02-29 10:00:00Z'",
                        "'x'"));
        values.put(
                "duration",
                List.of("'1h30m'", "'3 days'", "'22 ns'", "'1'", "'0'", "'x'", "'-5s'", "'1.5h'", "'2 weeks'"));
        values.put(
                "uri",
                List.of("'http://a.b/c'", "'/path'", "'a b'", "'x'", "'mailto:a@b'", "''", "'http://[::1]:80/'"));
        values.put("email", List.of("'a@b.c'", "'a'", "'A <a@b.c>'", "'a@b@c'", "'@b'"));
        values.put("hostname", List.of("'a.example'", "'a_b'", "'-a'", "'a-'", "'1a.com'", "'a..b'", "'a'", "''"));
        values.put("ipv4", List.of("'1.2.3.4'", "'01.2.3.4'", "'1.2.3'", "'256.1.1.1'", "'::1'", "'::ffff:1.2.3.4'"));
        values.put(
                "ipv6",
                List.of("'::1'", "'1:2:3:4:5:6:7:8'", "'1::2::3'", "'1.2.3.4'", "'::ffff:1.2.3.4'", "'g::1'", "'1:2'"));
        values.put(
                "cidr",
                List.of(
                        "'10.0.0.0/8'",
                        "'10.0.0.0'",
                        "'10.0.0.0/33'",
                        "'::/0'",
                        "'::/129'",
                        "'010.0.0.0/8'",
                        "'1.1.1.1/08'"));
        values.put("mac", List.of("'01:23:45:67:89:ab'", "'01-23-45-67-89-AB'", "'0123.4567.89ab'", "'01:23'", "'x'"));
        values.put(
                "uuid",
                List.of("'f81d4fae-7dec-11d0-a765-00a0c91e6bf6'", "'F81D4FAE7DEC11D0A76500A0C91E6BF6'", "'f81d4fae'"));
        values.put(
                "uuid4", List.of("'f81d4fae-7dec-41d0-a765-00a0c91e6bf6'", "'f81d4fae-7dec-11d0-a765-00a0c91e6bf6'"));
        values.put("bytes", List.of("'YWJj'", "'YWI='", "'YWJ'", "'!!!!'", "''"));
        values.put("color", List.of("'#fff'", "'ffffff'", "'#ffff'", "'red'"));
        values.put("rgb", List.of("'rgb(1,2,3)'", "'rgb(256,0,0)'", "'x'"));
        values.put("isbn", List.of("'0321751043'", "'978-0321751041'", "'0321751042'", "'x'"));
        values.put("card", List.of("'4111111111111111'", "'4111 1111 1111 1111'", "'4111111111111112'", "'1'"));
        values.put("ssn", List.of("'123-45-6789'", "'123456789'", "'12-3'"));
        values.put("objectId", List.of("'507f1f77bcf86cd799439011'", "'507f'"));
        values.put("shortName", List.of("'a-b'", "'A'", "'a.b'", "'-'"));
        values.put("longName", List.of("'a.b'", "'a..b'", "'A'"));
        values.put("other", List.of("'anything'", "1"));
        return values;
    }

    static ObjectNode of(String spec) {
        return (ObjectNode) Json.of(
                "{apiVersion: 'trees.example.com/v1', kind: 'Check', metadata: {name: 'c'}, spec: " + spec + "}");
    }

    /** Returns objects with one value each, with several, and some that are wrong as a whole. */
    static List<JsonNode> all() {
        List<JsonNode> cases = new ArrayList<>();
        VALUES.forEach((field, values) -> {
            for (String value : values) {
                cases.add(of(
                        field.equals("must") ? "{must: " + value + "}" : "{must: 'x', " + field + ": " + value + "}"));
            }
        });
        for (String spec :
                List.of("{}", "null", "1", "[]", "{must: 'x', unknown: {a: 1}}", "{must: 'x', Text: 'ab'}")) {
            cases.add(of(spec));
        }
        cases.add(Json.of("{apiVersion: 'trees.example.com/v1', kind: 'Check', metadata: {name: 'c'}}"));
        cases.add(
                Json.of("{apiVersion: 'trees.example.com/v1', kind: 'Check', metadata: {name: 'c'}, spec: {must: 'x'},"
                        + " other: 1, status: {zz: 1}}"));
        Random random = new Random(5);
        for (int i = 0; i < 150; i++) {
            cases.add(of(generated(random)));
        }
        return cases;
    }

    /** Makes a spec with some fields, right and wrong. */
    static String generated(Random random) {
        List<String> members = new ArrayList<>();
        VALUES.forEach((field, values) -> {
            if (random.nextInt(8) == 0 || (field.equals("must") && random.nextInt(4) > 0)) {
                members.add(field + ": " + values.get(random.nextInt(values.size())));
            }
        });
        return "{" + String.join(", ", members) + "}";
    }
}
