package io.github.reconciler4j.test.server.internal.apimachinery.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.BothServers;
import io.github.reconciler4j.test.server.internal.apimachinery.TestJson;
import java.io.IOException;
import java.io.UncheckedIOException;
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
        try {
            for (String line : BothServers.lines("check-values.txt")) {
                String[] field = line.split(": ", 2);
                values.put(field[0], List.of(field[1].split(" ; ")));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return values;
    }

    static ObjectNode of(String spec) {
        return (ObjectNode) TestJson.of(
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
        cases.add(TestJson.of("{apiVersion: 'trees.example.com/v1', kind: 'Check', metadata: {name: 'c'}}"));
        cases.add(TestJson.of(
                "{apiVersion: 'trees.example.com/v1', kind: 'Check', metadata: {name: 'c'}, spec: {must: 'x'},"
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
