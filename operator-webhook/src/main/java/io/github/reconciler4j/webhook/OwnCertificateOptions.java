package io.github.reconciler4j.webhook;

import io.github.reconciler4j.support.DnsNames;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Options of {@link OwnCertificates}. Immutable and thread-safe.
 *
 * @since 0.1.0
 */
public final class OwnCertificateOptions {

    private static final OwnCertificateOptions DEFAULTS = new OwnCertificateOptions(new Draft());
    private static final Duration MAX_LIFE = Duration.ofDays(36_525);
    private static final Duration DEFAULT_PROPAGATION = Duration.ofMinutes(1);
    private static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(10);
    private static final Duration MIN_INTERVAL = Duration.ofMillis(10);

    private final String namespace;
    private final String secretName;
    private final Duration authorityLife;
    private final Duration certificateLife;
    private final @Nullable Duration propagation;
    private final @Nullable Duration checkInterval;
    private final InstantSource clock;

    private OwnCertificateOptions(Draft draft) {
        namespace = draft.namespace;
        secretName = draft.secretName;
        authorityLife = draft.authorityLife;
        certificateLife = draft.certificateLife;
        propagation = draft.propagation;
        checkInterval = draft.checkInterval;
        clock = draft.clock;
    }

    /** Return the default options. */
    public static OwnCertificateOptions defaults() {
        return DEFAULTS;
    }

    /** Return the namespace of the Secret. The default, {@code ""}, is the namespace of the Service. */
    public String namespace() {
        return namespace;
    }

    /** Return the name of the Secret. The default, {@code ""}, is that of the configurations and {@code -webhook-ca}. */
    public String secretName() {
        return secretName;
    }

    /** Return the life of a certificate authority. The default is 365 days; it is replaced after two thirds of it. */
    public Duration authorityLife() {
        return authorityLife;
    }

    /** Return the life of the certificate of a server. The default is 7 days; it is replaced after two thirds of it. */
    public Duration certificateLife() {
        return certificateLife;
    }

    /**
     * Return the time for which all configurations must contain a new authority before it issues certificates, so that every
     * API server knows it: API servers follow the configurations with a watch. The default is 1 minute, or a ninth of the life of
     * an authority if that is less.
     */
    public Duration propagation() {
        return propagation != null ? propagation : shorter(DEFAULT_PROPAGATION, authorityLife.dividedBy(9));
    }

    /**
     * Return the interval between checks of Secret, configurations and times. The default is 10 seconds, or a twelfth of the life of
     * a certificate if that is less.
     */
    public Duration checkInterval() {
        return checkInterval != null ? checkInterval : shorter(DEFAULT_INTERVAL, certificateLife.dividedBy(12));
    }

    private static Duration shorter(Duration normal, Duration limit) {
        Duration shorter = normal.compareTo(limit) < 0 ? normal : limit;
        return shorter.compareTo(MIN_INTERVAL) < 0 ? MIN_INTERVAL : shorter;
    }

    /** Refuse times that cannot be kept: something would expire before its successor may be used. */
    void checkConsistency() {
        if (propagation != null && propagation.compareTo(authorityLife.dividedBy(6)) > 0) {
            throw new IllegalArgumentException("'propagation' must be at most a sixth of the life of an authority, was "
                    + propagation + " of " + authorityLife);
        }
        if (checkInterval != null && checkInterval.compareTo(certificateLife.dividedBy(6)) > 0) {
            throw new IllegalArgumentException(
                    "'checkInterval' must be at most a sixth of the life of a certificate, was " + checkInterval
                            + " of " + certificateLife);
        }
    }

    /**
     * Return a copy of these options with the given namespace of the Secret, {@code ""} for the default.
     *
     * @throws IllegalArgumentException if no namespace can have this name
     */
    public OwnCertificateOptions withNamespace(String namespace) {
        String checked = namespace.isEmpty() ? "" : DnsNames.checkLabel("namespace", namespace);
        return change(draft -> draft.namespace = checked);
    }

    /**
     * Return a copy of these options with the given name of the Secret, {@code ""} for the default.
     *
     * @throws IllegalArgumentException if no object can have this name
     */
    public OwnCertificateOptions withSecretName(String name) {
        String checked = name.isEmpty() ? "" : DnsNames.checkSubdomain("name", name);
        return change(draft -> draft.secretName = checked);
    }

    /**
     * Return a copy of these options with the given lives.
     *
     * @throws IllegalArgumentException if a life is not positive, the life of a certificate is longer than a third of the life of
     *     an authority, or that is longer than 100 years
     */
    public OwnCertificateOptions withLives(Duration authority, Duration certificate) {
        positive("certificate", certificate);
        if (authority.compareTo(MAX_LIFE) > 0) {
            throw new IllegalArgumentException("'authority' must be at most 100 years, was " + authority);
        }
        if (certificate.compareTo(authority.dividedBy(3)) > 0) {
            throw new IllegalArgumentException(
                    "'certificate' must be at most a third of 'authority', was " + certificate + " of " + authority);
        }
        return change(draft -> {
            draft.authorityLife = authority;
            draft.certificateLife = certificate;
        });
    }

    /**
     * Return a copy of these options with the given time for a new authority to reach every API server.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public OwnCertificateOptions withPropagation(Duration propagation) {
        return change(draft -> draft.propagation = positive("propagation", propagation));
    }

    /**
     * Return a copy of these options with the given interval between checks.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public OwnCertificateOptions withCheckInterval(Duration interval) {
        return change(draft -> draft.checkInterval = positive("checkInterval", interval));
    }

    OwnCertificateOptions withClock(InstantSource clock) {
        return change(draft -> draft.clock = clock);
    }

    InstantSource clock() {
        return clock;
    }

    Instant now() {
        return clock.instant();
    }

    private static Duration positive(String name, Duration value) {
        if (value.isZero() || value.isNegative()) {
            throw new IllegalArgumentException("'" + name + "' must be positive, was " + value);
        }
        return value;
    }

    private OwnCertificateOptions change(Consumer<Draft> change) {
        Draft draft = new Draft();
        draft.namespace = namespace;
        draft.secretName = secretName;
        draft.authorityLife = authorityLife;
        draft.certificateLife = certificateLife;
        draft.propagation = propagation;
        draft.checkInterval = checkInterval;
        draft.clock = clock;
        change.accept(draft);
        return new OwnCertificateOptions(draft);
    }

    @Override
    public String toString() {
        return "OwnCertificateOptions[namespace=" + namespace + ", secretName=" + secretName + ", authorityLife="
                + authorityLife + ", certificateLife=" + certificateLife + ", propagation=" + propagation()
                + ", checkInterval=" + checkInterval() + "]";
    }

    private static final class Draft {
        private String namespace = "";
        private String secretName = "";
        private Duration authorityLife = Duration.ofDays(365);
        private Duration certificateLife = Duration.ofDays(7);
        private @Nullable Duration propagation;
        private @Nullable Duration checkInterval;
        private InstantSource clock = InstantSource.system();
    }
}
