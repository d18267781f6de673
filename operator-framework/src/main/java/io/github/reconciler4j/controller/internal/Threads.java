package io.github.reconciler4j.controller.internal;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * Makes threads, virtual ones too where the JVM has them (21 and newer; this code is compiled for 17).
 *
 * @since 0.1.0
 */
public final class Threads {

    /** Takes a name and a task, gives a virtual thread that has not started; null if the JVM has none. */
    private static final @Nullable MethodHandle VIRTUAL = findVirtual();

    private Threads() {}

    /** Whether the JVM has virtual threads. */
    public static boolean hasVirtual() {
        return VIRTUAL != null;
    }

    /** A daemon thread that has not started; a virtual one if wanted and possible. */
    public static Thread create(String name, Runnable task, boolean virtual) {
        if (virtual && VIRTUAL != null) {
            try {
                return (Thread) VIRTUAL.invoke(name, task);
            } catch (Throwable e) {
                throw new IllegalStateException("Could not make the virtual thread '" + name + "'", e);
            }
        }
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    /** {@code (name, task) -> Thread.ofVirtual().name(name).unstarted(task)}. */
    private static @Nullable MethodHandle findVirtual() {
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
