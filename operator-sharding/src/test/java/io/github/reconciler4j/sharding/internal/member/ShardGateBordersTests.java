package io.github.reconciler4j.sharding.internal.member;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.leaderelection.WriteScope;
import io.github.reconciler4j.sharding.ShardHandler;
import io.github.reconciler4j.workqueue.RequestGate;
import io.github.reconciler4j.workqueue.WorkQueue;
import io.github.reconciler4j.workqueue.WorkQueueOptions;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Requests belong to another shard when the borders of namespaces have changed, which they do while no shard is held. */
class ShardGateBordersTests {

    private ShardGate<String> gate;
    private final AtomicInteger shard = new AtomicInteger(1);

    private void open(int number) {
        WriteScope scope = WriteScope.of(() -> {});
        gate.acquire(number, scope);
        gate.open(number, scope);
    }

    @Test
    void enterWhenShardsWereAcquiredSinceTheShardWasComputedComputesItAgain() {
        gate = new ShardGate<>(
                "test",
                request -> {
                    int computed = shard.get();
                    if (shard.compareAndSet(1, 2)) { // a worker that is slow here
                        gate.close(1, ShardHandler.Stop.FINISH);
                        open(1);
                        open(2);
                    }
                    return OptionalInt.of(computed);
                },
                () -> true);
        open(1);

        assertThat(gate.enter("a", 0, () -> {})).isNotNull();

        assertThat(gate.close(1, ShardHandler.Stop.FINISH).toCompletableFuture())
                .as("nothing of the former shard runs")
                .isDone();
        assertThat(gate.close(2, ShardHandler.Stop.FINISH).toCompletableFuture())
                .isNotDone();
    }

    @Test
    void exitWhenTheShardOfARequestCannotBeComputedEndsTheReconciliation() {
        gate = new ShardGate<>(
                "test",
                request -> {
                    if (shard.get() == 0) {
                        throw new NoClassDefFoundError("of the user");
                    }
                    return OptionalInt.of(shard.get());
                },
                () -> true);
        gate.attach(new QueueOfGate<String>(WorkQueue.create(WorkQueueOptions.defaults("test")), known -> {}));
        open(1);
        RequestGate.Pass permit = gate.enter("a", 0, () -> {});
        CompletionStage<?> closed = gate.close(1, ShardHandler.Stop.FINISH);
        shard.set(0);

        permit.exit();

        assertThat(closed.toCompletableFuture()).isDone();
    }
}
