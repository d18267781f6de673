package io.github.reconciler4j.webhook.internal;

import io.github.reconciler4j.manager.ComponentNotReadyException;
import io.github.reconciler4j.support.TimeSource;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What one replica does at each check: it reads the shared authorities and the published bundles, publishes what is missing, takes
 * the next step of a roll, and issues its certificate. It uses a certificate of another authority only if it has seen that all
 * configurations have contained that authority for the time that API servers need to learn of it. Until then it keeps the one it
 * has. A certificate that others have published is never removed before what it has issued has expired. Used by one thread at a time.
 */
public final class CertificateCycle {

    private final Store store;
    private final Bundles bundles;
    private final Leaves leaves;
    private final AuthorityState.Rules rules;
    private final InstantSource clock;
    private final TimeSource time;

    /** Since when all configurations have contained a certificate, as far as this replica has seen. */
    private final Map<X509Certificate, Long> seenSince = new HashMap<>();

    private @Nullable AuthorityState known;
    private @Nullable Leaf leaf;

    /**
     * Create a cycle.
     *
     * @param clock the time by which certificates are valid
     * @param time the time by which propagation is measured
     */
    public CertificateCycle(
            Store store,
            Bundles bundles,
            Leaves leaves,
            AuthorityState.Rules rules,
            InstantSource clock,
            TimeSource time) {
        this.store = store;
        this.bundles = bundles;
        this.leaves = leaves;
        this.rules = rules;
        this.clock = clock;
        this.time = time;
    }

    /**
     * A state that is stored.
     *
     * @param state the state
     * @param version changes with each update
     */
    public record StoredAuthority(AuthorityState state, String version) {}

    /** Creates the state that is stored first. */
    @FunctionalInterface
    public interface Initial {
        /** Create the state. */
        AuthorityState create() throws GeneralSecurityException;
    }

    /** Where replicas share the authorities. */
    public interface Store {

        /** Read the state, or create it. */
        StoredAuthority readOrCreate(Initial initial) throws ComponentNotReadyException, GeneralSecurityException;

        /** Replace a state, and return empty if another replica was first. */
        Optional<StoredAuthority> replace(StoredAuthority stored, AuthorityState state) throws GeneralSecurityException;

        /** Compare the clock with that of the API server. */
        void compareClocks(Instant now) throws ComponentNotReadyException;
    }

    /**
     * What is published. Immutable.
     *
     * @param bundles the certificates by which the API server verifies this operator, for each webhook and definition that exists
     * @param absent messages about objects that do not exist; no API server can use an old bundle of theirs
     * @param failures messages about objects that could not be read
     */
    public record Published(List<List<X509Certificate>> bundles, List<String> absent, List<String> failures) {

        boolean allContain(X509Certificate certificate) {
            return failures.isEmpty() && bundles.stream().allMatch(bundle -> bundle.contains(certificate));
        }

        /** Return whether a call can succeed with a certificate of an authority, or there is nothing to be called by. */
        boolean isUseful(X509Certificate authority) {
            return (bundles.isEmpty() && failures.isEmpty())
                    || bundles.stream().anyMatch(bundle -> bundle.contains(authority));
        }
    }

    /** Where the certificates of authorities are published. */
    public interface Bundles {

        /** Read what is published now. */
        Published read();

        /**
         * Publish certificates where others are.
         *
         * @param removable whether a certificate that is published may be removed; what contains another one is left alone
         * @return messages about what failed
         */
        List<String> write(List<X509Certificate> certificates, Predicate<X509Certificate> removable);
    }

    /** The certificate of the server. */
    public interface Leaves {

        /** Issue a certificate, use it for connections from now on, and return when it expires. */
        Instant use(Authority authority, Instant now) throws GeneralSecurityException;
    }

    /** The certificate in use. */
    private record Leaf(Authority issuer, Instant expires) {

        X509Certificate authority() {
            return issuer.certificate();
        }
    }

    /** Continue with the authorities of an earlier cycle, so that a Secret that was deleted comes back as it was. */
    public void resume(@Nullable AuthorityState earlier) {
        known = earlier;
    }

    /** Return the authorities of the last check, null before the first one. */
    public @Nullable AuthorityState known() {
        return known;
    }

    /**
     * Check everything.
     *
     * @return messages about what is wrong
     * @throws ComponentNotReadyException if there is no certificate that the API server would trust
     */
    public List<String> check() throws ComponentNotReadyException, GeneralSecurityException {
        Instant now = clock.instant();
        try {
            return check(now);
        } catch (ComponentNotReadyException | GeneralSecurityException | RuntimeException e) {
            renew(now); // with the authority that the API server trusts already
            throw e;
        }
    }

