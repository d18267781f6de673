package io.github.reconciler4j.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import io.github.reconciler4j.webhook.fixtures.Forwarder;
import io.github.reconciler4j.webhook.fixtures.Widget;
import io.github.reconciler4j.webhook.fixtures.WidgetRules;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Admissions on a real API server through rolls of the authority and its certificates, with two replicas of which one restarts.
 * The system property {@code webhook.rotations} sets the number of rolls, {@code webhook.rate} the admissions per second.
 */
@RealKubernetesTest
class CertificateRotationIntegrationTests {

    private static final int ROTATIONS = Integer.getInteger("webhook.rotations", 2);
    private static final int RATE = Integer.getInteger("webhook.rate", 20);
    private static final int USERS = 16;

    /** What expires is replaced more than six seconds before, which a busy machine may need. */
    private static final OwnCertificateOptions LIVES = OwnCertificateOptions.defaults()
            .withLives(Duration.ofSeconds(60), Duration.ofSeconds(20))
            .withPropagation(Duration.ofSeconds(4))
            .withCheckInterval(Duration.ofMillis(300));

    private final RealKubernetes kubernetes;
    private final String namespace;
    private final Forwarder service = new Forwarder();
    private final List<Manager> replicas = new ArrayList<>();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicInteger admitted = new AtomicInteger();
    private final Set<String> authorities = new HashSet<>();

    CertificateRotationIntegrationTests(RealKubernetes kubernetes) throws Exception {
        this.kubernetes = kubernetes;
        this.namespace = kubernetes.createNamespace("rotations");
    }

    private static Webhooks webhooks() {
        return Webhooks.builder()
                .defaulter(Widget.class, new WidgetRules.Defaults())
                .validator(Widget.class, new WidgetRules())
                .build();
    }

    private WebhookServerOptions options() {
        return WebhookServerOptions.defaults()
                .withConfigurationName("rotations")
                .withHost("127.0.0.1")
                .withPort(0)
                .withDrain(Duration.ofSeconds(5))
                .withUrl(URI.create("https://127.0.0.1:" + service.port()));
    }

    private WebhookServer startReplica() {
        Manager manager =
                Manager.create(kubernetes.config(), ManagerOptions.defaults().withName("rotations"));
        WebhookServer server = WebhookServer.addTo(
                manager, webhooks(), OwnCertificates.create(LIVES.withNamespace(namespace)), options());
        manager.start();
        replicas.add(manager);
        service.add(server.port());
        return server;
    }

    @AfterEach
    void stop() throws Exception {
        kubernetes.kubectl("delete", "validatingwebhookconfiguration,mutatingwebhookconfiguration", "rotations");
        replicas.forEach(Manager::stop);
        service.close();
    }

    @Test
    void admissionsWhenAuthorityAndCertificatesRollNeverFail() throws Exception {
        kubernetes.applyDefinitions(Widget.DEFINITION);
        WebhookConfigurations.of(webhooks(), options())
                .forEach(one -> kubernetes.kubectlWithInput(Serialization.asYaml(one), "apply", "-f", "-"));
        WebhookServer first = startReplica();
        startReplica();
        Client client = replicas.get(1).client();
        Awaitility.await("the first admission")
                .atMost(Duration.ofSeconds(60))
                .ignoreExceptions()
                .untilAsserted(() -> admit(client));

        long start = System.nanoTime();
        ScheduledExecutorService users = Executors.newScheduledThreadPool(USERS);
        for (int user = 0; user < USERS; user++) {
            users.scheduleAtFixedRate(
                    () -> attempt(client), user * 1_000_000L / RATE, USERS * 1_000_000L / RATE, TimeUnit.MICROSECONDS);
        }
        try {
            awaitAuthorities(client, 2);
            service.remove(first.port());
            replicas.remove(0).stop();
            startReplica();
            awaitAuthorities(client, ROTATIONS + 1);
        } finally {
            users.shutdown();
            users.awaitTermination(30, TimeUnit.SECONDS);
        }

        System.out.printf(
                "%d admissions in %d s, %d failed, %d authorities%n",
                admitted.get(), (System.nanoTime() - start) / 1_000_000_000, failures.size(), authorities.size());
        assertThat(failures).isEmpty();
        assertThat(admitted).hasValueGreaterThan(ROTATIONS * 10 * RATE / 2);
    }

    private void awaitAuthorities(Client client, int count) {
        Awaitility.await()
                .atMost(Duration.ofMinutes(10))
                .pollInterval(Duration.ofMillis(500))
                .untilAsserted(() -> {
                    authorities.add(client.live()
                            .get(Secret.class, namespace, "rotations-webhook-ca")
                            .orElseThrow()
                            .getData()
                            .get("tls.crt"));
                    assertThat(authorities).hasSizeGreaterThanOrEqualTo(count);
                });
    }

    private void attempt(Client client) {
        try {
            admit(client);
            admitted.incrementAndGet();
        } catch (RuntimeException | AssertionError e) {
            failures.add(String.valueOf(e.getMessage()));
        }
    }

    private void admit(Client client) {
        Widget created = client.create(
                Widget.of(namespace, "w", "web"), WriteOptions.defaults().asDryRun());
        assertThat(created.getSpec().replicas).isEqualTo(1);
    }
}
