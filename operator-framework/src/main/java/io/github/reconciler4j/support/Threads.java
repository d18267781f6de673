package io.github.reconciler4j.support;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Creates threads: daemon threads, and virtual ones where the JVM has them (21 and newer; this code targets 17).
 *
 * @since 0.1.0
 */
public final class Threads {

    private static final long NANOS_PER_MILLI = 1_000_000;

    /** Takes a name and a task and returns an unstarted virtual thread; null if the JVM has none. */
    private static final @Nullable MethodHandle VIRTUAL = findVirtual();

    private Threads() {}

    /** Return whether the JVM has virtual threads. */
    public static boolean hasVirtual() {
        return VIRTUAL != null;
    }

    /** Create a platform daemon thread. The thread is not started. */
    public static Thread daemon(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
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
        if (!virtual || VIRTUAL == null) {
            return daemon(name, task);
        }
        try {
            return (Thread) VIRTUAL.invoke(name, task);
        } catch (Throwable e) {
            throw new IllegalStateException("Could not create the virtual thread '" + name + "'", e);
        }
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
        long end = System.nanoTime() + Nanos.of(timeout);
        long left = Nanos.of(timeout) / NANOS_PER_MILLI;
        while (thread.isAlive() && left > 0) {
            try {
                thread.join(left);
            } catch (InterruptedException e) {
                interrupted = true;
            }
            left = (end - System.nanoTime()) / NANOS_PER_MILLI;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }

    /** {@code (name, task) -> Thread.ofVirtual().name(name).unstarted(task)}. */
    private static @Nullable MethodHandle findVirtual() {
        if (Runtime.version().feature() < 21) {
            return null; // 19 and 20 have the methods but need a flag
        }
        try {
            MethodHandles.Lookup lookup = MethodHandles.publicLookup();
            Class<?> ofVirtual = Class.forName("java.lang.Thread$Builder$OfVirtual");
            MethodHandle builder = lookup.findStatic(Thread.class, "ofVirtual", MethodType.methodType(ofVirtual));
            MethodHandle name = lookup.findVirtual(ofVirtual, "name", MethodType.methodType(ofVirtual, String.class));
            MethodHandle unstarted =
                    lookup.findVirtual(ofVirtual, "unstarted", MethodType.methodType(Thread.class, Runnable.class));
            MethodHandle named = MethodHandles.foldArguments(name, builder);
            return MethodHandles.collectArguments(unstarted, 0, named);
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }
}
