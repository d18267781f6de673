package io.github.reconciler4j.test.server.internal.render;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.test.server.internal.apimachinery.Json;
import java.util.Map;

/** Events, which are the same objects in two groups under other field names. Kept in the form of the core group. */
public final class EventForms {
    /** Names in {@code events.k8s.io} and in the core group. */
    private static final Map<String, String> CORE_NAMES = Map.of(
            "regarding", "involvedObject",
            "note", "message",
            "reportingController", "reportingComponent",
            "deprecatedSource", "source",
            "deprecatedFirstTimestamp", "firstTimestamp",
            "deprecatedLastTimestamp", "lastTimestamp",
            "deprecatedCount", "count");

    private EventForms() {}

    /** Create an event of {@code events.k8s.io} one of the core group. */
    static void toCore(ObjectNode event) {
        CORE_NAMES.forEach((name, core) -> rename(event, name, core));
        fill(event, "source", Json.object());
        fill(event, "involvedObject", Json.object());
        fill(event, "firstTimestamp", event.nullNode());
        fill(event, "lastTimestamp", event.nullNode());
        fill(event, "eventTime", event.nullNode());
        fill(event, "reportingComponent", event.textNode(""));
        fill(event, "reportingInstance", event.textNode(""));
    }

    /** Create an event of the core group one of {@code events.k8s.io}. */
    static void toEvents(ObjectNode event) {
        CORE_NAMES.forEach((name, core) -> rename(event, core, name));
        fill(event, "deprecatedSource", Json.object());
        fill(event, "regarding", Json.object());
        fill(event, "deprecatedFirstTimestamp", event.nullNode());
        fill(event, "deprecatedLastTimestamp", event.nullNode());
        fill(event, "eventTime", event.nullNode());
        removeEmpty(event, "reportingController");
        removeEmpty(event, "reportingInstance");
    }

    /** Return the name in the core group of a field by which events of the other group are selected. */
    public static String coreField(String field) {
        int dot = field.indexOf('.');
        String first = dot < 0 ? field : field.substring(0, dot);
        return CORE_NAMES.getOrDefault(first, first) + (dot < 0 ? "" : field.substring(dot));
    }

    private static void rename(ObjectNode event, String from, String to) {
        JsonNode value = event.remove(from);
        if (value != null) {
            event.set(to, value);
        }
    }

    private static void fill(ObjectNode event, String field, JsonNode value) {
        if (!event.has(field)) {
            event.set(field, value);
        }
    }

    private static void removeEmpty(ObjectNode event, String field) {
        if (event.path(field).asText().isEmpty()) {
            event.remove(field);
        }
    }
}
