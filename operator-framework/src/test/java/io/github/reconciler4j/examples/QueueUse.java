package io.github.reconciler4j.examples;

import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.workqueue.PriorityAging;
import io.github.reconciler4j.workqueue.RateLimiter;
import io.github.reconciler4j.workqueue.RateLimiters;
import io.github.reconciler4j.workqueue.WorkQueue;
import io.github.reconciler4j.workqueue.WorkQueueMetrics;
import io.github.reconciler4j.workqueue.WorkQueueOptions;
import java.util.concurrent.atomic.AtomicLong;

/** What the options of a queue look like. */
final class QueueUse {

    private QueueUse() {}

    static WorkQueue<String> create(WorkQueueMetrics metrics) {
        RateLimiter<String> limiter =
                RateLimiters.maxOf(RateLimiters.defaults(), RateLimiters.tokenBucket(10, 100, TimeSource.system()));
        return WorkQueue.create(WorkQueueOptions.<String>defaults("orders")
                .withRateLimiter(limiter)
                .withAging(PriorityAging.off())
                .withMetrics(metrics));
    }

    /** Counts the retries. */
    record Retries(AtomicLong count) implements WorkQueueMetrics {

        @Override
        public void retried() {
            count.incrementAndGet();
        }
    }
}
