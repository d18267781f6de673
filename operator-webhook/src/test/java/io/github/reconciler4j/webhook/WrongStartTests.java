package io.github.reconciler4j.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.RequestMatch;
import io.github.reconciler4j.webhook.fixtures.Widget;
import io.github.reconciler4j.webhook.fixtures.WidgetRules;
import io.github.reconciler4j.webhook.internal.Authority;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever is wrong with the webhooks, the rest of the operator runs, and the message names the cause and the fix. */
class WrongStartTests {

    private static final OwnCertificateOptions OWN =
            OwnCertificateOptions.defaults().withNamespace("default").withCheckInterval(Duration.ofMillis(50));

    private final AtomicBoolean others = new AtomicBoolean();
    private KubernetesServer kubernetes;
    private Manager manager;

    @TempDir
    private Path folder;

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

    private static WebhookServerOptions options() {
        return WebhookServerOptions.defaults()
                .withHost("127.0.0.1")
                .withPort(0)
                .withConfigurationName("widgets")
                .withUrl(URI.create("https://127.0.0.1:1"));
    }

    /** Starts the operator and returns what its status and the health of the webhooks say. */
    private String startWith(CertificateSource certificates, WebhookServerOptions options) {
        Webhooks webhooks =
                Webhooks.builder().validator(Widget.class, new WidgetRules()).build();
        WebhookServer server = WebhookServer.addTo(manager, webhooks, certificates, options);
        manager.add(new Other());
        manager.start();

        assertThat(manager.status().running()).isTrue();
        Awaitility.await().atMost(Duration.ofSeconds(30)).untilTrue(others);
        return manager.status() + " " + server.healthChecks().get(0).check().details();
    }

    @Test
    void rightToPatchConfigurationsWhenMissingIsReported() {
        WebhookConfigurations.of(
                        Webhooks.builder()
                                .validator(Widget.class, new WidgetRules())
                                .build(),
                        options())
                .forEach(configuration -> manager.client().create(configuration));
        kubernetes
                .faults()
                .add(FaultRule.of(
                        RequestMatch.verbs("patch").kind("ValidatingWebhookConfiguration"), Fault.forbidden()));

        assertThat(startWith(OwnCertificates.create(OWN), options()))
                .contains(
                        "The operator must not set the caBundle of ValidatingWebhookConfiguration widgets: grant get, patch on"
                                + " validatingwebhookconfigurations.admissionregistration.k8s.io widgets");
    }

    @Test
    void secretWhenOfAnotherOwnerIsReported() {
        manager.client()
                .create(new SecretBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName("widgets-webhook-ca")
                        .endMetadata()
                        .build());

        assertThat(startWith(OwnCertificates.create(OWN), options()))
                .contains("is not the one for webhooks of 'widgets'", "delete it, or choose another name");
    }

    @Test
    void fileWhenExpiredIsReported() throws Exception {
        Authority expired = Authority.create("expired", Instant.now().minusSeconds(7200), Duration.ofHours(1));
        Files.writeString(folder.resolve("tls.crt"), Authority.pem(List.of(expired.certificate())));
        Files.writeString(folder.resolve("tls.key"), Authority.pem(expired.key()));

        assertThat(startWith(FileCertificates.in(folder), options())).contains("tls.crt expired at");
    }

    @Test
    void portWhenInUseIsReported() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            assertThat(startWith(OwnCertificates.create(OWN), options().withPort(taken.getLocalPort())))
                    .contains("cannot listen on port " + taken.getLocalPort(), "reconciler4j.webhook.port");
        }
    }

    @Test
    void clockWhenFarOffIsReported() {
        Clock behind = Clock.offset(Clock.system(ZoneOffset.UTC), Duration.ofDays(-700));

        assertThat(startWith(OwnCertificates.create(OWN.withClock(behind)), options()))
                .contains("behind the clock of the API server", "correct the clock");
    }

    /** Stands for the controllers, which start after the webhooks. */
    private final class Other implements ManagedComponent {

        @Override
        public String name() {
            return "other";
        }

        @Override
        public void start() {
            others.set(true);
        }

        @Override
        public void stop(Duration grace) {}
    }
}
