package io.github.reconciler4j.test.server.internal.apimachinery.patch;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.reconciler4j.test.server.internal.apimachinery.BothServers;
import io.github.reconciler4j.test.server.internal.apimachinery.TestJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Patches for {@link PatchIntegrationTests}: written down, and generated from a fixed seed. */
final class PatchCases {

    private static final int GENERATED = 150;

    private PatchCases() {}

    static JsonNode deployment() {
        return TestJson.of("""
                {apiVersion: 'apps/v1', kind: 'Deployment',
                metadata: {name: 'patched', labels: {a: '1', b: '2'}, finalizers: ['x.io/a', 'x.io/b', 'x.io/c'],
                  annotations: {n: 'v'}},
                spec: {replicas: 1, selector: {matchLabels: {app: 'a'}},
                  strategy: {type: 'RollingUpdate', rollingUpdate: {maxSurge: 1, maxUnavailable: 0}},
                  template: {metadata: {labels: {app: 'a'}}, spec: {
                    containers: [
                      {name: 'a', image: 'a', args: ['x'], env: [{name: 'E', value: '1'}, {name: 'F', value: '2'}],
                        ports: [{containerPort: 80, name: 'web'}, {containerPort: 81, protocol: 'UDP'}]},
                      {name: 'b', image: 'b'}, {name: 'c', image: 'c'}],
                    volumes: [{name: 'v', emptyDir: {}}, {name: 'w', configMap: {name: 'm'}}],
                    tolerations: [{key: 'k', operator: 'Exists'}],
                    imagePullSecrets: [{name: 's'}, {name: 't'}],
                    hostAliases: [{ip: '1.1.1.1', hostnames: ['h']}]}}}}""");
    }

    static List<String> jsonPatches() throws IOException {
        List<String> patches = new ArrayList<>(BothServers.lines("json-patches.txt"));
        Random random = new Random(1);
        for (int i = 0; i < GENERATED; i++) {
            patches.add("[" + operation(random) + ", " + operation(random) + "]");
        }
        return patches;
    }

    private static String operation(Random random) {
        String op = pick(random, "add", "add", "remove", "replace", "move", "copy", "test");
        return "{op: '" + op + "', path: '" + pointer(random) + "', from: '" + pointer(random) + "', value: "
                + pick(random, "1", "2", "null", "'a'", "{c: [1, 2, 3]}", "[1, 2, 3]", "[{a: null}]", "{}") + "}";
    }

    private static String pointer(Random random) {
        return "/spec/free"
                + pick(
                        random,
                        "",
                        "/a",
                        "/b",
                        "/b/c",
                        "/b/c/0",
                        "/b/c/2",
                        "/b/c/3",
                        "/b/c/-",
                        "/b/c/-1",
                        "/zz",
                        "/zz/y",
                        "/x~1y",
                        "/x~1y/~0",
                        "/n",
                        "/n/a",
                        "/e",
                        "/e/a",
                        "/f",
                        "/01");
    }

    private static String pick(Random random, String... choices) {
        return choices[random.nextInt(choices.length)];
    }

    static List<String> mergePatches() {
        List<String> patches = new ArrayList<>(List.of(
                "{spec: {text: 'b'}}",
                "{spec: {text: null}}",
                "{spec: {free: {a: {b: null, c: 1}}}}",
                "{spec: {free: {new: {b: {c: null}}}}}",
                "{spec: {free: {new: [{b: null}, null, 1]}}}",
                "{spec: {free: {b: [{b: null}]}}}",
                "{spec: {free: {n: {b: null}}}}",
                "{spec: {free: null}}",
                "{spec: {free: {b: {c: [4]}}}}",
                "{spec: {items: [{name: 'z', sub: null}]}}",
                "{}",
                "null",
                "[]",
                "1",
                "'x'",
                "true"));
        Random random = new Random(2);
        for (int i = 0; i < GENERATED; i++) {
            patches.add("{spec: {free: " + value(random, 0) + "}}");
        }
        return patches;
    }

    private static String value(Random random, int depth) {
        if (depth > 0 && random.nextInt(3) == 0) {
            return pick(random, "1", "'a'", "null", "true", "[]", "{}", "[1, null, {a: null, b: 1}]", "1.5");
        }
        StringBuilder text = new StringBuilder("{");
        for (String name : List.of("a", "b", "c", "n", "e", "new")) {
            if (random.nextInt(3) == 0) {
                text.append(text.length() > 1 ? ", " : "")
                        .append(name)
                        .append(": ")
                        .append(depth < 3 ? value(random, depth + 1) : "1");
            }
        }
        return text.append("}").toString();
    }

    static List<String> strategicPatches() throws IOException {
        List<String> patches = new ArrayList<>(StrategicPatchCases.all());
        Random random = new Random(3);
        for (int i = 0; i < GENERATED; i++) {
            patches.add(StrategicPatchCases.generated(random));
        }
        return patches;
    }
}
