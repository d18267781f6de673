package io.github.reconciler4j.controllers.upstream;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.controllers.internal.services.TriggerTimes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One call of a function of Kubernetes' controllers, made by one of its own tests: arguments, results, effects. */
public final class UpstreamCase {

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private final JsonNode entry;

    public UpstreamCase(JsonNode entry) {
        this.entry = entry;
    }

    public static ObjectMapper mapper() {
        return MAPPER;
    }

    public String function() {
        return entry.get("function").asText();
    }

    public String test() {
        return entry.get("test").asText();
    }

    public Instant now() {
        return Instant.parse(entry.get("now").asText());
    }

    /** What was exported under a name beside the arguments. */
    public JsonNode note(String name) {
        return entry.path(name);
    }

    /** The names of all notes. */
    public List<String> names() {
        List<String> names = new ArrayList<>();
        entry.fieldNames().forEachRemaining(names::add);
        return names;
    }

    public JsonNode in(String name) {
        return entry.get("in").path(name);
    }

    public <T> @Nullable T in(String name, Class<T> type) {
        return read(in(name), type);
    }

    public int number(String name) {
        return in(name).asInt();
    }

    public <T> List<T> list(String name, Class<T> type) {
        return readList(in(name), type);
    }

    public <T> List<T> notes(String name, Class<T> type) {
        return readList(note(name), type);
    }

    public JsonNode out(int index) {
        return entry.get("out").get(index);
    }

    public <T> @Nullable T out(int index, Class<T> type) {
        return read(out(index), type);
    }

    public <T> List<T> outList(int index, Class<T> type) {
        return readList(out(index), type);
    }

    /** An argument as it was after the call. */
    public <T> @Nullable T after(String name, Class<T> type) {
        return read(entry.get("after").has(name) ? entry.get("after").get(name) : in(name), type);
    }

    /** The requests that the function sent. */
    public List<JsonNode> actions(String verb, String resource) {
        List<JsonNode> actions = new ArrayList<>();
        entry.path("actions").forEach(action -> {
            if (action.get("verb").asText().equals(verb)
                    && action.get("resource").asText().equals(resource)) {
                actions.add(action);
            }
        });
        return actions;
    }

    public static <T> @Nullable T read(JsonNode node, Class<T> type) {
        return node.isNull() || node.isMissingNode() ? null : MAPPER.convertValue(withoutNulls(node.deepCopy()), type);
    }

    /** Go has lists and objects that are not there where API servers have none at all. */
    private static JsonNode withoutNulls(JsonNode node) {
        if (node instanceof ObjectNode object) {
            object.properties().removeIf(field -> field.getValue().isNull());
        }
        node.forEach(UpstreamCase::withoutNulls);
        return node;
    }

    public static <T> List<T> readList(JsonNode node, Class<T> type) {
        List<T> list = new ArrayList<>();
        node.forEach(element -> {
            if (!element.isNull()) {
                list.add(Objects.requireNonNull(read(element, type)));
            }
        });
        return list;
    }

    public static <T> Map<String, T> readMap(JsonNode node, Class<T> type) {
        Map<String, T> map = new TreeMap<>();
        node.properties().forEach(field -> map.put(field.getKey(), MAPPER.convertValue(field.getValue(), type)));
        return map;
    }

    /** Annotations with times in one notation: Go leaves out zeros at the end of fractions. */
    public static Map<String, String> withComparableTimes(@Nullable Map<String, String> annotations) {
        Map<String, String> comparable = new TreeMap<>(annotations == null ? Map.of() : annotations);
        comparable.computeIfPresent(
                TriggerTimes.ANNOTATION, (key, time) -> Instant.parse(time).toString());
        return comparable;
    }

    /** An object as JSON, for comparisons that do not depend on the order of fields. */
    public static JsonNode json(@Nullable Object object) {
        return MAPPER.valueToTree(object);
    }

    @Override
    public String toString() {
        return entry.toPrettyString();
    }
}
