package io.github.reconciler4j.controller.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import ch.qos.logback.classic.Level;
import io.github.reconciler4j.client.error.WriteRefusedException;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.leaderelection.WriteScope;
import io.github.reconciler4j.manager.StartGroup;
import io.github.reconciler4j.sharding.ShardHandler;
import io.github.reconciler4j.source.KindSource;
import io.github.reconciler4j.workqueue.WorkItem;
import io.github.reconciler4j.workqueue.WorkQueue;
import io.github.reconciler4j.workqueue.WorkQueueOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a gate admits, and what it does with the queue; {@code ControllerShardsTests} tests it with workers. */
class ShardGateTests {

    private final ShardGate<String> gate = new ShardGate<>("test");
    private final WriteScope scope = WriteScope.of(() -> {});
    private final WorkQueue<String> queue = WorkQueue.create(WorkQueueOptions.defaults("test"));
    private final List<String> forgotten = new ArrayList<>();

    @SuppressWarnings("unchecked")
    private final Worker<String> worker = mock(Worker.class);

    private Consumer<String> known = forgotten::add;

    @AfterEach
    void useFromAnotherThread() throws Exception {
        CompletableFuture.runAsync(() -> gate.acquire(9, scope)).get(60, TimeUnit.SECONDS); // no lock is left
    }

    private void divide(Function<String, OptionalInt> shardOf) {
        gate.divide(shardOf, List::of, "");
    }

    @Test
    void admitsWhenTheControllerIsNotDividedIsTrue() {
        assertThat(gate.isDivided()).isFalse();
        assertThat(gate.admits("a")).isTrue();
        assertThat(gate.open(1, scope)).isTrue();
    }

    @Test
    void admitsWhenTheShardIsNotHeldIsFalse() {
        divide(request -> OptionalInt.of(1));
        assertThat(gate.admits("a")).isFalse();
        gate.acquire(1, scope);
        assertThat(gate.admits("a")).isTrue();
        gate.close(1, ShardHandler.Stop.FINISH);
        assertThat(gate.admits("a")).isFalse();
    }

    @Test
    void admitsWhenTheShardIsNotKnownIsTrue() {
        divide(request -> OptionalInt.empty());
        assertThat(gate.admits("a")).isTrue();
    }

    @Test
    void admitsWhenTheShardCannotBeDeterminedIsTrueAndIsLogged() {
        divide(request -> {
            throw new IllegalStateException("closed");
        });
        try (CapturedLog log = CapturedLog.of(ShardGate.class.getName())) {
            assertThat(gate.admits("a")).isTrue();
            assertThat(log.lines(Level.WARN))
                    .singleElement()
                    .asString()
                    .contains("Controller 'test' cannot determine the shard of a yet: java.lang.IllegalStateException");
        }
    }

    private void divideByFirstDigit() {
        divide(request -> OptionalInt.of(request.charAt(0) - '0'));
        gate.attach(new ShardGate.Queue<>(queue, request -> known.accept(request)));
    }

    /** Dequeues a request as a worker does. */
    private ShardGate.Permit<String> enter(String request, int priority) {
        queue.add(request, priority);
        WorkItem<String> item = queue.poll();
        ShardGate.Permit<String> permit = gate.enter(item, worker);
        queue.done(item.item());
        return permit;
    }

    @Test
    void enterWhenTheShardIsNotHeldForgetsTheRequest() {
        divideByFirstDigit();
        queue.addRateLimited("1a", 0);
        queue.cancel("1a");
        assertThat(enter("1a", 0)).isNull();
        assertThat(queue.retries("1a")).isZero();
        assertThat(forgotten).containsExactly("1a");
    }

    @Test
    void openEnqueuesWhatWasParkedWithItsHighestPriority() {
        divideByFirstDigit();
        gate.acquire(1, scope);
        assertThat(enter("1a", 5)).isNull();
        assertThat(enter("1a", 7)).isNull();
        assertThat(enter("1a", 6)).isNull();
        assertThat(queue.size()).isZero();

        assertThat(gate.open(1, scope)).isTrue();
        WorkItem<String> item = queue.poll();
        assertThat(item.priority()).isEqualTo(7);
        queue.done("1a");

        assertThat(gate.open(1, scope)).isTrue();
        assertThat(queue.size()).as("it is enqueued once").isZero();
        assertThat(forgotten).isEmpty();
    }

    @Test
    void openWhenTheTermIsAnotherOneKeepsRequestsParked() {
        divideByFirstDigit();
        gate.acquire(1, scope);
        assertThat(enter("1a", 0)).isNull();
        assertThat(gate.open(1, WriteScope.of(() -> {}))).isTrue();
        assertThat(queue.size()).isZero();
        assertThat(enter("1b", 0)).as("not open").isNull();
        gate.acquire(1, scope);
        gate.open(1, scope);
        assertThat(queue.size())
                .as("acquired again in the same term, they stay parked")
                .isEqualTo(2);
    }

    @Test
    void acquireWhenTheTermIsNewIsNotOpen() {
        divideByFirstDigit();
        gate.acquire(1, scope);
        gate.open(1, scope);
        assertThat(enter("1a", 0)).isNotNull();
        gate.acquire(1, WriteScope.of(() -> {}));
        assertThat(enter("1a", 0)).isNull();
    }

    @Test
    void attachForgetsWhatWasParkedInAnotherQueue() {
        divideByFirstDigit();
        gate.acquire(1, scope);
        enter("1a", 0);
        gate.attach(new ShardGate.Queue<>(queue, forgotten::add));
        gate.open(1, scope);
        assertThat(queue.size()).isZero();
    }

