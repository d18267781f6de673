package io.github.reconciler4j.sharding.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.leaderelection.WriteScope;
import io.github.reconciler4j.leaderelection.internal.LeaseFence;
import io.github.reconciler4j.leaderelection.internal.LeaseRecord;
import io.github.reconciler4j.sharding.ShardHandler;
import io.github.reconciler4j.sharding.ShardingOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** What one ring asks of its handler, one step after the other. */
class ShardStartTests {

    private final ManualTimeSource time = new ManualTimeSource();
    private final List<String> calls = new ArrayList<>();
    private final Map<Integer, Duration> idle = new HashMap<>();

    /** The calls that fail. */
    private List<String> failing = List.of();

    private Duration write = Duration.ZERO;

    private FakeShardStore store;
    private RingNames names;

    /** Fails as a component could, and never completes a stop. */
    private final class Handler implements ShardHandler {

        private void call(String call) {
            calls.add(call);
            if (failing.contains(call)) {
                throw new IllegalStateException("for a test");
            }
        }

        @Override
        public void start(int shard, WriteScope scope) {
            call("start " + shard);
        }

        @Override
        public void started() {
            call("started");
        }

        @Override
        public CompletionStage<Void> stop(int shard, Stop how) {
            call("stop " + shard + " " + how);
            return new CompletableFuture<>();
        }
    }

    private final class Listener implements ShardCoordinator.Listener {

        @Override
        public void acquired(int shard, Duration since) {
            idle.put(shard, since);
        }

        @Override
        public void released(int shard) {}

        @Override
        public void lost(int shard) {}

        @Override
        public void ended() {}
    }

    private void written() {
        calls.add("write");
        time.advance(write);
    }

    private ShardRing ring(int shards) {
        ShardingOptions options = ShardingOptions.named("ring").withShards(shards);
        names = new RingNames(options, "");
        store = new FakeShardStore(names.layout()) {
            @Override
            public Version create(String name, boolean replica, LeaseRecord record, Duration timeout) {
                written();
                return super.create(name, replica, record, timeout);
            }

            @Override
            public Version update(Version previous, LeaseRecord record, Duration timeout) {
                written();
                return super.update(previous, record, timeout);
            }
        };
        renew("me");
        for (int shard = 0; shard < shards; shard++) {
            LeaseRecord former = LeaseRecord.first("former", 15, time.instant());
            store.put(names.shard(shard), former.released(time.instant()), new ShardStore.Marks("", false));
        }
        LeaseFence fence = mock(LeaseFence.class);
        when(fence.isOpen()).thenReturn(true);
        ShardCoordinator.Environment environment =
                new ShardCoordinator.Environment(store, fence, new Handler(), () -> 0.5, new Listener());
        ShardRing ring = new ShardRing(environment, names, "me", time);
        ring.elected();
        ring.step();
        time.advance(options.timing().retryPeriod());
        return ring;
    }

    private void renew(String replica) {
        store.put(
                names.replica(replica),
                LeaseRecord.first(replica, 3600, time.instant()),
                new ShardStore.Marks(names.layout(), false));
    }

    @Test
    void stepWhenAStartFailsStopsTheShardOnceAlsoIfTheEndOfAllStartsFails() {
        ShardRing ring = ring(3);
        failing = List.of("start 1", "started");
        ring.step();
        assertThat(calls)
                .containsExactly(
                        "write",
                        "write",
                        "write",
                        "start 0",
                        "start 1",
                        "stop 1 NOW",
                        "start 2",
                        "started",
                        "stop 0 NOW",
                        "stop 2 NOW");
    }

    @Test
    void stepWhenAllStartsFailDoesNotEndThem() {
        ShardRing ring = ring(2);
        failing = List.of("start 0", "start 1");
        ring.step();
        assertThat(calls).endsWith("start 0", "stop 0 NOW", "start 1", "stop 1 NOW");
    }

    @Test
    void stepWhenAWriteIsSlowStartsWhatWaitsBeforeTheNext() {
        ShardRing ring = ring(2);
        write = Duration.ofMillis(500);
        ring.step();
        assertThat(calls).containsExactly("write", "start 0", "started", "write", "start 1", "started");
    }

    @Test
    void stepWhenShardsWaitForOthersCountsThatAsIdle() {
        ShardRing ring = ring(4);
        write = Duration.ofMillis(400);
        ring.step();
        assertThat(calls)
                .containsExactly(
                        "write", "write", "write", "start 0", "start 1", "start 2", "started", "write", "start 3",
                        "started");
        assertThat(idle.get(0)).isEqualTo(idle.get(2)).isEqualTo(idle.get(3).minus(write));
    }

    @Test
    void stepWhenAnotherReplicaJoinsStopsSixtyFourOfManyShardsAtATime() {
        ShardRing ring = ring(1024);
        ring.step();
        calls.clear();
        renew("other");
        time.advance(Duration.ofMinutes(1));
        ring.step();
        assertThat(calls).hasSize(64).allMatch(call -> call.endsWith(" FINISH"));
    }
}
