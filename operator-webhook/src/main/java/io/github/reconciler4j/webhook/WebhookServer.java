package io.github.reconciler4j.webhook;

import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.health.HealthCheck;
import io.github.reconciler4j.manager.ComponentNotReadyException;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.StartGroup;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.support.internal.ConnectionListener;
import io.github.reconciler4j.webhook.internal.Dispatcher;
import io.github.reconciler4j.webhook.internal.HttpExchange;
import io.github.reconciler4j.webhook.internal.Installation;
import io.github.reconciler4j.webhook.internal.InstallationAttempts;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves {@link Webhooks} on a TLS port of its own, on every replica. It starts before the caches, since listing a kind can
 * require its conversion, and stops after them. A replica that converts objects is ready as soon as it does, and does not wait
 * for its caches: the API server connects to ready replicas only.
 *
 * <p>If it cannot start, because there is no certificate or the port is in use, the rest of the operator runs and the manager
 * tries again. If it applies its configurations and cannot, for instance because a definition is missing, it serves and tries
 * again. Thread-safe.
 *
 * <!-- snippet: WebhookUse -->
 * <pre>{@code
 * FileCertificates certificates = FileCertificates.in(Path.of("/etc/webhook")); // of cert-manager
 * return WebhookServer.addTo(manager, webhooks, certificates, server());
 * }</pre>
 *
 * @since 0.1.0
 */
public final class WebhookServer implements ManagedComponent {

    private static final String NAME = "webhook-server";
    private static final long POLL_NANOS = 20_000_000;

    /** How long a stop waits for a moment in which no client connects. */
    private static final Duration QUIET = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(WebhookServer.class);

    private final Manager manager;
    private final Webhooks webhooks;
    private final CertificateSource certificates;
    private final WebhookServerOptions options;
    private final CertificateSource.Server self = new ServerHandle();
    private final InstallationAttempts installation;

    /** Set and cleared by start and stop, which are never called concurrently. */
    private volatile @Nullable ConnectionListener listener;

    private volatile @Nullable Dispatcher dispatcher;
    private volatile @Nullable ServerCertificate certificate;
    private volatile boolean draining;

    private WebhookServer(
            Manager manager, Webhooks webhooks, CertificateSource certificates, WebhookServerOptions options) {
        this.manager = manager;
        this.webhooks = webhooks;
        this.certificates = certificates;
        this.options = options;
        this.installation = new InstallationAttempts(
                new Installation(webhooks, options), manager.options().timeSource());
    }

