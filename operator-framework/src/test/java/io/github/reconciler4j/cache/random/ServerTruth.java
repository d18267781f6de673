package io.github.reconciler4j.cache.random;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.test.ServerChange;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** What happened on the server, in order; a state of an object is found by uid and resource version. */
final class ServerTruth {

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Map<String, Write> writes = new ConcurrentHashMap<>();
    private final Map<String, Write> removals = new ConcurrentHashMap<>();
    /** Only changed under the server's write lock. */
    private final AtomicInteger count = new AtomicInteger();

    /** One state of an object: its place in the order of all writes, and what selectors look at. */
    record Write(int place, String namespace, String name, String uid, boolean removal, Map<String, String> labels) {

        boolean isOf(ObjectKey key) {
            return key.namespace().equals(namespace) && key.name().equals(name);
        }
    }

    /** Takes the next write; the server calls it for one at a time. */
    void take(ServerChange change) {
        JsonNode object = parse(change.json());
        boolean removal = change.type() == ServerChange.Type.REMOVED;
        Write write = new Write(
                count.getAndIncrement(), change.namespace(), change.name(), change.uid(), removal, labels(object));
        writes.put(change.uid() + "@" + change.version(), write);
        if (removal) {
            removals.put(change.uid(), write);
        }
    }

    static JsonNode parse(String json) {
        try {
            return MAPPER.readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    static Map<String, String> labels(JsonNode object) {
        Map<String, String> labels = new HashMap<>();
        for (Map.Entry<String, JsonNode> label :
                object.path("metadata").path("labels").properties()) {
            labels.put(label.getKey(), label.getValue().asText());
        }
        return labels;
    }

    /** Return the number of writes so far. */
    int count() {
        return count.get();
    }

    /** Return whether a state had been replaced or removed before the given number of writes. */
    boolean isOutdated(Write state, int place) {
        return writes.values().stream()
                .anyMatch(write -> write.isOf(ObjectKey.of(state.namespace, state.name))
                        && write.place() > state.place()
                        && write.place() < place);
    }

    /** The write that made a state, null if there was none. */
    @Nullable
    Write find(String uid, String version) {
        return writes.get(uid + "@" + version);
    }

    /** The write that removed an object, null if it was not removed by a write. */
    @Nullable
    Write removal(String uid) {
        return removals.get(uid);
    }
}
