package io.github.reconciler4j.cache.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.BusyKeys;
import io.github.reconciler4j.support.Causes;
import io.github.reconciler4j.support.KubernetesJson;
import io.github.reconciler4j.support.LogLimiter.Occurrence;
import io.github.reconciler4j.support.Texts;
import io.github.reconciler4j.support.Threads;
import io.github.reconciler4j.support.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports the objects of a kind that change all the time: the log has a line of them once a minute. Thread-safe. */
final class BusyObjects {

    private static final Logger LOG = LoggerFactory.getLogger(BusyObjects.class);
    private static final int MAX_LOGGED = 3;

    private final KindInfo info;
    private final CacheContext context;

    BusyObjects(KindInfo info, CacheContext context) {
        this.info = info;
        this.context = context;
    }

    /** Report what was found, the busiest first. */
    void report(List<BusyKeys.Rate<ObjectKey>> found) {
        context.log().log("busy objects of " + info.resource(), occurrence -> report(found, occurrence));
    }

    /** The thread that reads the watch must not wait for the API server. If it can start no other thread, it says less. */
    private void report(List<BusyKeys.Rate<ObjectKey>> found, Occurrence occurrence) {
        ObjectKey busiest = found.get(0).key();
        try {
            Threads.daemon("busy-" + info.resource(), () -> warn(found, rivals(busiest), occurrence))
                    .start();
        } catch (Throwable e) {
            warn(found, "", occurrence);
        }
    }

    private void warn(List<BusyKeys.Rate<ObjectKey>> found, String rivals, Occurrence occurrence) {
        LOG.warn(
                "Objects of {} change all the time: {}. {} If the changes do not matter to a controller, keep them from it with"
                        + " ReconcileOn.GENERATION or an EventPredicate (R4J-102){}",
                info.resource(),
                found.stream()
                        .limit(MAX_LOGGED)
                        .map(rate -> rate.key() + " (" + rate.perSecond() + " changes per second)")
                        .collect(Collectors.joining(", ")),
                rivals.isEmpty()
                        ? "Their managedFields show who writes them."
                        : "Fields of " + found.get(0).key() + " and who writes them: " + rivals + ".",
                occurrence.suffix());
    }

    /** Ask the API server, on a thread that may wait. */
    private String rivals(ObjectKey key) {
        try {
            return new FieldRivals(context.reflectors().connection(), info).find(key);
        } catch (Throwable e) { // an Error as well, such as that of an answer that is nested too deeply
            LOG.debug("It is not known who writes {} {}: {}", info.resource(), key, Causes.message(e));
            return "";
        }
    }

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
        String find(ObjectKey key) throws InterruptedException, IOException {
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
                    .sorted((one, other) ->
                            other.getValue().size() - one.getValue().size())
                    .limit(MAX_FIELDS)
                    .map(field -> field.getKey() + " (" + String.join(", ", field.getValue()) + ")")
                    .collect(Collectors.joining(", "));
        }

        private @Nullable JsonNode read(ObjectKey key) {
            ApiRequest request = ApiRequest.of("get", "GET", info.path(key)).withTimeout(TIMEOUT);
            try {
                return tree(connection.send(request).body());
            } catch (ApiException | IOException e) { // it has been deleted, or the API server is not available
                return null;
            }
        }

        private static JsonNode tree(byte[] json) throws IOException {
            return KubernetesJson.read(KubernetesJson.mapper(), json, JsonNode.class);
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
}
