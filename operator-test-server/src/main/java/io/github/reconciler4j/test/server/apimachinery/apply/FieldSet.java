package io.github.reconciler4j.test.server.apimachinery.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.apimachinery.TypeSchema;
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

    private final TreeSet<PathElement> members = new TreeSet<>();
    private final TreeMap<PathElement, FieldSet> children = new TreeMap<>();

    /** Returns a set of the given paths. */
    @SafeVarargs
    static FieldSet of(List<PathElement>... paths) {
        FieldSet set = new FieldSet();
        for (List<PathElement> path : paths) {
            set.insert(path);
        }
        return set;
    }

    /** Adds a path; an empty one stands for the whole object, which nobody owns. */
    void insert(List<PathElement> path) {
        if (path.isEmpty()) {
            return;
        }
        FieldSet node = this;
        for (PathElement element : path.subList(0, path.size() - 1)) {
            node = node.children.computeIfAbsent(element, ignored -> new FieldSet());
        }
        node.members.add(path.get(path.size() - 1));
    }

    boolean isEmpty() {
        return members.isEmpty() && children.values().stream().allMatch(FieldSet::isEmpty);
    }

    /** Tells whether a path of one step is in the set. */
    boolean hasMember(PathElement element) {
        return members.contains(element);
    }

    boolean has(List<PathElement> path) {
        FieldSet node = this;
        for (int i = 0; i < path.size() - 1; i++) {
            node = node.children.get(path.get(i));
            if (node == null) {
                return false;
            }
        }
        return !path.isEmpty() && node.members.contains(path.get(path.size() - 1));
    }

    /** Returns what is in the set below a step; an empty set if nothing is. */
    FieldSet below(PathElement element) {
        FieldSet child = children.get(element);
        return child == null ? new FieldSet() : child;
    }

    /** Returns the paths of one step. */
    Iterable<PathElement> members() {
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
        children.forEach((element, child) -> {
            FieldSet otherChild = other.children.get(element);
            if (otherChild != null) {
                out.putChild(element, child.intersection(otherChild));
            }
        });
        return out;
    }

    /** Returns the paths of this set that are not in the other one. */
    FieldSet difference(FieldSet other) {
        FieldSet out = new FieldSet();
        out.members.addAll(members);
        out.members.removeAll(other.members);
        children.forEach((element, child) -> {
            FieldSet otherChild = other.children.get(element);
            if (otherChild == null) {
                out.children.put(element, child);
            } else {
                out.putChild(element, child.difference(otherChild));
            }
        });
        return out;
    }

    /** Returns the paths of this set that are neither in the other one nor below a path of it. */
    FieldSet recursiveDifference(FieldSet other) {
        FieldSet out = new FieldSet();
        out.members.addAll(members);
        out.members.removeAll(other.members);
        children.forEach((element, child) -> {
            FieldSet otherChild = other.children.get(element);
            if (other.members.contains(element)) {
                return;
            }
            if (otherChild == null) {
                out.children.put(element, child);
            } else {
                out.putChild(element, child.recursiveDifference(otherChild));
            }
        });
        return out;
    }

    private void putChild(PathElement element, FieldSet child) {
        if (!child.isEmpty()) {
            children.put(element, child);
        }
    }

    /** Returns this set with every declared field of a struct that has something below it. */
    FieldSet withNamedFields(@Nullable TypeSchema type) {
        FieldSet out = new FieldSet();
        out.members.addAll(members);
        children.forEach((element, child) -> {
            if (type != null && type.map() != null && element instanceof PathElement.Field field) {
                if (type.map().fields().containsKey(field.name())) {
                    out.members.add(element);
                }
            }
            out.children.put(element, child.withNamedFields(typeBelow(type, element)));
        });
        return out;
    }

    private static @Nullable TypeSchema typeBelow(@Nullable TypeSchema type, PathElement element) {
        if (type != null && type.map() != null && element instanceof PathElement.Field field) {
            return type.map().typeOf(field.name());
        }
        if (type != null && type.list() != null && element instanceof PathElement.Key) {
            return type.list().element().get();
        }
        return null;
    }

    /** Hands over all paths: first those of one step, then those below each step. */
    void forEach(Consumer<List<PathElement>> consumer) {
        forEach(new ArrayList<>(), consumer);
    }

    private void forEach(List<PathElement> prefix, Consumer<List<PathElement>> consumer) {
        for (PathElement member : members) {
            List<PathElement> path = new ArrayList<>(prefix);
            path.add(member);
            consumer.accept(path);
        }
        for (Map.Entry<PathElement, FieldSet> child : children.entrySet()) {
            List<PathElement> path = new ArrayList<>(prefix);
            path.add(child.getKey());
            child.getValue().forEach(path, consumer);
        }
    }

    /** Returns the form that {@code fieldsV1} has. */
    ObjectNode toJson() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        TreeSet<PathElement> elements = new TreeSet<>(members);
        elements.addAll(children.keySet());
        for (PathElement element : elements) {
            ObjectNode content = json.objectNode();
            FieldSet child = children.get(element);
            if (child != null) {
                if (members.contains(element)) {
                    content.set(".", json.objectNode());
                }
                content.setAll(child.toJson());
            }
            json.set(element.serialized(), content);
        }
        return json;
    }

    /**
     * Reads the form that {@code fieldsV1} has; kinds of path elements that are not known are left out.
     *
     * @throws IllegalArgumentException if it cannot be read
     */
    static FieldSet fromJson(JsonNode json) {
        FieldSet set = new FieldSet();
        for (Map.Entry<String, JsonNode> field : json.properties()) {
            if (!field.getKey().equals(".")) {
                PathElement.parse(field.getKey()).ifPresent(element -> set.read(element, field.getValue()));
            }
        }
        return set;
    }

    private void read(PathElement element, JsonNode content) {
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
