package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Binding;
import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.authentication.TokenRequest;
import io.fabric8.kubernetes.api.model.certificates.v1.CertificateSigningRequest;
import io.fabric8.kubernetes.api.model.certificates.v1.CertificateSigningRequestBuilder;
import io.fabric8.kubernetes.api.model.certificates.v1.CertificateSigningRequestStatusBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.Eviction;
import io.fabric8.kubernetes.api.model.policy.v1.EvictionBuilder;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.client.OperationResult.Outcome;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiStream;
import io.github.reconciler4j.client.connection.ConnectionOptions;
import io.github.reconciler4j.client.error.AlreadyExistsException;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.client.error.ForbiddenException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.client.error.ServerNotReadyException;
import io.github.reconciler4j.client.error.UnauthorizedException;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The promises of the client, held against a real API server. */
@RealKubernetesTest
@Timeout(300)
class ClientIntegrationTests extends ClientPromisesFixture {

    /** A PEM certificate request, in base64. */
    private static final String SIGNING_REQUEST =
            "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlISk1IRUNBUUF3RHpFTk1Bc0dBMVVFQXd3RWRHVn"
                    + "pkREJaTUJNR0J5cUdTTTQ5QWdFR0NDcUdTTTQ5QXdFSApBMElBQkhnMUE1K3hwbDlVejc5NGRZK1BGeVROb0dtNE9D"
                    + "c1g1aGZEdU05UWNScEdPejhvekN3ZWlxZmd0ejQzCnBmdFRFTm5rZFVuMGlBREtONnlzdkVESUk5U2dBREFLQmdncW"
                    + "hrak9QUVFEQWdOSUFEQkZBaUFqUzN4N0E1VGcKUDYxanlPVVBpcHd3QUVUdStoRGYvSlJ4SlhPSk5FcSt2d0loQU0r"
                    + "SjNzRENYQVQ0VUdDTWlrdXFIU2h2SllwdQpnOFY5MVBYMXhGNUFmSnd1Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUV"
                    + "VFU1QtLS0tLQo=";

    private final RealKubernetes kubernetes;

    ClientIntegrationTests(RealKubernetes kubernetes) {
        this.kubernetes = kubernetes;
    }

    @Override
    Config config() {
        return kubernetes.config();
    }

    @Override
    String createNamespace() {
        return kubernetes.createNamespace("client");
    }

    @Test
    void subresourcesWithFormsOfTheirOwnWork() {
        Gadget gadget = client.create(gadget("sub"));
        assertThat(client.scale().get(gadget).getSpec().getReplicas()).isEqualTo(1);
        assertThat(client.scale().set(gadget, 4).getSpec().getReplicas()).isEqualTo(4);
        assertThat(client.get(Gadget.class, key("sub")).orElseThrow().getSpec().replicas)
                .isEqualTo(4);
        assertThatThrownBy(() -> client.scale().get(configMap("x"))).isInstanceOf(NotFoundException.class);

        ServiceAccount account =
                client.get(ServiceAccount.class, key("default")).orElseThrow();
        TokenRequest token = client.subresource("token")
                .post(account, new TokenRequest(), TokenRequest.class, WriteOptions.defaults());
        assertThat(token.getStatus().getToken()).isNotBlank();

        client.create(pod("evicted"));
        Eviction eviction = new EvictionBuilder().withMetadata(named("evicted")).build();
        Status status =
                client.subresource("eviction").post(pod("evicted"), eviction, Status.class, WriteOptions.defaults());
        assertThat(status.getStatus()).isEqualTo("Success");
    }

    @Test
    void podsAreBoundAndSigningRequestsApproved() {
        Pod pod = pod("bound");
        pod.getSpec().setSchedulerName("none");
        client.create(pod);
        Binding binding = new BindingBuilder()
                .withMetadata(named("bound"))
                .withNewTarget()
                .withKind("Node")
                .withName(client.list(Kind.of(Node.class), Selection.all())
                        .get(0)
                        .getMetadata()
                        .getName())
                .endTarget()
                .build();
        client.subresource("binding").post(pod, binding, Status.class, WriteOptions.defaults());
        assertThat(client.get(Pod.class, key("bound")).orElseThrow().getSpec().getNodeName())
                .isEqualTo(binding.getTarget().getName());

        CertificateSigningRequest request = client.create(new CertificateSigningRequestBuilder()
                .withNewMetadata()
                .withName(namespace)
                .endMetadata()
                .withNewSpec()
                .withRequest(SIGNING_REQUEST)
                .withSignerName("example.com/test")
                .withUsages("client auth")
                .endSpec()
                .build());
        request.setStatus(new CertificateSigningRequestStatusBuilder()
                .addNewCondition()
                .withType("Approved")
                .withStatus("True")
                .withReason("Test")
                .endCondition()
                .build());
        assertThat(client.subresource("approval").update(request).getStatus().getConditions())
                .extracting(condition -> condition.getType())
                .containsExactly("Approved");
    }

    private Deployment deployment(String name, String cpu) {
        return new DeploymentBuilder()
                .withMetadata(named(name))
                .withNewSpec()
                .withReplicas(1)
                .withNewSelector()
                .addToMatchLabels("app", name)
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .addToLabels("app", name)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("main")
                .withImage("a")
                .withNewResources()
                .addToRequests("cpu", new Quantity(cpu))
                .endResources()
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }

