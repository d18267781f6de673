package io.github.reconciler4j.client;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The default field manager of the writes of a thread. Workers of a controller use the name of the controller, unless its options
 * have another. A reconciler that
 * writes on other threads passes the name on with {@link #inherit}; otherwise those threads use the name of the operator, and
 * the fields that the reconciler applies have two owners. Thread-safe.
 *
 * @since 0.1.0
 */
public final class FieldManagerScope {

    private static final ThreadLocal<@Nullable Names> CURRENT = new ThreadLocal<>();

    private FieldManagerScope() {}

    /** Return the field manager of the calling thread, or empty outside of controllers. */
    public static Optional<String> current() {
        return Optional.ofNullable(CURRENT.get()).map(Names::fieldManager);
    }

    /** Return the name of the controller that the calling thread works for, or empty outside of controllers. */
    public static Optional<String> controller() {
        return Optional.ofNullable(CURRENT.get()).map(Names::controller);
    }

    /** Return a task that runs with the given field manager; names that are too long for the server are truncated. */
    public static Runnable in(String name, Runnable task) {
        return in(name, name, task);
    }

    /**
     * Return a task that runs for the given controller with the given field manager; a field manager that is too long for the
     * server is truncated.
     */
    public static Runnable in(String controller, String fieldManager, Runnable task) {
        int length = Math.min(fieldManager.length(), ClientOptions.MAX_FIELD_MANAGER_LENGTH);
        return in(new Names(controller, fieldManager.substring(0, length)), task);
    }

    private static Runnable in(Names names, Runnable task) {
        return () -> {
            Names before = CURRENT.get();
            CURRENT.set(names);
            try {
                task.run();
            } finally {
                restore(before);
            }
        };
    }

    /** Return a task that runs on any thread with the current controller and field manager of the calling thread. */
    public static Runnable inherit(Runnable task) {
        Names names = CURRENT.get();
        return names == null ? task : in(names, task);
    }

    private static void restore(@Nullable Names before) {
        if (before == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(before);
        }
    }

    private record Names(String controller, String fieldManager) {}
}
