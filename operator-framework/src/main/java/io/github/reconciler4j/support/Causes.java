package io.github.reconciler4j.support;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Searches the causes of an exception. Causes can form a circle, so the search is bounded.
 *
 * @since 0.1.0
 */
public final class Causes {

    private static final int MAX_DEPTH = 32;

    private Causes() {}

    /** Return the exception and its causes, outermost first; at most 32, none for null. */
    public static List<Throwable> of(@Nullable Throwable exception) {
        List<Throwable> chain = new ArrayList<>();
        for (Throwable next = exception; next != null && chain.size() < MAX_DEPTH; next = next.getCause()) {
            chain.add(next);
        }
        return chain;
    }

    /** Return the first one of the given type among the exception and its causes, or null. */
    public static <E> @Nullable E find(@Nullable Throwable exception, Class<E> type) {
        for (Throwable next : of(exception)) {
            if (type.isInstance(next)) {
                return type.cast(next);
            }
        }
        return null;
    }

    /** Return the message of an exception, or the name of its class if it has none. Never throws. */
    public static String message(Throwable exception) {
        try {
            String message = exception.getMessage();
            return message == null || message.isBlank() ? exception.getClass().getName() : message;
        } catch (Throwable e) { // an exception of user code that cannot be described
            return exception.getClass().getName();
        }
    }

    /** Return whether the exception or one of its causes is of the given type. */
    public static boolean contains(@Nullable Throwable exception, Class<?> type) {
        return find(exception, type) != null;
    }
}
