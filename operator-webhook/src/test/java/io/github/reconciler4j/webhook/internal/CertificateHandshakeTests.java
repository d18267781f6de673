package io.github.reconciler4j.webhook.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.manager.ComponentNotReadyException;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.webhook.ServerCertificate;
import io.github.reconciler4j.webhook.WebhookConfigurations;
import io.github.reconciler4j.webhook.WebhookServerOptions;
import io.github.reconciler4j.webhook.Webhooks;
import io.github.reconciler4j.webhook.fixtures.Widget;
import io.github.reconciler4j.webhook.fixtures.WidgetRules;
import io.github.reconciler4j.webhook.internal.CertificateCycle.StoredAuthority;
import java.net.URI;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.CertPathTrustManagerParameters;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Handshakes of TLS with replicas in virtual time, by clients that trust exactly what a configuration on an API server contains,
 * or contained shortly before, as API servers learn of changes late.
 */
class CertificateHandshakeTests {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration AUTHORITY = Duration.ofSeconds(900);
    private static final Duration CERTIFICATE = Duration.ofSeconds(240);
    private static final int PROPAGATION = 40;
    private static final int INTERVAL = 10;
    private static final AuthorityState.Rules RULES =
            new AuthorityState.Rules("ca", AUTHORITY, CERTIFICATE, Duration.ofSeconds(PROPAGATION));
    private static final ObjectKey SECRET = new ObjectKey("default", "widgets-webhook-ca");
    private static final String HOST = "127.0.0.1";
    private static final int ROUNDS = 100;

    private final Webhooks webhooks = Webhooks.builder()
            .defaulter(Widget.class, new WidgetRules.Defaults())
            .validator(Widget.class, new WidgetRules())
            .build();

    /** The bundles of both configurations, by the second since when they are published. */
    private final TreeMap<Integer, List<String>> published = new TreeMap<>();

    private final Set<X509Certificate> issuers = new HashSet<>();
    private int second;
    private int handshakes;
    private KubernetesServer kubernetes;
    private Manager manager;
    private Client client;

    @BeforeEach
    void start() {
        kubernetes = KubernetesServer.start();
        manager = Manager.create(
                kubernetes.clientConfig(), ManagerOptions.defaults().withName("widgets"));
        client = manager.client();
        WebhookServerOptions options = WebhookServerOptions.defaults()
                .withConfigurationName("widgets")
                .withUrl(URI.create("https://" + HOST + ":1"));
        WebhookConfigurations.of(webhooks, options).forEach(client::create);
    }

    @AfterEach
    void stop() {
        manager.close();
        kubernetes.close();
    }

    @Test
    void handshakesWhenTheAuthorityRollsAndReplicasRestartSucceed() throws Exception {
        Replica first = new Replica();
        Replica second = new Replica();
        for (int at = 0; at < 1_000; at += INTERVAL) {
            if (at > 600 && at % 50 == 0) {
                first = new Replica();
            }
            step(at, first, second);
            assertThat(first.certificate).as("second %d", at).isNotNull();
        }

        assertThat(issuers).as("authorities that have issued a certificate").hasSize(2);
        assertThat(handshakes).isGreaterThan(700);
    }

    /** One configuration gets the new authority late, when the replica has no certificate of the old one any longer. */
    @Test
    void handshakesWhenOneConfigurationIsLateAndTheReplicaRestartsSucceed() throws Exception {
        Replica replica = new Replica();
        step(0, replica);
        String old = bundles().get(1);

        AuthorityState other = AuthorityState.create(RULES, START);
        client.update(client.live()
                .get(Secret.class, SECRET)
                .orElseThrow()
                .edit()
                .withData(encoded(other.data()))
                .build());
        step(100, replica);
        setBundle(old);
        published.put(115, bundles());
        step(120, replica); // publishes it again
        for (int at = 135; at < 300; at += 5) {
            replica = at == 135 ? new Replica() : replica;
            step(at, replica);
        }

        assertThat(issuers).contains(other.current().certificate()).hasSize(2);
        assertThat(replica.certificate).isNotNull();
        assertThat(handshakes).isGreaterThan(100);
    }

