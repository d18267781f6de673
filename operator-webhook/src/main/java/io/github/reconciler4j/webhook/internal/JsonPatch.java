package io.github.reconciler4j.webhook.internal;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Computes JSON patches (RFC 6902), and applies what it computed. Lists of different lengths are replaced as a whole, and so is
 * what has so many changes that its replacement is shorter. A patch is therefore never much longer than the new tree.
 */
public final class JsonPatch {

    /** What an operation has besides path and value. */
    private static final int OVERHEAD = 32;

    private final CallWorkers work;
    private final List<Operation> operations = new ArrayList<>();

    /** The length of all operations. */
    private long length;

    private JsonPatch(CallWorkers work) {
        this.work = work;
    }

    /** The path of a node; its text is created for operations only, because many long paths would take long. */
    private record Path(@Nullable Path parent, String segment, int length) {

        static final Path ROOT = new Path(null, "", 0);

        Path child(String name) {
            String escaped = name.replace("~", "~0").replace("/", "~1");
            return new Path(this, escaped, length + 1 + escaped.length());
        }

        @Override
        public String toString() {
            List<String> segments = new ArrayList<>();
            for (Path path = this; path.parent != null; path = path.parent) {
                segments.add(path.segment);
            }
            StringBuilder text = new StringBuilder(length);
            for (int i = segments.size() - 1; i >= 0; i--) {
                text.append('/').append(segments.get(i));
            }
            return text.toString();
        }
    }

    private record Operation(
            String name, Path path, @Nullable JsonNode value) {}

    /** Return the operations that turn one tree into the other, empty if the trees are equal. */
    static ArrayNode diff(JsonNode from, JsonNode to, CallWorkers work) {
        JsonPatch patch = new JsonPatch(work);
        patch.diff(Path.ROOT, from, to);
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        for (Operation operation : patch.operations) {
            ObjectNode node = list.addObject().put("op", operation.name).put("path", operation.path.toString());
            if (operation.value != null) {
                node.set("value", operation.value);
            }
        }
        return list;
    }

    /** Add the operations for two nodes, and return the length of the new one as text. */
    private long diff(Path path, JsonNode from, JsonNode to) {
        work.count(1);
        if (from == to) {
            return size(to);
        }
        int start = operations.size();
        long before = length;
        long size;
        if (from instanceof ObjectNode fromObject && to instanceof ObjectNode toObject) {
            size = diffObjects(path, fromObject, toObject);
        } else if (from.isArray() && to.isArray() && from.size() == to.size()) {
            size = 2;
            for (int i = 0; i < to.size(); i++) {
                size += 1 + diff(path.child(Integer.toString(i)), from.get(i), to.get(i));
            }
        } else {
            size = size(to);
            if (to.isContainerNode() || !from.equals(to)) {
                add("replace", path, to, size);
            }
            return size;
        }
        if (path.parent != null && length - before > OVERHEAD + path.length + size) {
            operations.subList(start, operations.size()).clear();
            length = before;
            add("replace", path, to, size);
        }
        return size;
    }

    private long diffObjects(Path path, ObjectNode from, ObjectNode to) {
        for (Iterator<String> names = from.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            if (!to.has(name)) {
                add("remove", path.child(name), null, 0);
            }
        }
        long size = 2;
        for (Map.Entry<String, JsonNode> field : to.properties()) {
            Path child = path.child(field.getKey());
            size += 4 + field.getKey().length();
            JsonNode old = from.get(field.getKey());
            if (old == null) {
                long added = size(field.getValue());
                add("add", child, field.getValue(), added);
                size += added;
            } else {
                size += diff(child, old, field.getValue());
            }
        }
        return size;
    }

    private long size(JsonNode tree) {
        work.count(1);
        if (!tree.isContainerNode()) {
            return 2L + tree.asText().length();
        }
        long size = 2;
        for (JsonNode child : tree) {
            size += 1 + size(child);
        }
        for (Iterator<String> names = tree.fieldNames(); names.hasNext(); ) {
            size += 3 + names.next().length();
        }
        return size;
    }

    private void add(String name, Path path, @Nullable JsonNode value, long size) {
        operations.add(new Operation(name, path, value));
        length += OVERHEAD + path.length + size;
    }

    /** Return a copy of the tree with the operations of {@link #diff} carried out. */
    public static JsonNode apply(JsonNode tree, JsonNode operations) {
        JsonNode copy = tree.deepCopy();
        for (JsonNode operation : operations) {
            JsonPointer pointer = JsonPointer.compile(operation.path("path").asText());
            if (pointer.matches()) {
                copy = operation.path("value").deepCopy();
                continue;
            }
            JsonNode parent = copy.at(pointer.head());
            if (parent instanceof ArrayNode list) {
                list.set(pointer.last().getMatchingIndex(), operation.get("value"));
            } else if (operation.path("op").asText().equals("remove")) {
                ((ObjectNode) parent).remove(pointer.last().getMatchingProperty());
            } else {
                ((ObjectNode) parent).set(pointer.last().getMatchingProperty(), operation.get("value"));
            }
        }
        return copy;
    }
}
