package io.github.reconciler4j.manager.internal.lifecycle;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.manager.LifecycleOptions;
import io.github.reconciler4j.support.Backoff;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.Threads;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts components of other clusters again when it is time to. One thread waits for all of them, so that a cluster that does not
 * respond costs a thread during its attempts only. The thread ends when nothing waits. Thread-safe; retries run without the lock.
 */
public final class StartRetries {

    private static final Logger LOG = LoggerFactory.getLogger(StartRetries.class);

    private static final long AFTER_FAILURE = Duration.ofSeconds(1).toNanos();
    private static final long PAUSE = Duration.ofMillis(10).toNanos();
    private static final double MAX_JITTER = 1.2;

    private final String name;
    private final TimeSource time;
    private final LogLimiter warnings;
    private final LogLimiter repeats;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private final List<Retry> waiting = new ArrayList<>();

    @GuardedBy("lock")
    private @Nullable Thread thread;

    private record Retry(Object component, String cluster, long dueNanos, Runnable start) {}

    /** Return how long to wait after a failed attempt to start, which has this number. */
    public static Duration delayAfter(int attempts, LifecycleOptions options) {
        return Backoff.of(options.retryDelay(), options.maxRetryDelay())
                .withJitter(1, MAX_JITTER)
                .delay(attempts);
    }

    /** Creates it without a thread. */
    public StartRetries(String name, TimeSource time) {
        this.name = name;
        this.time = time;
        this.warnings = new LogLimiter(Duration.ofMinutes(1), time);
        this.repeats = new LogLimiter(Duration.ofMinutes(1), 10, time);
    }

    /** Returns what limits the lines about other clusters that are not the first of their kind: ten a minute for all together. */
    LogLimiter repeats() {
        return repeats;
    }

    /**
     * Starts a component later.
     *
     * @param component identifies it for {@link #cancel}
     * @param cluster its cluster, for {@link #hurry}
     * @param dueNanos when, in the time of the time source
     * @param start must return soon
     */
    public void add(Object component, String cluster, long dueNanos, Runnable start) {
        lock.lock();
        try {
            waiting.add(new Retry(component, cluster, dueNanos, start));
            if (thread == null) {
                Thread started = Threads.daemon(name + "-retries", () -> Threads.repeat(this::startNext, this::failed));
                started.start();
                thread = started;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Forgets a component. */
    public void cancel(Object component) {
        lock.lock();
        try {
            waiting.removeIf(retry -> retry.component == component);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Starts the components of a cluster, which responds, now. */
    public void hurry(String cluster) {
        lock.lock();
        try {
            long now = time.nanoTime();
            waiting.replaceAll(retry ->
                    retry.cluster.equals(cluster) ? new Retry(retry.component, cluster, now, retry.start) : retry);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Starts one component that is due; returns false at the end of this thread. */
    private boolean startNext() throws InterruptedException {
        Retry next = awaitNext();
        if (next == null) {
            return false;
        }
        try {
            next.start.run();
        } catch (Throwable e) { // the JVM could not create a thread, for example
            add(next.component, next.cluster, time.nanoTime() + AFTER_FAILURE, next.start);
            throw e;
        }
        return true;
    }

    private @Nullable Retry awaitNext() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!waiting.isEmpty()) {
                Retry next = waiting.get(0);
                for (Retry other : waiting) {
                    next = other.dueNanos - next.dueNanos < 0 ? other : next;
                }
                long left = next.dueNanos - time.nanoTime();
                if (left <= 0) {
                    waiting.remove(next);
                    return next;
                }
                time.await(changed, left);
            }
            thread = null;
            return null;
        } finally {
            lock.unlock();
        }
    }

    /** The next step may succeed. */
    private void failed(Throwable failure) {
        warnings.log(
                LogLimiter.cause(failure),
                occurrence -> LOG.warn(
                        "A component could not be started again{}",
                        occurrence.suffix(failure),
                        occurrence.trace(failure)));
        time.park(this, PAUSE);
    }
}
