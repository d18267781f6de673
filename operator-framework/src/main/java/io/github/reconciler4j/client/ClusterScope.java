package io.github.reconciler4j.client;

import org.jspecify.annotations.Nullable;

/**
 * The cluster that a thread works for. Workers of a controller use the cluster of the request, so that {@code Manager.recorder}
 * records events there. A reconciler that records events on other threads passes the cluster on with {@link #inherit};
 * otherwise those threads record in the cluster of the manager. Thread-safe.
 *
 * @since 0.1.0
 */
public final class ClusterScope {

    private static final ThreadLocal<@Nullable String> CURRENT = new ThreadLocal<>();

    private ClusterScope() {}

    /** Return the name of the cluster of the calling thread, {@code ""} for the cluster of the manager. */
    public static String current() {
        String cluster = CURRENT.get();
        return cluster == null ? "" : cluster;
    }

    /** Return a task that runs for the cluster with the given name, {@code ""} for that of the manager. */
    public static Runnable in(String cluster, Runnable task) {
        return () -> {
            String before = CURRENT.get();
            CURRENT.set(cluster);
            try {
                task.run();
            } finally {
                restore(before);
            }
        };
    }

    /** Return a task that runs on any thread for the cluster of the calling thread. */
    public static Runnable inherit(Runnable task) {
        String cluster = current();
        return cluster.isEmpty() ? task : in(cluster, task);
    }

    private static void restore(@Nullable String before) {
        if (before == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(before);
        }
    }
}
