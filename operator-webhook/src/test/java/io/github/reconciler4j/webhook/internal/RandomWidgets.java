package io.github.reconciler4j.webhook.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Draws objects of both versions, and what users can do to them. */
final class RandomWidgets {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String V1 = "webhook.example.com/v1";
    private static final String BETA = "webhook.example.com/v1beta1";

    private RandomWidgets() {}

    private static final List<String> TEXTS = List.of(
            "a",
            "",
            " ",
            "null",
            "1",
            "é",
            "\ud83d\ude00",
            "\u0000",
            "a\r\nb",
            "\"}",
            "x".repeat(600),
            "\ufeff",
            "\u2028");
    private static final List<String> NUMBERS =
            List.of("0", "-1", "2147483647", "9007199254740993", "9223372036854775807", "0.1", "1e-7", "1e300");
    private static final List<String> HOSTILE =
            List.of("null", "true", "1", "1e999", "\"t\"", "[]", "[null]", "{}", "{\"\":null}", "\"\\ud800\"");
    private static final List<String> DAMAGED = List.of(
            "{",
            "[]",
            "1",
            "{'v1':{}}",
            "{'v1beta1':{}}",
            "{'v1':{'spec':null}}",
            "{'v1beta1':{'spec':[]}}",
            "{'v1beta1':{'spec':{'imageName':'unconvertible'}}}",
            "{'v1':{'spec':{'image':'b','ports':[null]}}}",
            "{'v1':{'metadata':{'name':'other','uid':'x'},'kind':'Other','spec':{'image':'b'}}}",
            "{'v1beta1':{'apiVersion':'v1','metadata':[],'spec':{'imageName':'b'}}}",
            "{'v1':{'spec':{'replicas':1e999}}}",
            "{'v1':{'spec':{'extra':1e999}}}",
            "{'v1beta1':{'other':[{'a':-1e999}]}}",
            "{'v1':{'other':" + "9".repeat(400) + "}}",
            "{'v1beta1':{'other':" + "9".repeat(2000) + "}}",
            "{'v1':{'" + "n".repeat(60_000) + "':1}}",
            "{'v1':{'spec':{'extra':'\\ud800'}},'v2':{'\\ud800':'\\ud800'}}",
            "{'v1':{'spec':{'extra':1}},'v1':{'kind':'Other','kind':2}}",
            "{'v1':{'apiVersion':{},'kind':[],'metadata':null,'status':{}}} {}",
            "{'v1beta1':{'spec':{'imageName':{'a':1},'size':'x'}}}",
            "null",
            "\u0000");

    /** The limit of the API server. */
    static final int ANNOTATION_BYTES = 256 * 1024;