    /**
     * Create a server and add it to a manager.
     *
     * @throws IllegalArgumentException if there are no webhooks, if the options name neither a Service nor a URL, or if the
     *     manager has a webhook server
     * @throws IllegalStateException if the manager is stopping or has stopped
     */
    public static WebhookServer addTo(
            Manager manager, Webhooks webhooks, CertificateSource certificates, WebhookServerOptions options) {
        if (webhooks.isEmpty()) {
            throw new IllegalArgumentException("'webhooks' must not be empty");
        }
        if (options.service().isEmpty() && options.url().isEmpty()) {
            throw new IllegalArgumentException(
                    "The options of the webhook server must name a Service, or a URL outside of a cluster");
        }
        WebhookServerOptions named = options.configurationName().isEmpty()
                ? options.withConfigurationName(manager.options().name())
                : options;
        WebhookServer server = new WebhookServer(manager, webhooks, certificates, named);
        manager.add(server);
        return server;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public StartGroup group() {
        return StartGroup.WEBHOOKS;
    }

    @Override
    public List<RequiredPermission> requiredPermissions() {
        List<RequiredPermission> permissions = new ArrayList<>(certificates.requiredPermissions(self));
        if (options.apply()) {
            permissions.addAll(new Installation(webhooks, options).requiredPermissions());
        }
        return permissions.stream().distinct().toList();
    }

    @Override
    public boolean servesBeforeCaches() {
        return !webhooks.conversions().isEmpty();
    }

    @Override
    public List<HealthCheck> healthChecks() {
        return List.of(new Check());
    }

    /** Return the options. The name of the configurations is set. */
    public WebhookServerOptions options() {
        return options;
    }

    /** Return the webhooks. */
    public Webhooks webhooks() {
        return webhooks;
    }

    /** Return the port that the server listens on, 0 if it does not. */
    public int port() {
        ConnectionListener running = listener;
        return running == null ? 0 : running.port();
    }

    @Override
    public void start() throws Exception {
        Dispatcher calls =
                new Dispatcher(webhooks.endpoints(), manager.options().metrics(), options.virtualThreads());
        try {
            if (options.apply()) {
                installation.attempt(manager.client());
            }
            certificates.start(self);
            if (certificate == null) {
                throw new ComponentNotReadyException("The webhook server has no certificate yet");
            }
            listener = listen(calls);
            dispatcher = calls;
            draining = false;
        } catch (Exception | Error e) {
            certificates.stop();
            calls.close();
            throw e;
        }
        LOG.info(
                "Serving webhooks {} on port {}",
                webhooks.endpoints().stream().map(one -> one.path()).toList(),
                port());
        if (options.apply()) {
            installation.repeat(manager.client());
        }
    }

    private ConnectionListener listen(Dispatcher calls) throws ComponentNotReadyException {
        InetSocketAddress address = options.host().isEmpty()
                ? new InetSocketAddress(options.port())
                : new InetSocketAddress(options.host(), options.port());
        try {
            return ConnectionListener.open(
                    HttpExchange.settings(address, options.maxConnections(), options.virtualThreads()),
                    new HttpExchange(calls, this::context),
                    e -> manager.fail(NAME, e));
        } catch (IOException e) {
            throw new ComponentNotReadyException(
                    "The webhook server cannot listen on port " + options.port() + " of "
                            + (options.host().isEmpty() ? "all addresses" : options.host()) + " (" + e.getMessage()
                            + "): end the program that uses the port, or choose another port with the property"
                            + " reconciler4j.webhook.port (WebhookServerOptions.withPort) and as target port of the Service (R4J-422)",
                    e);
        }
    }

    private SSLContext context() {
        return Objects.requireNonNull(certificate).context();
    }

    @Override
    public void stop(Duration grace) {
        ConnectionListener running = listener;
        Dispatcher calls = dispatcher;
        if (running == null || calls == null) {
            return;
        }
        installation.stop();
        TimeSource time = TimeSource.system();
        long end = time.nanoTime() + (grace.isNegative() ? Nanos.MAX : Nanos.of(grace));
        draining = true;
        running.drain();
        try {
            time.sleep(Math.min(Nanos.of(options.drain()), end - time.nanoTime()));
            running.awaitQuiet(shorter(QUIET, end));
            running.stopAccepting();
            while (running.isExpecting() && end - time.nanoTime() > 0) {
                time.sleep(POLL_NANOS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        running.close();
        calls.close();
        certificates.stop();
        listener = null;
        dispatcher = null;
    }

    private static Duration shorter(Duration limit, long end) {
        Duration left = Duration.ofNanos(Math.max(0, end - TimeSource.system().nanoTime()));
        return left.compareTo(limit) < 0 ? left : limit;
    }

    private final class ServerHandle implements CertificateSource.Server {

        @Override
        public List<String> hosts() {
            return options.service()
                    .map(service -> List.of(
                            service.host(),
                            service.host() + ".cluster.local",
                            service.name() + "." + service.namespace(),
                            service.name()))
                    .orElseGet(() -> List.of(options.url().orElseThrow().getHost()));
        }

        @Override
        public WebhookServerOptions options() {
            return options;
        }

        @Override
        public Client client() {
            return manager.client();
        }

        @Override
        public Webhooks webhooks() {
            return webhooks;
        }

        @Override
        public OperatorMetrics metrics() {
            return manager.options().metrics();
        }

        @Override
        public void use(ServerCertificate next) {
            certificate = next;
            LOG.info(
                    "The webhook server uses a certificate of '{}' that is valid until {}",
                    next.certificate().getIssuerX500Principal().getName(),
                    next.certificate().getNotAfter().toInstant());
        }
    }

    private final class Check implements HealthCheck {

        @Override
        public String name() {
            return NAME;
        }

        @Override
        public Health check() {
            Map<String, Object> details = new LinkedHashMap<>(certificates.details());
            ConnectionListener running = listener;
            ServerCertificate current = certificate;
            Dispatcher calls = dispatcher;
            List<String> notApplied = options.apply() ? installation.problems() : List.of();
            if (!notApplied.isEmpty()) {
                details.put("notApplied", notApplied);
            }
            boolean ready = running != null && current != null && !draining;
            if (running != null) {
                details.put("port", running.port());
                details.put("connections", running.connections());
            }
            Map<String, Integer> overdue = calls == null ? Map.of() : calls.overdue();
            if (!overdue.isEmpty()) {
                details.put("callsThatIgnoreTheirInterrupt", overdue);
            }
            if (current != null) {
                Instant expires = current.certificate().getNotAfter().toInstant();
                details.put("certificateExpires", expires.toString());
                ready &= TimeSource.system().instant().isBefore(expires);
            }
            return new Health(true, ready, details);
        }
    }
}
