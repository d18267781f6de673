package io.github.reconciler4j.test.server.internal.apimachinery.apply;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.server.internal.apimachinery.TestJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Generates the contents of things. Values come from few words, so that managers often want the same or the opposite. */
final class ThingSpecs {

    private ThingSpecs() {}

    /** Returns specs as they are applied. */
    static Arbitrary<JsonNode> applied() {
        return fields(specFields(false)).map(TestJson::of);
    }

    /** Returns specs as they are merge patched: some fields are null. */
    static Arbitrary<JsonNode> patches() {
        return fields(specFields(true)).map(TestJson::of);
    }

    /** Returns statuses. */
    static Arbitrary<JsonNode> statuses() {
        Map<String, Arbitrary<String>> fields = new TreeMap<>();
        fields.put("phase", word());
        fields.put("conditions", list(object(Map.of("type", word(), "status", word()), "type")));
        return fields(fields).map(TestJson::of);
    }

    /** Returns specs of deployments, complete enough to be created. */
    static Arbitrary<JsonNode> deployments() {
        Arbitrary<String> strategy = Arbitraries.of(
                "", ", strategy: {type: 'Recreate'}", ", strategy: {rollingUpdate: {maxSurge: 1}}", ", replicas: 2");
        Arbitrary<String> volumes = Arbitraries.of(
                "",
                ", volumes: [{name: 'v', emptyDir: {}}]",
                ", volumes: [{name: 'w', configMap: {name: 'x'}}, {name: 'v', emptyDir: {}}]",
                ", terminationGracePeriodSeconds: 3",
                ", nodeSelector: {a: 'b'}, hostAliases: [{ip: '1.1.1.1', hostnames: ['a']}]");
        return Combinators.combine(containers(), strategy, volumes, Arbitraries.of("", ", b: 'c'"))
                .as((all, options, pod, label) -> "{selector: {matchLabels: {app: 'a'}}" + options
                        + ", template: {metadata: {labels: {app: 'a'" + label + "}}, spec: {containers: " + all + pod
                        + "}}}")
                .map(TestJson::of);
    }

    private static Arbitrary<String> containers() {
        Arbitrary<String> port = object(
                Map.of(
                        "containerPort",
                        Arbitraries.of("80", "81"),
                        "protocol",
                        Arbitraries.of("'TCP'", "'UDP'"),
                        "name",
                        word()),
                "containerPort");
        Arbitrary<String> variable = object(Map.of("name", word(), "value", word()), "name");
        Arbitrary<String> container = Combinators.combine(
                        word(),
                        list(port),
                        list(variable),
                        list(word()),
                        Arbitraries.of(
                                "",
                                ", imagePullPolicy: 'Never'",
                                ", resources: {limits: {cpu: '1'}}",
                                ", command: null"))
                .as((name, ports, variables, args, rest) -> "{name: " + name + ", image: " + name + ", ports: " + ports
                        + ", env: " + variables + ", args: " + args + rest + "}");
        return container.list().ofMinSize(1).ofMaxSize(3).map(texts -> {
            Map<String, String> byName = new TreeMap<>();
            texts.forEach(text -> byName.put(text.substring(0, 10), text));
            return "[" + String.join(", ", byName.values()) + "]";
        });
    }

    private static Map<String, Arbitrary<String>> specFields(boolean withNulls) {
        Map<String, Arbitrary<String>> fields = new TreeMap<>();
        fields.put("text", word());
        fields.put("number", Arbitraries.of("1", "2"));
        fields.put("flag", Arbitraries.of("true", "false"));
        fields.put("either", Arbitraries.of("1", "'1'"));
        fields.put("maybe", Arbitraries.of("'a'", "null"));
        fields.put("map", map());
        fields.put("atomicMap", map());
        fields.put("struct", object(Map.of("a", word(), "b", word(), "inner", inner()), ""));
        fields.put("atomicStruct", object(Map.of("a", word(), "b", word()), ""));
        fields.put("set", list(word()));
        fields.put("numbers", list(Arbitraries.of("1", "2", "10")));
        fields.put("atomicList", list(word()));
        fields.put("items", list(item()));
        fields.put("free", free());
        fields.put("half", object(Map.of("known", object(Map.of("a", word()), ""), "unknown", free()), ""));
        if (withNulls) {
            fields.replaceAll((name, values) -> Arbitraries.oneOf(values, Arbitraries.just("null")));
        }
        return fields;
    }

    private static Arbitrary<String> word() {
        return Arbitraries.of("'a'", "'b'", "'c'");
    }

    private static Arbitrary<String> inner() {
        return object(Map.of("c", word(), "d", word()), "");
    }

    private static Arbitrary<String> item() {
        Map<String, Arbitrary<String>> fields = Map.of(
                "name", word(),
                "protocol", Arbitraries.of("'TCP'", "'UDP'"),
                "value", word(),
                "tags", list(word()),
                "sub", object(Map.of("x", word(), "y", word()), ""));
        return object(fields, "name");
    }

    private static Arbitrary<String> free() {
        Arbitrary<String> leaf =
                Arbitraries.oneOf(word(), Arbitraries.of("1", "1.5", "true", "[]", "{}", "['a', 'b']"));
        return object(Map.of("a", leaf, "b", leaf, "c", object(Map.of("a", leaf, "b", leaf), "")), "");
    }

    private static Arbitrary<String> map() {
        return object(Map.of("a", word(), "b", word(), "c", word()), "");
    }

    /** Returns lists; most without repetitions, which are an error in sets. */
    private static Arbitrary<String> list(Arbitrary<String> items) {
        Arbitrary<List<String>> distinct = items.list().uniqueElements().ofMaxSize(3);
        Arbitrary<List<String>> any = items.list().ofMaxSize(3);
        return Arbitraries.frequencyOf(Tuple.of(9, distinct), Tuple.of(1, any))
                .map(texts -> "[" + String.join(", ", texts) + "]");
    }

    /** Returns objects with some of the fields, and always with the one that is required. */
    private static Arbitrary<String> object(Map<String, Arbitrary<String>> fields, String required) {
        List<Arbitrary<String>> members = new ArrayList<>();
        new TreeMap<>(fields).forEach((name, values) -> {
            Arbitrary<String> present = values.map(value -> name + ": " + value);
            members.add(name.equals(required) ? present : Arbitraries.oneOf(present, Arbitraries.just("")));
        });
        return joined(members);
    }

    /** Returns objects with few of many fields. */
    private static Arbitrary<String> fields(Map<String, Arbitrary<String>> fields) {
        List<Arbitrary<String>> members = new ArrayList<>();
        fields.forEach((name, values) -> {
            Arbitrary<String> present = values.map(value -> name + ": " + value);
            members.add(Arbitraries.frequencyOf(Tuple.of(1, present), Tuple.of(3, Arbitraries.just(""))));
        });
        return joined(members);
    }

    private static Arbitrary<String> joined(List<Arbitrary<String>> members) {
        return Combinators.combine(members)
                .as(texts -> texts.stream().filter(text -> !text.isEmpty()).toList())
                .map(texts -> "{" + String.join(", ", texts) + "}");
    }
}
