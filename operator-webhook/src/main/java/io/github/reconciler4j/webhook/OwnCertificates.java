package io.github.reconciler4j.webhook;

import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.Causes;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.Texts;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.webhook.internal.Authority;
import io.github.reconciler4j.webhook.internal.AuthoritySecret;
import io.github.reconciler4j.webhook.internal.AuthorityState;
import io.github.reconciler4j.webhook.internal.CertificateCycle;
import io.github.reconciler4j.webhook.internal.PeriodicChecks;
import io.github.reconciler4j.webhook.internal.TrustBundles;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Issues the certificates of webhook servers itself. The replicas share a certificate authority in a Secret, which the first
 * of them creates. Each replica issues its own certificate, keeps it in memory, and renews it after two thirds of its life.
 *
 * <p>The authority is replaced in three steps, none of which makes a call fail: the next authority is added to the Secret and
 * to the {@code caBundle} of all configurations; once all of them have had it for a while, it issues the certificates; the
 * old one is removed when its last certificate has expired. Any replica can take a step. The resourceVersion of the Secret
 * ensures that one of them does.
 *
 * <p>Each check takes these actions in order: read the Secret and each {@code caBundle}, apply what is missing, take a step, issue a
 * certificate. A certificate of another authority is used only once the replica has seen for
 * {@link OwnCertificateOptions#propagation()} that all configurations contain that authority. A replica that starts needs to see it
 * once, and does not serve before. Certificates that others have put into a {@code caBundle} stay there until what they may have
 * issued has expired. A failed check changes nothing, shows in health and log, and is repeated.
 *
 * <p>Thread-safe.
 *
 * <!-- snippet: WebhookUse -->
 * <pre>{@code
 * OwnCertificates certificates = OwnCertificates.create(
 *         OwnCertificateOptions.defaults().withLives(Duration.ofDays(3650), Duration.ofDays(90)));
 * return WebhookServer.addTo(manager, webhooks, certificates, server());
 * }</pre>
 *
 * @since 0.1.0
 */
public final class OwnCertificates implements CertificateSource {

    private static final Logger LOG = LoggerFactory.getLogger(OwnCertificates.class);

    private final OwnCertificateOptions options;
    private final LogLimiter warnings = new LogLimiter();
    private final PeriodicChecks checks;
    private volatile List<String> problems = List.of();
    private volatile @Nullable AuthorityState known;

    private OwnCertificates(OwnCertificateOptions options) {
        this.options = options;
        this.checks = new PeriodicChecks("webhook-certificates", options.checkInterval());
    }

    /**
     * Create a source.
     *
     * @throws IllegalArgumentException if the lives of certificates are too short for the time for propagation or the interval
     *     between checks that were set
     */
    public static OwnCertificates create(OwnCertificateOptions options) {
        options.checkConsistency();
        return new OwnCertificates(options);
    }

    /** Return the options. */
    public OwnCertificateOptions options() {
        return options;
    }

    @Override
    public List<RequiredPermission> requiredPermissions(Server server) {
        ObjectKey key = secret(server);
        List<RequiredPermission> permissions = new ArrayList<>(bundles(server).requiredPermissions());
        permissions.add(RequiredPermission.onCore("secrets", "create").inNamespace(key.namespace()));
        permissions.add(RequiredPermission.onCore("secrets", "get", "update")
                .inNamespace(key.namespace())
                .named(key.name()));
        return List.copyOf(permissions);
    }

    private ObjectKey secret(Server server) {
        WebhookServerOptions webhooks = server.options();
        String namespace = options.namespace().isEmpty()
                ? webhooks.service()
                        .map(WebhookServerOptions.Service::namespace)
                        .orElse("")
                : options.namespace();
        if (namespace.isEmpty()) {
            throw new IllegalArgumentException(
                    "The namespace of the Secret with the certificate authority is unknown: set it in the options");
        }
        String name =
                options.secretName().isEmpty() ? webhooks.configurationName() + "-webhook-ca" : options.secretName();
        return new ObjectKey(namespace, name);
    }

    private static TrustBundles bundles(Server server) {
        return new TrustBundles(
                server.client(), server.webhooks(), server.options().configurationName());
    }

    @Override
    public void start(Server server) throws Exception {
        Checks started = new Checks(server);
        started.secret.compareClocks(options.now());
        started.check();
        checks.start(
                started::check,
                e -> started.report(List.of("Could not check the certificates of webhooks: " + e.getMessage()), e));
    }

    @Override
    public void stop() {
        checks.stop();
    }

    @Override
    public Map<String, Object> details() {
        Map<String, Object> details = new LinkedHashMap<>();
        AuthorityState state = known;
        if (state != null) {
            details.put(
                    "authorityExpires",
                    state.current().certificate().getNotAfter().toInstant().toString());
            details.put("authorityRolls", state.isRolling());
        }
        if (!problems.isEmpty()) {
            details.put("problems", problems);
        }
        return details;
    }

    /** The checks for one start of the server. */
    private final class Checks {
        private final AuthoritySecret secret;
        private final CertificateCycle cycle;

        Checks(Server server) {
            String name = server.options().configurationName();
            this.secret = new AuthoritySecret(server.client(), secret(server), name);
            AuthorityState.Rules rules = new AuthorityState.Rules(
                    name + "-webhook-ca", options.authorityLife(), options.certificateLife(), options.propagation());
            this.cycle = new CertificateCycle(
                    secret,
                    bundles(server),
                    (authority, now) -> issue(server, authority, now),
                    rules,
                    options.clock(),
                    TimeSource.system());
            cycle.resume(known);
        }

        private Instant issue(Server server, Authority authority, Instant now) throws GeneralSecurityException {
            ServerCertificate next = authority.issue(server.hosts(), now, options.certificateLife());
            server.use(next);
            return next.certificate().getNotAfter().toInstant();
        }

        void check() throws Exception {
            try {
                report(cycle.check(), null);
            } finally {
                known = cycle.known();
            }
        }

        /** Warns once a minute for each problem. */
        private void report(List<String> found, @Nullable Throwable cause) {
            problems = List.copyOf(found);
            for (String problem : found) {
                warnings.log(
                        problem,
                        occurrence -> LOG.warn(
                                "{}{}",
                                Texts.escaped(problem),
                                occurrence.suffix(),
                                cause == null ? null : Causes.loggable(cause)));
            }
        }
    }
}
