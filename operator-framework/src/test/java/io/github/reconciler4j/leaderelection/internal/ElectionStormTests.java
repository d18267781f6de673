package io.github.reconciler4j.leaderelection.internal;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.fixtures.StormServer;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions;
import io.github.reconciler4j.leaderelection.LeaseTiming;
import io.github.reconciler4j.leaderelection.internal.Election.Step;
import io.github.reconciler4j.leaderelection.internal.Election.Step.Change;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.support.KubernetesJson;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whatever an API server answers, an election sends it few requests, says so once, and leads soon after it works again. In virtual time. */
class ElectionStormTests {

    private static final int CASES = Integer.getInteger("storm.lease.cases", 300);
    private static final int FIRST = Integer.getInteger("storm.lease.seed", 0);
    private static final ObjectKey KEY = ObjectKey.of("test", "lock");
    private static final List<LeaseTiming> TIMINGS = List.of(
            LeaseTiming.defaults(),
            LeaseTiming.defaults(),
            LeaseTiming.of(Duration.ofSeconds(3), Duration.ofSeconds(2), Duration.ofMillis(500)),
            LeaseTiming.of(Duration.ofSeconds(1), Duration.ofMillis(500), Duration.ofMillis(50)),
            LeaseTiming.of(Duration.ofSeconds(60), Duration.ofSeconds(40), Duration.ofSeconds(10)));

    /** The longest duration that a server states, and more than any timing. */
    private static final Duration LONGEST_LEASE = Duration.ofSeconds(90);

    @Test
    void requestsWhateverTheServerAnswersAreFewAndTheReplicaLeadsSoonAfterItRecovers() {
        for (int seed = FIRST; seed < FIRST + CASES; seed++) {
            Random random = new Random(seed);
            String story = "seed " + seed + " (-Dstorm.lease.seed=" + seed + " -Dstorm.lease.cases=1)";
            LeaseTiming timing = TIMINGS.get(random.nextInt(TIMINGS.size()));
            Server server = new Server(random, Duration.ofSeconds(random.nextInt(300)));
            Replica replica = new Replica(server, timing);
            try (CapturedLog log = CapturedLog.of(Election.class.getName())) {
                while (!server.isHealthy()) {
                    replica.step(story);
                }
                replica.lead(story);
                long minutes = Duration.ofNanos(server.clock().nanoTime()).toMinutes();
                assertThat((long) log.lines(Level.WARN).size())
                        .as(() -> story + log.lines(Level.WARN))
                        .isLessThanOrEqualTo(LeaderElector.MAX_LINES * (minutes + 1));
            }
            server.assertFew(2, 1e9 / timing.retryPeriod().toNanos(), story);
        }
    }

    @Test
    void failureWhenTheLeaseIsDeletedAgainAndAgainSaysSoFromTheThirdTime() {
        FakeLease lease = new FakeLease();
        lease.step();
        try (CapturedLog log = CapturedLog.of(Election.class.getName())) {
            for (int i = 1; i <= 2; i++) {
                lease.store.delete();
                assertThat(lease.step().change()).isEqualTo(Change.NONE);
                assertThat(lease.election.failure()).isEmpty();
            }
            lease.store.delete();
            lease.step();
            assertThat(lease.election.failure())
                    .isEqualTo("3 failures in short succession, the last: it was deleted by another client");
            assertThat(log.lines(Level.WARN))
                    .containsExactly(
                            "WARN Lease test/lease was deleted by another client; creating it again (R4J-203)");
        }
        lease.clock.advance(Duration.ofSeconds(40));
        assertThat(lease.election.failure()).isEmpty();
    }

    @Test
    void failureWhenRenewalsConflictAgainAndAgainSaysSoFromTheThirdTime() {
        FakeLease lease = new FakeLease();
        lease.step();
        try (CapturedLog log = CapturedLog.of(Election.class.getName())) {
            for (int i = 1; i <= 3; i++) {
                assertThat(log.lines(Level.WARN)).isEmpty();
                lease.store.overwrite(lease.store.record().orElseThrow());
                lease.step();
            }
            assertThat(log.lines(Level.WARN))
                    .containsExactly(
                            "WARN The API server refuses renewals of lease test/lease,"
                                    + " for the 3. time in short succession; is there another client that writes it? (R4J-202): conflict");
        }
        assertThat(lease.election.failure()).isEqualTo("3 failures in short succession, the last: conflict");
    }

