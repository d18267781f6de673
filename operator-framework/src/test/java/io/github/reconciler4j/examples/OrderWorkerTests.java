package io.github.reconciler4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.workqueue.WorkQueue;
import io.github.reconciler4j.workqueue.WorkQueueOptions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class OrderWorkerTests {

    @Test
    void orderWhenItFailsOnceIsProcessedAgain() throws InterruptedException {
        WorkQueue<String> queue = WorkQueue.create(WorkQueueOptions.defaults("orders"));
        List<String> tries = new ArrayList<>();
        queue.add("order-17");

        new OrderWorker(queue, order -> {
                    tries.add(order);
                    if (tries.size() == 1) {
                        throw new IllegalStateException("once");
                    }
                    queue.shutDown();
                })
                .run();

        assertThat(tries).containsExactly("order-17", "order-17");
    }
}
