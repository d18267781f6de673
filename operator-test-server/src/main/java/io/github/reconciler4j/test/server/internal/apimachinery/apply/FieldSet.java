package io.github.reconciler4j.test.server.internal.apimachinery.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.TypeSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A set of field paths, kept as a tree. A path may be in the set without the paths below it, and the other way around.
 * Set operations make new sets and leave their arguments alone; {@link #insert} changes this one, so a set is built by
 * one thread and then only read.
 */
final class FieldSet {

    private final TreeSet<String> members = new TreeSet<>(FieldPath.ORDER);
    private final TreeMap<String, FieldSet> children = new TreeMap<>(FieldPath.ORDER);

    /** Add a path. An empty path is the whole object, which has no owner. */
    void insert(List<String> path) {
        if (path.isEmpty()) {
            return;
        }
        FieldSet node = this;
        for (String element : path.subList(0, path.size() - 1)) {
            node = node.children.computeIfAbsent(element, ignored -> new FieldSet());
        }
        node.members.add(path.get(path.size() - 1));
    }

    boolean isEmpty() {
        return members.isEmpty() && children.values().stream().allMatch(FieldSet::isEmpty);
    }

    /** Return whether a path of one step is in the set. */
    boolean hasMember(String element) {
        return members.contains(element);
    }

    boolean has(List<String> path) {
        FieldSet node = this;
        for (int i = 0; i < path.size() - 1; i++) {
            node = node.children.get(path.get(i));
            if (node == null) {
                return false;
            }
        }
        return !path.isEmpty() && node.members.contains(path.get(path.size() - 1));
    }

    /** Return what is in the set below a step; an empty set if nothing is. */
    FieldSet below(String element) {
        FieldSet child = children.get(element);
        return child == null ? new FieldSet() : child;
    }

    Iterable<String> members() {
        return members;
    }

    FieldSet union(FieldSet other) {
        FieldSet out = new FieldSet();
        out.members.addAll(members);
        out.members.addAll(other.members);
        out.children.putAll(children);
        other.children.forEach((element, child) -> out.children.merge(element, child, FieldSet::union));
        return out;
    }

    FieldSet intersection(FieldSet other) {
        FieldSet out = new FieldSet();
        out.members.addAll(members);
        out.members.retainAll(other.members);
        children.forEach((element, child) -> out.putChild(element, child.intersection(other.below(element))));
        return out;
    }

    /** Return the paths of this set that are not in the other one. */
    FieldSet difference(FieldSet other) {
        return difference(other, false);
    }

    /** Return the paths of this set that are neither in the other one nor below a path of it. */
    FieldSet recursiveDifference(FieldSet other) {
        return difference(other, true);
    }

    private FieldSet difference(FieldSet other, boolean isRecursive) {
        FieldSet out = new FieldSet();
        out.members.addAll(members);
        out.members.removeAll(other.members);
        children.forEach((element, child) -> {
            if (!isRecursive || !other.members.contains(element)) {
                out.putChild(element, child.difference(other.below(element), isRecursive));
            }
        });
        return out;
    }

    private void putChild(String element, FieldSet child) {
        if (!child.isEmpty()) {
            children.put(element, child);
        }
    }

    /** Return this set with every declared field of a struct that has something below it. */
    FieldSet withNamedFields(@Nullable TypeSchema type) {
        FieldSet out = new FieldSet();
        out.members.addAll(members);
        children.forEach((element, child) -> {
            if (type != null && type.map() != null && element.startsWith("f:")) {
                if (type.map().fields().containsKey(element.substring(2))) {
                    out.members.add(element);
                }
            }
            out.children.put(element, child.withNamedFields(typeBelow(type, element)));
        });
        return out;
    }

    private static @Nullable TypeSchema typeBelow(@Nullable TypeSchema type, String element) {
        if (type != null && type.map() != null && element.startsWith("f:")) {
            return type.map().typeOf(element.substring(2));
        }
        if (type != null && type.list() != null && element.startsWith("k:")) {
            return type.list().element().get();
        }
        return null;
    }

    /** Hand over all paths: first those of one step, then those below each step. */
    void forEach(Consumer<List<String>> consumer) {
        forEach(new ArrayList<>(), consumer);
    }

    private void forEach(List<String> prefix, Consumer<List<String>> consumer) {
        for (String member : members) {
            List<String> path = new ArrayList<>(prefix);
            path.add(member);
            consumer.accept(path);
        }
        for (Map.Entry<String, FieldSet> child : children.entrySet()) {
            List<String> path = new ArrayList<>(prefix);
            path.add(child.getKey());
            child.getValue().forEach(path, consumer);
        }
    }

    ObjectNode toJson() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        TreeSet<String> elements = new TreeSet<>(FieldPath.ORDER);
        elements.addAll(members);
        elements.addAll(children.keySet());
        for (String element : elements) {
            ObjectNode content = json.objectNode();
            FieldSet child = children.get(element);
            if (child != null) {
                if (members.contains(element)) {
                    content.set(".", json.objectNode());
                }
                content.setAll(child.toJson());
            }
            json.set(element, content);
        }
        return json;
    }

    /**
     * Read the form that {@code fieldsV1} has; kinds of path elements that are not known are left out.
     *
     * @throws IllegalArgumentException if it cannot be read
     */
    static FieldSet fromJson(JsonNode json) {
        FieldSet set = new FieldSet();
        for (Map.Entry<String, JsonNode> field : json.properties()) {
            if (!field.getKey().equals(".")) {
                String element = FieldPath.parse(field.getKey());
                if (element != null) {
                    set.read(element, field.getValue());
                }
            }
        }
        return set;
    }

    private void read(String element, JsonNode content) {
        FieldSet child = fromJson(content);
        boolean isLeaf = child.members.isEmpty() && child.children.isEmpty();
        if (isLeaf || content.has(".")) {
            members.add(element);
        }
        if (!isLeaf) {
            children.put(element, child);
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof FieldSet set
                && difference(set).isEmpty()
                && set.difference(this).isEmpty();
    }

    @Override
    public int hashCode() {
        return toJson().hashCode();
    }

    @Override
    public String toString() {
        return toJson().toString();
    }
}
