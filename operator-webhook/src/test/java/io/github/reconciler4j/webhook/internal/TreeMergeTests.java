package io.github.reconciler4j.webhook.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TreeMergeTests {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // an element with a name is inserted, removed, moved, changed
                "[{'name':'a','u':1}]|[{'name':'b'},{'name':'a'}]|[{'name':'b'},{'name':'a','u':1}]",
                "[{'name':'a','u':1},{'name':'b','u':2}]|[{'name':'b'}]|[{'name':'b','u':2}]",
                "[{'name':'a','u':1},{'name':'b','u':2}]|[{'name':'b','x':3},{'name':'a'}]|[{'name':'b','u':2,'x':3},{'name':'a','u':1}]",
                // elements without identity: by position between equal ones
                "[{'v':1,'u':1},{'v':2,'u':2}]|[{'v':1},{'v':3}]|[{'v':1,'u':1},{'v':3,'u':2}]",
                "[{'v':1,'u':1},{'v':2,'u':2}]|[{'v':0},{'v':1},{'v':2}]|[{'v':0},{'v':1,'u':1},{'v':2,'u':2}]",
                // other types
                "{'a':1,'u':1}|{'b':1}|{'b':1,'u':1}",
                "[{'v':1}]|{}|{}",
                "{'a':{'u':1,'v':1}}|{'a':[1]}|{'a':[1]}"
            })
    void changesWhenAppliedKeepUnknownFields(String raw, String after, String expected) {
        JsonNode received = parse(raw);

        assertThat(TreeMerge.apply(received, known(received), parse(after), CallWorkers.alone()))
                .isEqualTo(parse(expected));
    }

    private static JsonNode parse(String json) {
        return Reviews.tree("{'x':" + json + "}").get("x");
    }

    @Property(tries = 2000)
    void changesWhenAppliedAreAllThereAndNothingElseChanges(@ForAll long seed) {
        Random random = new Random(seed);
        JsonNode raw = object(random, 4);
        JsonNode before = known(raw);
        JsonNode after = changed(before, random);

        JsonNode result = TreeMerge.apply(raw, before, after, CallWorkers.alone());

        assertThat(known(result)).isEqualTo(after);
        assertUnknownKept(raw, before, after, result);
        assertThat(TreeMerge.apply(raw, before, before, CallWorkers.alone())).isEqualTo(raw);
        assertThat(io.fabric8.zjsonpatch.JsonPatch.apply(JsonPatch.diff(raw, result, CallWorkers.alone()), raw))
                .isEqualTo(result);
        assertThat(JsonPatch.diff(raw, raw, CallWorkers.alone())).isEmpty();
    }

    /** Below objects, which need no matching, every unknown field stays. */
    private static void assertUnknownKept(JsonNode raw, JsonNode before, JsonNode after, JsonNode result) {
        if (!raw.isObject() || !after.isObject()) {
            return;
        }
        for (Map.Entry<String, JsonNode> field : raw.properties()) {
            String name = field.getKey();
            if (name.startsWith("u")) {
                assertThat(result.get(name)).isEqualTo(field.getValue());
            } else if (after.has(name)) {
                assertUnknownKept(field.getValue(), before.get(name), after.get(name), result.get(name));
            }
        }
    }

    /** What a class makes of a tree that does not have the fields that start with u. */
    private static JsonNode known(JsonNode tree) {
        JsonNode copy = tree.deepCopy();
        remove(copy);
        return copy;
    }

    private static void remove(JsonNode tree) {
        if (tree instanceof ObjectNode object) {
            for (Iterator<String> names = object.fieldNames(); names.hasNext(); ) {
                if (names.next().startsWith("u")) {
                    names.remove();
                }
            }
        }
        tree.forEach(TreeMergeTests::remove);
    }

    private static JsonNode node(Random random, int depth) {
        return switch (random.nextInt(depth > 0 ? 5 : 3)) {
            case 0 -> JSON.numberNode(random.nextInt(3));
            case 1 -> JSON.textNode("t" + random.nextInt(3));
            case 2 -> JSON.booleanNode(random.nextBoolean());
            case 3 -> object(random, depth - 1);
            default -> {
                ArrayNode array = JSON.arrayNode();
                for (int i = random.nextInt(4); i > 0; i--) {
                    array.add(node(random, depth - 1));
                }
                yield array;
            }
        };
    }

    private static ObjectNode object(Random random, int depth) {
        ObjectNode object = JSON.objectNode();
        List<String> names = List.of("name", "a", "b/~", "key", "u", "uv");
        for (int i = random.nextInt(5); i > 0; i--) {
            object.set(names.get(random.nextInt(names.size())), node(random, depth));
        }
        return object;
    }

    private static JsonNode changed(JsonNode tree, Random random) {
        if (random.nextInt(6) == 0) {
            return known(node(random, 2));
        }
        if (tree instanceof ObjectNode object) {
            ObjectNode copy = JSON.objectNode();
            object.properties().forEach(field -> {
                if (random.nextInt(6) != 0) {
                    copy.set(field.getKey(), changed(field.getValue(), random));
                }
            });
            return copy;
        }
        if (tree instanceof ArrayNode array) {
            ArrayNode copy = JSON.arrayNode();
            for (JsonNode element : array) {
                if (random.nextInt(4) != 0) {
                    copy.add(random.nextInt(3) == 0 ? changed(element, random) : element);
                }
                if (random.nextInt(6) == 0) {
                    copy.insert(random.nextInt(copy.size() + 1), known(node(random, 1)));
                }
            }
            return copy;
        }
        return tree;
    }
}
