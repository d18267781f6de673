package io.github.reconciler4j.sharding.internal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.error.AlreadyExistsException;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.leaderelection.internal.LeaseJson;
import io.github.reconciler4j.leaderelection.internal.LeaseRecord;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.Causes;
import io.github.reconciler4j.support.KubernetesJson;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.Texts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Leases as objects of {@code coordination.k8s.io/v1}. Lists have no resourceVersion, so the API server answers with its latest
 * state. The requests do not pass the write gate.
 */
final class ApiShardStore implements ShardStore {

    private static final Logger LOG = LoggerFactory.getLogger(ApiShardStore.class);
    private static final String MERGE_PATCH = "application/merge-patch+json";

    private final ApiConnection connection;
    private final String namespace;
    private final RingNames names;
    private final LogLimiter warnings = new LogLimiter();
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private @Nullable Thread sender;

    ApiShardStore(ApiConnection connection, String namespace, RingNames names) {
        this.connection = connection;
        this.namespace = namespace;
        this.names = names;
    }

    @Override
    public List<Version> replicas(Duration timeout) {
        return list(RingNames.REPLICA, timeout);
    }

    @Override
    public List<Version> shards(Duration timeout) {
        return list(RingNames.SHARD, timeout);
    }

    private List<Version> list(String role, Duration timeout) {
        String selector = RingNames.RING + "=" + names.ring() + "," + RingNames.ROLE + "=" + role;
        ApiRequest request = ApiRequest.of("list", "GET", LeaseJson.KIND.path(namespace))
                .withQuery(Map.of("labelSelector", List.of(selector)));
        JsonNode items = send(request, timeout).path("items");
        if (!items.isArray()) {
            throw new ApiException("The list of Leases " + selector + " has no items", ErrorDetails.none());
        }
        List<Version> versions = new ArrayList<>();
        for (JsonNode item : items) {
            try {
                Version version = version(item);
                if (names.isName(version.name(), role.equals(RingNames.REPLICA))) {
                    versions.add(version);
                }
            } catch (IllegalArgumentException e) {
                warnings.log(
                        "unreadable",
                        occurrence -> LOG.warn(
                                "Lease {} is ignored because it cannot be read: {}{}",
                                Texts.inOneLine(
                                        item.path("metadata").path("name").asText()),
                                Causes.message(e),
                                occurrence.suffix()));
            }
        }
        return versions;
    }

    @Override
    public Version create(String name, boolean replica, LeaseRecord record, Duration timeout) {
        ObjectNode lease = KubernetesJson.mapper().createObjectNode();
        lease.put("apiVersion", LeaseJson.KIND.kind().apiVersion())
                .put("kind", LeaseJson.KIND.kind().kind());
        ObjectNode metadata =
                lease.putObject("metadata").put("namespace", namespace).put("name", name);
        ObjectNode labels = metadata.putObject("labels");
        names.labels(replica).forEach(labels::put);
        LeaseJson.write(record, lease);
        ApiRequest request = ApiRequest.of("create", "POST", LeaseJson.KIND.path(namespace));
        try {
            return versionOf(name, send(request.withBody(ApiRequest.JSON, bytes(lease)), timeout));
        } catch (AlreadyExistsException e) {
            return relabel(name, names.labels(replica), record, timeout).orElseThrow(() -> e);
        }
    }

    /**
     * Take over a Lease that exists although no list has it, because another client has changed its labels. The caller has
     * waited as for one that was deleted.
     *
     * @return empty if its labels are right: another replica has just created it
     */
    private Optional<Version> relabel(String name, Map<String, String> expected, LeaseRecord record, Duration timeout) {
        ApiRequest request = ApiRequest.of("get", "GET", LeaseJson.KIND.path(ObjectKey.of(namespace, name)));
        JsonNode found = send(request, timeout);
        JsonNode present = found.path("metadata").path("labels");
        boolean right = Stream.of(RingNames.RING, RingNames.ROLE)
                .allMatch(label -> present.path(label).asText("").equals(expected.get(label)));
        if (right || !(found instanceof ObjectNode lease)) {
            return Optional.empty();
        }
        expected.forEach(lease.withObjectProperty("metadata").withObjectProperty("labels")::put);
        LeaseJson.write(record, lease);
        ApiRequest update = ApiRequest.of("update", "PUT", LeaseJson.KIND.path(ObjectKey.of(namespace, name)));
        Version version = versionOf(name, send(update.withBody(ApiRequest.JSON, bytes(lease)), timeout));
        LOG.warn("Another client had changed the labels of Lease {}/{}; they have been restored", namespace, name);
        return Optional.of(version);
    }

