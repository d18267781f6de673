package io.github.reconciler4j.client.internal.apply;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.client.internal.write.ApplyTrees;
import io.github.reconciler4j.support.KubernetesJson;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Compares a tree with an object on the server by the {@code managedFields} of the object. Applying the tree would change
 * nothing if the field manager has applied exactly these fields, so that the apply would neither add nor remove ownership, and
 * if they have these values. The fields also show how the server merges each list, so no schema is needed. In case of doubt the
 * result is that the apply would change something.
 */
final class ManagedFieldsComparison {

    private static final String MEMBER = "f:";
    private static final String ITEM_BY_KEY = "k:";
    private static final String ITEM_BY_VALUE = "v:";
    private static final String SELF = ".";

    private ManagedFieldsComparison() {}

    /**
     * Return whether an apply would change nothing.
     *
     * @param wanted the tree to apply
     * @param given what the tree sets; see {@link ApplyTrees#given}
     * @param live the object on the server, with {@code managedFields}
     * @param manager the field manager of the apply
     */
    static boolean isApplied(ObjectNode wanted, ObjectNode given, JsonNode live, String manager) {
        String version = wanted.path("apiVersion").asText();
        JsonNode uid = wanted.path("metadata").path("uid");
        List<JsonNode> others = new ArrayList<>();
        List<JsonNode> own = new ArrayList<>();
        for (JsonNode entry : live.path("metadata").path("managedFields")) {
            boolean isOwn = entry.path("manager").asText().equals(manager)
                    && entry.path("operation").asText().equals("Apply")
                    && entry.path("subresource").asText().isEmpty();
            (isOwn ? own : others).add(entry);
        }
        return own.size() == 1
                && own.get(0).path("apiVersion").asText().equals(version)
                && (uid.isMissingNode() || uid.equals(live.path("metadata").path("uid")))
                && isSame(
                        own.get(0).path("fieldsV1"),
                        others.stream().map(entry -> entry.path("fieldsV1")).toList(),
                        given,
                        live);
    }

    /**
     * Return whether a value has the owners that it would have after the apply, and is equal.
     *
     * @param fields the parts that the manager owns
     * @param others the parts that others own
     */
    private static boolean isSame(JsonNode fields, List<JsonNode> others, JsonNode wanted, @Nullable JsonNode live) {
        if (!fields.isObject() || live == null) {
            return false;
        }
        if (fields.isEmpty()) {
            // Owned as a whole; if others own parts of it, it can only have been applied empty.
            boolean isWhole = others.stream().allMatch(JsonNode::isEmpty) || wanted.isEmpty();
            return isWhole && equal(wanted, live);
        }
        if (wanted.isObject()) {
            return sameMembers(fields, others, wanted, live);
        }
        return wanted.isArray() && sameItems(fields, others, wanted, live);
    }

    private static boolean sameMembers(JsonNode fields, List<JsonNode> others, JsonNode wanted, JsonNode live) {
        Set<String> names = new TreeSet<>();
        wanted.fieldNames().forEachRemaining(name -> names.add(MEMBER + name));
        return names.equals(namesOf(fields))
                && names.stream()
                        .allMatch(name -> isSame(
                                fields.path(name),
                                within(others, name),
                                wanted.path(name.substring(MEMBER.length())),
                                live.get(name.substring(MEMBER.length()))));
    }

    /** Compare the items of a list that the server merges; they must be in the order of the server. */
    private static boolean sameItems(JsonNode fields, List<JsonNode> others, JsonNode wanted, JsonNode live) {
        Set<String> left = namesOf(fields);
        int position = -1;
        for (JsonNode item : wanted) {
            List<String> found =
                    left.stream().filter(name -> names(name, item, false)).toList();
            if (found.size() != 1) {
                return false;
            }
            String name = found.get(0);
            left.remove(name);
            int at = positionOf(name, live);
            if (at <= position || !sameItem(name, fields.path(name), within(others, name), item, live.get(at))) {
                return false;
            }
            position = at;
        }
        return left.isEmpty();
    }

    private static boolean sameItem(String name, JsonNode fields, List<JsonNode> others, JsonNode item, JsonNode live) {
        return name.startsWith(ITEM_BY_VALUE) || isSame(fields, others, item, live);
    }

    private static int positionOf(String name, JsonNode list) {
        for (int i = 0; i < list.size(); i++) {
            if (names(name, list.get(i), true)) {
                return i;
            }
        }
        return -1;
    }

    /**
     * Return whether an item has a name.
     *
     * @param wholly whether it must have all keys of the name; otherwise missing ones may be defaults
     */
    private static boolean names(String name, JsonNode item, boolean wholly) {
        Optional<JsonNode> parsed = parse(name);
        if (name.startsWith(ITEM_BY_VALUE)) {
            return parsed.filter(value -> equal(value, item)).isPresent();
        }
        return name.startsWith(ITEM_BY_KEY)
                && item.isObject()
                && parsed.filter(keys -> keys.properties().stream()
                                .allMatch(key -> item.has(key.getKey())
                                        ? equal(key.getValue(), item.path(key.getKey()))
                                        : !wholly))
                        .isPresent();
    }

    private static Optional<JsonNode> parse(String name) {
        try {
            return Optional.of(KubernetesJson.mapper().readTree(name.substring(2)));
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    private static Set<String> namesOf(JsonNode fields) {
        Set<String> names = new TreeSet<>();
        fields.fieldNames().forEachRemaining(names::add);
        names.remove(SELF);
        return names;
    }

    private static List<JsonNode> within(List<JsonNode> others, String name) {
        return others.stream()
                .map(other -> other.path(name))
                .filter(JsonNode::isObject)
                .toList();
    }

    /** Return whether two values are equal; numbers may be written in different ways. */
    private static boolean equal(JsonNode left, JsonNode right) {
        if (left.isNumber() && right.isNumber()) {
            return left.decimalValue().compareTo(right.decimalValue()) == 0;
        }
        if (left.isObject() && right.isObject()) {
            return left.size() == right.size()
                    && left.properties().stream()
                            .allMatch((Map.Entry<String, JsonNode> member) -> right.has(member.getKey())
                                    && equal(member.getValue(), right.path(member.getKey())));
        }
        if (left.isArray() && right.isArray()) {
            Iterator<JsonNode> rest = right.iterator();
            return left.size() == right.size()
                    && StreamSupport.stream(left.spliterator(), false).allMatch(item -> equal(item, rest.next()));
        }
        return left.equals(right) && !left.isNull();
    }
}
