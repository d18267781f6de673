package io.github.reconciler4j.sharding.internal.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyBoolean;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.github.reconciler4j.leaderelection.LeaseTiming;
import io.github.reconciler4j.sharding.ShardingOptions;
import io.github.reconciler4j.sharding.ShardingStatus;
import io.github.reconciler4j.sharding.internal.ShardCoordinator;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Changes of borders that fail half-way. All happens on the thread that reads the borders; a journal notes it. */
@Timeout(120)
class ShardMembershipTests {

    private static final List<Long> OLD = List.of(1L);
    private static final List<Long> NEW = List.of(2L);
    private static final ShardingOptions OPTIONS = ShardingOptions.named("shop")
            .withShards(2)
            .withLeaseNamespace("default")
            .withTiming(LeaseTiming.of(Duration.ofSeconds(6), Duration.ofSeconds(4), Duration.ofMillis(20)));

    private final List<String> journal = new CopyOnWriteArrayList<>();
    private final NamespaceBorders borders = mock();
    private final Deque<RuntimeException> failuresToDivide = new ArrayDeque<>();
    private final Deque<Boolean> ended = new ArrayDeque<>();
    private final ShardMembership membership =
            new ShardMembership(OPTIONS, borders, this::coordinator, this::divide, TimeSource.system());

    @AfterEach
    void stop() {
        membership.stop();
    }

    private ShardCoordinator coordinator(List<Long> of) {
        ShardCoordinator coordinator = mock();
        when(coordinator.hasEnded()).thenAnswer(call -> {
            boolean has = ended.isEmpty() || ended.remove();
            journal.add(has ? "ended " + of : "stopping " + of);
            return has;
        });
        ShardingStatus.Ring ring = new ShardingStatus.Ring(1, 0, 0);
        ShardingStatus.Moves moves = new ShardingStatus.Moves(2, 1, 0);
        when(coordinator.status()).thenReturn(new ShardingStatus("me", 2, Set.of(), ring, moves, ""));
        doAnswer(call -> journal.add("start " + of)).when(coordinator).start();
        doAnswer(call -> journal.add("stop " + of)).when(coordinator).stop(anyBoolean());
        return coordinator;
    }

    private void divide(List<Long> by) {
        RuntimeException failure = by.equals(NEW) ? failuresToDivide.poll() : null;
        journal.add((failure == null ? "divide " : "fail to divide ") + by);
        if (failure != null) {
            throw failure;
        }
    }

    private void startAndAwait(String last) {
        membership.start();
        await(last).atMost(Duration.ofSeconds(60)).until(() -> journal.indexOf(last) >= 0);
    }

    @Test
    void changeWhenItFailsAndIsRevokedStartsTheFormerBordersAgain() {
        failuresToDivide.add(new IllegalStateException("a shard is held"));
        when(borders.agree(any())).thenReturn(OLD).thenReturn(NEW).thenReturn(OLD);
        membership.start();
        await("restart").atMost(Duration.ofSeconds(60)).until(() -> journal.lastIndexOf("start " + OLD) > 1);
        assertThat(journal)
                .startsWith(
                        "divide [1]",
                        "start [1]", // the first
                        "stop [1]",
                        "ended [1]",
                        "fail to divide [2]", // the change
                        "stop [1]",
                        "ended [1]",
                        "divide [1]",
                        "start [1]");
    }

    @Test
    void changeWhenItFailsIsRepeatedAndCountsTheMovesOnce() {
        failuresToDivide.add(new IllegalStateException("a shard is held"));
        when(borders.agree(any())).thenReturn(OLD).thenReturn(NEW);
        startAndAwait("start " + NEW);
        assertThat(journal).containsOnlyOnce("start " + OLD, "start " + NEW, "fail to divide " + NEW);
        assertThat(membership.status("me").moves()).isEqualTo(new ShardingStatus.Moves(4, 2, 0));
    }

    @Test
    void changeWhenShardsAreStillGivenAwayWaitsForTheirEnd() {
        ended.addAll(List.of(false, false));
        when(borders.agree(any())).thenReturn(OLD).thenReturn(NEW);
        startAndAwait("start " + NEW);
        assertThat(journal)
                .startsWith(
                        "divide [1]",
                        "start [1]", //
                        "stop [1]",
                        "stopping [1]", // twice, then the change
                        "stop [1]",
                        "stopping [1]",
                        "stop [1]",
                        "ended [1]",
                        "divide [2]",
                        "start [2]");
    }
}
