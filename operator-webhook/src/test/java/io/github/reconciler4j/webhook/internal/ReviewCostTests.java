package io.github.reconciler4j.webhook.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * The steps of a defaulter's call grow no faster than n log n with the size of the object, and the patch no faster than the object,
 * whatever the object is. The system property {@code webhook.costs} sets the number of drawn objects.
 */
class ReviewCostTests {

    private static final int CASES = Integer.getInteger("webhook.costs", 300);

    /** Steps per character and doubling. */
    private static final double MAX_STEPS = 3;

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private static void assertCheap(String name, JsonNode raw, JsonNode after) {
        CallWorkers work = CallWorkers.alone();
        JsonNode merged = TreeMerge.apply(raw, raw, after, work);
        ArrayNode patch = JsonPatch.diff(raw, merged, work);

        long size = raw.toString().length() + after.toString().length();
        assertThat(merged).as(name).isEqualTo(after);
        assertThat(work.steps() / (size * log(size)))
                .as("%s: steps per character and doubling (%s characters)", name, size)
                .isLessThan(MAX_STEPS);
        assertThat(patch.toString().length())
                .as("%s: length of the patch", name)
                .isLessThan((int) (2 * size + 1000));
    }

    private static double log(long size) {
        return Math.log(size) / Math.log(2);
    }

    private static ObjectNode object(String name, JsonNode value) {
        ObjectNode object = JSON.objectNode();
        object.set(name, value);
        return object;
    }

    private static ArrayNode array(List<? extends JsonNode> elements) {
        return JSON.arrayNode().addAll(elements);
    }

    private static List<JsonNode> texts(List<String> texts) {
        List<JsonNode> nodes = new ArrayList<>();
        texts.forEach(text -> nodes.add(JSON.textNode(text)));
        return nodes;
    }

    private static List<JsonNode> each(List<JsonNode> elements, UnaryOperator<JsonNode> change) {
        return new ArrayList<>(elements.stream().map(change).toList());
    }

    private static List<JsonNode> shuffled(List<JsonNode> elements, Random random) {
        List<JsonNode> copy = new ArrayList<>(elements);
        Collections.shuffle(copy, random);
        return copy;
    }

    private static List<JsonNode> reversed(List<JsonNode> elements) {
        List<JsonNode> copy = new ArrayList<>(elements);
        Collections.reverse(copy);
        return copy;
    }

