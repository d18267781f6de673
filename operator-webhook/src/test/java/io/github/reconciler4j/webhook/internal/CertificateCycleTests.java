package io.github.reconciler4j.webhook.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.manager.ComponentNotReadyException;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.webhook.internal.CertificateCycle.Published;
import io.github.reconciler4j.webhook.internal.CertificateCycle.StoredAuthority;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/**
 * Replicas, their Secret and their configurations in virtual time: rolls, restarts, pauses, failures, a Secret that is deleted or
 * replaced. Whenever an API server connects, it trusts the certificate that the replica presents, although it learns of changes
 * late. A replica's check is interrupted by those of others between any two requests. The system property
 * {@code webhook.rotation.seeds} sets the number of histories.
 */
class CertificateCycleTests {

    private static final int SEEDS = Integer.getInteger("webhook.rotation.seeds", 300);
    private static final int FIRST = Integer.getInteger("webhook.rotation.seed", 1);
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration AUTHORITY = Duration.ofSeconds(900);
    private static final Duration CERTIFICATE = Duration.ofSeconds(240);
    private static final Duration PROPAGATION = Duration.ofSeconds(40);
    private static final int INTERVAL = 10;
    private static final AuthorityState.Rules RULES =
            new AuthorityState.Rules("ca", AUTHORITY, CERTIFICATE, PROPAGATION);

