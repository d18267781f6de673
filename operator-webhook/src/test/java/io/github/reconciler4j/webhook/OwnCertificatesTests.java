package io.github.reconciler4j.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.github.reconciler4j.manager.ComponentNotReadyException;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.webhook.fixtures.Widget;
import io.github.reconciler4j.webhook.fixtures.WidgetRules;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OwnCertificatesTests {

    private static final WebhookServerOptions OPTIONS = WebhookServerOptions.defaults()
            .withHost("127.0.0.1")
            .withPort(0)
            .withConfigurationName("widgets")
            .withUrl(URI.create("https://127.0.0.1:1"));
    private static final OwnCertificateOptions CERTIFICATES =
            OwnCertificateOptions.defaults().withNamespace("default").withCheckInterval(Duration.ofMillis(50));

    private KubernetesServer kubernetes;
    private Manager manager;

    @BeforeEach
    void start() {
        kubernetes = KubernetesServer.start();
        manager = Manager.create(
                kubernetes.clientConfig(), ManagerOptions.defaults().withName("widgets"));
    }

    @AfterEach
    void stop() {
        manager.close();
        kubernetes.close();
    }

    private static Webhooks webhooks() {
        return Webhooks.builder().validator(Widget.class, new WidgetRules()).build();
    }

    private static WebhookServer server(Manager manager, OwnCertificateOptions options) {
        return WebhookServer.addTo(manager, webhooks(), OwnCertificates.create(options), OPTIONS);
    }

    private Secret secret() {
        Optional<Secret> secret = manager.client().live().get(Secret.class, "default", "widgets-webhook-ca");
        assertThat(secret).isPresent();
        return secret.get();
    }

    private String bundle() {
        return manager.client()
                .live()
                .get(ValidatingWebhookConfiguration.class, ObjectKey.ofName("widgets"))
                .orElseThrow()
                .getWebhooks()
                .get(0)
                .getClientConfig()
                .getCaBundle();
    }

    private static Object problems(WebhookServer server) {
        return server.healthChecks().get(0).check().details().get("problems");
    }

    @Test
    void authorityWhenMissingIsCreatedAndAppliedToConfigurationsThatAppearLater() throws Exception {
        WebhookServer server = server(manager, CERTIFICATES);
        server.start();

        assertThat(problems(server).toString()).contains("ValidatingWebhookConfiguration widgets does not exist");
        WebhookConfigurations.of(webhooks(), OPTIONS).forEach(manager.client()::create);

        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(
                        () -> assertThat(bundle()).isEqualTo(secret().getData().get("ca.crt")));
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(problems(server)).isNull());
        assertThat(server.healthChecks().get(0).check().ready()).isTrue();
        server.stop(Duration.ZERO);
    }

    @Test
    void replicasWhenStartedTogetherShareOneAuthority() throws Exception {
        try (Manager other = Manager.create(
                kubernetes.clientConfig(), ManagerOptions.defaults().withName("widgets"))) {
            WebhookServer second = server(other, CERTIFICATES);
            WebhookServer first = server(manager, CERTIFICATES);
            first.start();
            second.start();

            assertThat(first.healthChecks().get(0).check().details().get("authorityExpires"))
                    .isEqualTo(second.healthChecks().get(0).check().details().get("authorityExpires"));
            first.stop(Duration.ZERO);
            second.stop(Duration.ZERO);
        }
    }

    @Test
    void secretWhenDeletedIsRestoredWithTheSameAuthority() throws Exception {
        WebhookServer server = server(manager, CERTIFICATES);
        server.start();
        Secret before = secret();

        manager.client().delete(before);

        Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            assertThat(secret().getMetadata().getUid())
                    .isNotEqualTo(before.getMetadata().getUid());
            assertThat(secret().getData()).isEqualTo(before.getData());
        });
        server.stop(Duration.ZERO);
    }

    @Test
    void secretWhenOfAnotherOwnerIsNotTouched() {
        manager.client()
                .create(new SecretBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName("widgets-webhook-ca")
                        .endMetadata()
                        .build());

        assertThatThrownBy(() -> server(manager, CERTIFICATES).start())
                .isInstanceOf(ComponentNotReadyException.class)
                .hasMessageContaining("The Secret default/widgets-webhook-ca exists, but is not the one for webhooks")
                .hasMessageContaining("delete it, or choose another name");
    }

    @Test
    void secretWhenDamagedIsNamed() throws Exception {
        WebhookServer server = server(manager, CERTIFICATES);
        server.start();
        server.stop(Duration.ZERO);
        Secret secret = secret();
        secret.getData().put("tls.key", Base64.getEncoder().encodeToString("x".getBytes()));
        manager.client().update(secret);

        assertThatThrownBy(server::start)
                .isInstanceOf(ComponentNotReadyException.class)
                .hasMessageContaining("is damaged")
                .hasMessageContaining("delete the Secret");
    }

    @Test
    void clockWhenFarOffIsReportedBeforeAnythingIsIssued() {
        Clock ahead = Clock.offset(Clock.system(ZoneOffset.UTC), Duration.ofDays(700));

        assertThatThrownBy(() -> server(manager, CERTIFICATES.withClock(ahead)).start())
                .isInstanceOf(ComponentNotReadyException.class)
                .hasMessageContaining("ahead of the clock of the API server")
                .hasMessageContaining("correct the clock");
        assertThat(manager.client().live().get(Secret.class, "default", "widgets-webhook-ca"))
                .isEmpty();
    }

    @Test
    void portWhenInUseIsReportedAndTheManagerRuns() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, java.net.InetAddress.getByName("127.0.0.1"))) {
            WebhookServer.addTo(
                    manager, webhooks(), OwnCertificates.create(CERTIFICATES), OPTIONS.withPort(taken.getLocalPort()));
            manager.start();

            assertThat(manager.status().running()).isTrue();
            assertThat(manager.status().toString())
                    .contains("cannot listen on port " + taken.getLocalPort())
                    .contains("choose another port");
        }
    }

    @Test
    void permissionsWhenRequiredAreLimitedToTheObjects() {
        List<String> permissions = server(manager, CERTIFICATES).requiredPermissions().stream()
                .map(RequiredPermission::toString)
                .toList();

        assertThat(permissions)
                .containsExactlyInAnyOrder(
                        "get, patch on validatingwebhookconfigurations.admissionregistration.k8s.io widgets",
                        "create on secrets in default",
                        "get, update on secrets widgets-webhook-ca in default");
    }
}