    private List<String> check(Instant now) throws ComponentNotReadyException, GeneralSecurityException {
        StoredAuthority stored = store.readOrCreate(() -> {
            AuthorityState state = known;
            return state == null ? AuthorityState.create(rules, now) : state;
        });
        Published seen = observe();
        Optional<StoredAuthority> adopted = adopt(stored, seen, now);
        if (adopted.isEmpty()) {
            return messages(seen, List.of()); // another replica was first: the next check reads what it wrote
        }
        stored = adopted.get();
        AuthorityState state = stored.state();
        List<String> failures = publish(state, seen, now);
        if (!isPublished(state, seen, now)) {
            seen = observe();
        }
        AuthorityState following = state.step(rules, now, isPublished(state, seen, now) && isSettled(state));
        if (following == state && isKnown(state.current())) {
            following = state.settle();
        }
        if (following != state) {
            store.compareClocks(now);
            Optional<StoredAuthority> replaced = store.replace(stored, following);
            if (replaced.isEmpty()) {
                return messages(seen, failures);
            }
            state = following;
            failures = publish(state, seen, now);
            seen = observe();
        }
        known = state;
        issue(state, seen, failures, now);
        return messages(seen, failures);
    }

    private static List<String> messages(Published seen, List<String> failures) {
        return Stream.of(seen.failures(), failures, seen.absent())
                .flatMap(List::stream)
                .distinct()
                .toList();
    }

    /** Read what is published, and remember since when. */
    private Published observe() {
        Published seen = bundles.read();
        long at = time.nanoTime();
        seenSince.keySet().removeIf(one -> !seen.allContain(one));
        seen.bundles().stream()
                .flatMap(List::stream)
                .filter(seen::allContain)
                .forEach(one -> seenSince.putIfAbsent(one, at));
        return seen;
    }

    /** Store certificates that others have published, and that of the authority whose certificate this replica uses. */
    private Optional<StoredAuthority> adopt(StoredAuthority stored, Published seen, Instant now)
            throws GeneralSecurityException {
        List<X509Certificate> others =
                new ArrayList<>(seen.bundles().stream().flatMap(List::stream).toList());
        if (leaf != null && now.isBefore(leaf.expires)) {
            others.add(leaf.authority());
        }
        AuthorityState state = stored.state().adopt(rules, now, others);
        return state == stored.state() ? Optional.of(stored) : store.replace(stored, state);
    }

    private List<String> publish(AuthorityState state, Published seen, Instant now) {
        return isPublished(state, seen, now)
                ? List.of()
                : bundles.write(state.trusted(now), one -> state.isRemovable(one, now));
    }

    private static boolean isPublished(AuthorityState state, Published seen, Instant now) {
        List<X509Certificate> trusted = state.trusted(now);
        return seen.failures().isEmpty()
                && seen.bundles().stream()
                        .allMatch(bundle -> bundle.size() == trusted.size() && bundle.containsAll(trusted));
    }

    /** Return whether every API server knows all authorities that may issue certificates. */
    private boolean isSettled(AuthorityState state) {
        Authority next = state.next();
        return next == null ? isKnown(state.current()) : isKnown(next);
    }

    private boolean isKnown(Authority authority) {
        Long since = seenSince.get(authority.certificate());
        return since != null && time.nanoTime() - since >= rules.propagation().toNanos();
    }

    private void issue(AuthorityState state, Published seen, List<String> failures, Instant now)
            throws ComponentNotReadyException, GeneralSecurityException {
        Authority authority = state.current();
        Leaf used = leaf;
        boolean valid = used != null && now.isBefore(used.expires);
        if (used != null && valid && used.authority().equals(authority.certificate())) {
            renew(now);
        } else if (isKnown(authority)
                || (!valid && seen.isUseful(authority.certificate()) && !state.isFresh(rules, now))) {
            use(authority, now);
        } else if (valid) {
            renew(now); // with the key that this replica still has
        } else {
            String reason = seen.isUseful(authority.certificate())
                    ? "API servers learn of the new certificate authority first, which takes "
                            + rules.propagation().toSeconds() + " s"
                    : String.join("; ", messages(seen, failures));
            throw new ComponentNotReadyException(
                    "The webhook server has no certificate that the API server trusts yet: " + reason);
        }
    }

    /** Replace the certificate by one of the same authority in the last third of its life. */
    private void renew(Instant now) throws GeneralSecurityException {
        Leaf used = leaf;
        if (used == null
                || !now.isBefore(used.expires)
                || now.isBefore(used.expires.minus(rules.certificate().dividedBy(3)))) {
            return;
        }
        if (used.expires.isBefore(
                used.issuer.certificate().getNotAfter().toInstant())) { // else it would not live longer
            use(used.issuer, now);
        }
    }

    private void use(Authority authority, Instant now) throws GeneralSecurityException {
        leaf = new Leaf(authority, leaves.use(authority, now));
    }
}