    @Test
    void handshakesWhenAuthoritiesRollAreWithCertificatesThatEachApiServerTrusts() throws Exception {
        int rolls = 0;
        int handshakes = 0;
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
            World world = new World(seed);
            world.run(2_400);
            assertThat(world.violations).as("seed %d", seed).isEmpty();
            assertThat(world.replicas)
                    .as("seed %d: replicas that serve", seed)
                    .allMatch(replica -> replica.leaf != null);
            rolls += world.authorities.size() - 1;
            handshakes += world.handshakes;
        }
        assertThat(rolls).isGreaterThan(SEEDS);
        assertThat(handshakes).isGreaterThan(100 * SEEDS);
    }

    /** What a replica presents. */
    private record Leaf(X509Certificate authority, Instant expires) {}

    /** A configuration: its bundles by the second since when they are published. */
    private static final class Target {
        private final TreeMap<Integer, List<X509Certificate>> history = new TreeMap<>(Map.of(-1, List.of()));

        List<X509Certificate> at(int second) {
            return history.floorEntry(Math.max(-1, second)).getValue();
        }
    }

    private static final class World implements TimeSource {
        private final Random random;
        private final List<Target> targets = new ArrayList<>();
        private final List<Replica> replicas = new ArrayList<>();
        private final List<String> violations = new ArrayList<>();
        private final Set<X509Certificate> authorities = new HashSet<>();
        private int second;
        private int handshakes;
        private int version;
        private int depth;

        /** Until when no call succeeds, because a bundle was emptied. */
        private int excusedUntil;

        private AuthorityState state;

        World(long seed) {
            random = new Random(seed);
            for (int i = random.nextInt(3); i >= 0; i--) {
                targets.add(new Target());
            }
            for (int i = random.nextInt(3); i >= 0; i--) {
                replicas.add(new Replica());
            }
        }

        @Override
        public long nanoTime() {
            return second * 1_000_000_000L;
        }

        @Override
        public Instant instant() {
            return START.plusSeconds(second);
        }

        void run(int seconds) throws Exception {
            for (second = 0; second < seconds; second++) {
                for (Replica replica : replicas) {
                    if (second >= replica.nextCheck) {
                        replica.check();
                        replica.nextCheck = second + INTERVAL + random.nextInt(3);
                    }
                }
                disturb(seconds);
                handshakes();
            }
        }

        private void disturb(int seconds) throws GeneralSecurityException {
            if (second > seconds - 200) {
                return; // everything has to be as it should in the end
            }
            Replica any = replicas.get(random.nextInt(replicas.size()));
            switch (random.nextInt(400)) {
                case 0 -> any.restart();
                case 1 -> any.nextCheck = second + random.nextInt((int) CERTIFICATE.toSeconds() / 6);
                case 2 -> any.failing = second + random.nextInt(60);
                case 3 -> state = random.nextInt(3) == 0 ? null : state;
                case 4 -> {
                    if (random.nextInt(4) == 0) { // by hand
                        state = AuthorityState.create(RULES, instant());
                        version++;
                    }
                }
                case 5 -> {
                    if (random.nextInt(4) == 0) {
                        targets.get(random.nextInt(targets.size())).history.put(second, List.of());
                        excusedUntil = second + (int) PROPAGATION.toSeconds() + 3 * INTERVAL + 100;
                    }
                }
                default -> {}
            }
        }

        /** Each API server has its own delay, which is shorter than the time for propagation. */
        private void handshakes() {
            for (Replica replica : replicas) {
                if (replica.leaf == null || second < excusedUntil) {
                    continue;
                }
                for (Target target : targets) {
                    List<X509Certificate> trusted =
                            target.at(second - random.nextInt((int) PROPAGATION.toSeconds() - 1));
                    if (trusted.isEmpty()) {
                        continue; // not installed yet
                    }
                    handshakes++;
                    if (!trusted.contains(replica.leaf.authority)) {
                        violations.add("second " + second + ": not trusted");
                    }
                    if (!instant().isBefore(replica.leaf.expires)) {
                        violations.add("second " + second + ": expired");
                    }
                }
            }
        }

        /** Between any two requests of a replica, another one may do all of its own. */
        private void others() throws IllegalStateException {
            if (depth < 2 && random.nextInt(8) == 0) {
                depth++;
                replicas.get(random.nextInt(replicas.size())).check();
                depth--;
            }
        }

        private final class Replica implements CertificateCycle.Store, CertificateCycle.Bundles {
            private CertificateCycle cycle = cycle();
            private Leaf leaf;
            private int nextCheck = random.nextInt(INTERVAL);
            private int failing;
            private boolean checking;

            private CertificateCycle cycle() {
                return new CertificateCycle(this, this, this::use, RULES, World.this::instant, World.this);
            }

            private Instant use(Authority authority, Instant now) {
                Instant end = authority.certificate().getNotAfter().toInstant();
                Instant expires = now.plus(CERTIFICATE);
                leaf = new Leaf(authority.certificate(), expires.isBefore(end) ? expires : end);
                authorities.add(authority.certificate());
                return leaf.expires;
            }

            void restart() {
                if (!checking) {
                    leaf = null;
                    cycle = cycle();
                }
            }

            void check() {
                if (checking) {
                    return;
                }
                checking = true;
                try {
                    cycle.check();
                } catch (ComponentNotReadyException | GeneralSecurityException | IllegalStateException e) {
                    // tries again
                } finally {
                    checking = false;
                }
            }

            private void request() {
                others();
                if (second < failing && random.nextInt(3) == 0) {
                    throw new IllegalStateException("no response");
                }
            }

            @Override
            public StoredAuthority readOrCreate(CertificateCycle.Initial initial) throws GeneralSecurityException {
                request();
                if (state == null) {
                    AuthorityState created = initial.create();
                    others();
                    if (state == null) {
                        state = created;
                        version++;
                    }
                }
                return new StoredAuthority(state, String.valueOf(version));
            }

            @Override
            public Optional<StoredAuthority> replace(StoredAuthority stored, AuthorityState next) {
                request();
                if (state == null || !stored.version().equals(String.valueOf(version))) {
                    return Optional.empty();
                }
                state = next;
                version++;
                return Optional.of(new StoredAuthority(next, String.valueOf(version)));
            }

            @Override
            public void compareClocks(Instant now) {}

            @Override
            public Published read() {
                List<List<X509Certificate>> bundles = new ArrayList<>();
                List<String> failures = new ArrayList<>();
                for (Target target : targets) {
                    try {
                        request();
                        bundles.add(target.at(second));
                    } catch (IllegalStateException e) {
                        failures.add("no response");
                    }
                }
                return new Published(bundles, List.of(), failures);
            }

            @Override
            public List<String> write(List<X509Certificate> certificates, Predicate<X509Certificate> removable) {
                List<String> failures = new ArrayList<>();
                for (Target target : targets) {
                    try {
                        request();
                        List<X509Certificate> found = target.at(second);
                        boolean complete =
                                found.stream().allMatch(one -> certificates.contains(one) || removable.test(one));
                        others();
                        if (complete && target.at(second).equals(found)) { // else a conflict
                            target.history.put(second, List.copyOf(certificates));
                        }
                    } catch (IllegalStateException e) {
                        failures.add("no response");
                    }
                }
                return failures;
            }
        }
    }
}
