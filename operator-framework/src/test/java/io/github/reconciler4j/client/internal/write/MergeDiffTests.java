package io.github.reconciler4j.client.internal.write;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.support.KubernetesJson;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MergeDiffTests {

    private final ObjectMapper mapper = KubernetesJson.mapper();

    @Test
    void equalTreesHaveNoDifference() throws Exception {
        JsonNode tree = mapper.readTree("{\"a\":{\"b\":[1,2]},\"c\":null}");
        assertThat(MergeDiff.between(tree, tree.deepCopy())).isEmpty();
    }

    @Test
    void veryLargeIntegersSurvive() throws Exception {
        JsonNode before = mapper.readTree("{\"a\":1}");
        JsonNode after = mapper.readTree("{\"a\":123456789012345678901234567890}");
        assertThat(MergeDiff.between(before, after)).hasToString("{\"a\":123456789012345678901234567890}");
    }

    /** RFC 7386, section 2, in the smallest form; what a server does with a patch. */
    private static JsonNode apply(JsonNode target, JsonNode patch) {
        if (!patch.isObject()) {
            return patch;
        }
        ObjectNode result = target.isObject() ? target.deepCopy() : JsonNodeFactory.instance.objectNode();
        for (Map.Entry<String, JsonNode> field : patch.properties()) {
            if (field.getValue().isNull()) {
                result.remove(field.getKey());
            } else {
                result.set(field.getKey(), apply(result.path(field.getKey()), field.getValue()));
            }
        }
        return result;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void differenceMakesOneTreeIntoTheOther(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 500; i++) {
            ObjectNode before = object(random, 3);
            ObjectNode after = object(random, 3);
            assertThat(apply(before, MergeDiff.between(before, after)))
                    .as("seed %s, round %s: %s to %s", seed, i, before, after)
                    .isEqualTo(after);
        }
    }

    private static ObjectNode object(Random random, int depth) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        for (int i = random.nextInt(4); i > 0; i--) {
            object.set("f" + random.nextInt(4), value(random, depth - 1));
        }
        return object;
    }

    private static JsonNode value(Random random, int depth) {
        return switch (random.nextInt(depth > 0 ? 4 : 2)) {
            case 0 -> JsonNodeFactory.instance.numberNode(random.nextInt(3));
            case 1 -> JsonNodeFactory.instance.textNode("t" + random.nextInt(3));
            case 2 -> {
                ArrayNode list = JsonNodeFactory.instance.arrayNode();
                for (int i = random.nextInt(3); i > 0; i--) {
                    list.add(value(random, 0));
                }
                yield list;
            }
            default -> object(random, depth);
        };
    }
}