    private static Map<String, String> encoded(Map<String, String> data) {
        return data.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        entry -> Base64.getEncoder()
                                .encodeToString(entry.getValue().getBytes(UTF_8))));
    }

    private void setBundle(String bundle) {
        ValidatingWebhookConfiguration configuration = get(ValidatingWebhookConfiguration.class);
        configuration.getWebhooks().forEach(webhook -> webhook.getClientConfig().setCaBundle(bundle));
        client.update(configuration);
    }

    private <T extends HasMetadata> T get(Class<T> type) {
        return client.live().get(type, new ObjectKey("", "widgets")).orElseThrow();
    }

    private List<String> bundles() {
        return Stream.of(
                        get(MutatingWebhookConfiguration.class)
                                .getWebhooks()
                                .get(0)
                                .getClientConfig(),
                        get(ValidatingWebhookConfiguration.class)
                                .getWebhooks()
                                .get(0)
                                .getClientConfig())
                .map(config -> Objects.requireNonNullElse(config.getCaBundle(), ""))
                .toList();
    }

    /** Lets replicas check, and then API servers connect that know what is published now, or was as long ago as is allowed. */
    private void step(int at, Replica... replicas) throws Exception {
        second = at;
        for (Replica replica : replicas) {
            published.put(at, bundles());
            replica.check();
        }
        published.put(at, bundles());
        for (Replica replica : replicas) {
            for (int delay : List.of(0, PROPAGATION - 1)) {
                for (String bundle :
                        published.floorEntry(Math.max(0, at - delay)).getValue()) {
                    if (replica.certificate != null && !bundle.isEmpty()) {
                        handshake(replica.certificate, bundle);
                    }
                }
            }
        }
    }

    private void handshake(ServerCertificate certificate, String bundle) throws Exception {
        handshakes++;
        try {
            handshake(certificate.context(), trusting(bundle));
        } catch (SSLException e) {
            throw new AssertionError("No handshake in second " + second + ": " + e.getMessage(), e);
        }
    }

    private SSLContext trusting(String bundle) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        for (X509Certificate one :
                Authority.certificates(new String(Base64.getDecoder().decode(bundle), UTF_8))) {
            store.setCertificateEntry(String.valueOf(store.size()), one);
        }
        PKIXBuilderParameters parameters = new PKIXBuilderParameters(store, new X509CertSelector());
        parameters.setRevocationEnabled(false);
        parameters.setDate(Date.from(now()));
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(new CertPathTrustManagerParameters(parameters));
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    private static void handshake(SSLContext server, SSLContext client) throws SSLException {
        SSLEngine there = client.createSSLEngine(HOST, 443);
        there.setUseClientMode(true);
        SSLParameters parameters = there.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        there.setSSLParameters(parameters);
        SSLEngine here = server.createSSLEngine();
        here.setUseClientMode(false);
        int size = 2 * there.getSession().getPacketBufferSize();
        ByteBuffer toServer = ByteBuffer.allocate(size);
        ByteBuffer toClient = ByteBuffer.allocate(size);
        there.beginHandshake();
        here.beginHandshake();
        int rounds = 0;
        while (isInHandshake(there) || isInHandshake(here)) {
            advance(there, toClient, toServer);
            advance(here, toServer, toClient);
            assertThat(rounds++).as("rounds").isLessThan(ROUNDS);
        }
    }

    private static boolean isInHandshake(SSLEngine engine) {
        return engine.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING;
    }

    private static void advance(SSLEngine engine, ByteBuffer in, ByteBuffer out) throws SSLException {
        switch (engine.getHandshakeStatus()) {
            case NEED_TASK -> {
                for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
                    task.run();
                }
            }
            case NEED_WRAP -> engine.wrap(ByteBuffer.allocate(0), out);
            case NEED_UNWRAP -> {
                in.flip();
                engine.unwrap(in, ByteBuffer.allocate(engine.getSession().getApplicationBufferSize()));
                in.compact();
            }
            default -> {}
        }
    }

    private Instant now() {
        return START.plusSeconds(second);
    }

    private final class Replica implements TimeSource, CertificateCycle.Store {
        private final AuthoritySecret secret = new AuthoritySecret(client, SECRET, "widgets");
        private final CertificateCycle cycle =
                new CertificateCycle(this, new TrustBundles(client, webhooks, "widgets"), this::use, RULES, this, this);
        private ServerCertificate certificate;

        private Instant use(Authority authority, Instant now) throws GeneralSecurityException {
            issuers.add(authority.certificate());
            certificate = authority.issue(List.of(HOST), now, CERTIFICATE);
            return certificate.certificate().getNotAfter().toInstant();
        }

        void check() throws GeneralSecurityException {
            List<String> problems = new ArrayList<>();
            try {
                problems.addAll(cycle.check());
            } catch (ComponentNotReadyException e) {
                assertThat(e).hasMessageContaining("API servers learn of the new certificate authority first");
            }
            assertThat(problems).isEmpty();
        }

        @Override
        public long nanoTime() {
            return second * 1_000_000_000L;
        }

        @Override
        public Instant instant() {
            return now();
        }

        @Override
        public StoredAuthority readOrCreate(CertificateCycle.Initial initial)
                throws ComponentNotReadyException, GeneralSecurityException {
            return secret.readOrCreate(initial);
        }

        @Override
        public Optional<StoredAuthority> replace(StoredAuthority stored, AuthorityState state)
                throws GeneralSecurityException {
            return secret.replace(stored, state);
        }

        @Override
        public void compareClocks(Instant now) {} // the server has the time of the machine
    }
}
