package io.github.reconciler4j.client;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * In whose name a thread writes where nothing else was said. Workers of a controller write in the controller's name; a
 * reconciler that writes from threads of its own hands the name on with {@link #inherit}, or else those threads write in
 * the operator's name and what it applies has two owners. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class FieldManagerScope {

    private static final ThreadLocal<@Nullable String> CURRENT = new ThreadLocal<>();

    private FieldManagerScope() {}

    /** The name the calling thread writes in; empty outside of controllers. */
    public static Optional<String> current() {
        return Optional.ofNullable(CURRENT.get());
    }

    /** The task, to be run in this name; longer names than the server takes are cut off. */
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

    /** The task, to be run by another thread in the name that the calling thread has now. */
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
