package io.github.reconciler4j.webhook;

import io.github.reconciler4j.manager.RequiredPermission;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.webhook.internal.AuthoritySecret;
import io.github.reconciler4j.webhook.internal.AuthorityState;
import io.github.reconciler4j.webhook.internal.PeriodicChecks;
import io.github.reconciler4j.webhook.internal.TrustBundles;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
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
 * <p>Each check takes these actions in order: read the Secret, apply the {@code caBundle}, take a step, issue a certificate.
 * A failed check changes nothing, shows in health and log, and is repeated.
 *
 * <p>Thread-safe.
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
    private volatile @Nullable X509Certificate issued;

    private OwnCertificates(OwnCertificateOptions options) {
        this.options = options;
        this.checks = new PeriodicChecks("webhook-certificates", options.checkInterval());
    }

    /** Create a source. */
    public static OwnCertificates create(OwnCertificateOptions options) {
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
        private final Server server;
        private final AuthoritySecret secret;
        private final TrustBundles bundles;
        private final AuthorityState.Rules rules;

        Checks(Server server) {
            this.server = server;
            this.secret = new AuthoritySecret(
                    server.client(), secret(server), server.options().configurationName());
            this.bundles = bundles(server);
            this.rules = new AuthorityState.Rules(
                    server.options().configurationName() + "-webhook-ca",
                    options.authorityLife(),
                    options.certificateLife(),
                    options.propagation());
        }

        void check() throws Exception {
            Instant now = options.now();
            AuthoritySecret.Stored stored = secret.readOrCreate(() -> initial(now));
            TrustBundles.Result result = bundles.apply(stored.state().bundle());
            AuthorityState state =
                    stored.state().step(rules, now, result.failures().isEmpty());
            if (state != stored.state()) {
                secret.compareClocks(now);
                state = secret.replace(stored, state);
                result = bundles.apply(state.bundle());
            }
            known = state;
            X509Certificate current = issued;
            if (current == null || isDue(current, now) || !isIssuedBy(current, state)) {
                ServerCertificate next = state.current().issue(server.hosts(), now, options.certificateLife());
                server.use(next);
                issued = next.certificate();
            }
            report(result.messages(), null);
        }

        /** Create an authority, or take the known one if the Secret was deleted. */
        private AuthorityState initial(Instant now) throws GeneralSecurityException {
            AuthorityState state = known;
            return state == null ? AuthorityState.create(rules, now) : state;
        }

        /** Warns once a minute for each problem. */
        private void report(List<String> found, @Nullable Throwable cause) {
            problems = List.copyOf(found);
            for (String problem : found) {
                warnings.log(problem, occurrence -> LOG.warn("{}{}", problem, occurrence.suffix(), cause));
            }
        }

        private boolean isDue(X509Certificate certificate, Instant now) {
            Instant due = certificate
                    .getNotAfter()
                    .toInstant()
                    .minus(options.certificateLife().dividedBy(3));
            return !now.isBefore(due);
        }

        private boolean isIssuedBy(X509Certificate certificate, AuthorityState state) {
            try {
                certificate.verify(state.current().certificate().getPublicKey());
                return true;
            } catch (GeneralSecurityException e) {
                return false;
            }
        }
    }
}
