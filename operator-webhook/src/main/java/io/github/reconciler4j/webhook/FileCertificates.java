package io.github.reconciler4j.webhook;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.manager.ComponentNotReadyException;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.Threads;
import io.github.reconciler4j.webhook.internal.Authority;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
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
 * @since 0.1.0
 */
public final class FileCertificates implements CertificateSource {

    private static final String CERTIFICATE = "tls.crt";
    private static final String KEY = "tls.key";
    private static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(10);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);
    private static final Logger LOG = LoggerFactory.getLogger(FileCertificates.class);

    private final Path folder;
    private final Duration interval;
    private final LogLimiter warnings = new LogLimiter();
    private final ReentrantLock lock = new ReentrantLock();
    private volatile String problem = "";

    @GuardedBy("lock")
    private @Nullable Checks checks;

    private FileCertificates(Path folder, Duration interval) {
        this.folder = folder;
        this.interval = interval;
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
        lock.lock();
        try {
            checks = started;
        } finally {
            lock.unlock();
        }
        started.thread.start();
    }

    @Override
    public void stop() {
        Checks running;
        lock.lock();
        try {
            running = checks;
            checks = null;
        } finally {
            lock.unlock();
        }
        if (running != null) {
            running.stopped.countDown();
            Threads.join(running.thread, STOP_TIMEOUT);
        }
    }

    @Override
    public Map<String, Object> details() {
        String current = problem;
        return current.isEmpty() ? Map.of() : Map.of("problems", List.of(current));
    }

    /** The checks for one start of the server. */
    private final class Checks {
        private final Server server;
        private final CountDownLatch stopped = new CountDownLatch(1);
        private final Thread thread = Threads.daemon("webhook-certificates", this::repeat);
        private @Nullable X509Certificate used;

        Checks(Server server) {
            this.server = server;
        }

        private void repeat() {
            try {
                while (!stopped.await(interval.toMillis(), TimeUnit.MILLISECONDS)) {
                    try {
                        check();
                    } catch (Throwable e) {
                        String message = String.valueOf(e.getMessage());
                        problem = message;
                        warnings.log(message, occurrence -> LOG.warn("{}{}", message, occurrence.suffix()));
                    }
                }
            } catch (InterruptedException e) {
                // stopped
            }
        }

        void check() throws ComponentNotReadyException {
            try {
                List<X509Certificate> chain = Authority.certificates(Files.readString(folder.resolve(CERTIFICATE)));
                PrivateKey key = Authority.privateKey(Files.readString(folder.resolve(KEY)));
                if (!Authority.belong(key, chain.get(0))) {
                    throw new GeneralSecurityException(KEY + " does not belong to " + CERTIFICATE);
                }
                Instant expires = chain.get(0).getNotAfter().toInstant();
                if (expires.isBefore(Instant.now())) {
                    throw new GeneralSecurityException(CERTIFICATE + " expired at " + expires);
                }
                if (!chain.get(0).equals(used)) {
                    server.use(ServerCertificate.of(key, chain));
                    used = chain.get(0);
                }
                problem = "";
            } catch (IOException | GeneralSecurityException e) {
                throw new ComponentNotReadyException(
                        "The certificate of the webhook server in the folder " + folder + " cannot be used ("
                                + (e instanceof IOException ? "cannot read " : "") + e.getMessage()
                                + "): check what writes the files, such as a Certificate of cert-manager",
                        e);
            }
        }
    }
}
