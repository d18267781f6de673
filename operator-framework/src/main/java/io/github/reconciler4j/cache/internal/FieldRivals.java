package io.github.reconciler4j.cache.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.internal.request.ObjectCodec;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.Texts;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds the fields of an object that change all the time, and the field managers that write them. It reads the object a few
 * times: a field that differs between two of its states belongs to the manager that {@code managedFields} of the later one name.
 * The text has the names of fields and managers, and no values. Immutable and thread-safe.
 */
record FieldRivals(ApiConnection connection, KindInfo info) {

    private static final int READS = 8;
    private static final Duration PAUSE = Duration.ofMillis(250);
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final int MAX_FIELDS = 3;

    /** Return for instance {@code spec.replicas (autoscaler, web)}; empty if nothing was found. Blocks for some seconds. */
    String find(ObjectKey key) throws InterruptedException {
        Map<String, Set<String>> rivals = new TreeMap<>();
        JsonNode before = null;
        for (int read = 0; read < READS; read++) {
            JsonNode now = read(key);
            if (before != null && now != null) {
                compare(before, now, rivals);
            }
            before = now;
            TimeSource.system().sleep(PAUSE.toNanos());
        }
        return rivals.entrySet().stream()
                .sorted((one, other) -> other.getValue().size() - one.getValue().size())
                .limit(MAX_FIELDS)
                .map(field -> field.getKey() + " (" + String.join(", ", field.getValue()) + ")")
                .collect(Collectors.joining(", "));
    }

    private @Nullable JsonNode read(ObjectKey key) {
        ApiRequest request = ApiRequest.of("get", "GET", info.path(key)).withTimeout(TIMEOUT);
        try {
            return ObjectCodec.readTree(connection.send(request).body(), "get " + info.resource());
        } catch (ApiException e) { // it has been deleted, or the API server is not available
            return null;
        }
    }

    static void compare(JsonNode before, JsonNode now, Map<String, Set<String>> rivals) {
        for (JsonNode entry : now.path("metadata").path("managedFields")) {
            String subresource = entry.path("subresource").asText("");
            String manager = Texts.of(entry.path("manager").asText("unknown"))
                    + (subresource.isEmpty() ? "" : " by " + Texts.of(subresource));
            changed(
                    entry.path("fieldsV1"),
                    before,
                    now,
                    "",
                    field -> rivals.computeIfAbsent(field, same -> new TreeSet<>())
                            .add(manager));
        }
    }

    private interface Found {
        void field(String path);
    }

    /** Report the fields of a set that differ. A set without members stands for the whole value. */
    private static void changed(JsonNode fields, JsonNode before, JsonNode now, String path, Found found) {
        boolean leaf = true;
        for (Map.Entry<String, JsonNode> member : fields.properties()) {
            String field = member.getKey();
            if (field.startsWith("f:")) {
                String name = field.substring(2);
                changed(member.getValue(), before.path(name), now.path(name), join(path, name), found);
                leaf = false;
            } else if (field.startsWith("k:")) {
                JsonNode keys = ObjectCodec.readTree(field.substring(2).getBytes(UTF_8), "managedFields");
                changed(member.getValue(), item(before, keys), item(now, keys), path + keys(keys), found);
                leaf = false;
            }
        }
        if (leaf && !path.isEmpty() && !before.equals(now)) {
            found.field(path);
        }
    }

    private static String join(String path, String name) {
        boolean plain = name.chars().allMatch(c -> Character.isLetterOrDigit(c) || c == '_' || c == '-');
        String shown = plain ? name : "['" + Texts.of(name) + "']";
        return path.isEmpty() || !plain ? path + shown : path + "." + shown;
    }

    private static String keys(JsonNode keys) {
        return keys.properties().stream()
                .map(key -> key.getKey() + "=" + Texts.of(key.getValue().asText()))
                .collect(Collectors.joining(",", "[", "]"));
    }

    private static JsonNode item(JsonNode list, JsonNode keys) {
        for (JsonNode item : list) {
            if (keys.properties().stream()
                    .allMatch(key -> item.path(key.getKey()).equals(key.getValue()))) {
                return item;
            }
        }
        return MissingNode.getInstance();
    }
}