    static <T> T pick(Random random, List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    static JsonNode parse(String json) {
        try {
            return JSON.readTree(json);
        } catch (Exception e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** Anything that the classes do not know. */
    private static JsonNode any(Random random, int depth) {
        switch (random.nextInt(depth > 0 ? 5 : 3)) {
            case 0 -> {
                return JSON.getNodeFactory().textNode(pick(random, TEXTS));
            }
            case 1 -> {
                return parse(pick(random, NUMBERS));
            }
            case 2 -> {
                return JSON.getNodeFactory().booleanNode(random.nextBoolean());
            }
            case 3 -> {
                ArrayNode list = JSON.createArrayNode();
                for (int i = random.nextInt(4); i > 0; i--) {
                    list.add(any(random, depth - 1));
                }
                return list;
            }
            default -> {
                ObjectNode map = JSON.createObjectNode();
                for (int i = random.nextInt(4); i > 0; i--) {
                    map.set(pick(random, List.of("name", "key", "a", "~b/c", "", "$ref")), any(random, depth - 1));
                }
                return map;
            }
        }
    }

    /** An object that its version can have, without the annotation. */
    private static ObjectNode widget(Random random, int index) {
        boolean hub = random.nextBoolean();
        ObjectNode widget = Reviews.widget("{}");
        widget.put("apiVersion", hub ? V1 : BETA);
        ObjectNode metadata = widget.withObject("/metadata");
        metadata.put("name", "w" + index).put("uid", "id-" + random.nextInt());
        metadata.put("resourceVersion", "" + random.nextInt()).put("generation", random.nextInt(5));
        if (random.nextBoolean()) {
            metadata.putArray("finalizers").add("example.com/f");
            metadata.putArray("managedFields").addObject().putObject("fieldsV1").set("f:spec", any(random, 2));
        }
        if (random.nextBoolean()) {
            metadata.withObject("/annotations").put("a", pick(random, TEXTS));
        }
        ObjectNode spec = (ObjectNode) widget.get("spec");
        setSome(random, spec, hub ? "image" : "imageName", JSON.getNodeFactory().textNode(pick(random, TEXTS)));
        setSome(random, spec, hub ? "replicas" : "size", JSON.getNodeFactory().numberNode(random.nextInt()));
        setSome(random, spec, "extra", any(random, 3));
        if (hub && random.nextBoolean()) {
            ArrayNode ports = spec.putArray("ports");
            for (int i = random.nextInt(4); i > 0; i--) {
                ObjectNode port = ports.addObject().put("port", random.nextInt(3));
                setSome(random, port, "name", JSON.getNodeFactory().textNode(pick(random, TEXTS)));
                setSome(random, port, "note", any(random, 1));
            }
        } else if (!hub) {
            setSome(random, spec, "color", JSON.getNodeFactory().textNode(pick(random, TEXTS)));
        }
        setSome(random, widget, "other", any(random, 2));
        return widget;
    }

    private static void setSome(Random random, ObjectNode object, String field, JsonNode value) {
        if (random.nextInt(3) > 0) {
            object.set(field, value);
        }
    }

    static List<ObjectNode> widgets(Random random) {
        List<ObjectNode> widgets = new ArrayList<>();
        for (int i = random.nextInt(5); i >= 0; i--) {
            widgets.add(widget(random, i));
        }
        return widgets;
    }

    static String annotation(Random random) {
        String version = pick(random, List.of("v1", "v1beta1", "v2", "", "metadata"));
        return switch (random.nextInt(12)) {
            case 0, 1, 2 -> "{\"" + version + "\":" + any(random, 3) + "}";
            case 3, 4 -> "{\"" + version + "\":{\"spec\":" + any(random, 3) + ",\"kind\":" + any(random, 1) + "}}";
            case 5 -> nested(version, 980 + random.nextInt(30));
            case 6 -> random.nextInt(10) == 0 ? large(random, version) : "[".repeat(random.nextInt(3000));
            default -> pick(random, DAMAGED).replace('\'', '"');
        };
    }

    private static String nested(String version, int depth) {
        return "{\"" + version + "\":{\"spec\":{\"extra\":" + "[".repeat(depth) + "]".repeat(depth) + "}}}";
    }

    /** About as large as the API server allows. Numbers become longer if they are written again. */
    private static String large(Random random, String version) {
        int size = ANNOTATION_BYTES - 100 - random.nextInt(300);
        String part = pick(random, List.of("1e15,", "{},", "\"\u00e9\",", "\"unconvertible\","));
        String list = "[" + part.repeat(size / part.getBytes(UTF_8).length) + "1]";
        return "{\"" + version + "\":{\"spec\":{\"" + pick(random, List.of("imageName", "extra")) + "\":" + list
                + "}}}";
    }

    /** Replaces one node of an object, or removes it. */
    static void damage(Random random, ObjectNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        if (names.isEmpty()) {
            return;
        }
        String name = pick(random, names);
        if (object.get(name) instanceof ObjectNode inner && random.nextInt(4) > 0) {
            damage(random, inner);
        } else if (random.nextInt(4) == 0) {
            object.remove(name);
        } else {
            object.set(name, parse(pick(random, HOSTILE)));
        }
    }
}
