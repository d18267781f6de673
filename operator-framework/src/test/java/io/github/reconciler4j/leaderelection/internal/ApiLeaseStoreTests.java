package io.github.reconciler4j.leaderelection.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.connection.ApiStream;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.leaderelection.internal.LeaseStore.StoredLease;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.KubernetesJson;
import io.github.reconciler4j.test.KubernetesServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ApiLeaseStoreTests {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00.123456Z");
    private static final LeaseRecord RECORD =
            new LeaseRecord("a", new LeaseRecord.Term(15, 3), NOW, NOW.plusSeconds(2));
    private static final String LEASE = "{\"kind\":\"Lease\",\"apiVersion\":\"coordination.k8s.io/v1\","
            + "\"metadata\":{\"namespace\":\"default\",\"name\":\"lock\"},\"spec\":{}}";
    private static final String PATH = "/apis/coordination.k8s.io/v1/namespaces/default/leases";

    private final KubernetesServer server = KubernetesServer.start();
    private final ApiConnection connection = ApiConnection.open(server.clientConfig());
    private final ApiLeaseStore store = store(Map.of("team", "blue"));

    private ApiLeaseStore store(Map<String, String> labels) {
        return new ApiLeaseStore(connection, ObjectKey.of("default", "lock"), labels);
    }

    @AfterEach
    void close() {
        connection.close();
        server.close();
    }

    private Lease lease() throws IOException {
        byte[] body =
                connection.send(ApiRequest.of("get", "GET", PATH + "/lock")).body();
        return KubernetesJson.mapper().readValue(body, Lease.class);
    }

    private void put(String verb, String method, String path, String lease) {
        connection.send(
                ApiRequest.of(verb, method, path).withBody(ApiRequest.JSON, lease.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void readWhenThereIsNoLeaseIsEmpty() {
        assertThat(store.read(TIMEOUT)).isEmpty();
        assertThat(store.key()).isEqualTo(ObjectKey.of("default", "lock"));
    }

    @Test
    void createWhenThereIsNoLeaseWritesAllFieldsAndLabels() throws IOException {
        StoredLease created = store.create(RECORD, TIMEOUT);
        assertThat(created.record()).isEqualTo(RECORD);
        assertThat(store.read(TIMEOUT).orElseThrow().record()).isEqualTo(RECORD);
        Lease lease = lease();
        assertThat(lease.getMetadata().getLabels()).containsExactlyEntriesOf(Map.of("team", "blue"));
        assertThat(lease.getSpec().getHolderIdentity()).isEqualTo("a");
        assertThat(lease.getSpec().getLeaseDurationSeconds()).isEqualTo(15);
        assertThat(lease.getSpec().getLeaseTransitions()).isEqualTo(3);
    }

    @Test
    void updateWhenTheVersionIsCurrentWritesTheRecordAndKeepsOtherFields() throws IOException {
        put("create", "POST", PATH, """
                {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease",
                 "metadata": {"name": "lock", "labels": {"kept": "yes"}}}
                """);
        StoredLease found = store.read(TIMEOUT).orElseThrow();
        assertThat(found.record())
                .isEqualTo(new LeaseRecord("", new LeaseRecord.Term(0, 0), Instant.EPOCH, Instant.EPOCH));
        StoredLease updated = store.update(found, RECORD, TIMEOUT);
        assertThat(updated.record()).isEqualTo(RECORD);
        assertThat(lease().getMetadata().getLabels())
                .containsExactlyInAnyOrderEntriesOf(Map.of("kept", "yes", "team", "blue"));
        assertThatThrownBy(() -> store.update(found, RECORD, TIMEOUT)).isInstanceOf(ConflictException.class);
    }

    @Test
    void createWhenThereAreNoLabelsWritesNone() throws IOException {
        store(Map.of()).create(RECORD, TIMEOUT);
        assertThat(lease().getMetadata().getLabels()).isEmpty();
    }

    @Test
    void readWhenTheResponseIsNotALeaseFailsWithTheNameOfTheLease() {
        for (String other : List.of(
                "[]",
                "{}",
                "null",
                LEASE.replace("Lease", "Status"),
                LEASE.replace("/v1", "/v2"),
                LEASE.replace("default", "x"),
                LEASE.replace("lock", "x"))) {
            assertUnreadable(other, "Lease default/lock cannot be read: the response is not this Lease");
        }
        for (String number : List.of("4294967311", "-1", "1.5", "\"15\"")) {
            assertUnreadable(
                    LEASE.replace("{}}", "{\"leaseDurationSeconds\": " + number + "}}"),
                    "Lease default/lock cannot be read: its spec contains a number that is out of range");
        }
        assertUnreadable("{", "Lease default/lock cannot be read: JsonEOFException");
        assertUnreadable(
                LEASE.replace("{}}", "{\"renewTime\": \"yesterday\"}}"),
                "Lease default/lock cannot be read: DateTimeParseException");
    }

    @Test
    void readWhenNumbersAreZeroOrNullReturnsZero() {
        for (String number : List.of("0", "null")) {
            String lease = LEASE.replace("{}}", "{\"holderIdentity\": \"a\", \"leaseTransitions\": " + number + "}}");
            LeaseRecord record = new ApiLeaseStore(
                            new CannedConnection(lease), ObjectKey.of("default", "lock"), Map.of())
                    .read(TIMEOUT)
                    .orElseThrow()
                    .record();
            assertThat(record.term()).isEqualTo(new LeaseRecord.Term(0, 0));
            assertThat(record.holder()).isEqualTo("a");
        }
    }

    @Test
    void createWhenThereAreNoLabelsSendsNoneAndHasTheTimeout() {
        List<ApiRequest> sent = new ArrayList<>();
        String written = LEASE.replace("{}", "{\"holderIdentity\":\"a\"}");
        new ApiLeaseStore(new CannedConnection(written, sent), ObjectKey.of("default", "lock"), Map.of())
                .create(RECORD, TIMEOUT);
        assertThat(sent).singleElement().satisfies(request -> {
            assertThat(new String(request.body(), StandardCharsets.UTF_8)).doesNotContain("labels");
            assertThat(request.timeout()).isEqualTo(TIMEOUT);
        });
    }

    @Test
    void createWhenTheResponseNamesAnotherHolderFails() {
        String other = LEASE.replace("{}", "{\"holderIdentity\":\"b\"}");
        ApiLeaseStore canned =
                new ApiLeaseStore(new CannedConnection(other), ObjectKey.of("default", "lock"), Map.of());
        assertThatThrownBy(() -> canned.create(RECORD, TIMEOUT))
                .isInstanceOf(ApiException.class)
                .hasMessageEndingWith("the response to a write names another holder than was written");
    }

    private static void assertUnreadable(String body, String message) {
        ApiLeaseStore reader = new ApiLeaseStore(new CannedConnection(body), ObjectKey.of("default", "lock"), Map.of());
        assertThatThrownBy(() -> reader.read(TIMEOUT))
                .isInstanceOf(ApiException.class)
                .hasMessage(message);
    }

    /** Answers each request with the same body. */
    private record CannedConnection(String json, List<ApiRequest> sent) implements ApiConnection {

        CannedConnection(String json) {
            this(json, new ArrayList<>());
        }

        @Override
        public String server() {
            return "https://canned";
        }

        @Override
        public ApiResponse send(ApiRequest request) {
            sent.add(request);
            return new ApiResponse(200, json.getBytes(StandardCharsets.UTF_8), List.of());
        }

        @Override
        public ApiStream stream(ApiRequest request) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }
}
