package io.github.reconciler4j.examples;

import io.github.reconciler4j.workqueue.WorkItem;
import io.github.reconciler4j.workqueue.WorkQueue;
import java.util.function.Consumer;

/** A worker of a queue whose keys are names of orders. */
final class OrderWorker {

    private final WorkQueue<String> queue;
    private final Consumer<String> orders;

    OrderWorker(WorkQueue<String> queue, Consumer<String> orders) {
        this.queue = queue;
        this.orders = orders;
    }

    void run() throws InterruptedException {
        for (WorkItem<String> work = queue.take(); work != null; work = queue.take()) {
            String key = work.item();
            try {
                orders.accept(key);
                queue.forget(key); // resets the count of failures
            } catch (RuntimeException e) {
                queue.addRateLimited(key, work.priority(), e); // the rate limiter chooses the delay
            } finally {
                queue.done(key); // always
            }
        }
    }
}
