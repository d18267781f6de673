package io.github.reconciler4j.client;

import java.util.concurrent.Callable;

/**
 * Marks threads whose writes are dry runs, regardless of the options of clients and writes. Admission webhooks run in it when
 * the request is a dry run. Code that writes on other threads passes the scope on with {@link #inherit}. Thread-safe.
 *
 * <!-- snippet: WriteUse -->
 * <pre>{@code
 * return DryRunScope.call(() -> client.apply(wanted));
 * }</pre>
 *
 * @since 0.1.0
 */
public final class DryRunScope {

    private static final ThreadLocal<Boolean> ACTIVE = new ThreadLocal<>();

    private DryRunScope() {}

    /** Return whether the writes of the calling thread are dry runs. */
    public static boolean isActive() {
        return ACTIVE.get() != null;
    }

    /**
     * Call a task on the calling thread; its writes are dry runs.
     *
     * @return the result of the task
     * @throws Exception if the task throws it
     */
    public static <T> T call(Callable<T> task) throws Exception {
        boolean before = isActive();
        ACTIVE.set(true);
        try {
            return task.call();
        } finally {
            if (!before) {
                ACTIVE.remove();
            }
        }
    }

    /** Return a task that runs on any thread, and in this scope if the calling thread is in it. */
    public static <T> Callable<T> inherit(Callable<T> task) {
        return isActive() ? () -> call(task) : task;
    }
}
