package io.github.reconciler4j.webhook.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * Gives equal trees equal numbers, so that two trees are compared in one step, however often. The trees must not change. Forms are
 * comparable, because the map stays fast then if a caller chooses texts with equal hash codes.
 */
final class TreeIds {

    private static final int[] NO_PARTS = {};

    private final Map<NodeShape, Integer> forms = new HashMap<>();
    private final Map<JsonNode, Integer> ids = new IdentityHashMap<>();
    private final CallWorkers work;

    TreeIds(CallWorkers work) {
        this.work = work;
    }

    /** Return the number of a tree. */
    int of(JsonNode tree) {
        Integer known = ids.get(tree);
        if (known != null) {
            return known;
        }
        int id = id(form(tree));
        ids.put(tree, id);
        return id;
    }

    /** Return whether two trees are equal. */
    boolean same(JsonNode a, JsonNode b) {
        return a == b || of(a) == of(b);
    }

    private int id(NodeShape form) {
        work.count(1 + form.size());
        Integer id = forms.putIfAbsent(form, forms.size());
        return id == null ? forms.size() - 1 : id;
    }

    private NodeShape form(JsonNode tree) {
        if (tree instanceof ObjectNode object) {
            long[] fields = new long[object.size()];
            int i = 0;
            for (Map.Entry<String, JsonNode> field : object.properties()) {
                long name = id(new NodeShape("name", field.getKey(), NO_PARTS));
                fields[i++] = name << Integer.SIZE | of(field.getValue());
            }
            Arrays.sort(fields); // their order does not count
            int[] parts = new int[2 * fields.length];
            for (int j = 0; j < fields.length; j++) {
                parts[2 * j] = (int) (fields[j] >> Integer.SIZE);
                parts[2 * j + 1] = (int) fields[j];
            }
            return new NodeShape("object", "", parts);
        }
        if (tree.isArray()) {
            int[] parts = new int[tree.size()];
            for (int i = 0; i < parts.length; i++) {
                parts[i] = of(tree.get(i));
            }
            return new NodeShape("array", "", parts);
        }
        return new NodeShape(tree.getClass().getName(), text(tree), NO_PARTS);
    }

    private static String text(JsonNode value) {
        if (value instanceof DecimalNode number) { // 1.0 and 1.00 are equal
            return number.decimalValue().stripTrailingZeros().toString();
        }
        return value.isTextual() ? value.textValue() : value.toString();
    }

    /** What is equal for equal trees: the numbers of the children instead of the children. */
    private final class NodeShape implements Comparable<NodeShape> {
        private final String type;
        private final String text;
        private final int[] parts;
        private final int hash;

        NodeShape(String type, String text, int[] parts) {
            this.type = type;
            this.text = text;
            this.parts = parts;
            this.hash = 31 * (31 * type.hashCode() + text.hashCode()) + Arrays.hashCode(parts);
        }

        int size() {
            return text.length() + parts.length;
        }

        @Override
        public int compareTo(NodeShape other) {
            work.count(1 + Math.min(size(), other.size()));
            int types = type.compareTo(other.type);
            if (types != 0) {
                return types;
            }
            int texts = text.compareTo(other.text);
            return texts != 0 ? texts : Arrays.compare(parts, other.parts);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof NodeShape form && hash == form.hash && compareTo(form) == 0;
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }
}
