package io.github.reconciler4j.client.internal.spi;

import org.jspecify.annotations.Nullable;

/**
 * Marks threads that reconcile for a plan: to find out what an operator would do, without doing it. Parts of the framework that do
 * things step by step show later steps then. Code of users asks {@code Client.isDryRun}. Thread-safe.
 *
 * @since 0.1.0
 */
public final class PlanScope implements AutoCloseable {

    private static final ThreadLocal<@Nullable PlanScope> CURRENT = new ThreadLocal<>();

    private final @Nullable PlanScope outer;
    private final String awaited;

    private PlanScope(@Nullable PlanScope outer, String awaited) {
        this.outer = outer;
        this.awaited = awaited;
    }

    /** Mark the calling thread until the scope is closed on it; scopes are closed in reverse order. */
    public static PlanScope enter() {
        return after("");
    }

    /**
     * Mark the calling thread until the scope is closed on it. What it writes would not be written before an object is ready.
     *
     * @param object kind and key of the object, for people
     */
    public static PlanScope after(String object) {
        PlanScope entered = new PlanScope(CURRENT.get(), object);
        CURRENT.set(entered);
        return entered;
    }

    /** Return a task that runs on any thread, and in the scope of the calling thread. */
    public static Runnable inherit(Runnable task) {
        PlanScope scope = CURRENT.get();
        return scope == null ? task : () -> scope.run(task);
    }

    private void run(Runnable task) {
        PlanScope before = CURRENT.get();
        CURRENT.set(this);
        try {
            task.run();
        } finally {
            if (before == null) {
                CURRENT.remove();
            } else {
                CURRENT.set(before);
            }
        }
    }

    /** Return whether the calling thread reconciles for a plan. */
    public static boolean isActive() {
        return CURRENT.get() != null;
    }

    /** Return the object without which the calling thread would not write; {@code ""} if it waits for no object. */
    public static String awaited() {
        PlanScope current = CURRENT.get();
        return current == null ? "" : current.awaited;
    }

    @Override
    public void close() {
        if (outer == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(outer);
        }
    }
}