    @Test
    void applyWhenResultWouldNotDifferSendsNothing() {
        List<String> writes = new ArrayList<>();
        Client counting = counting(writes);
        // 1000m comes back as 1, and the server adds dozens of defaults: neither is a difference.
        Deployment wanted = deployment("idle", "1000m");
        assertThat(outcome(counting, wanted)).isNotEqualTo(Outcome.UNCHANGED);
        await("a ready Deployment, whose status has changed many times")
                .atMost(TIME_LIMIT)
                .until(() -> Integer.valueOf(1)
                        .equals(client.get(Deployment.class, key("idle"))
                                .orElseThrow()
                                .getStatus()
                                .getReadyReplicas()));
        OperationResult<Deployment> idle =
                counting.applyWithOutcome(deployment("idle", "1000m"), ApplyOptions.defaults());
        assertThat(idle.outcome()).isEqualTo(Outcome.UNCHANGED);
        assertThat(idle.object().getStatus().getReadyReplicas()).isEqualTo(1);
        assertThat(writes).hasSize(1);

        client.scale().set(wanted, 3);
        OperationResult<Deployment> back = counting.applyWithOutcome(wanted, ApplyOptions.defaults());
        assertThat(back.outcome()).isNotEqualTo(Outcome.UNCHANGED);
        assertThat(back.object().getSpec().getReplicas()).isEqualTo(1);

        client.patch(wanted, ObjectPatch.merge(Map.of("metadata", Map.of("labels", Map.of("foreign", "1")))));
        assertThat(outcome(counting, wanted)).isEqualTo(Outcome.UNCHANGED);

        wanted.getSpec().setReplicas(2);
        assertThat(outcome(counting, wanted)).isNotEqualTo(Outcome.UNCHANGED);
        assertThat(outcome(counting, wanted)).isEqualTo(Outcome.UNCHANGED);
        assertThat(outcome(counting.withFieldManager("other"), wanted)).isNotEqualTo(Outcome.UNCHANGED);

        client.delete(wanted);
        await("end of the Deployment")
                .atMost(TIME_LIMIT)
                .until(() -> client.get(Deployment.class, key("idle")).isEmpty());
        assertThat(outcome(counting, wanted)).isNotEqualTo(Outcome.UNCHANGED);
        assertThat(client.get(Deployment.class, key("idle"))).isPresent();
    }

    private static Outcome outcome(Client by, Deployment wanted) {
        return by.applyWithOutcome(wanted, ApplyOptions.defaults()).outcome();
    }

    @Test
    void wrongTokenAndWrongAuthorityAreDistinguished() {
        Config token = kubernetes.serviceAccountConfig(namespace, "default");
        token.setOauthToken("not-a-token");
        try (ApiConnection wrong = ApiConnection.open(token)) {
            assertThatThrownBy(() -> wrong.awaitServer(Duration.ofSeconds(60)))
                    .isInstanceOf(ServerNotReadyException.class)
                    .hasCauseInstanceOf(UnauthorizedException.class);
        }
        Config authority = kubernetes.serviceAccountConfig(namespace, "default");
        authority.setCaCertData(null);
        try (ApiConnection wrong = ApiConnection.open(authority)) {
            assertThatThrownBy(() -> wrong.awaitServer(Duration.ofSeconds(60)))
                    .isInstanceOf(ServerNotReadyException.class)
                    .hasMessageContaining("check the CA certificate")
                    .satisfies(e -> assertThat(((ConnectionException) e.getCause()).problem())
                            .isEqualTo(ConnectionException.Problem.TLS));
        }
    }

    @Test
    void largeObjectsAndWatchesPassThroughTheConnection() throws Exception {
        try (ApiConnection connection = ApiConnection.open(kubernetes.config(), ConnectionOptions.defaults())) {
            connection.awaitServer(TIME_LIMIT);
            Client client = Client.create(connection, Scheme.create(), ClientOptions.defaults());
            client.applyUnconditionally(configMap("engine"), ApplyOptions.defaults());
            assertThatThrownBy(() -> client.create(configMap("engine"))).isInstanceOf(AlreadyExistsException.class);
            assertThat(client.list(Kind.of(ConfigMap.class), Selection.all())).isNotEmpty();
            client.applyUnconditionally(
                    new ConfigMapBuilder(configMap("large"))
                            .addToData("text", "x".repeat(500_000))
                            .build(),
                    ApplyOptions.defaults());
            assertThat(client.get(ConfigMap.class, key("large"))
                            .orElseThrow()
                            .getData()
                            .get("text"))
                    .hasSize(500_000);
            ConfigMap tooLarge = new ConfigMapBuilder(configMap("too-large"))
                    .addToData("text", "x".repeat(16 << 20))
                    .build();
            assertThatThrownBy(() -> client.create(tooLarge))
                    .isInstanceOfSatisfying(
                            ApiException.class, e -> assertThat(e.code()).isEqualTo(413));
            ApiRequest watch = ApiRequest.of("watch", "GET", "/api/v1/namespaces/" + namespace + "/configmaps")
                    .withQuery(Map.of("watch", List.of("1"), "timeoutSeconds", List.of("60")));
            try (ApiStream stream = connection.stream(watch)) {
                stream.idleTimeout(Duration.ofSeconds(30));
                client.create(configMap("watched"));
                StringBuilder seen = new StringBuilder();
                byte[] buffer = new byte[8192];
                while (!seen.toString().contains("watched")) {
                    int count = stream.read(buffer);
                    seen.append(new String(buffer, 0, count, StandardCharsets.UTF_8));
                }
            }
        }
    }

    @Test
    void requestWhenPermissionIsMissingNamesIt() {
        ApiConnection alice = ApiConnection.open(kubernetes.config("alice"));
        assertThatThrownBy(() -> Client.create(alice, Scheme.create(), ClientOptions.defaults())
                        .get(ConfigMap.class, key("any")))
                .isInstanceOf(ForbiddenException.class)
                .hasMessageContaining("get configmaps " + namespace + "/any")
                .hasMessageContaining("alice");
        alice.close();
    }
}
