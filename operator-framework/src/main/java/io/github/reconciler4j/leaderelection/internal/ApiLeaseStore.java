package io.github.reconciler4j.leaderelection.internal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.KubernetesJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Stores a lease as a Lease object of {@code coordination.k8s.io/v1}. Updates carry the resourceVersion that was read before
 * and preserve everything in the object that the election does not need. The requests do not pass the write gate.
 *
 * @since 0.1.0
 */
public final class ApiLeaseStore implements LeaseStore {

    private static final KindInfo LEASE = LeaseJson.KIND;

    private final ApiConnection connection;
    private final ObjectKey key;
    private final Map<String, String> labels;

    /** Create a store that sets the labels with each write. */
    public ApiLeaseStore(ApiConnection connection, ObjectKey key, Map<String, String> labels) {
        this.connection = connection;
        this.key = key;
        this.labels = Map.copyOf(labels);
    }

    @Override
    public ObjectKey key() {
        return key;
    }

    @Override
    public Optional<StoredLease> read(Duration timeout) {
        try {
            return Optional.of(parse(send(ApiRequest.of("get", "GET", LEASE.path(key)), timeout)));
        } catch (NotFoundException e) {
            return Optional.empty();
        }
    }

    @Override
    public StoredLease create(LeaseRecord record, Duration timeout) {
        ObjectNode lease = KubernetesJson.mapper().createObjectNode();
        lease.put("apiVersion", LEASE.kind().apiVersion())
                .put("kind", LEASE.kind().kind());
        lease.putObject("metadata").put("namespace", key.namespace()).put("name", key.name());
        fill(lease, record);
        ApiRequest request = ApiRequest.of("create", "POST", LEASE.path(key.namespace()));
        return written(record, send(request.withBody(ApiRequest.JSON, bytes(lease)), timeout));
    }

    @Override
    public StoredLease update(StoredLease previous, LeaseRecord record, Duration timeout) {
        ObjectNode lease = ((ObjectNode) previous.handle()).deepCopy();
        fill(lease, record);
        ApiRequest request = ApiRequest.of("update", "PUT", LEASE.path(key));
        return written(record, send(request.withBody(ApiRequest.JSON, bytes(lease)), timeout));
    }

    private ApiResponse send(ApiRequest request, Duration timeout) {
        return connection.send(request.withTimeout(timeout));
    }

    private void fill(ObjectNode lease, LeaseRecord record) {
        LeaseJson.write(record, lease);
        if (!labels.isEmpty()) {
            ObjectNode existing = lease.withObjectProperty("metadata").withObjectProperty("labels");
            labels.forEach(existing::put);
        }
    }

    private byte[] bytes(ObjectNode lease) {
        try {
            return KubernetesJson.mapper().writeValueAsBytes(lease);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A response that shows another lease than the one that was written proves nothing. */
    private StoredLease written(LeaseRecord record, ApiResponse response) {
        StoredLease stored = parse(response);
        if (!stored.record().holder().equals(record.holder())) {
            throw unreadable("the response to a write names another holder than was written");
        }
        return stored;
    }

    private StoredLease parse(ApiResponse response) {
        try {
            JsonNode lease = KubernetesJson.read(KubernetesJson.mapper(), response.body(), JsonNode.class);
            if (!(lease instanceof ObjectNode object) || !isRequested(lease)) {
                throw unreadable("the response is not this Lease");
            }
            return new StoredLease(LeaseJson.read(lease), object);
        } catch (IOException e) {
            throw unreadable(e.getClass().getSimpleName());
        } catch (IllegalArgumentException e) {
            throw unreadable(String.valueOf(e.getMessage()));
        }
    }

    /** Any other JSON, taken for a lease, would be one that no replica holds. */
    private boolean isRequested(JsonNode lease) {
        JsonNode metadata = lease.path("metadata");
        return lease.path("kind").asText("").equals(LEASE.kind().kind())
                && lease.path("apiVersion").asText("").equals(LEASE.kind().apiVersion())
                && metadata.path("name").asText("").equals(key.name())
                && metadata.path("namespace").asText("").equals(key.namespace());
    }

    private ApiException unreadable(String why) {
        return new ApiException("Lease " + key + " cannot be read: " + why, ErrorDetails.none());
    }
}
