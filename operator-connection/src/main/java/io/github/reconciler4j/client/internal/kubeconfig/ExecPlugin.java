package io.github.reconciler4j.client.internal.kubeconfig;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.support.KubernetesJson;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.support.internal.RequestBound;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A command that prints credentials, as the exec plug-ins of client-go. It runs when the first request is sent, when its credential
 * has expired, and when the server rejects it; never twice at a time. All requests wait for it.
 *
 * <p>Neither a command that fails nor a server that rejects everything makes it run without a pause: a failure is the answer to all
 * requests of the next second, and a credential that follows a rejected one and is rejected too stays for 10 seconds. Credentials that
 * are accepted once and then rejected make it run four times at once, and every 10 seconds after that.
 */
final class ExecPlugin implements RenewableCredentials {

    private static final long RETRY = TimeUnit.SECONDS.toNanos(1);
    private static final long RENEWAL = TimeUnit.SECONDS.toNanos(10);
    private static final int RENEWALS = 4;

    private final ExecSettings settings;
    private final TimeSource time;
    private final ReentrantLock lock = new ReentrantLock();

    private volatile @Nullable Issued issued;

    @GuardedBy("lock")
    private @Nullable CredentialsException failure;

    @GuardedBy("lock")
    private long failedAt;

    /** Bounds the runs after rejections. */
    @GuardedBy("lock")
    private final RequestBound renewals;

    ExecPlugin(ExecSettings settings, TimeSource time) {
        this.settings = settings;
        this.time = time;
        this.renewals = new RequestBound(RENEWALS, RENEWAL, time.nanoTime());
    }

    @Override
    public boolean mayHaveCertificate() {
        return true;
    }

    @Override
    public Credential current() throws InterruptedException {
        Issued known = issued;
        return known != null && known.isUsable(time) ? known.credential : next(known, false);
    }

    @Override
    public @Nullable Credential renew(Credential rejected) throws InterruptedException {
        Issued known = issued;
        if (known == null || known.credential != rejected) {
            return current();
        }
        boolean isRepeated = known.followsRejected && !known.isAccepted;
        if (isRepeated && time.nanoTime() - known.since < RENEWAL) {
            return null;
        }
        return next(known, true);
    }

    @Override
    public void accepted(Credential credential) {
        Issued known = issued;
        if (known != null && known.credential == credential && !known.isAccepted) {
            known.isAccepted = true;
        }
    }

    /** Return the credential after one that is of no use anymore. */
    private Credential next(@Nullable Issued outdated, boolean isRejected) throws InterruptedException {
        long arrived = time.nanoTime();
        if (!lock.tryLock(settings.timeout().toNanos() + RENEWAL, TimeUnit.NANOSECONDS)) {
            throw new CredentialsException(settings.name() + " is still running for other requests");
        }
        try {
            Issued known = issued;
            if (known != null && known != outdated && known.isUsable(time)) {
                return known.credential;
            }
            if (isRejected && known != null && renewals.nanosUntilNext(arrived) > 0) {
                return known.credential;
            }
            if (failure != null && (failedAt - arrived > 0 || arrived - failedAt < RETRY)) {
                throw failure;
            }
            if (isRejected) {
                renewals.sent(arrived, 1);
            }
            Issued found = run(isRejected);
            issued = found;
            failure = null;
            return found.credential;
        } catch (CredentialsException e) {
            if (e != failure) {
                failure = e;
                failedAt = time.nanoTime();
            }
            throw e;
        } finally {
            lock.unlock();
        }
    }

    private Issued run(boolean followsRejected) throws InterruptedException {
        PluginProcess.Result result;
        try {
            result = PluginProcess.run(settings.commandLine(), settings.environment(), settings.timeout());
        } catch (IOException e) { // its message can contain arguments
            throw new CredentialsException(
                    settings.name() + " cannot be started: is it installed, executable and on the PATH?"
                            + (settings.installHint().isEmpty() ? "" : " " + settings.installHint()));
        }
        Integer code = result.exitCode();
        if (code == null) {
            throw failed("did not end within the plug-in timeout of " + text(settings.timeout()), result);
        }
        if (code != 0) {
            throw failed("failed with exit code " + code, result);
        }
        if (result.output().length > PluginProcess.MAX_OUTPUT) {
            throw failed("printed more than 1 MB", result);
        }
        return new PluginOutput(result).read(followsRejected);
    }

