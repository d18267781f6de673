package io.github.reconciler4j.leaderelection;

import io.github.reconciler4j.client.WorkScope;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * The permission of a thread to write: a thread-bound gate that the clients of a manager check immediately before each write.
 * The manager starts each component in the scope of its lease, and a component passes the scope on to its threads with
 * {@link #inherit}. The manager whose client is used decides about the writes of a thread without a scope.
 *
 * <p>Thread-safe.
 *
 * <!-- snippet: WriteUse -->
 * <pre>{@code
 * Runnable write = WorkScope.inherit(() -> client.apply(wanted)); // the field manager of this controller
 * executor.execute(WriteScope.inherit(write)); // fails if this process has lost its lease
 * }</pre>
 *
 * @since 0.1.0
 */
public final class WriteScope {

    private static final ThreadLocal<@Nullable WriteScope> CURRENT = new ThreadLocal<>();

    private static final WriteScope EVERYWHERE = new WriteScope(() -> {});

    private final Runnable check;

    private WriteScope(Runnable check) {
        this.check = check;
    }

    /**
     * Return a scope whose writes must pass the given check.
     *
     * @param check throws a {@link io.github.reconciler4j.client.error.WriteRefusedException} if a write is not allowed now; must
     *     not block
     */
    public static WriteScope of(Runnable check) {
        return new WriteScope(check);
    }

    /** Return the scope of components that run on every replica: all writes are allowed. */
    public static WriteScope everywhere() {
        return EVERYWHERE;
    }

    /** Return the scope of the calling thread. */
    public static Optional<WriteScope> current() {
        return Optional.ofNullable(CURRENT.get());
    }

    /**
     * Return a task that runs on any thread in the scope of the calling thread, for the same {@link WorkScope controller and
     * cluster}.
     */
    public static Runnable inherit(Runnable task) {
        Runnable inherited = WorkScope.inherit(task);
        return current().map(scope -> scope.wrap(inherited)).orElse(inherited);
    }

    /** Return a task that runs on any thread in this scope. */
    public Runnable wrap(Runnable task) {
        return () -> run(task);
    }

    /**
     * Check whether a write is allowed now. Does not block.
     *
     * @throws io.github.reconciler4j.client.error.WriteRefusedException if it is not
     */
    public void check() {
        check.run();
    }

    /** Run a task in this scope on the calling thread. */
    public void run(Runnable task) {
        WriteScope before = CURRENT.get();
        CURRENT.set(this);
        try {
            task.run();
        } finally {
            restore(before);
        }
    }

    /**
     * Call a task in this scope on the calling thread.
     *
     * @throws Exception if the task does
     */
    public <T> T call(Callable<T> task) throws Exception {
        WriteScope before = CURRENT.get();
        CURRENT.set(this);
        try {
            return task.call();
        } finally {
            restore(before);
        }
    }

    private static void restore(@Nullable WriteScope before) {
        if (before == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(before);
        }
    }
}