    private static List<String> distinct(int count, String prefix) {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            texts.add(prefix + i);
        }
        return texts;
    }

    /** Texts with the same hash code. */
    private static List<String> colliding(int count) {
        List<String> texts = new ArrayList<>(List.of(""));
        while (texts.size() < count) {
            List<String> longer = new ArrayList<>();
            for (String text : texts) {
                longer.add(text + "Aa");
                longer.add(text + "BB");
            }
            texts = longer;
        }
        return texts.subList(0, count);
    }

    private static List<JsonNode> named(List<String> names) {
        List<JsonNode> elements = new ArrayList<>();
        names.forEach(name -> elements.add(JSON.objectNode().put("name", name)));
        return elements;
    }

    private static JsonNode nested(int depth, JsonNode leaf, String field) {
        JsonNode tree = leaf;
        for (int i = 0; i < depth; i++) {
            tree = object(field, tree);
        }
        return tree;
    }

    private static JsonNode defaulted(JsonNode element) {
        return element instanceof ObjectNode object
                ? object.deepCopy().put("d", 1)
                : JSON.textNode(element.asText() + "!");
    }

    @Test
    void stepsWhenAnObjectIsHostileGrowNoFasterThanItsSizeTimesItsLogarithm() {
        Random random = new Random(1);
        Map<String, List<JsonNode>> lists = new LinkedHashMap<>();
        lists.put("texts", texts(distinct(20_000, "text-")));
        lists.put("colliding texts", texts(colliding(16_384)));
        lists.put("named", named(distinct(10_000, "n-")));
        lists.put("named with colliding names", named(colliding(8_192)));
        lists.put("equal", new ArrayList<>(Collections.nCopies(20_000, JSON.textNode("same"))));
        lists.forEach((name, list) -> {
            JsonNode raw = object("a", array(list));
            assertCheap(name + ", each defaulted", raw, object("a", array(each(list, ReviewCostTests::defaulted))));
            assertCheap(name + ", reversed", raw, object("a", array(reversed(list))));
            assertCheap(name + ", shuffled", raw, object("a", array(shuffled(list, random))));
            List<JsonNode> rotated = new ArrayList<>(list);
            Collections.rotate(rotated, 1);
            assertCheap(name + ", rotated", raw, object("a", array(rotated)));
            assertCheap(name + ", shortened", raw, object("a", array(list.subList(1, list.size()))));
            assertCheap(
                    name + ", reversed and defaulted",
                    raw,
                    object("a", array(reversed(each(list, ReviewCostTests::defaulted)))));
        });
    }

    @Test
    void stepsWhenPathsAreLongGrowNoFasterThanTheSize() {
        List<JsonNode> list = named(distinct(5_000, "n"));
        List<JsonNode> changed = each(list, ReviewCostTests::defaulted);
        String longName = "k".repeat(100_000);

        assertCheap("long name", object(longName, array(list)), object(longName, array(changed)));
        assertCheap("deep", nested(800, array(list), "level"), nested(800, array(changed), "level"));
        assertCheap(
                "deep with an early difference",
                object("x", nested(800, array(list), "level")),
                object("x", nested(800, array(reversed(changed)), "level")));
    }

    @Test
    void stepsWhenNamesOfFieldsCollideGrowNoFasterThanTheSize() {
        ObjectNode raw = JSON.objectNode();
        ObjectNode after = JSON.objectNode();
        for (String name : colliding(16_384)) {
            raw.put(name, 1);
            after.put(name, 2);
        }

        assertCheap("colliding fields", object("a", raw), object("a", after));
    }

    @Test
    void stepsWhenObjectsAreDrawnGrowNoFasterThanTheirSizeTimesItsLogarithm() {
        for (long seed = 1; seed <= CASES; seed++) {
            Random random = new Random(seed);
            JsonNode raw = object("spec", drawn(random, 2));
            assertCheap("seed " + seed, raw, edited(raw, random));
        }
    }

    private static JsonNode drawn(Random random, int depth) {
        int count = 1 + random.nextInt(depth == 2 ? 60 : 20);
        List<String> names = random.nextBoolean()
                ? distinct(count, "x".repeat(random.nextInt(50)))
                : random.nextBoolean() ? colliding(count) : Collections.nCopies(count, "same");
        switch (random.nextInt(depth > 0 ? 4 : 2)) {
            case 0 -> {
                return array(texts(names));
            }
            case 1 -> {
                return array(named(names));
            }
            case 2 -> {
                ObjectNode object = JSON.objectNode();
                names.forEach(name -> object.set(name, drawn(random, depth - 1)));
                return object;
            }
            default -> {
                List<JsonNode> elements = new ArrayList<>();
                names.forEach(name -> elements.add(drawn(random, depth - 1)));
                return nested(random.nextInt(100), array(elements), "f");
            }
        }
    }

    private static JsonNode edited(JsonNode tree, Random random) {
        if (tree instanceof ObjectNode object) {
            ObjectNode copy = JSON.objectNode();
            object.properties().forEach(field -> copy.set(field.getKey(), edited(field.getValue(), random)));
            return random.nextInt(3) == 0 ? copy.put("d", random.nextInt(3)) : copy;
        }
        if (tree instanceof ArrayNode array) {
            List<JsonNode> copy = new ArrayList<>();
            array.forEach(element -> copy.add(edited(element, random)));
            return switch (random.nextInt(4)) {
                case 0 -> array(shuffled(copy, random));
                case 1 -> array(reversed(copy));
                default -> array(copy);
            };
        }
        return random.nextInt(3) == 0 ? defaulted(tree) : tree;
    }

    @Test
    void workWhenItsThreadIsInterruptedEnds() {
        JsonNode raw = object("a", array(texts(distinct(20_000, "t"))));
        JsonNode after = object("a", array(reversed(texts(distinct(20_000, "t")))));
        CallWorkers work = CallWorkers.alone();
        Thread.currentThread().interrupt();
        try {
            assertThatExceptionOfType(CancellationException.class)
                    .isThrownBy(() -> TreeMerge.apply(raw, raw, after, work));
            assertThat(work.steps()).isLessThan(20_000);
        } finally {
            Thread.interrupted();
        }
    }
}
