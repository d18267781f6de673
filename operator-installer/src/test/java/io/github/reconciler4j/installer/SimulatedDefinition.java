package io.github.reconciler4j.installer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.connection.ApiStream;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.internal.error.ApiErrors;
import io.github.reconciler4j.support.TimeSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An API server without threads that has one definition, for widgets, and their objects, and knows the version that each is stored
 * in. For some time after a change of the definition it stores objects in the former version. It has its own clock.
 */
final class SimulatedDefinition implements ApiConnection {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

    /** Time passes when someone looks at it, and during some requests. */
    static final class Time implements TimeSource {

        private static final long STEP = Duration.ofMillis(1).toNanos();

        private long now;

        @Override
        public long nanoTime() {
            now += STEP;
            return now;
        }

        @Override
        public Instant instant() {
            return Instant.EPOCH.plusNanos(now);
        }
    }

    private final String group;
    private final Duration lag;
    private final Random random;
    private final Time time = new Time();
    private final Map<String, ObjectNode> objects = new TreeMap<>();
    private final Map<String, String> stored = new TreeMap<>();
    private Set<String> refused = Set.of();
    private int refusal = 422;
    private @Nullable ObjectNode definition;
    private String formerStorage = "";
    private long changed;
    private String violation = "";
    private int version = 100;

    /**
     * Creates a server without a definition.
     *
     * @param random draws which requests take as long as the lag
     * @param lag how long objects are stored in the former version after the definition has changed
     */
    SimulatedDefinition(String group, Random random, Duration lag) {
        this.group = group;
        this.random = random;
        this.lag = lag;
    }

    Time time() {
        return time;
    }

    /** Let the server refuse to update objects, with a status code. */
    void refuse(Set<String> names, int code) {
        refused = Set.copyOf(names);
        refusal = code;
    }

    Map<String, String> stored() {
        return new TreeMap<>(stored);
    }

    /** What made an object unreadable, empty if none is. */
    String violation() {
        return violation;
    }

    @Override
    public String server() {
        return "http://server.invalid";
    }

    @Override
    public ApiResponse send(ApiRequest request) {
        if (random.nextInt(3) == 0) {
            time.now += lag.toNanos();
        }
        String path = request.path();
        JsonNode answer;
        if (path.startsWith(DEFINITIONS)) {
            answer = definition(request, path.substring(DEFINITIONS.length()));
        } else if (path.equals("/apis/" + group)) {
            answer = versions();
        } else {
            String[] parts = path.split("/"); // "", apis, group, version, [namespaces, default,] widgets, name
            String called = parts.length > 3 && parts[2].equals(group) ? parts[3] : "";
            if (definition == null || !served().contains(called)) {
                throw error(404, "NotFound", "");
            }
            answer = parts.length == 4
                    ? kinds(called)
                    : object(request, called, parts[parts.length - 1].equals("widgets") ? "" : parts[parts.length - 1]);
        }
        return new ApiResponse(200, write(answer), List.of());
    }

    private JsonNode versions() {
        if (definition == null || served().isEmpty()) {
            throw error(404, "NotFound", "");
        }
        ObjectNode answer = JSON.createObjectNode()
                .put("kind", "APIGroup")
                .put("apiVersion", "v1")
                .put("name", group);
        ArrayNode versions = answer.putArray("versions");
        served().forEach(name ->
                versions.addObject().put("groupVersion", group + "/" + name).put("version", name));
        answer.set("preferredVersion", versions.get(0));
        return answer;
    }

    private JsonNode kinds(String called) {
        ObjectNode answer = JSON.createObjectNode()
                .put("kind", "APIResourceList")
                .put("apiVersion", "v1")
                .put("groupVersion", group + "/" + called);
        ObjectNode widgets = answer.putArray("resources").addObject();
        widgets.put("name", "widgets").put("singularName", "widget").put("kind", "Widget");
        widgets.put("namespaced", true).putArray("verbs").add("get").add("list").add("patch");
        return answer;
    }

    private JsonNode definition(ApiRequest request, String rest) {
        String method = request.method();
        if (method.equals("POST")) {
            return create(read(request));
        }
        ObjectNode now = definition;
        if (now == null || !rest.startsWith("/widgets." + group)) {
            throw error(404, "NotFound", "widgets." + group);
        }
        switch (method) {
            case "DELETE" -> {
                definition = null;
                objects.clear();
                stored.clear();
            }
            case "PATCH" -> now = change(request, now, rest.endsWith("/status"));
            default -> {}
        }
        return now;
    }

    private ObjectNode create(ObjectNode created) {
        if (definition != null) {
            throw error(409, "AlreadyExists", "widgets." + group);
        }
        ObjectNode metadata = (ObjectNode) created.get("metadata");
        metadata.put("uid", "d" + version++).put("generation", 1).put("resourceVersion", "" + version++);
        ObjectNode status = created.putObject("status");
        status.putArray("conditions").addObject().put("type", "Established").put("status", "True");
        status.putArray("storedVersions").add(storage(created));
        formerStorage = storage(created);
        definition = created;
        return created;
    }

