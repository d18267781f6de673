package io.github.reconciler4j.test.tree.patch;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Strategic merge patches of a Deployment. */
final class StrategicPatchCases {

    private StrategicPatchCases() {}

    private static String pod(String content) {
        return "{spec: {template: {spec: {" + content + "}}}}";
    }

    static List<String> all() {
        return List.of(
                "{metadata: {labels: {c: '3', a: null}}}",
                "{metadata: {labels: {$patch: 'replace', z: '1'}}}",
                "{metadata: {labels: {$patch: 'delete'}}}",
                "{metadata: {labels: {$patch: 'explode'}}}",
                "{metadata: {labels: null}}",
                "{metadata: {annotations: {$retainKeys: ['m'], m: 'w'}}}",
                "{metadata: {annotations: {$retainKeys: ['m'], n: 'w'}}}",
                "{metadata: {annotations: {$retainKeys: 'm'}}}",
                "{metadata: {finalizers: ['x.io/d', 'x.io/a']}}",
                "{metadata: {finalizers: ['x.io/c', 'x.io/a']}}",
                "{metadata: {'$deleteFromPrimitiveList/finalizers': ['x.io/b']}}",
                "{metadata: {'$deleteFromPrimitiveList/finalizers': ['x.io/b'], finalizers: ['x.io/z']}}",
                "{metadata: {'$setElementOrder/finalizers': ['x.io/c', 'x.io/a']}}",
                "{metadata: {'$setElementOrder/finalizers': ['x.io/c', 'x.io/d', 'x.io/a'], finalizers: ['x.io/d']}}",
                "{metadata: {'$setElementOrder/finalizers': ['x.io/c', 'x.io/a'], finalizers: ['x.io/d']}}",
                "{metadata: {'$setElementOrder/finalizers': 'x'}}",
                "{metadata: {$setElementOrder: ['a']}}",
                "{metadata: {$deleteFromPrimitiveList: ['a']}}",
                "{metadata: {ownerReferences: [{apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'u'}]}}",
                "{spec: {strategy: {$retainKeys: ['type'], type: 'Recreate'}}}",
                "{spec: {strategy: {type: 'Recreate', rollingUpdate: null}}}",
                "{spec: {strategy: {type: 'Recreate'}}}",
                "{spec: {replicas: null}}",
                "{spec: {replicas: 3}}",
                pod("containers: [{name: 'a', image: 'z'}]"),
                pod("containers: [{name: 'a', image: null}]"),
                pod("containers: [{name: 'd', image: 'd'}]"),
                pod("containers: [{image: 'd'}]"),
                pod("containers: [{name: 'a', $patch: 'delete'}]"),
                pod("containers: [{$patch: 'delete'}]"),
                pod("containers: [{name: 'a', $patch: 'merge'}]"),
                pod("containers: [{name: 'z', image: 'z'}, {$patch: 'replace'}]"),
                pod("containers: [{name: 'a', $patch: 'replace', image: 'q'}, {name: 'z', image: 'z'}]"),
                pod("containers: ['x']"),
                pod("containers: [['x']]"),
                pod("containers: null"),
                pod("containers: []"),
                pod("containers: [{name: 'c', image: 'cc'}, {name: 'a', image: 'aa'}]"),
                pod("'$setElementOrder/containers': [{name: 'c'}, {name: 'b'}, {name: 'a'}]"),
                pod(
                        "'$setElementOrder/containers': [{name: 'c'}, {name: 'a'}], containers: [{name: 'a', image: 'aa'}]"),
                pod("'$setElementOrder/containers': [{name: 'c'}, {name: 'z'}, {name: 'b'}],"
                        + " containers: [{name: 'z', image: 'z'}, {name: 'a', $patch: 'delete'}]"),
                pod("'$setElementOrder/containers': [{name: 'c'}], containers: [{name: 'a', image: 'aa'}]"),
                pod("containers: [{name: 'a', env: [{name: 'E', value: null}, {name: 'G', value: '3'}]}]"),
                pod("containers: [{name: 'a', env: [{name: 'E', $patch: 'delete'}]}]"),
                pod("containers: [{name: 'a', env: [{$patch: 'replace'}]}]"),
                pod("containers: [{name: 'a', ports: [{containerPort: 80, hostPort: 9}]}]"),
                pod("containers: [{name: 'a', ports: [{containerPort: 82}, {containerPort: 81, $patch: 'delete'}]}]"),
                pod("containers: [{name: 'a', args: ['y']}]"),
                pod("volumes: [{name: 'v', emptyDir: null, hostPath: {path: '/x'}}]"),
                pod("volumes: [{name: 'v', $retainKeys: ['name', 'hostPath'], hostPath: {path: '/x'}}]"),
                pod("volumes: [{name: 'u', emptyDir: {}}]"),
                pod("tolerations: [{key: 'z', operator: 'Exists'}]"),
                pod("imagePullSecrets: [{name: 'u'}, {name: 's'}]"),
                pod("hostAliases: [{ip: '1.1.1.1', hostnames: ['i']}, {ip: '2.2.2.2', hostnames: ['j']}]"),
                pod("nodeSelector: {a: 'b', c: null}"),
                pod("securityContext: {$patch: 'replace', runAsUser: 1}"),
                "{spec: {selector: {matchLabels: {app: 'a'}}}}",
                "[]",
                "null",
                "'x'",
                "{}");
    }

    /** Makes a patch of containers, with or without directives. */
    static String generated(Random random) {
        List<String> names = new ArrayList<>(List.of("a", "b", "c", "d", "e"));
        Collections.shuffle(names, random);
        List<String> order = names.subList(0, 1 + random.nextInt(4));
        List<String> containers = new ArrayList<>();
        for (String name : order) {
            if (random.nextInt(2) == 0) {
                containers.add(container(random, name));
            }
        }
        String content = "containers: [" + String.join(", ", containers) + "]";
        if (random.nextBoolean()) {
            List<String> keys =
                    order.stream().map(name -> "{name: '" + name + "'}").toList();
            content += ", '$setElementOrder/containers': [" + String.join(", ", keys) + "]";
        }
        return pod(content);
    }

    private static String container(Random random, String name) {
        return switch (random.nextInt(6)) {
            case 0 -> "{name: '" + name + "', $patch: 'delete'}";
            case 1 -> "{name: '" + name + "', image: 'i', env: [{name: 'F', value: '9'}, {name: 'N', value: '1'}]}";
            case 2 ->
                "{name: '" + name
                        + "', image: 'i', '$setElementOrder/env': [{name: 'F'}, {name: 'E'}], env: [{name: 'E',"
                        + " value: '9'}]}";
            case 3 ->
                "{name: '" + name + "', image: 'i', ports: [{containerPort: 81}, {containerPort: 80, name: null}]}";
            case 4 -> "{name: '" + name + "', image: 'i', args: null, resources: {limits: {cpu: '1'}}}";
            default -> "{name: '" + name + "', image: 'j'}";
        };
    }
}
