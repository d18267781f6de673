package io.github.reconciler4j.webhook.internal;

import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The authorities that the replicas share: the current one, which issues certificates, and during a roll either the next one,
 * which is published already, or the previous one, whose certificates may still be in use. Immutable.
 *
 * <pre>
 * current --two thirds of its life--> current + next --published everywhere--> previous + current --life of a certificate--> current
 * </pre>
 */
public final class AuthorityState {

    private static final String CERTIFICATE = "tls.crt";
    private static final String KEY = "tls.key";
    private static final String NEXT_CERTIFICATE = "next.crt";
    private static final String NEXT_KEY = "next.key";
    private static final String NEXT_SINCE = "next-since";
    private static final String PREVIOUS_CERTIFICATE = "previous.crt";
    private static final String PREVIOUS_UNTIL = "previous-until";
    private static final String BUNDLE = "ca.crt";

    private final Authority current;
    private final @Nullable Authority next;
    private final @Nullable X509Certificate previous;

    /** When the next authority was created, or when the previous one is to be removed. */
    private final Instant time;

    private AuthorityState(
            Authority current, @Nullable Authority next, @Nullable X509Certificate previous, Instant time) {
        this.current = current;
        this.next = next;
        this.previous = previous;
        this.time = time;
    }

    /**
     * What decides when authorities are replaced.
     *
     * @param name the name of new authorities
     * @param authority the life of an authority
     * @param certificate the life of a certificate
     * @param propagation how long the next authority must be published before it is used
     */
    public record Rules(String name, Duration authority, Duration certificate, Duration propagation) {}

    /** Create a new authority. */
    public static AuthorityState create(Rules rules, Instant now) throws GeneralSecurityException {
        return new AuthorityState(Authority.create(rules.name, now, rules.authority), null, null, Instant.EPOCH);
    }

    /**
     * Read the state from the data of a Secret.
     *
     * @throws GeneralSecurityException if it is invalid
     */
    public static AuthorityState read(Map<String, String> data) throws GeneralSecurityException {
        try {
            Authority current = authority(data, CERTIFICATE, KEY);
            if (data.containsKey(NEXT_CERTIFICATE)) {
                Authority next = authority(data, NEXT_CERTIFICATE, NEXT_KEY);
                return new AuthorityState(current, next, null, Instant.parse(data.getOrDefault(NEXT_SINCE, "")));
            }
            if (data.containsKey(PREVIOUS_CERTIFICATE)) {
                X509Certificate previous =
                        Authority.certificates(data.get(PREVIOUS_CERTIFICATE)).get(0);
                return new AuthorityState(
                        current, null, previous, Instant.parse(data.getOrDefault(PREVIOUS_UNTIL, "")));
            }
            return new AuthorityState(current, null, null, Instant.EPOCH);
        } catch (DateTimeParseException e) {
            throw new GeneralSecurityException("a time is invalid", e);
        }
    }

    private static Authority authority(Map<String, String> data, String certificate, String key)
            throws GeneralSecurityException {
        Authority authority = new Authority(
                Authority.certificates(data.getOrDefault(certificate, "")).get(0),
                Authority.privateKey(data.getOrDefault(key, "")));
        if (!Authority.belong(authority.key(), authority.certificate())) {
            throw new GeneralSecurityException(key + " does not belong to " + certificate);
        }
        return authority;
    }

    /** Return the data of a Secret. */
    public Map<String, String> data() throws GeneralSecurityException {
        Map<String, String> data = new LinkedHashMap<>();
        data.put(BUNDLE, bundle());
        data.put(CERTIFICATE, Authority.pem(List.of(current.certificate())));
        data.put(KEY, Authority.pem(current.key()));
        if (next != null) {
            data.put(NEXT_CERTIFICATE, Authority.pem(List.of(next.certificate())));
            data.put(NEXT_KEY, Authority.pem(next.key()));
            data.put(NEXT_SINCE, time.toString());
        } else if (previous != null) {
            data.put(PREVIOUS_CERTIFICATE, Authority.pem(List.of(previous)));
            data.put(PREVIOUS_UNTIL, time.toString());
        }
        return data;
    }

    /** Return the authority that issues certificates. */
    public Authority current() {
        return current;
    }

    /** Return the certificates that configurations must contain, as PEM text. */
    public String bundle() throws GeneralSecurityException {
        List<X509Certificate> certificates = new ArrayList<>(List.of(current.certificate()));
        Optional.ofNullable(next).map(Authority::certificate).ifPresent(certificates::add);
        Optional.ofNullable(previous).ifPresent(certificates::add);
        return Authority.pem(certificates);
    }

    /**
     * Return the state that follows, or this one if nothing is due.
     *
     * @param published whether all configurations contain the bundle
     */
    public AuthorityState step(Rules rules, Instant now, boolean published) throws GeneralSecurityException {
        Instant end = current.certificate().getNotAfter().toInstant();
        if (!now.isBefore(end)) { // the operator did not run for long: no certificate is valid any longer
            return next != null && now.isBefore(next.certificate().getNotAfter().toInstant())
                    ? new AuthorityState(next, null, null, Instant.EPOCH)
                    : create(rules, now);
        }
        if (next != null) {
            if (!published || now.isBefore(time.plus(rules.propagation))) {
                return this;
            }
            Instant until = now.plus(rules.certificate);
            return new AuthorityState(next, null, current.certificate(), until.isBefore(end) ? until : end);
        }
        if (previous != null) {
            return now.isBefore(time) ? this : new AuthorityState(current, null, null, Instant.EPOCH);
        }
        Instant due = end.minus(rules.authority.dividedBy(3));
        return now.isBefore(due)
                ? this
                : new AuthorityState(current, Authority.create(rules.name, now, rules.authority), null, now);
    }

    /** Return whether a roll of the authority is in progress. */
    public boolean isRolling() {
        return next != null || previous != null;
    }
}