    @Test
    void closeRemovesWhatIsParkedOrWaitsForItsShard() {
        divideByFirstDigit();
        gate.acquire(1, scope);
        enter("1parked", 0);
        gate.acquire(2, scope);
        queue.add("1ready");
        queue.addAfter("1delayed", Duration.ofHours(1), 0);
        queue.add("2other");

        assertThat(gate.close(1, ShardHandler.Stop.FINISH).toCompletableFuture())
                .isCompleted();

        assertThat(queue.waiting()).containsExactly("2other");
        assertThat(forgotten).containsExactlyInAnyOrder("1parked", "1ready", "1delayed");
    }

    @Test
    void closeWhenTheShardOfARequestCannotBeDeterminedLeavesIt() {
        divide(request -> {
            if (request.equals("unknown")) {
                throw new IllegalStateException("closed");
            }
            return request.equals("none") ? OptionalInt.empty() : OptionalInt.of(1);
        });
        gate.attach(new ShardGate.Queue<>(queue, forgotten::add));
        gate.acquire(1, scope);
        List.of("unknown", "none", "one").forEach(queue::add);
        gate.close(1, ShardHandler.Stop.FINISH);
        assertThat(queue.waiting()).containsExactlyInAnyOrder("unknown", "none");
    }

    @Test
    void closeAsksWorkersOfItsShardToStopOnlyIfItMustEndNow() {
        divideByFirstDigit();
        gate.acquire(1, scope);
        gate.open(1, scope);
        gate.acquire(2, scope);
        gate.open(2, scope);
        ShardGate.Permit<String> one = enter("1a", 0);
        ShardGate.Permit<String> two = enter("2a", 0);

        CompletableFuture<?> finished = gate.close(1, ShardHandler.Stop.FINISH).toCompletableFuture();
        verify(worker, never()).interruptRevoked(any());
        assertThat(one.isRevoked()).isFalse();

        CompletableFuture<?> now = gate.close(1, ShardHandler.Stop.NOW).toCompletableFuture();
        verify(worker).interruptRevoked(one);
        verify(worker, never()).interruptRevoked(two);
        assertThat(one.isRevoked()).isTrue();
        assertThat(two.isRevoked()).isFalse();
        assertThat(finished).isNotDone();
        assertThat(now).isNotDone();

        gate.exit(one);
        assertThat(finished).isCompleted();
        assertThat(now).isCompleted();
        assertThat(gate.close(1, ShardHandler.Stop.NOW).toCompletableFuture())
                .as("it does not run any more")
                .isCompleted();
    }

    @Test
    void exitRemovesWhatTheReconciliationEnqueuedOnlyIfTheShardIsLost() {
        divideByFirstDigit();
        gate.acquire(1, scope);
        gate.open(1, scope);
        ShardGate.Permit<String> held = enter("1a", 0);
        queue.addAfter("1a", Duration.ofHours(1), 0);
        gate.exit(held);
        assertThat(queue.waiting()).containsExactly("1a");
        queue.cancel("1a");

        ShardGate.Permit<String> lost = enter("1a", 0);
        gate.close(1, ShardHandler.Stop.FINISH);
        queue.addAfter("1a", Duration.ofHours(1), 0);
        gate.exit(lost);
        assertThat(queue.waiting()).isEmpty();
        assertThat(forgotten).containsExactly("1a");
    }

    @Test
    void exitWhenTheShardIsAcquiredMeanwhileEnqueuesTheRequestAgain() {
        divideByFirstDigit();
        gate.acquire(1, scope);
        gate.open(1, scope);
        ShardGate.Permit<String> lost = enter("1a", 0);
        gate.close(1, ShardHandler.Stop.FINISH);
        known = request -> gate.acquire(1, scope);
        gate.exit(lost);
        assertThat(queue.waiting()).containsExactly("1a");
    }

    @Test
    void runUsesTheScopeOfTheShard() {
        divideByFirstDigit();
        gate.acquire(1, scope);
        gate.open(1, scope);
        List<Optional<WriteScope>> scopes = new ArrayList<>();
        enter("1a", 0).run(() -> scopes.add(WriteScope.current()));
        assertThat(scopes).containsExactly(Optional.of(scope));
    }

    @Test
    void groupOrWhenDividedIsAllReplicas() {
        assertThat(gate.groupOr(StartGroup.LEADER_ELECTED)).isEqualTo(StartGroup.LEADER_ELECTED);
        divideByFirstDigit();
        assertThat(gate.groupOr(StartGroup.LEADER_ELECTED)).isEqualTo(StartGroup.ALL_REPLICAS);
    }

    @Test
    void mayStartAsksTheScope() {
        divideByFirstDigit();
        gate.acquire(1, scope);
        gate.open(1, scope);
        assertThat(enter("1a", 0).mayStart()).isTrue();
        WriteScope expired = WriteScope.of(() -> {
            throw new WriteRefusedException("the Lease has expired");
        });
        gate.acquire(2, expired);
        gate.open(2, expired);
        assertThat(enter("2a", 0).mayStart()).isFalse();
    }

    @Test
    void openWhenTheCacheLacksObjectsOfTheDividedClusterIsFalse() {
        KindSource<?, String> source = mock();
        when(source.cluster()).thenReturn("");
        gate.divide(request -> OptionalInt.of(1), () -> List.of(source), "");
        gate.acquire(1, scope);
        assertThat(gate.open(1, scope)).isFalse();
        when(source.hasShards()).thenReturn(true);
        assertThat(gate.open(1, scope)).isTrue();
        when(source.hasShards()).thenReturn(false);
        when(source.cluster()).thenReturn("other");
        assertThat(gate.open(1, scope)).as("the source is of another cluster").isTrue();
        gate.divide(request -> OptionalInt.of(1), () -> List.of(source), "other");
        assertThat(gate.open(1, scope)).as("the divided cluster is another one").isTrue();
    }
}
