package io.github.reconciler4j.sharding.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.fixtures.StormServer;
import io.github.reconciler4j.leaderelection.WriteScope;
import io.github.reconciler4j.leaderelection.internal.LeaseFence;
import io.github.reconciler4j.leaderelection.internal.LeaseRecord;
import io.github.reconciler4j.sharding.ShardHandler;
import io.github.reconciler4j.sharding.ShardingOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Whatever an API server answers to writes of Leases, a ring sends it few, and holds its shards soon after it works. In virtual time. */
class ShardRingStormTests {

    private static final int CASES = Integer.getInteger("storm.ring.cases", 300);
    private static final int FIRST = Integer.getInteger("storm.ring.seed", 0);
    private static final int[] CODES = {400, 403, 404, 409, 410, 422, 429, 500, 503};
    private static final ShardStore.Marks NONE = new ShardStore.Marks("", false);
    private static final double SECOND = 1e9;

    private enum Fault {
        REFUSED,
        REFUSED_IN_PART,
        NOT_STORED,
        LOST,
        STORED_AND_LOST,
        ANY
    }

    @Test
    void requestsWhateverTheServerAnswersAreFewAndTheShardsAreHeldSoonAfterItRecovers() {
        for (int seed = FIRST; seed < FIRST + CASES; seed++) {
            String story = "seed " + seed + " (-Dstorm.ring.seed=" + seed + " -Dstorm.ring.cases=1)";
            Random random = new Random(seed);
            Replica replica = new Replica(random, 1 + random.nextInt(64));
            replica.runFor(Duration.ofSeconds(random.nextInt(300)));
            replica.store.assertFew(story);
            replica.store.hostile = false;
            replica.runFor(Duration.ofSeconds(45));
            assertThat(replica.working).as(story + replica.store.fault).hasSize(replica.shards);
        }
    }

    /** Makes the steps of a ring, and renews its Lease. */
    private static final class Replica implements ShardHandler, ShardCoordinator.Listener {
        private final StormServer.Clock clock = new StormServer.Clock();
        private final Set<Integer> working = new TreeSet<>();
        private final Store store;
        private final RingNames names;
        private final ShardRing ring;
        private final int shards;

        Replica(Random random, int shards) {
            this.shards = shards;
            names = new RingNames(ShardingOptions.named("ring").withShards(shards), "");
            store = new Store(random, names, clock);
            renew();
            for (int shard = 0; shard < shards; shard++) {
                LeaseRecord former =
                        LeaseRecord.first(random.nextInt(3) == 0 ? "dead" : "stranger", 15, clock.instant());
                switch (random.nextInt(3)) {
                    case 0 -> store.put(names.shard(shard), former, NONE);
                    case 1 -> store.put(names.shard(shard), former.released(clock.instant()), NONE);
                    default -> {}
                }
            }
            store.put(names.replica("dead"), LeaseRecord.first("dead", 15, clock.instant()), marks());
            LeaseFence fence = mock(LeaseFence.class);
            when(fence.isOpen()).thenReturn(true);
            ring = new ShardRing(
                    new ShardCoordinator.Environment(store, fence, this, random::nextDouble, this), names, "me", clock);
            ring.elected();
        }

        private ShardStore.Marks marks() {
            return new ShardStore.Marks(names.layout(), false);
        }

        private void renew() {
            store.put(names.replica("me"), LeaseRecord.first("me", 15, clock.instant()), marks());
        }

        void runFor(Duration length) {
            long end = clock.nanoTime() + length.toNanos();
            while (clock.nanoTime() - end < 0) {
                renew();
                clock.pass(ring.step().plusMillis(1));
            }
        }

        @Override
        public void start(int shard, WriteScope scope) {
            working.add(shard);
        }

        @Override
        public CompletionStage<Void> stop(int shard, Stop how) {
            working.remove(shard);
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void acquired(int shard, Duration idle) {}

        @Override
        public void released(int shard) {}

        @Override
        public void lost(int shard) {}

        @Override
        public void ended() {}
    }