    private static String text(Duration timeout) {
        return timeout.toMillis() % 1000 == 0 ? timeout.toSeconds() + " s" : timeout.toMillis() + " ms";
    }

    private CredentialsException failed(String problem, PluginProcess.Result result) {
        String errors = MaskedText.of(result.errors(), settings.secrets());
        return new CredentialsException(
                settings.name() + " " + problem + (errors.isEmpty() ? "" : "; its standard error (masked): " + errors));
    }

    /** What a plug-in has printed. */
    private final class PluginOutput {

        private final PluginProcess.Result result;

        PluginOutput(PluginProcess.Result result) {
            this.result = result;
        }

        Issued read(boolean followsRejected) {
            Map<?, ?> printed = parse();
            if (!"ExecCredential".equals(printed.get("kind"))) {
                throw failed("printed no object of kind ExecCredential", result);
            }
            if (!settings.apiVersion().equals(printed.get("apiVersion"))) {
                throw failed(
                        "printed another 'apiVersion' than " + settings.apiVersion() + " of the kubeconfig", result);
            }
            if (!(printed.get("status") instanceof Map<?, ?> status)) {
                throw failed("printed no 'status'", result);
            }
            String token = text(status, "token");
            String certificate = text(status, "clientCertificateData");
            String key = text(status, "clientKeyData");
            if (token == null && certificate == null && key == null) {
                throw failed("printed neither a token nor a client certificate", result);
            }
            if ((certificate == null) != (key == null)) {
                throw failed("printed only one of client certificate and key", result);
            }
            Credential credential = new Credential(token, certificate, key);
            return new Issued(
                    credential, expiry(text(status, "expirationTimestamp")), time.nanoTime(), followsRejected);
        }

        private Map<?, ?> parse() {
            try {
                return KubernetesJson.readMap(result.output());
            } catch (IOException e) {
                return parseYaml();
            }
        }

        private Map<?, ?> parseYaml() {
            try {
                Object printed =
                        KubernetesJson.readYaml(new String(result.output(), StandardCharsets.UTF_8), Map.class);
                return (Map<?, ?>) Objects.requireNonNull(printed);
            } catch (RuntimeException | StackOverflowError e) { // its message can contain what was printed
                throw failed("printed no ExecCredential in JSON", result);
            }
        }

        private @Nullable String text(Map<?, ?> status, String name) {
            Object value = status.get(name);
            if (value != null && !(value instanceof String)) {
                throw failed("printed a 'status." + name + "' that is no text", result);
            }
            return value == null || ((String) value).isEmpty() ? null : (String) value;
        }

        private @Nullable Instant expiry(@Nullable String timestamp) {
            try {
                return timestamp == null
                        ? null
                        : OffsetDateTime.parse(timestamp).toInstant();
            } catch (DateTimeException e) {
                throw failed("printed an 'expirationTimestamp' that is no time", result);
            }
        }
    }

    /** A credential that a plug-in has printed. */
    private static final class Issued {

        private final Credential credential;
        private final @Nullable Instant expiry;
        private final long since;
        private final boolean followsRejected;
        private volatile boolean isAccepted;

        Issued(Credential credential, @Nullable Instant expiry, long since, boolean followsRejected) {
            this.credential = credential;
            this.expiry = expiry;
            this.since = since;
            this.followsRejected = followsRejected;
        }

        /** One that has expired on arrival is used for a second. */
        boolean isUsable(TimeSource time) {
            return expiry == null || time.instant().isBefore(expiry) || time.nanoTime() - since < RETRY;
        }
    }

    @Override
    public String toString() {
        return "ExecPlugin[" + settings.name() + "]";
    }
}