    /** An apply replaces the part {@code spec}, a merge patch changes fields; neither changes the other part. */
    private ObjectNode change(ApiRequest request, ObjectNode before, boolean ofStatus) {
        ObjectNode patch = read(request);
        JsonNode lock = patch.path("metadata").path("resourceVersion");
        if (lock.isTextual() && !lock.equals(before.path("metadata").path("resourceVersion"))) {
            throw error(409, "Conflict", "widgets." + group);
        }
        ObjectNode after = before.deepCopy();
        if (String.valueOf(request.contentType()).contains("apply")) {
            after.set("spec", patch.get("spec"));
            merge((ObjectNode) after.get("metadata"), (ObjectNode) patch.get("metadata"));
        } else {
            merge(after, patch);
        }
        String other = ofStatus ? "spec" : "status";
        after.set(other, before.get(other));
        ObjectNode metadata = (ObjectNode) after.get("metadata");
        metadata.set("resourceVersion", before.path("metadata").get("resourceVersion"));
        check(after);
        if (after.equals(before)) {
            return before;
        }
        if (!after.get("spec").equals(before.get("spec"))) {
            metadata.put("generation", metadata.get("generation").asInt() + 1);
        }
        metadata.put("resourceVersion", "" + version++);
        if (!storage(after).equals(storage(before))) {
            formerStorage = storage();
            changed = time.now;
        }
        definition = after;
        stored.forEach((name, in) -> {
            if (!names(after).contains(in)) {
                violation = name + " is stored in " + in + ", but the definition has " + names(after) + " only";
            }
        });
        return after;
    }

    /** Adds the storage version to the stored versions, and refuses a definition that lacks one of them. */
    private void check(ObjectNode changed) {
        ArrayNode versions = (ArrayNode) changed.path("status").get("storedVersions");
        List<String> all = new ArrayList<>();
        versions.forEach(version -> all.add(version.asText()));
        if (!all.contains(storage(changed))) {
            versions.add(storage(changed));
        }
        if (!names(changed).containsAll(all)) {
            throw error(422, "Invalid", "widgets." + group);
        }
    }

    private JsonNode object(ApiRequest request, String called, String name) {
        String method = request.method();
        if (name.isEmpty() && method.equals("GET")) {
            return list(called);
        }
        if (method.equals("POST")) {
            ObjectNode created = read(request);
            String id = created.path("metadata").path("name").asText();
            if (objects.containsKey(id)) {
                throw error(409, "AlreadyExists", id);
            }
            ((ObjectNode) created.get("metadata")).put("uid", "o" + version++);
            return store(id, created);
        }
        ObjectNode now = objects.get(name);
        if (now == null) {
            throw error(404, "NotFound", name);
        }
        if (method.equals("DELETE")) {
            objects.remove(name);
            stored.remove(name);
        } else if (method.equals("PATCH")) {
            if (refused.contains(name)) {
                throw error(refusal, "Refused", name);
            }
            ObjectNode after = now.deepCopy();
            merge(after, read(request));
            now = store(name, after);
        }
        return now.deepCopy().put("apiVersion", group + "/" + called);
    }

    /** Stores an object. One whose bytes are the same keeps its resource version. */
    private ObjectNode store(String name, ObjectNode object) {
        String storage = storage();
        if (!object.equals(objects.get(name)) || !storage.equals(stored.get(name))) {
            ((ObjectNode) object.get("metadata")).put("resourceVersion", "" + version++);
        }
        objects.put(name, object);
        stored.put(name, storage);
        return object;
    }

    private JsonNode list(String called) {
        ObjectNode list = JSON.createObjectNode().put("kind", "WidgetList").put("apiVersion", group + "/" + called);
        list.putObject("metadata").put("resourceVersion", "" + version);
        ArrayNode items = list.putArray("items");
        objects.values().forEach(object -> items.add(object.deepCopy().put("apiVersion", group + "/" + called)));
        return list;
    }

    /** The version that objects are stored in now. */
    private String storage() {
        return time.now - changed < lag.toNanos() ? formerStorage : storage(definition);
    }

    private static String storage(@Nullable ObjectNode definition) {
        for (JsonNode version : versions(definition)) {
            if (version.path("storage").asBoolean()) {
                return version.path("name").asText();
            }
        }
        throw new IllegalStateException("no version is stored");
    }

    private List<String> served() {
        List<String> served = new ArrayList<>();
        for (JsonNode version : versions(definition)) {
            if (version.path("served").asBoolean()) {
                served.add(version.path("name").asText());
            }
        }
        return served;
    }

    private static List<String> names(ObjectNode definition) {
        List<String> names = new ArrayList<>();
        versions(definition).forEach(version -> names.add(version.path("name").asText()));
        return names;
    }

    private static JsonNode versions(@Nullable ObjectNode definition) {
        return definition == null
                ? JSON.createArrayNode()
                : definition.path("spec").path("versions");
    }

    private static void merge(ObjectNode target, ObjectNode patch) {
        patch.properties().forEach(field -> {
            JsonNode value = field.getValue();
            if (value.isNull()) {
                target.remove(field.getKey());
            } else if (value instanceof ObjectNode inner) {
                JsonNode now = target.get(field.getKey());
                ObjectNode merged = now instanceof ObjectNode existing ? existing : target.putObject(field.getKey());
                merge(merged, inner);
            } else {
                target.set(field.getKey(), value);
            }
        });
    }

    private static ApiException error(int code, String reason, String name) {
        ObjectNode status = JSON.createObjectNode()
                .put("kind", "Status")
                .put("apiVersion", "v1")
                .put("status", "Failure")
                .put("code", code)
                .put("reason", reason)
                .put("message", reason + " " + name);
        status.putObject("details").put("name", name);
        return ApiErrors.ofStatus("the request", status);
    }

    private static ObjectNode read(ApiRequest request) {
        try {
            return (ObjectNode) JSON.readTree(request.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] write(JsonNode answer) {
        try {
            return JSON.writeValueAsBytes(answer);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public ApiStream stream(ApiRequest request) {
        throw new UnsupportedOperationException("nothing is watched");
    }

    @Override
    public void close() {}
}
