package io.github.reconciler4j.leaderelection;

import io.github.reconciler4j.client.FieldManagerScope;
import io.github.reconciler4j.client.internal.spi.WriteGate;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Under which right a thread writes. The manager puts the start of every component into the scope of its lease; a
 * component hands it on to its threads with {@link #inherit}, and the write gate of every client then asks that lease
 * right before each write. A thread without a scope is asked by the manager whose client it uses.
 *
 * @since 0.1.0
 */
public final class WriteScope {

    private static final ThreadLocal<@Nullable WriteScope> CURRENT = new ThreadLocal<>();

    private static final WriteScope ALL_REPLICAS = new WriteScope(WriteGate.OPEN);

    private final WriteGate gate;

    private WriteScope(WriteGate gate) {
        this.gate = gate;
    }

    /** A scope in which writes pass this gate. */
    public static WriteScope of(WriteGate gate) {
        return new WriteScope(gate);
    }

    /** The scope of what works on every replica: all writes pass. */
    public static WriteScope everywhere() {
        return ALL_REPLICAS;
    }

    /** The scope of the calling thread. */
    public static Optional<WriteScope> current() {
        return Optional.ofNullable(CURRENT.get());
    }

    /**
     * The task, to be run by another thread in the scope that the calling thread has now, and in the name it writes in
     * ({@link FieldManagerScope}).
     */
    public static Runnable inherit(Runnable task) {
        return in(current(), FieldManagerScope.inherit(task));
    }

    /** The task, to be run in a scope that {@link #current} returned earlier. */
    public static Runnable in(Optional<WriteScope> scope, Runnable task) {
        return scope.<Runnable>map(present -> () -> present.run(task)).orElse(task);
    }

    /**
     * Returns if this scope lets a write leave now; must not block.
     *
     * @throws io.github.reconciler4j.client.error.WriteRefusedException if not
     */
    public void check() {
        gate.check();
    }

    /** Runs a task in this scope. */
    public void run(Runnable task) {
        WriteScope before = CURRENT.get();
        CURRENT.set(this);
        try {
            task.run();
        } finally {
            restore(before);
        }
    }

    /** Calls a task in this scope. */
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