    /** Refuses writes, loses them, or acknowledges what it does not store. */
    private static final class Store extends FakeShardStore {
        private final Random random;
        private final RingNames names;
        private final StormServer.Clock clock;
        private final Fault fault;
        private final int code;
        private final Set<String> written = new HashSet<>();
        private final List<Long> repetitions = new ArrayList<>();
        private final List<Long> lists = new ArrayList<>();
        private boolean hostile = true;

        Store(Random random, RingNames names, StormServer.Clock clock) {
            super(names.layout());
            this.random = random;
            this.names = names;
            this.clock = clock;
            this.fault = Fault.values()[random.nextInt(Fault.values().length)];
            this.code = CODES[random.nextInt(CODES.length)];
        }

        private void count(String name) {
            if (!written.add(name)) {
                repetitions.add(clock.nanoTime());
            }
        }

        /** Returns whether the write is acknowledged without effect. */
        private boolean before(String name) {
            count(name);
            if (!hostile) {
                return false;
            }
            clock.pass(Duration.ofMillis(random.nextInt(100)));
            Fault now = fault == Fault.ANY ? Fault.values()[random.nextInt(Fault.values().length)] : fault;
            switch (now) {
                case REFUSED -> throw failure(fault == Fault.ANY ? CODES[random.nextInt(CODES.length)] : code);
                case REFUSED_IN_PART -> {
                    if (name.hashCode() % 2 == 0) {
                        throw failure(code);
                    }
                }
                case LOST -> throw new ConnectionException("lost", ConnectionException.Problem.TIMEOUT, null);
                default -> {}
            }
            return now == Fault.NOT_STORED;
        }

        private void after() {
            if (hostile && fault == Fault.STORED_AND_LOST) {
                throw new ConnectionException("lost", ConnectionException.Problem.CONNECTION_RESET, null);
            }
        }

        @Override
        public List<Version> replicas(Duration timeout) {
            lists.add(clock.nanoTime());
            return super.replicas(timeout);
        }

        @Override
        public List<Version> shards(Duration timeout) {
            lists.add(clock.nanoTime());
            return super.shards(timeout);
        }

        @Override
        public Version create(String name, boolean replica, LeaseRecord record, Duration timeout) {
            if (before(name)) {
                return new Version(name, record, NONE, -1L);
            }
            Version created = super.create(name, replica, record, timeout);
            after();
            return created;
        }

        @Override
        public Version update(Version previous, LeaseRecord record, Duration timeout) {
            if (before(previous.name())) {
                return new Version(previous.name(), record, previous.marks(), -1L);
            }
            Version updated = super.update(previous, record, timeout);
            after();
            return updated;
        }

        @Override
        public void mark(Version previous, boolean leaving, Duration timeout) {
            if (!before(previous.name())) {
                super.mark(previous, leaving, timeout);
            }
        }

        @Override
        public void delete(Version previous, Duration timeout) {
            if (!before(previous.name())) {
                super.delete(previous, timeout);
            }
        }

        /** Two lists in a retry period are as many as of a healthy server whose shards move. */
        void assertFew(String story) {
            double perSecond = 2
                    / (0.9
                            * ShardingOptions.named("ring")
                                    .timing()
                                    .retryPeriod()
                                    .toNanos()
                            / SECOND);
            assertFew(lists, 2, perSecond, story + " " + fault + " lists");
            if (fault != Fault.ANY) { // where some succeed, others are sent at once
                assertFew(repetitions, 0, 0, story + " " + fault + " " + code + " writes");
            }
        }

        private static void assertFew(List<Long> times, int first, double perSecond, String story) {
            for (int from = 0; from < times.size(); from++) {
                for (int to = from + 10; to < times.size(); to++) {
                    double seconds = (times.get(to) - times.get(from)) / SECOND;
                    assertThat(to - from + 1.0)
                            .as(() -> story + " in " + seconds + " s")
                            .isLessThanOrEqualTo(10 + Math.max(0, seconds - 10) + first + seconds * perSecond + 1e-6);
                }
            }
        }
    }
}
