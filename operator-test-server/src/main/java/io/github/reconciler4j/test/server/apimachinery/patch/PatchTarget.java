package io.github.reconciler4j.test.server.apimachinery.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.StatusException;
import io.github.reconciler4j.test.server.apimachinery.Trees;

/** The document that a JSON patch changes step by step. Not safe for use by many threads. */
final class PatchTarget {

    /** A container and the last step of a path into it. */
    private record Place(JsonNode container, String key) {}

    private JsonNode root;

    PatchTarget(JsonNode root) {
        this.root = root;
    }

    JsonNode root() {
        return root;
    }

    void add(String path, JsonNode value) {
        Place place = find(path);
        if (place.container instanceof ObjectNode object) {
            object.set(place.key, value);
            return;
        }
        ArrayNode list = (ArrayNode) place.container;
        if (place.key.equals("-")) {
            list.add(value);
        } else {
            list.insert(index(place.key, list.size() + 1), value);
        }
    }

    void remove(String path) {
        remove(find(path));
    }

    private static void remove(Place place) {
        if (place.container instanceof ArrayNode list) {
            list.remove(index(place.key, list.size()));
        } else if (((ObjectNode) place.container).remove(place.key) == null) {
            throw StatusException.unprocessable();
        }
    }

    void replace(String path, JsonNode value) {
        if (path.isEmpty()) {
            if (!value.isContainerNode()) {
                throw StatusException.unprocessable();
            }
            root = value;
            return;
        }
        Place place = find(path);
        if (place.container instanceof ArrayNode list) {
            list.set(index(place.key, list.size()), value);
        } else {
            ((ObjectNode) place.container).set(place.key, value);
        }
    }

    void move(String from, String path) {
        Place place = find(from);
        JsonNode value = get(place);
        remove(place);
        add(path, value);
    }

    void copy(String from, String path) {
        add(path, get(find(from)).deepCopy());
    }

    void test(String path, JsonNode expected) {
        JsonNode actual = path.isEmpty() ? root : get(find(path));
        if (!Trees.equal(actual, expected)) {
            throw StatusException.unprocessable();
        }
    }

    /** Returns the value at a place; null for a missing field, an error for a missing item of a list. */
    private static JsonNode get(Place place) {
        if (place.container instanceof ArrayNode list) {
            return list.get(index(place.key, list.size()));
        }
        JsonNode value = place.container.get(place.key);
        return value == null ? NullNode.getInstance() : value;
    }

    private Place find(String path) {
        String[] steps = path.split("/", -1);
        if (steps.length < 2) {
            throw StatusException.unprocessable();
        }
        JsonNode container = root;
        for (int i = 1; i < steps.length - 1; i++) {
            container = get(new Place(container, decode(steps[i])));
            if (!container.isContainerNode()) {
                throw StatusException.unprocessable();
            }
        }
        return new Place(container, decode(steps[steps.length - 1]));
    }

    private static String decode(String step) {
        return step.replace("~1", "/").replace("~0", "~");
    }

    private static int index(String key, int size) {
        int index;
        try {
            index = Integer.parseInt(key);
        } catch (NumberFormatException e) {
            throw StatusException.unprocessable();
        }
        int counted = index < 0 ? index + size : index;
        if (counted < 0 || counted >= size) {
            throw StatusException.unprocessable();
        }
        return counted;
    }
}