    @Override
    public Version update(Version previous, LeaseRecord record, Duration timeout) {
        ObjectNode lease = ((ObjectNode) previous.handle()).deepCopy();
        lease.put("apiVersion", LeaseJson.KIND.kind().apiVersion())
                .put("kind", LeaseJson.KIND.kind().kind()); // items of a list do not have them
        LeaseJson.write(record, lease);
        ApiRequest request = ApiRequest.of("update", "PUT", path(previous));
        return versionOf(previous.name(), send(request.withBody(ApiRequest.JSON, bytes(lease)), timeout));
    }

    @Override
    public void mark(Version previous, boolean leaving, Duration timeout) {
        ObjectNode patch = KubernetesJson.mapper().createObjectNode();
        ObjectNode labels = patch.putObject("metadata").putObject("labels");
        if (leaving) {
            labels.put(RingNames.LEAVING, "true");
        } else {
            labels.putNull(RingNames.LEAVING);
        }
        ApiRequest request = ApiRequest.of("patch", "PATCH", path(previous));
        send(request.withBody(MERGE_PATCH, bytes(patch)), timeout);
    }

    @Override
    public void delete(Version previous, Duration timeout) {
        ObjectNode options = KubernetesJson.mapper().createObjectNode();
        options.put("apiVersion", "v1").put("kind", "DeleteOptions");
        String version = metadata(previous).path("resourceVersion").asText();
        options.putObject("preconditions").put("resourceVersion", version);
        ApiRequest request = ApiRequest.of("delete", "DELETE", path(previous));
        send(request.withBody(ApiRequest.JSON, bytes(options)), timeout);
    }

    /** Return the Lease of a replica, null if it does not exist. */
    @Nullable
    Version find(String name, Duration timeout) {
        return replicas(timeout).stream()
                .filter(version -> version.name().equals(name))
                .findFirst()
                .orElse(null);
    }

    private String path(Version version) {
        return LeaseJson.KIND.path(ObjectKey.of(namespace, version.name()));
    }

    private static JsonNode metadata(Version version) {
        return ((ObjectNode) version.handle()).path("metadata");
    }

    /** Interrupt the request in progress, if there is one. For other threads. */
    void cancel() {
        lock.lock();
        try {
            if (sender != null) {
                sender.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    private void setSender(@Nullable Thread thread) {
        lock.lock();
        try {
            sender = thread;
        } finally {
            lock.unlock();
        }
    }

    private JsonNode send(ApiRequest request, Duration timeout) {
        setSender(Thread.currentThread());
        try {
            return KubernetesJson.read(
                    KubernetesJson.mapper(),
                    connection.send(request.withTimeout(timeout)).body(),
                    JsonNode.class);
        } catch (IOException e) {
            throw unreadable(e.getClass().getSimpleName());
        } finally {
            setSender(null);
            Thread.interrupted(); // was for the request, and must not end what follows
        }
    }

    /** Any other JSON, taken for the Lease, would be one that no replica holds. */
    private Version versionOf(String name, JsonNode response) {
        try {
            Version version = version(response);
            if (version.name().equals(name)) {
                return version;
            }
        } catch (IllegalArgumentException e) {
            throw unreadable(String.valueOf(e.getMessage()));
        }
        throw unreadable("it is another object");
    }

    private static Version version(JsonNode lease) {
        String name = lease.path("metadata").path("name").asText("");
        if (name.isEmpty() || !(lease instanceof ObjectNode object)) {
            throw new IllegalArgumentException("it has no name");
        }
        // a third of what is kept of hundreds of Leases; the API server keeps its own if an update has none
        object.withObjectProperty("metadata").remove("managedFields");
        JsonNode labels = lease.path("metadata").path("labels");
        Marks marks = new Marks(labels.path(RingNames.LAYOUT).asText(""), labels.has(RingNames.LEAVING));
        return new Version(name, LeaseJson.read(lease), marks, object);
    }

    private static ApiException unreadable(String why) {
        return new ApiException("The response to a request for a Lease cannot be read: " + why, ErrorDetails.none());
    }

    private static byte[] bytes(ObjectNode json) {
        try {
            return KubernetesJson.mapper().writeValueAsBytes(json);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
