package io.github.reconciler4j.webhook;

import io.github.reconciler4j.support.DnsNames;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.support.internal.OptionValues;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Options of {@link OwnCertificates}. Immutable and thread-safe.
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
public final class OwnCertificateOptions {

    private static final OwnCertificateOptions DEFAULTS = new OwnCertificateOptions(new Values());
    private static final Duration MAX_LIFE = Duration.ofDays(36_525);
    private static final Duration DEFAULT_PROPAGATION = Duration.ofMinutes(1);
    private static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(10);
    private static final Duration MIN_INTERVAL = Duration.ofMillis(10);

    private final Values values;

    private OwnCertificateOptions(Values values) {
        this.values = values;
    }

    /** Return the default options. */
    public static OwnCertificateOptions defaults() {
        return DEFAULTS;
    }

    /** Return the namespace of the Secret. The default, {@code ""}, is the namespace of the Service. */
    public String namespace() {
        return values.namespace;
    }

    /** Return the name of the Secret. The default, {@code ""}, is that of the configurations and {@code -webhook-ca}. */
    public String secretName() {
        return values.secretName;
    }

    /** Return the life of a certificate authority. The default is 365 days; it is replaced after two thirds of it. */
    public Duration authorityLife() {
        return values.authorityLife;
    }

    /** Return the life of the certificate of a server. The default is 7 days; it is replaced after two thirds of it. */
    public Duration certificateLife() {
        return values.certificateLife;
    }

    /**
     * Return the time for which all configurations must contain a new authority before it issues certificates, so that every
     * API server knows it: API servers follow the configurations with a watch. The default is 1 minute, or a ninth of the life of
     * an authority if that is less.
     */
    public Duration propagation() {
        return values.propagation != null
                ? values.propagation
                : shorter(DEFAULT_PROPAGATION, values.authorityLife.dividedBy(9));
    }

    /**
     * Return the interval between checks of Secret, configurations and times. The default is 10 seconds, or a twelfth of the life of
     * a certificate if that is less.
     */
    public Duration checkInterval() {
        return values.checkInterval != null
                ? values.checkInterval
                : shorter(DEFAULT_INTERVAL, values.certificateLife.dividedBy(12));
    }

    private static Duration shorter(Duration normal, Duration limit) {
        Duration shorter = normal.compareTo(limit) < 0 ? normal : limit;
        return shorter.compareTo(MIN_INTERVAL) < 0 ? MIN_INTERVAL : shorter;
    }

    /** Refuse times that cannot be kept: something would expire before its successor may be used. */
    void checkConsistency() {
        if (values.propagation != null && values.propagation.compareTo(values.authorityLife.dividedBy(6)) > 0) {
            throw new IllegalArgumentException("'propagation' must be at most a sixth of the life of an authority, was "
                    + values.propagation + " of " + values.authorityLife);
        }
        if (values.checkInterval != null && values.checkInterval.compareTo(values.certificateLife.dividedBy(6)) > 0) {
            throw new IllegalArgumentException(
                    "'checkInterval' must be at most a sixth of the life of a certificate, was " + values.checkInterval
                            + " of " + values.certificateLife);
        }
    }

    /**
     * Return a copy of these options with the given namespace of the Secret, {@code ""} for the default.
     *
     * @throws IllegalArgumentException if no namespace can have this name
     */
    public OwnCertificateOptions withNamespace(String namespace) {
        String checked = namespace.isEmpty() ? "" : DnsNames.checkLabel("namespace", namespace);
        return change(copy -> copy.namespace = checked);
    }

    /**
     * Return a copy of these options with the given name of the Secret, {@code ""} for the default.
     *
     * @throws IllegalArgumentException if no object can have this name
     */
    public OwnCertificateOptions withSecretName(String name) {
        String checked = name.isEmpty() ? "" : DnsNames.checkSubdomain("name", name);
        return change(copy -> copy.secretName = checked);
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
        return change(copy -> {
            copy.authorityLife = authority;
            copy.certificateLife = certificate;
        });
    }

    /**
     * Return a copy of these options with the given time for a new authority to reach every API server.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public OwnCertificateOptions withPropagation(Duration propagation) {
        return change(copy -> copy.propagation = positive("propagation", propagation));
    }

    /**
     * Return a copy of these options with the given interval between checks.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public OwnCertificateOptions withCheckInterval(Duration interval) {
        return change(copy -> copy.checkInterval = positive("checkInterval", interval));
    }

    OwnCertificateOptions withClock(InstantSource clock) {
        return change(copy -> copy.clock = clock);
    }

    InstantSource clock() {
        return values.clock;
    }

    Instant now() {
        return values.clock.instant();
    }

    private static Duration positive(String name, Duration value) {
        if (value.isZero() || value.isNegative()) {
            throw new IllegalArgumentException("'" + name + "' must be positive, was " + value);
        }
        return value;
    }

    private OwnCertificateOptions change(Consumer<Values> change) {
        return new OwnCertificateOptions(values.changed(change));
    }

    @Override
    public String toString() {
        return "OwnCertificateOptions[namespace=" + values.namespace + ", secretName=" + values.secretName
                + ", authorityLife="
                + values.authorityLife + ", certificateLife=" + values.certificateLife + ", propagation="
                + propagation()
                + ", checkInterval=" + checkInterval() + "]";
    }

    private static final class Values extends OptionValues<Values> {
        private String namespace = "";
        private String secretName = "";
        private Duration authorityLife = Duration.ofDays(365);
        private Duration certificateLife = Duration.ofDays(7);
        private @Nullable Duration propagation;
        private @Nullable Duration checkInterval;
        private InstantSource clock = TimeSource.system();
    }
}
