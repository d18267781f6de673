package io.github.reconciler4j.brake;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.KubernetesJson;
import io.github.reconciler4j.support.Texts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keeps stops as annotations of a Lease, one for each controller. Operators may write a Lease anyway, and a person can remove an
 * annotation. The requests do not pass the client, so that no lost leadership and no impersonation refuses them. Thread-safe.
 */
final class StopLease {

    /** The prefix of the annotations; the name of the controller follows. */
    static final String PREFIX = "brake.reconciler4j.io/";

    private static final KindInfo LEASE =
            new KindInfo(new KindName("coordination.k8s.io", "v1", "Lease"), "leases", true);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int MAX_ATTEMPTS = 5;
    private static final int MAX_NAME = 63;

    private final ApiConnection connection;
    private final ObjectKey key;

    StopLease(ApiConnection connection, ObjectKey key) {
        this.connection = connection;
        this.key = key;
    }

    ObjectKey key() {
        return key;
    }

    /** Return the name of a controller as part of an annotation: the same, unless no annotation can have it. */
    static String id(String controller) {
        String name = controller.replaceAll("[^A-Za-z0-9._-]", "_");
        boolean fits = name.equals(controller)
                && name.length() <= MAX_NAME
                && name.matches("[A-Za-z0-9].*")
                && name.matches(".*[A-Za-z0-9]");
        String hash = Integer.toHexString(controller.hashCode());
        return fits ? name : "x" + name.substring(0, Math.min(name.length(), MAX_NAME - 10)) + hash;
    }

    /**
     * What is stored.
     *
     * @param uid the uid of the Lease, {@code ""} without a Lease
     * @param reasons the reasons by the ids of controllers
     */
    record Stored(String uid, Map<String, String> reasons) {}

    /** Return the stored stops. */
    Stored read() {
        Optional<JsonNode> lease = get();
        Map<String, String> reasons = new HashMap<>();
        lease.ifPresent(found -> found.path("metadata").path("annotations").properties().stream()
                .filter(each -> each.getKey().startsWith(PREFIX))
                .forEach(each -> reasons.put(
                        each.getKey().substring(PREFIX.length()),
                        Texts.inOneLine(each.getValue().asText()))));
        String uid = lease.map(found -> found.path("metadata").path("uid").asText(""))
                .orElse("");
        return new Stored(uid, reasons);
    }

    /** Store a stop, or remove it if the reason is null. */
    void write(String id, @Nullable String reason) {
        for (int attempt = 1; ; attempt++) {
            try {
                writeOnce(id, reason);
                return;
            } catch (ConflictException e) { // the leader renews it
                if (attempt == MAX_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private void writeOnce(String id, @Nullable String reason) {
        Optional<JsonNode> found = get();
        if (found.isEmpty() && reason == null) {
            return;
        }
        ObjectNode lease = found.isPresent()
                ? found.get().deepCopy()
                : KubernetesJson.mapper().createObjectNode();
        ObjectNode metadata = lease.withObjectProperty("metadata");
        ObjectNode annotations = metadata.withObjectProperty("annotations");
        if (reason == null) {
            annotations.remove(PREFIX + id);
        } else {
            annotations.put(PREFIX + id, reason);
        }
        if (found.isPresent()) {
            send(ApiRequest.of("update", "PUT", LEASE.path(key)).withBody(ApiRequest.JSON, bytes(lease)));
            return;
        }
        lease.put("apiVersion", LEASE.kind().apiVersion())
                .put("kind", LEASE.kind().kind());
        metadata.put("namespace", key.namespace()).put("name", key.name());
        send(ApiRequest.of("create", "POST", LEASE.path(key.namespace())).withBody(ApiRequest.JSON, bytes(lease)));
    }

    private Optional<JsonNode> get() {
        try {
            return Optional.of(send(ApiRequest.of("get", "GET", LEASE.path(key))));
        } catch (NotFoundException e) {
            return Optional.empty();
        }
    }

    private JsonNode send(ApiRequest request) {
        byte[] body = connection.send(request.withTimeout(TIMEOUT)).body();
        try {
            JsonNode node = KubernetesJson.mapper().readTree(body);
            if (node.path("metadata").isObject()) {
                return node;
            }
        } catch (IOException e) { // the message can contain what was sent
        }
        throw new ApiException("The answer about Lease " + key + " is no Lease", ErrorDetails.none());
    }

    private static byte[] bytes(JsonNode lease) {
        try {
            return KubernetesJson.mapper().writeValueAsBytes(lease);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
