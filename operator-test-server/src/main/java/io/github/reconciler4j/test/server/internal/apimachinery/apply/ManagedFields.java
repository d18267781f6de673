package io.github.reconciler4j.test.server.internal.apimachinery.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.FieldError;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The owners of an object's fields, read from and written to {@code metadata.managedFields}. Used by one thread. */
final class ManagedFields {

    /** The fields of one owner, the version they belong to, and when they changed last. */
    record Entry(FieldSet set, String apiVersion, @Nullable String time) {

        Entry with(FieldSet other) {
            return new Entry(other, apiVersion, time);
        }
    }

    private static final Comparator<Map.Entry<ManagerId, Entry>> ORDER = Comparator.comparing(
                    (Map.Entry<ManagerId, Entry> entry) -> entry.getKey().operation())
            .thenComparing(entry -> seconds(entry.getValue().time()))
            .thenComparing(entry -> entry.getKey().manager())
            .thenComparing(entry -> entry.getValue().apiVersion())
            .thenComparing(entry -> entry.getKey().subresource());

    private final Map<ManagerId, Entry> entries = new LinkedHashMap<>();

    /**
     * Read the owners of an object.
     *
     * @throws IllegalArgumentException if they are not of the right form, with the server's reason
     */
    static ManagedFields read(@Nullable JsonNode managedFields) {
        ManagedFields read = new ManagedFields();
        if (managedFields == null) {
            return read;
        }
        int index = 0;
        for (JsonNode node : managedFields) {
            check(node, index++);
            String apiVersion = node.path("apiVersion").asText();
            boolean applies = node.path("operation").asText().equals("Apply");
            ManagerId id = new ManagerId(
                    node.path("manager").asText(),
                    applies,
                    applies ? "" : apiVersion,
                    node.path("subresource").asText());
            String time = node.path("time").isTextual() ? node.path("time").textValue() : null;
            read.entries.put(id, new Entry(FieldSet.fromJson(node.path("fieldsV1")), apiVersion, time));
        }
        return read;
    }

    private static void check(JsonNode node, int index) {
        if (!List.of("Apply", "Update").contains(node.path("operation").asText())) {
            throw new IllegalArgumentException("operation must be `Apply` or `Update`");
        }
        if (node.path("apiVersion").asText().isEmpty()) {
            throw new IllegalArgumentException("apiVersion must not be empty");
        }
        String type = node.path("fieldsType").asText();
        if (type.isEmpty()) {
            throw new IllegalArgumentException("missing fieldsType in managed fields entry " + index);
        }
        if (!type.equals("FieldsV1")) {
            throw new IllegalArgumentException(
                    "invalid fieldsType " + FieldError.quoted(type) + " in managed fields entry " + index);
        }
    }

    /** Return whether a request removes all owners: an empty list, or a list of one empty entry. */
    static boolean isReset(@Nullable JsonNode managedFields) {
        if (managedFields == null || !managedFields.isArray()) {
            return false;
        }
        return managedFields.isEmpty()
                || (managedFields.size() == 1 && managedFields.get(0).isEmpty());
    }

    /** Return the {@code managedFields}, or null without owners. */
    @Nullable
    ArrayNode write() {
        if (entries.isEmpty()) {
            return null;
        }
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        entries.entrySet().stream().sorted(ORDER).forEach(entry -> list.add(write(entry.getKey(), entry.getValue())));
        return list;
    }

    private static ObjectNode write(ManagerId id, Entry entry) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("manager", id.manager()).put("operation", id.operation()).put("apiVersion", entry.apiVersion());
        if (entry.time() != null) {
            node.put("time", entry.time());
        }
        node.put("fieldsType", "FieldsV1").set("fieldsV1", entry.set().toJson());
        if (!id.subresource().isEmpty()) {
            node.put("subresource", id.subresource());
        }
        return node;
    }

    private static long seconds(@Nullable String time) {
        return time == null ? 0 : Instant.parse(time).getEpochSecond();
    }

    /** Return a time in full seconds. */
    static String spelled(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    @Nullable
    Entry get(ManagerId id) {
        return entries.get(id);
    }

    /** Set the fields of an owner, or remove an owner without fields. */
    void put(ManagerId id, Entry entry) {
        if (entry.set().isEmpty()) {
            entries.remove(id);
        } else {
            entries.put(id, entry);
        }
    }

    /** Set the fields of an owner, even if it has none for the moment. */
    void putEvenIfEmpty(ManagerId id, Entry entry) {
        entries.put(id, entry);
    }

    void remove(ManagerId id) {
        entries.remove(id);
    }

    List<ManagerId> ids() {
        return List.copyOf(entries.keySet());
    }

    Collection<Entry> all() {
        return entries.values();
    }

    ManagedFields copy() {
        ManagedFields copy = new ManagedFields();
        copy.entries.putAll(entries);
        return copy;
    }
}
