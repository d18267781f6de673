package io.github.reconciler4j.client;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The default field manager of the writes of a thread. Workers of a controller use the name of the controller. A reconciler that
 * writes on other threads passes the name on with {@link #inherit}; otherwise those threads use the name of the operator, and
 * the fields that the reconciler applies have two owners. Thread-safe.
 *
 * @since 0.1.0
 */
public final class FieldManagerScope {

    private static final ThreadLocal<@Nullable String> CURRENT = new ThreadLocal<>();

    private FieldManagerScope() {}

    /** Return the field manager of the calling thread, or empty outside of controllers. */
    public static Optional<String> current() {
        return Optional.ofNullable(CURRENT.get());
    }

    /** Return a task that runs with the given field manager; names that are too long for the server are truncated. */
    public static Runnable in(String name, Runnable task) {
        String taken = name.length() > ClientOptions.MAX_FIELD_MANAGER_LENGTH
                ? name.substring(0, ClientOptions.MAX_FIELD_MANAGER_LENGTH)
                : name;
        return () -> {
            String before = CURRENT.get();
            CURRENT.set(taken);
            try {
                task.run();
            } finally {
                restore(before);
            }
        };
    }

    /** Return a task that runs on any thread with the current field manager of the calling thread. */
    public static Runnable inherit(Runnable task) {
        return current().map(name -> in(name, task)).orElse(task);
    }

    private static void restore(@Nullable String before) {
        if (before == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(before);
        }
    }
}