    @Test
    void stepWhenTheWallClockJumpsAgainAndAgainWaitsForTheRetryPeriod() {
        FakeLease lease = new FakeLease();
        lease.step();
        int immediately = 0;
        for (int i = 0; i < 20; i++) {
            lease.store.onRequest = () -> lease.clock.jumpWallClock(Duration.ofDays(1));
            immediately += lease.election.step().pause().isZero() ? 1 : 0;
        }
        assertThat(immediately).isEqualTo(4);
    }

    @Test
    void stepWhenEachRenewalConflictsKeepsTheLeaseWithFewerRequests() {
        FakeLease lease = new FakeLease();
        lease.step();
        int before = lease.store.timeouts.size();
        boolean[] busy = {false};
        lease.store.onRequest = () -> {
            if (!busy[0]) {
                busy[0] = true;
                lease.store.overwrite(lease.store.record().orElseThrow());
            }
        };
        for (int i = 0; i < 30; i++) {
            busy[0] = false;
            assertThat(lease.step().change()).isEqualTo(Change.NONE);
        }
        assertThat(lease.store.timeouts.size() - before).isLessThan(30 + 4 + 31);
    }

    /** An election for a lease in memory that makes a step each retry period. */
    private static final class FakeLease {
        final ManualTimeSource clock = new ManualTimeSource();
        final FakeStore store = new FakeStore();
        final Election election = new Election(
                store,
                LeaderElectionOptions.named("lease"),
                "me",
                clock,
                () -> 0.5,
                new LeaseFence(clock, LeaseTiming.defaults().renewDeadline()),
                new Silent());

        Step step() {
            Step step = election.step();
            clock.advance(LeaseTiming.defaults().retryPeriod());
            return step;
        }
    }

    private static final class Silent implements Election.Listener {
        @Override
        public void slowPath() {}

        @Override
        public void newHolder(String holder) {}

        @Override
        public int otherLeases() {
            return 0;
        }
    }

    /** Makes steps as the thread of an elector does that joins again at once. */
    private static final class Replica {
        private final Server server;
        private final LeaseTiming timing;
        private final LeaseFence fence;
        private final Election election;
        private int failed;
        private long failedSince;

        Replica(Server server, LeaseTiming timing) {
            this.server = server;
            this.timing = timing;
            fence = new LeaseFence(server.clock(), timing.renewDeadline());
            election = new Election(
                    new ApiLeaseStore(server, KEY, Map.of()),
                    LeaderElectionOptions.named("lock").withTiming(timing),
                    "me",
                    server.clock(),
                    server.random()::nextDouble,
                    fence,
                    new Silent());
        }

        void step(String story) {
            server.threw = false;
            long now = server.clock().nanoTime();
            Step step = election.step();
            if (step.change() == Change.ACQUIRED) {
                fence.grant();
            }
            failedSince = failed == 0 ? now : failedSince;
            failed = server.threw ? failed + 1 : 0;
            if (failed >= 3
                    && server.clock().nanoTime() - failedSince
                            < timing.leaseDuration().toNanos()) {
                assertThat(election.failure()).as(() -> story + server.tail()).contains("failures in short succession");
            }
            server.clock().pass(step.pause());
        }

        /** The server is healthy from now on. */
        void lead(String story) {
            long start = server.clock().nanoTime();
            Duration within =
                    LONGEST_LEASE.plus(timing.retryPeriod().multipliedBy(10)).plusSeconds(20);
            while (!fence.isOpen()) {
                step(story);
                assertThat(server.clock().nanoTime() - start)
                        .as(() -> story + " does not lead" + server.tail())
                        .isLessThan(within.toNanos());
            }
            // A Lease that was acknowledged and not stored is missing now, and with a short deadline the bound can cost
            // the lease once.
            long settled = server.clock().nanoTime() + Duration.ofSeconds(40).toNanos();
            while (!fence.isOpen() || server.clock().nanoTime() - settled < 0) {
                step(story);
            }
            int before = server.requests();
            Duration quiet = timing.leaseDuration().multipliedBy(3).plusSeconds(30);
            int steps = (int) (quiet.toNanos() / timing.retryPeriod().toNanos());
            for (int i = 0; i < steps; i++) {
                step(story);
                assertThat(fence.isOpen())
                        .as(() -> story + " lost it" + server.tail())
                        .isTrue();
            }
            assertThat(server.requests() - before).as(story).isEqualTo(steps);
            assertThat(election.failure()).as(story).isEmpty();
        }
    }

