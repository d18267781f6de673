package io.github.reconciler4j.cache.internal;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Makes threads: virtual ones where the JVM has them, else platform daemons. */
final class Threads {

    private static final long NANOS_PER_MILLI = 1_000_000;

    private static final @Nullable Method OF_VIRTUAL = find(Thread.class, "ofVirtual");
    private static final @Nullable Method NAME = builder("name", String.class);
    private static final @Nullable Method UNSTARTED = builder("unstarted", Runnable.class);

    private Threads() {}

    /** A thread that is not started yet. */
    static Thread unstarted(String name, Runnable work) {
        if (OF_VIRTUAL != null && NAME != null && UNSTARTED != null) {
            try {
                Object named = NAME.invoke(OF_VIRTUAL.invoke(null), name);
                return (Thread) UNSTARTED.invoke(named, work);
            } catch (IllegalAccessException | InvocationTargetException | UnsupportedOperationException e) {
                return daemon(name, work); // Java 19 and 20 have the methods but need a flag
            }
        }
        return daemon(name, work);
    }

    /** Waits for a thread's end, whatever interrupts; they are set again afterwards. False after the timeout. */
    static boolean join(Thread thread, Duration timeout) {
        boolean interrupted = false;
        long end = System.nanoTime() + timeout.toNanos();
        long left = timeout.toMillis();
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

    private static Thread daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }

    private static @Nullable Method builder(String name, Class<?> parameter) {
        try {
            return find(Class.forName("java.lang.Thread$Builder"), name, parameter);
        } catch (ClassNotFoundException e) {
            return null;
        }
    }

    private static @Nullable Method find(Class<?> type, String name, Class<?>... parameters) {
        try {
            return type.getMethod(name, parameters);
        } catch (NoSuchMethodException e) {
            return null;
        }
    }
}
