package io.github.reconciler4j.cache.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.client.error.RequestInterruptedException;
import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.support.Threads;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at something whenever it is time, one look after the other. Each look has a thread of its own, because it sends requests and
 * calls listeners: the timer, which others use too, only starts it. Thread-safe.
 */
final class TimedLooks {

    private static final Logger LOG = LoggerFactory.getLogger(TimedLooks.class);

    private final ScheduledExecutorService timer;
    private final String name;
    private final Look look;
    private final Duration afterFailure;
    private final Consumer<Throwable> failed;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private @Nullable Future<?> next;

    /** Looks now; null if none does. */
    @GuardedBy("lock")
    private @Nullable Thread looking;

    /** Whether it was time again during the present look. */
    @GuardedBy("lock")
    private boolean again;

    @GuardedBy("lock")
    private boolean closed;

    /** One look. */
    @FunctionalInterface
    interface Look {

        /** Look, and return when to look again; empty if that is not known yet. */
        Optional<Duration> look() throws InterruptedException;
    }

    /**
     * Create a task that is not scheduled.
     *
     * @param name the name of the threads
     * @param afterFailure the pause after a look that fails
     * @param failed receives what a look throws
     */
    TimedLooks(
            ScheduledExecutorService timer, String name, Look look, Duration afterFailure, Consumer<Throwable> failed) {
        this.timer = timer;
        this.name = name;
        this.look = look;
        this.afterFailure = afterFailure;
        this.failed = failed;
    }

    /** Look after a time instead of at the time that was set before. */
    void lookAfter(Duration delay) {
        lock.lock();
        try {
            if (closed || timer.isShutdown()) {
                return;
            }
            if (next != null) {
                next.cancel(false);
            }
            next = timer.schedule(this::startLook, Nanos.of(delay), TimeUnit.NANOSECONDS);
        } finally {
            lock.unlock();
        }
    }

    /** What the task of a timer throws is lost. */
    private void startLook() {
        try {
            startOrRepeat();
        } catch (Throwable e) { // such as that no thread can be created
            try {
                failed.accept(e);
            } finally {
                lookAfter(afterFailure);
            }
        }
    }

    private void startOrRepeat() {
        lock.lock();
        try {
            again = looking != null;
            if (looking == null && !closed) {
                Thread thread = Threads.create(name, this::run, true);
                thread.start();
                looking = thread;
            }
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        Optional<Duration> pause = Optional.of(afterFailure);
        try {
            pause = look.look();
        } catch (InterruptedException | RequestInterruptedException e) {
            LOG.debug("The thread '{}' was interrupted", name);
        } catch (Throwable e) {
            failed.accept(e);
        } finally {
            finish(pause);
        }
    }

    private void finish(Optional<Duration> pause) {
        Optional<Duration> following = pause;
        lock.lock();
        try {
            looking = null;
            if (again) {
                again = false;
                following = Optional.of(Duration.ZERO);
            }
        } finally {
            lock.unlock();
        }
        following.ifPresent(this::lookAfter);
    }

    /** End the present look soon, and start no other. */
    void close() {
        lock.lock();
        try {
            closed = true;
            if (next != null) {
                next.cancel(false);
            }
            if (looking != null) {
                looking.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }
}
