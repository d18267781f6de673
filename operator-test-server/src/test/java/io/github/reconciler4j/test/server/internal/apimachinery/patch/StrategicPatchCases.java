package io.github.reconciler4j.test.server.internal.apimachinery.patch;

import io.github.reconciler4j.test.server.internal.apimachinery.BothServers;
import java.io.IOException;
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

    static List<String> all() throws IOException {
        return BothServers.lines("strategic-patches.txt");
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
