package io.github.reconciler4j.cache.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.github.reconciler4j.cache.internal.watch.Scope;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiStream;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.KubernetesJson;
import io.github.reconciler4j.support.Texts;
import io.github.reconciler4j.support.TimeSource;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Finds the fields of an object that change all the time, and the field managers that write them. It watches the object for some
 * seconds: a field that a change has changed belongs to the managers that {@code managedFields} of the new state name. Each change is
 * seen, so a manager that writes less often than its rivals is found, too. The text has the names of fields and managers, and no
 * values. If the watch breaks, what was found before counts. Immutable and thread-safe.
 */
record FieldRivals(ApiConnection connection, KindInfo info, TimeSource time) {

    private static final int SECONDS = 3;
    private static final int MAX_CHANGES = 200;
    private static final long MAX_BYTES = 64L << 20;
    private static final Duration IDLE = Duration.ofSeconds(2 * SECONDS);
    private static final long LIMIT = Duration.ofSeconds(4 * SECONDS).toNanos();
    private static final int MAX_FIELDS = 3;

    /** Return for instance {@code spec.replicas (autoscaler, web)}; empty if nothing was found. Blocks for some seconds. */
    String find(ObjectKey key) throws IOException {
        Map<String, Set<String>> rivals = new TreeMap<>();
        try (ApiStream stream = connection.stream(watch(key))) {
            stream.idleTimeout(IDLE);
            compareAll(new Limited(stream), rivals);
        } catch (IOException e) {
            if (rivals.isEmpty()) {
                throw e;
            }
        }
        return rivals.entrySet().stream()
                .sorted((one, other) -> other.getValue().size() - one.getValue().size())
                .limit(MAX_FIELDS)
                .map(field -> field.getKey() + " (" + String.join(", ", field.getValue()) + ")")
                .collect(Collectors.joining(", "));
    }

    /** The first event is the object as it is. */
    private ApiRequest watch(ObjectKey key) {
        return ApiRequest.of("watch", "GET", info.path(key.namespace()))
                .withQuery(Map.of(
                        "watch", List.of("true"),
                        "fieldSelector", List.of(Scope.nameSelector(key.name())),
                        "timeoutSeconds", List.of(Integer.toString(SECONDS))));
    }

    /** A server that does not end the watch, or sends without end, does not keep the thread or fill the memory. */
    private final class Limited extends FilterInputStream {

        private final long end = time.nanoTime() + LIMIT;
        private long left = MAX_BYTES;

        Limited(InputStream stream) {
            super(stream);
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            if (left <= 0 || time.nanoTime() - end >= 0) {
                return -1;
            }
            int count = super.read(to, offset, length);
            left -= count;
            return count;
        }
    }

    /** Only a change is compared: an object that was created again has other fields, which no rival has written. */
    private static void compareAll(InputStream stream, Map<String, Set<String>> rivals) throws IOException {
        try (MappingIterator<JsonNode> events =
                KubernetesJson.mapper().readerFor(JsonNode.class).readValues(stream)) {
            JsonNode before = MissingNode.getInstance();
            for (int change = 0; change < MAX_CHANGES && events.hasNextValue(); change++) {
                JsonNode event = events.nextValue();
                String type = event.path("type").asText("");
                JsonNode now = event.path("object");
                if (type.equals("MODIFIED") && before.isObject()) {
                    compare(before, now, rivals);
                }
                before = type.equals("MODIFIED") || type.equals("ADDED") ? now : MissingNode.getInstance();
            }
        }
    }

    private static void compare(JsonNode before, JsonNode now, Map<String, Set<String>> rivals) throws IOException {
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

    private static JsonNode tree(byte[] json) throws IOException {
        return KubernetesJson.read(KubernetesJson.mapper(), json, JsonNode.class);
    }

    private interface Found {
        void field(String path);
    }

    /** Report the fields of a set that differ. A set without members stands for the whole value. */
    private static void changed(JsonNode fields, JsonNode before, JsonNode now, String path, Found found)
            throws IOException {
        boolean leaf = true;
        for (Map.Entry<String, JsonNode> member : fields.properties()) {
            String field = member.getKey();
            if (field.startsWith("f:")) {
                String name = field.substring(2);
                changed(member.getValue(), before.path(name), now.path(name), join(path, name), found);
                leaf = false;
            } else if (field.startsWith("k:")) {
                JsonNode keys = tree(field.substring(2).getBytes(UTF_8));
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
