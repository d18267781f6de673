package io.github.reconciler4j.controller.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.leaderelection.WriteScope;
import io.github.reconciler4j.sharding.ShardHandler;
import io.github.reconciler4j.workqueue.WorkItem;
import io.github.reconciler4j.workqueue.WorkQueue;
import io.github.reconciler4j.workqueue.WorkQueueOptions;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Requests belong to another shard when the borders of namespaces have changed, which they do while no shard is held. */
class ShardGateBordersTests {

    private final ShardGate<String> gate = new ShardGate<>("test");
    private final AtomicInteger shard = new AtomicInteger(1);

    private record Item() implements WorkItem<String> {
        @Override
        public String item() {
            return "a";
        }

        @Override
        public int priority() {
            return 0;
        }

        @Override
        public Duration waited() {
            return Duration.ZERO;
        }
    }

    private void open(int number) {
        WriteScope scope = WriteScope.of(() -> {});
        gate.acquire(number, scope);
        gate.open(number, scope);
    }

    @Test
    void enterWhenShardsWereAcquiredSinceTheShardWasComputedComputesItAgain() {
        gate.divide(
                request -> {
                    int computed = shard.get();
                    if (shard.compareAndSet(1, 2)) { // a worker that is slow here
                        gate.close(1, ShardHandler.Stop.FINISH);
                        open(1);
                        open(2);
                    }
                    return OptionalInt.of(computed);
                },
                List::of,
                "");
        open(1);

        assertThat(gate.enter(new Item(), null)).isNotNull();

        assertThat(gate.close(1, ShardHandler.Stop.FINISH).toCompletableFuture())
                .as("nothing of the former shard runs")
                .isDone();
        assertThat(gate.close(2, ShardHandler.Stop.FINISH).toCompletableFuture())
                .isNotDone();
    }

    @Test
    void exitWhenTheShardOfARequestCannotBeComputedEndsTheReconciliation() {
        gate.divide(
                request -> {
                    if (shard.get() == 0) {
                        throw new NoClassDefFoundError("of the user");
                    }
                    return OptionalInt.of(shard.get());
                },
                List::of,
                "");
        gate.attach(new ShardGate.Queue<String>(WorkQueue.create(WorkQueueOptions.defaults("test")), known -> {}));
        open(1);
        ShardGate.Permit<String> permit = gate.enter(new Item(), null);
        CompletionStage<?> closed = gate.close(1, ShardHandler.Stop.FINISH);
        shard.set(0);

        gate.exit(permit);

        assertThat(closed.toCompletableFuture()).isDone();
    }
}
