package io.github.reconciler4j.test.server.internal.apimachinery.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.JsonValues;
import io.github.reconciler4j.test.server.internal.apimachinery.StatusException;

/**
 * JSON patch (RFC 6902) as the API server carries it out. It differs from the standard in that {@code replace} of a
 * missing field adds it, {@code copy} of a missing field writes {@code null}, a {@code test} for {@code null} passes for a
 * missing field, and negative indexes count from the end of a list. For use by one thread.
 */
public final class JsonPatch {
    private static final int MAX_OPERATIONS = 10_000;

    private JsonNode root;

    private JsonPatch(JsonNode root) {
        this.root = root;
    }

    /**
     * Return the document with all operations of the patch carried out in order. Neither argument changes.
     *
     * @throws StatusException 400 if the patch is not a list of operations, 413 if it has more than 10,000, 422 if an
     *     operation fails, including a {@code test}
     */
    public static JsonNode apply(JsonNode doc, JsonNode patch) {
        require(patch.isArray() || patch.isNull());
        if (patch.size() > MAX_OPERATIONS) {
            throw new StatusException(
                    413,
                    "RequestEntityTooLarge",
                    "The allowed maximum operations in a JSON patch is " + MAX_OPERATIONS + ", got " + patch.size(),
                    null);
        }
        for (JsonNode operation : patch) {
            require(operation.isObject() || operation.isNull());
            for (String member : new String[] {"op", "path", "from"}) {
                JsonNode value = operation.path(member);
                require(!JsonValues.isPresent(value) || value.isTextual());
            }
        }
        JsonPatch target = new JsonPatch(doc.deepCopy());
        patch.forEach(target::apply);
        return target.root;
    }

    private static void require(boolean holds) {
        if (!holds) {
            throw StatusException.badRequest("error decoding patch: not a list of operations");
        }
    }

    private void apply(JsonNode operation) {
        JsonNode value = operation.has("value") ? operation.get("value").deepCopy() : NullNode.getInstance();
        String path = member(operation, "path");
        switch (operation.path("op").asText()) {
            case "add" -> find(path).add(value);
            case "remove" -> find(path).remove();
            case "replace" -> replace(path, value);
            case "move" -> {
                Location from = find(member(operation, "from"));
                JsonNode moved = from.get();
                from.remove();
                find(path).add(moved);
            }
            case "copy" -> find(path).add(find(member(operation, "from")).get().deepCopy());
            case "test" -> {
                if (!JsonValues.equal(path.isEmpty() ? root : find(path).get(), value)) {
                    throw StatusException.unprocessable();
                }
            }
            default -> throw StatusException.unprocessable();
        }
    }

    private static String member(JsonNode operation, String name) {
        if (!operation.path(name).isTextual()) {
            throw StatusException.unprocessable();
        }
        return operation.path(name).textValue();
    }

    private void replace(String path, JsonNode value) {
        if (!path.isEmpty()) {
            find(path).set(value);
        } else if (value.isContainerNode()) {
            root = value;
        } else {
            throw StatusException.unprocessable();
        }
    }

    private Location find(String path) {
        String[] steps = path.split("/", -1);
        if (steps.length < 2) {
            throw StatusException.unprocessable();
        }
        JsonNode container = root;
        for (int i = 1; i < steps.length - 1; i++) {
            container = new Location(container, decode(steps[i])).get();
            if (!container.isContainerNode()) {
                throw StatusException.unprocessable();
            }
        }
        return new Location(container, decode(steps[steps.length - 1]));
    }

    private static String decode(String step) {
        return step.replace("~1", "/").replace("~0", "~");
    }

    /** A container and the last step of a path into it. */
    private record Location(JsonNode container, String key) {

        void add(JsonNode value) {
            if (container instanceof ObjectNode object) {
                object.set(key, value);
            } else if (key.equals("-")) {
                ((ArrayNode) container).add(value);
            } else {
                ((ArrayNode) container).insert(index(container.size() + 1), value);
            }
        }

        void remove() {
            if (container instanceof ArrayNode list) {
                list.remove(index(list.size()));
            } else if (((ObjectNode) container).remove(key) == null) {
                throw StatusException.unprocessable();
            }
        }

        void set(JsonNode value) {
            if (container instanceof ArrayNode list) {
                list.set(index(list.size()), value);
            } else {
                ((ObjectNode) container).set(key, value);
            }
        }

        /** Return the value; null for a missing field, an error for a missing item of a list. */
        JsonNode get() {
            if (container instanceof ArrayNode list) {
                return list.get(index(list.size()));
            }
            JsonNode value = container.get(key);
            return value == null ? NullNode.getInstance() : value;
        }

        private int index(int size) {
            try {
                int index = Integer.parseInt(key);
                int counted = index < 0 ? index + size : index;
                if (counted >= 0 && counted < size) {
                    return counted;
                }
            } catch (NumberFormatException e) {
                // not an index either
            }
            throw StatusException.unprocessable();
        }
    }
}
