package io.github.reconciler4j.manager.internal;

import io.github.reconciler4j.manager.LifecycleOptions;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What the runners of one manager share.
 *
 * @param name the manager's name, the beginning of thread names
 * @param options how to start and stop
 * @param time the time
 * @param lock guards the state of the lifecycle and of all its runners
 * @param changed signalled at every change of that state
 * @param failures is told of what broke
 * @param hooks tells under which right a component works
 */
record RunnerContext(
        String name,
        LifecycleOptions options,
        TimeSource time,
        ReentrantLock lock,
        Condition changed,
        FailureSink failures,
        LifecycleHooks hooks) {

    /** Is told of failures, with the lock held. */
    @FunctionalInterface
    interface FailureSink {
        void failedLocked(Failure failure);
    }

    /** A daemon thread that is named after the manager. */
    Thread thread(String task, Runnable body) {
        Thread thread = new Thread(body, name + "-" + task);
        thread.setDaemon(true);
        return thread;
    }

    Duration retryDelay(int attempts) {
        return RetryableStart.delayAfter(attempts, options.retryDelay(), options.maxRetryDelay());
    }

    /** How long a component waits before its first attempt; only the groups that do the operator's work do so. */
    Duration startDelay(Stage stage) {
        long most = options.startJitter().toMillis();
        boolean works = stage == Stage.ALL_REPLICAS || stage == Stage.LEADER_ELECTED;
        return works && most > 0 ? Duration.ofMillis(ThreadLocalRandom.current().nextLong(most + 1)) : Duration.ZERO;
    }
}
