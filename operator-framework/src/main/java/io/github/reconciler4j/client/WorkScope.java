package io.github.reconciler4j.client;

import io.github.reconciler4j.client.internal.spi.PlanScope;
import io.github.reconciler4j.client.internal.spi.WrittenVersions;
import io.github.reconciler4j.support.DnsNames;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a thread works for: a controller, whose field manager its writes have by default, the service account that writes, and a
 * cluster, in which {@code Manager.recorder} records events. Workers of a controller use the name of the controller, unless its options have another
 * field manager, and the cluster of the request. A reconciler that writes or records events on other threads passes all of it on
 * with {@link #inherit}; otherwise those threads use the name of the operator, so that the fields that the reconciler applies have
 * two owners, and record in the cluster of the manager. Thread-safe.
 *
 * <!-- snippet: WriteUse -->
 * <pre>{@code
 * Runnable write = WorkScope.inherit(() -> client.apply(wanted)); // the field manager of this controller
 * executor.execute(WriteScope.inherit(write)); // fails if this process has lost its lease
 * }</pre>
 *
 * @since 0.1.0
 */
public final class WorkScope {

    private static final ThreadLocal<@Nullable Work> CURRENT = new ThreadLocal<>();

    private WorkScope() {}

    /**
     * The work of a thread.
     *
     * @param controller null outside of controllers, as is the field manager
     * @param account the service account that writes, {@code ""} for the one of the connection
     * @param cluster {@code ""} for the cluster of the manager
     */
    private record Work(
            @Nullable String controller, @Nullable String fieldManager, String account, String cluster) {

        private static final Work NONE = new Work(null, null, "", "");
    }

    private static Work current() {
        Work work = CURRENT.get();
        return work == null ? Work.NONE : work;
    }

    /** Return the field manager of the calling thread, or empty outside of controllers. */
    public static Optional<String> fieldManager() {
        return Optional.ofNullable(current().fieldManager);
    }

    /** Return the name of the controller that the calling thread works for, or empty outside of controllers. */
    public static Optional<String> controller() {
        return Optional.ofNullable(current().controller);
    }

    /**
     * Return the service account with which the calling thread writes and records events, as {@code namespace/name}; {@code ""}
     * for the user of the connection.
     */
    public static String serviceAccount() {
        return current().account;
    }

    /** Return the name of the cluster that the calling thread works for, {@code ""} for the cluster of the manager. */
    public static String cluster() {
        return current().cluster;
    }

    /**
     * Return a task that runs in the cluster of the thread that runs it, for the given controller with the given field manager. A
     * field manager that is too long for the server is truncated.
     */
    public static Runnable in(String controller, String fieldManager, Runnable task) {
        String cut = fieldManager.substring(0, Math.min(fieldManager.length(), ClientOptions.MAX_FIELD_MANAGER_LENGTH));
        return () -> run(new Work(controller, cut, serviceAccount(), cluster()), task);
    }

    /**
     * Return a task that writes and records events with another service account, which the user of the connection impersonates.
     * Reads stay those of the connection. The API server refuses the writes unless the user of the connection has the right to
     * impersonate the account.
     *
     * @param account the account as {@code namespace/name}, {@code ""} for the user of the connection
     * @throws IllegalArgumentException if it is neither
     */
    public static Runnable withServiceAccount(String account, Runnable task) {
        if (!account.isEmpty()) {
            DnsNames.checkNamespaced("account", account);
        }
        return () -> run(new Work(current().controller, current().fieldManager, account, cluster()), task);
    }

    /** Return a task that runs for the cluster with the given name, {@code ""} for that of the manager. */
    public static Runnable inCluster(String cluster, Runnable task) {
        return () -> run(new Work(current().controller, current().fieldManager, serviceAccount(), cluster), task);
    }

    /**
     * Return a task that runs on any thread for what the calling thread works for, and in its plan, if it reconciles
     * for one. Outside of controllers, the task belongs to no controller, even if a worker runs it.
     */
    public static Runnable inherit(Runnable task) {
        Work work = current();
        return PlanScope.inherit(WrittenVersions.inherit(() -> run(work, task)));
    }

    private static void run(Work work, Runnable task) {
        Work before = CURRENT.get();
        CURRENT.set(work);
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
}