    /** Keeps one lease, and shows it as others would have left it. */
    private static final class Server extends StormServer {

        private static final int[] SECONDS = {0, 1, 2, 15, 90, Integer.MAX_VALUE};

        private final int fault = random.nextInt(9);
        private final int seconds = SECONDS[random.nextInt(SECONDS.length)];
        private String stored = "";
        private long version = 10;
        private boolean threw;

        Server(Random random, Duration hostile) {
            super(random, hostile);
        }

        Random random() {
            return random;
        }

        @Override
        protected ApiException refused(int code) {
            threw |= code != 404 && code != 409;
            return super.refused(code);
        }

        @Override
        protected String healthy(ApiRequest request) {
            if (request.method().equals("POST")) {
                if (!stored.isEmpty()) {
                    throw refused(409);
                }
                return store(read(request.body()));
            }
            if (stored.isEmpty()) {
                throw refused(404);
            }
            if (request.method().equals("GET")) {
                return stored;
            }
            ObjectNode written = read(request.body());
            if (!version(written).equals(version(read(stored.getBytes(StandardCharsets.UTF_8))))) {
                throw refused(409);
            }
            return store(written);
        }

        private static String version(ObjectNode lease) {
            return lease.path("metadata").path("resourceVersion").asText("");
        }

        private String store(ObjectNode lease) {
            version++;
            lease.withObjectProperty("metadata").put("resourceVersion", Long.toString(version));
            stored = lease.toString();
            return stored;
        }

        @Override
        protected String plausible(ApiRequest request) {
            boolean read = request.method().equals("GET");
            switch (fault) {
                case 0 -> { // another client writes it all the time
                    if (!read) {
                        throw refused(409);
                    }
                    return lease("me", seconds);
                }
                case 1 -> {
                    return read ? lease("other-" + random.nextInt(), seconds) : healthy(request);
                }
                case 2 -> {
                    return lease("other\n2026 ERROR " + "x".repeat(random.nextInt(100_000)), seconds);
                }
                case 3 -> { // deleted all the time
                    if (!request.method().equals("POST")) {
                        throw refused(404);
                    }
                    stored = "";
                    return healthy(request);
                }
                case 4 -> {
                    throw refused(read ? 404 : 409);
                }
                default -> {
                    return lessPlausible(request, read);
                }
            }
        }

        private String lessPlausible(ApiRequest request, boolean read) {
            switch (fault) {
                case 5 -> { // free, and cannot be acquired
                    if (!read) {
                        throw refused(409);
                    }
                    return lease("", 1);
                }
                case 6 -> { // acknowledges what it does not store
                    return read ? lease("", 0) : new String(request.body(), StandardCharsets.UTF_8);
                }
                case 7 -> {
                    stored = "";
                    return lease(random.nextBoolean() ? "me" : "", seconds);
                }
                default -> {
                    String answer = healthy(request);
                    if (!stored.isEmpty() && random.nextBoolean()) {
                        store(read(stored.getBytes(StandardCharsets.UTF_8))); // another client writes it
                    }
                    return answer;
                }
            }
        }

        private String lease(String holder, int duration) {
            Instant time = clock.instant();
            ObjectNode lease = read("{\"kind\":\"Lease\",\"apiVersion\":\"coordination.k8s.io/v1\","
                    .concat("\"metadata\":{\"namespace\":\"test\",\"name\":\"lock\"}}")
                    .getBytes(StandardCharsets.UTF_8));
            LeaseJson.write(
                    new LeaseRecord(holder, new LeaseRecord.Term(duration, random.nextInt(9)), time, time), lease);
            lease.withObjectProperty("metadata").put("resourceVersion", Long.toString(++version));
            return lease.toString();
        }

        private static ObjectNode read(byte[] json) {
            try {
                return (ObjectNode) KubernetesJson.read(KubernetesJson.mapper(), json, JsonNode.class);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
