package io.github.reconciler4j.support;

import io.github.reconciler4j.support.internal.Platform;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the threads of the framework: with a name, as daemons, and virtual where the JVM has them (21 and newer; this code
 * targets 17). What ends one of them unexpectedly is logged, and passed on to the
 * {@linkplain Thread#getDefaultUncaughtExceptionHandler handler of the JVM} if there is one. The threads come from the
 * {@link Platform}.
 *
 * @since 0.1.0
 */
public final class Threads {

    private static final Logger LOG = LoggerFactory.getLogger(Threads.class);

    private Threads() {}

    /** Return whether the JVM has virtual threads. */
    public static boolean hasVirtual() {
        return Platform.hasVirtualThreads();
    }

    /** Create a platform daemon thread. The thread is not started. */
    public static Thread daemon(String name, Runnable task) {
        Thread thread = Platform.current().thread(name, task);
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler(Threads::died);
        return thread;
    }

    /** Create a platform thread that keeps the JVM running until its task ends. The thread is not started. */
    public static Thread keepingAlive(String name, Runnable task) {
        Thread thread = daemon(name, task);
        thread.setDaemon(false);
        return thread;
    }

    private static void died(Thread thread, Throwable failure) {
        LOG.error("The thread '{}' ended, because its task failed", thread.getName(), Causes.loggable(failure));
        Thread.UncaughtExceptionHandler handler = Thread.getDefaultUncaughtExceptionHandler();
        if (handler != null) {
            handler.uncaughtException(thread, failure);
        }
    }

    /**
     * Create a platform daemon thread for a task whose end others wait for. The thread is not started.
     *
     * @param died receives what ends the thread if the task throws anything, on the same thread
     */
    public static Thread daemon(String name, Runnable task, Consumer<Throwable> died) {
        Thread thread = daemon(name, task);
        thread.setUncaughtExceptionHandler((dead, failure) -> died.accept(failure));
        return thread;
    }

    /** Create a virtual thread if requested and available, otherwise a platform daemon thread. The thread is not started. */
    public static Thread create(String name, Runnable task, boolean virtual) {
        if (!virtual || !hasVirtual()) {
            return daemon(name, task);
        }
        Thread thread = Platform.current().virtualThread(name, task);
        thread.setUncaughtExceptionHandler(Threads::died);
        return thread;
    }

    /** Create a timer with one thread, virtual if available. Tasks that have not run when it is shut down are dropped. */
    public static ScheduledExecutorService timer(String name) {
        return Platform.current().timer(task -> create(name, task, true));
    }

    /**
     * Create a pool that starts a thread for each task if none is idle, and rejects tasks beyond the limit.
     *
     * @param idle how long a thread waits for another task before it ends
     */
    public static ExecutorService pool(int maxThreads, Duration idle, ThreadFactory factory) {
        return Platform.current().pool(maxThreads, Nanos.of(idle), factory);
    }

    /** Run a task that never blocks after a delay. All such tasks share one daemon thread, which runs nothing else. */
    public static void runLater(Runnable task, Duration delay) {
        Platform.current().runLater(task, Nanos.of(delay));
    }

    /** Return whether a thread has not ended; it may not have started either. */
    public static boolean isAlive(Thread thread) {
        return thread.getState() == Thread.State.NEW || thread.isAlive();
    }

    /** One round of the work of a thread. */
    @FunctionalInterface
    public interface Step {

        /** Do one round of work, and return whether there can be more. */
        boolean run() throws InterruptedException;
    }

    /**
     * Run a step until it returns false, whatever it throws. The thread survives even if reporting a failure fails, for
     * example because the log is broken, so it ends only when its work does.
     *
     * @param step one round of work
     * @param failed receives what the step threw, an {@link InterruptedException} included; must pause if the step can fail
     *     at once again
     */
    public static void repeat(Step step, Consumer<Throwable> failed) {
        boolean more = true;
        while (more) {
            try {
                more = step.run();
            } catch (Throwable e) {
                report(e, failed);
            }
        }
    }

    private static void report(Throwable failure, Consumer<Throwable> failed) {
        try {
            failed.accept(failure);
        } catch (Throwable e) {
            // There is nothing left to report it with, and the work of the thread matters more.
        }
    }

    /**
     * Wait until a thread has ended. An interrupt does not end the wait; the interrupt flag is set again before the return.
     *
     * @return whether the thread has ended
     */
    public static boolean join(Thread thread, Duration timeout) {
        boolean interrupted = false;
        TimeSource time = TimeSource.system();
        long end = time.nanoTime() + Nanos.of(timeout);
        long left = Nanos.of(timeout);
        while (thread.isAlive() && left > 0) {
            try {
                joinInterruptibly(thread, left);
            } catch (InterruptedException e) {
                interrupted = true;
            }
            left = end - time.nanoTime();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }

    /**
     * Wait until a thread has ended, at most for the given time in nanoseconds.
     *
     * @throws InterruptedException if the calling thread is interrupted
     */
    public static void joinInterruptibly(Thread thread, long nanos) throws InterruptedException {
        Platform.current().join(thread, nanos);
    }
}
