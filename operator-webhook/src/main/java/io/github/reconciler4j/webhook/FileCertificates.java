package io.github.reconciler4j.webhook;

import io.github.reconciler4j.manager.ComponentNotReadyException;
import io.github.reconciler4j.metrics.OperatorMetrics.Counter;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.webhook.internal.Authority;
import io.github.reconciler4j.webhook.internal.PeriodicChecks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the certificate of a webhook server from {@code tls.crt} and {@code tls.key} in a folder, such as a mounted Secret of
 * cert-manager, and follows changes. A key that does not belong to the certificate is never used: if the files change between
 * two reads, the next check reads them again. Something else has to set the {@code caBundle}.
 *
 * <p>Thread-safe.
 *
 * <!-- snippet: WebhookUse -->
 * <pre>{@code
 * FileCertificates certificates = FileCertificates.in(Path.of("/etc/webhook")); // of cert-manager
 * return WebhookServer.addTo(manager, webhooks, certificates, server());
 * }</pre>
 *
 * @since 0.1.0
 */
public final class FileCertificates implements CertificateSource {

    private static final String CERTIFICATE = "tls.crt";
    private static final String KEY = "tls.key";
    private static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(10);
    private static final Logger LOG = LoggerFactory.getLogger(FileCertificates.class);

    private final Path folder;
    private final LogLimiter warnings = new LogLimiter();
    private final PeriodicChecks checks;
    private volatile String problem = "";

    private FileCertificates(Path folder, Duration interval) {
        this.folder = folder;
        this.checks = new PeriodicChecks("webhook-certificates", interval);
    }

    /** Create a source that looks for changes every 10 seconds. */
    public static FileCertificates in(Path folder) {
        return in(folder, DEFAULT_INTERVAL);
    }

    /** Create a source that looks for changes at the given interval. */
    public static FileCertificates in(Path folder, Duration interval) {
        return new FileCertificates(folder, interval);
    }

    @Override
    public void start(Server server) throws ComponentNotReadyException {
        Checks started = new Checks(server);
        started.check();
        checks.start(started::check, this::report);
    }

    private void report(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        problem = message;
        warnings.log(message, occurrence -> LOG.warn("{}{}", message, occurrence.suffix()));
    }

    @Override
    public void stop() {
        checks.stop();
    }

    @Override
    public Map<String, Object> details() {
        String current = problem;
        return current.isEmpty() ? Map.of() : Map.of("problems", List.of(current));
    }

    /** The checks for one start of the server. */
    private final class Checks {
        private final Server server;
        private @Nullable X509Certificate used;

        private final Counter reads;
        private final Counter errors;

        Checks(Server server) {
            this.server = server;
            reads = server.metrics().counter("certwatcher_read_certificate_total", "Reads of certificate files");
            errors = server.metrics()
                    .counter("certwatcher_read_certificate_errors_total", "Reads of certificate files that failed");
        }

        void check() throws ComponentNotReadyException {
            reads.increment();
            try {
                List<X509Certificate> chain = Authority.certificates(Files.readString(folder.resolve(CERTIFICATE)));
                PrivateKey key = Authority.privateKey(Files.readString(folder.resolve(KEY)));
                if (!Authority.belong(key, chain.get(0))) {
                    throw new GeneralSecurityException(KEY + " does not belong to " + CERTIFICATE);
                }
                Instant expires = chain.get(0).getNotAfter().toInstant();
                if (expires.isBefore(TimeSource.system().instant())) {
                    throw new GeneralSecurityException(CERTIFICATE + " expired at " + expires);
                }
                if (!chain.get(0).equals(used)) {
                    server.use(ServerCertificate.of(key, chain));
                    used = chain.get(0);
                }
                problem = "";
            } catch (IOException | GeneralSecurityException e) {
                errors.increment();
                throw new ComponentNotReadyException(
                        "The certificate of the webhook server in the folder " + folder + " cannot be used ("
                                + (e instanceof IOException ? "cannot read " : "") + e.getMessage()
                                + "): check what writes the files, such as a Certificate of cert-manager (R4J-412)",
                        e);
            }
        }
    }
}
