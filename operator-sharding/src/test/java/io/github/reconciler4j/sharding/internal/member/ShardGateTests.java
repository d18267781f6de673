package io.github.reconciler4j.sharding.internal.member;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.github.reconciler4j.client.error.WriteRefusedException;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.leaderelection.WriteScope;
import io.github.reconciler4j.sharding.ShardHandler;
import io.github.reconciler4j.workqueue.RequestGate;
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

    private ShardGate<String> gate;
    private final WriteScope scope = WriteScope.of(() -> {});
    private final WorkQueue<String> queue = WorkQueue.create(WorkQueueOptions.defaults("test"));
    private final List<String> forgotten = new ArrayList<>();

    private final List<String> interrupted = new ArrayList<>();
    private Consumer<String> known = forgotten::add;
    private boolean ready = true;

    @AfterEach
    void useFromAnotherThread() throws Exception {
        CompletableFuture.runAsync(() -> gate.acquire(9, scope)).get(60, TimeUnit.SECONDS); // no lock is left
    }

    private void divide(Function<String, OptionalInt> shardOf) {
        gate = new ShardGate<>("test", shardOf, () -> ready);
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
        gate.attach(new QueueOfGate<>(queue, request -> known.accept(request)));
    }

    /** Dequeues a request as a worker does. */
    private RequestGate.Pass enter(String request, int priority) {
        queue.add(request, priority);
        WorkItem<String> item = queue.poll();
        RequestGate.Pass permit = gate.enter(item.item(), item.priority(), () -> interrupted.add(request));
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
        gate.attach(new QueueOfGate<>(queue, forgotten::add));
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
        gate.attach(new QueueOfGate<>(queue, forgotten::add));
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
        RequestGate.Pass one = enter("1a", 0);
        RequestGate.Pass two = enter("2a", 0);

        CompletableFuture<?> finished = gate.close(1, ShardHandler.Stop.FINISH).toCompletableFuture();
        assertThat(interrupted).isEmpty();
        assertThat(one.isRevoked()).isFalse();

        CompletableFuture<?> now = gate.close(1, ShardHandler.Stop.NOW).toCompletableFuture();
        assertThat(interrupted).containsExactly("1a");
        assertThat(one.isRevoked()).isTrue();
        assertThat(two.isRevoked()).isFalse();
        assertThat(finished).isNotDone();
        assertThat(now).isNotDone();

        one.exit();
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
        RequestGate.Pass held = enter("1a", 0);
        queue.addAfter("1a", Duration.ofHours(1), 0);
        held.exit();
        assertThat(queue.waiting()).containsExactly("1a");
        queue.cancel("1a");

        RequestGate.Pass lost = enter("1a", 0);
        gate.close(1, ShardHandler.Stop.FINISH);
        queue.addAfter("1a", Duration.ofHours(1), 0);
        lost.exit();
        assertThat(queue.waiting()).isEmpty();
        assertThat(forgotten).containsExactly("1a");
    }

    @Test
    void exitWhenTheShardIsAcquiredMeanwhileEnqueuesTheRequestAgain() {
        divideByFirstDigit();
        gate.acquire(1, scope);
        gate.open(1, scope);
        RequestGate.Pass lost = enter("1a", 0);
        gate.close(1, ShardHandler.Stop.FINISH);
        known = request -> gate.acquire(1, scope);
        lost.exit();
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
    void openWhenTheCacheLacksObjectsIsFalse() {
        divideByFirstDigit();
        ready = false;
        gate.acquire(1, scope);
        assertThat(gate.open(1, scope)).isFalse();
        assertThat(enter("1a", 0)).as("parked").isNull();
        ready = true;
        assertThat(gate.open(1, scope)).isTrue();
        assertThat(queue.waiting()).containsExactly("1a");
    }
}
