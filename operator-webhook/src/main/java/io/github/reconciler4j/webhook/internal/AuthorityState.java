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
import org.jspecify.annotations.Nullable;

/**
 * The authorities that the replicas share: the current one, which issues certificates, and during a roll either the next one,
 * which is published already, or the previous one, whose certificates may still be in use. Immutable.
 *
 * <pre>
 * current --two thirds of its life--> current + next --published everywhere--> previous + current --life of a certificate--> current
 * </pre>
 *
 * <p>Certificates of others that are published, for instance because another program has replaced the Secret, are previous ones too: a
 * replica may still use what they have issued.
 */
public final class AuthorityState {

    private static final String CERTIFICATE = "tls.crt";
    private static final String KEY = "tls.key";
    private static final String NEXT_CERTIFICATE = "next.crt";
    private static final String NEXT_KEY = "next.key";
    private static final String NEXT_SINCE = "next-since";
    private static final String PREVIOUS_CERTIFICATE = "previous.crt";
    private static final String PREVIOUS_UNTIL = "previous-until";
    private static final String SETTLED = "settled";
    private static final String BUNDLE = "ca.crt";

    private static final int MAX_PREVIOUS = 8;
    private static final int FRESH_FACTOR = 10;

    private final Authority current;
    private final @Nullable Authority next;
    private final List<X509Certificate> previous;

    /** When the next authority was created. */
    private final Instant since;

    /** When the previous ones are to be removed. */
    private final Instant until;

    /** Whether no API server can know a previous authority, but not the current one. */
    private final boolean settled;

    private AuthorityState(
            Authority current,
            @Nullable Authority next,
            List<X509Certificate> previous,
            Instant since,
            Instant until,
            boolean settled) {
        this.current = current;
        this.next = next;
        this.previous = List.copyOf(previous);
        this.since = since;
        this.until = until;
        this.settled = settled;
    }

    private static AuthorityState only(Authority authority) {
        return new AuthorityState(authority, null, List.of(), Instant.EPOCH, Instant.EPOCH, true);
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
        return only(Authority.create(rules.name, now, rules.authority));
    }

    /**
     * Read the state from the data of a Secret.
     *
     * @throws GeneralSecurityException if it is invalid
     */
    public static AuthorityState read(Map<String, String> data) throws GeneralSecurityException {
        try {
            boolean hasNext = data.containsKey(NEXT_CERTIFICATE);
            boolean hasPrevious = data.containsKey(PREVIOUS_CERTIFICATE);
            return new AuthorityState(
                    authority(data, CERTIFICATE, KEY),
                    hasNext ? authority(data, NEXT_CERTIFICATE, NEXT_KEY) : null,
                    hasPrevious ? Authority.certificates(data.getOrDefault(PREVIOUS_CERTIFICATE, "")) : List.of(),
                    hasNext ? Instant.parse(data.getOrDefault(NEXT_SINCE, "")) : Instant.EPOCH,
                    hasPrevious ? Instant.parse(data.getOrDefault(PREVIOUS_UNTIL, "")) : Instant.EPOCH,
                    !"false".equals(data.get(SETTLED)));
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
            data.put(NEXT_SINCE, since.toString());
        }
        if (!previous.isEmpty()) {
            data.put(PREVIOUS_CERTIFICATE, Authority.pem(previous));
            data.put(PREVIOUS_UNTIL, until.toString());
        }
        if (!settled) {
            data.put(SETTLED, "false");
        }
        return data;
    }

    /** Return the authority that issues certificates. */
    public Authority current() {
        return current;
    }

    /** Return the next authority, null if it is missing. */
    public @Nullable Authority next() {
        return next;
    }

    /** Return the certificates that configurations must contain. */
    public List<X509Certificate> trusted() {
        List<X509Certificate> certificates = new ArrayList<>(List.of(current.certificate()));
        if (next != null) {
            certificates.add(next.certificate());
        }
        previous.stream().filter(one -> !certificates.contains(one)).forEach(certificates::add);
        return certificates;
    }

    /** Return the certificates that configurations must contain at a time, when previous ones may have to go. */
    public List<X509Certificate> trusted(Instant now) {
        return now.isBefore(until) || previous.isEmpty()
                ? trusted()
                : new AuthorityState(current, next, List.of(), since, until, settled).trusted();
    }

    /** Return the certificates that configurations must contain, as PEM text. */
    public String bundle() throws GeneralSecurityException {
        return Authority.pem(trusted());
    }

    /**
     * Return a state that trusts other certificates too for the life of a certificate, this one if it does already. Replicas may use
     * what those authorities have issued.
     */
    public AuthorityState adopt(Rules rules, Instant now, List<X509Certificate> others) {
        List<X509Certificate> all = new ArrayList<>(previous);
        others.stream()
                .filter(one -> !isRemovable(one, now))
                .filter(one -> !trusted().contains(one) && !all.contains(one))
                .limit(Math.max(0, MAX_PREVIOUS - previous.size()))
                .forEach(all::add);
        return all.size() == previous.size()
                ? this
                : new AuthorityState(current, next, all, since, now.plus(rules.certificate), false);
    }

    /** Return whether a published certificate may go although this state does not contain it. */
    public boolean isRemovable(X509Certificate certificate, Instant now) {
        return previous.contains(certificate)
                || previous.size() >= MAX_PREVIOUS
                || !now.isBefore(certificate.getNotAfter().toInstant());
    }

    /**
     * Return whether an API server may not know the current authority, although it knows previous ones: a configuration may have got it
     * late, long after this state was stored. Some replica finds out and stores it. If none can, for instance because a configuration
     * cannot be read, this ends after ten times the time that API servers need, because a server without a certificate answers no call.
     */
    public boolean isFresh(Rules rules, Instant now) {
        return !settled
                && now.isBefore(until)
                && now.isBefore(until.minus(rules.certificate).plus(rules.propagation.multipliedBy(FRESH_FACTOR)));
    }

    /** Return a state by which each replica uses the current authority at once, this one if it is such a state. */
    public AuthorityState settle() {
        return settled ? this : new AuthorityState(current, next, previous, since, until, true);
    }

    /**
     * Return the state that follows, or this one if nothing is due.
     *
     * @param published whether all configurations have contained the certificates for long enough
     */
    public AuthorityState step(Rules rules, Instant now, boolean published) throws GeneralSecurityException {
        Instant end = current.certificate().getNotAfter().toInstant();
        if (!now.isBefore(end)) { // the operator did not run for long: no certificate is valid any longer
            return next != null && now.isBefore(next.certificate().getNotAfter().toInstant())
                    ? new AuthorityState(next, null, previous, Instant.EPOCH, until, settled)
                    : new AuthorityState(
                            Authority.create(rules.name, now, rules.authority),
                            null,
                            previous,
                            Instant.EPOCH,
                            until,
                            settled);
        }
        if (next != null) {
            if (!published || now.isBefore(since.plus(rules.propagation))) {
                return this;
            }
            List<X509Certificate> old = new ArrayList<>(previous);
            old.add(0, current.certificate());
            return new AuthorityState(next, null, old, Instant.EPOCH, now.plus(rules.certificate), true);
        }
        Instant due = end.minus(rules.authority.dividedBy(3));
        if (!now.isBefore(due)) {
            return new AuthorityState(
                    current, Authority.create(rules.name, now, rules.authority), previous, now, until, settled);
        }
        return published && !previous.isEmpty() && !now.isBefore(until) ? only(current) : this;
    }

    /** Return whether a roll of the authority is in progress. */
    public boolean isRolling() {
        return next != null || !previous.isEmpty();
    }
}
