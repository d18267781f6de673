package io.github.reconciler4j.webhook.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.support.KubernetesJson;
import io.github.reconciler4j.test.server.internal.apimachinery.patch.JsonPatch;
import io.github.reconciler4j.webhook.Operation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Random objects with random changes by a defaulter: after the API server has applied the patch, the object is what the defaulter
 * made of it. The system property {@code webhook.defaulters} sets the number.
 */
class DefaulterRandomTests {

    private static final int CASES = Integer.getInteger("webhook.defaulters", 300);
    private static final KindInfo WIDGETS =
            new KindInfo(KindName.of("webhook.example.com/v1", "Widget"), "widgets", true);
    private static final List<String> FIELDS =
            List.of("name", "key", "a", "b/c", "~d", "", "type", "AaAa", "BBBB", "AaBB", "0", "-");

    @Test
    void patchWhenAppliedByTheServerIsWhatTheDefaulterMade() throws Exception {
        for (long seed = 1; seed <= CASES; seed++) {
            Random random = new Random(seed);
            ObjectNode object = Reviews.widget("{}");
            object.set("spec", KubernetesJson.mapper().valueToTree(map(random, 4)));
            List<JsonNode> made = new ArrayList<>();
            Endpoint endpoint =
                    AdmissionEndpoint.mutating("/m", GenericKubernetesResource.class, WIDGETS, (generic, request) -> {
                        generic.setAdditionalProperty("spec", changed(generic.get("spec"), random));
                        made.add(KubernetesJson.mapper().valueToTree(generic));
                    });

            JsonNode response = endpoint.respond(Reviews.admission(Operation.CREATE, object, NullNode.getInstance()))
                    .get("response");

            assertThat(normal(applied(object, response))).as("seed %d", seed).isEqualTo(normal(made.get(0)));
        }
    }

    private static JsonNode applied(ObjectNode object, JsonNode response) throws Exception {
        if (!response.has("patch")) {
            return object;
        }
        JsonNode patch = KubernetesJson.mapper().readTree(response.get("patch").binaryValue());
        JsonNode server = JsonPatch.apply(object, patch);
        assertThat(normal(server)).isEqualTo(normal(io.fabric8.zjsonpatch.JsonPatch.apply(patch, object)));
        assertThat(normal(server))
                .isEqualTo(normal(io.github.reconciler4j.webhook.internal.JsonPatch.apply(object, patch)));
        return server;
    }

    private static JsonNode normal(JsonNode tree) throws Exception {
        return KubernetesJson.mapper().readTree(tree.toString());
    }

    private static Object value(Random random, int depth) {
        return switch (random.nextInt(depth > 0 ? 7 : 4)) {
            case 0 -> random.nextInt(4);
            case 1 -> "t" + random.nextInt(4);
            case 2 -> random.nextBoolean();
            case 3 -> random.nextInt(8) / 4.0;
            case 4, 5 -> map(random, depth - 1);
            default -> list(random, depth - 1);
        };
    }

    private static Map<String, Object> map(Random random, int depth) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = random.nextInt(6); i > 0; i--) {
            map.put(FIELDS.get(random.nextInt(FIELDS.size())), value(random, depth));
        }
        return map;
    }

    private static List<Object> list(Random random, int depth) {
        List<Object> list = new ArrayList<>();
        boolean named = random.nextBoolean();
        for (int i = random.nextInt(8); i > 0; i--) {
            if (named) {
                Map<String, Object> element = map(random, depth);
                element.put("name", "n" + i);
                list.add(element);
            } else {
                list.add(value(random, depth));
            }
        }
        return list;
    }

    /** Change anything, in place or by a copy. */
    private static Object changed(Object value, Random random) {
        if (random.nextInt(12) == 0) {
            return value(random, 2);
        }
        if (value instanceof Map<?, ?> map) {
            Map<String, Object> copy = new LinkedHashMap<>();
            map.forEach((name, field) -> {
                if (random.nextInt(8) != 0) {
                    copy.put(String.valueOf(name), changed(field, random));
                }
            });
            if (random.nextInt(4) == 0) {
                copy.put(FIELDS.get(random.nextInt(FIELDS.size())), value(random, 1));
            }
            return copy;
        }
        if (value instanceof List<?> list) {
            List<Object> copy = new ArrayList<>();
            for (Object element : list) {
                if (random.nextInt(8) != 0) {
                    copy.add(random.nextInt(3) == 0 ? changed(element, random) : element);
                }
                if (random.nextInt(8) == 0) {
                    copy.add(value(random, 1));
                }
            }
            switch (random.nextInt(6)) {
                case 0 -> Collections.reverse(copy);
                case 1 -> Collections.shuffle(copy, random);
                default -> {}
            }
            return copy;
        }
        return value;
    }
}
