package io.github.reconciler4j.support;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
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
        for (Throwable next = exception; next != null && chain.size() < MAX_DEPTH; next = causeOf(next)) {
            chain.add(next);
        }
        return chain;
    }

    private static @Nullable Throwable causeOf(Throwable exception) {
        try {
            return exception.getCause();
        } catch (Throwable e) { // an exception of user code that cannot be described
            return null;
        }
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

    /** Return the message of an exception in one line, or the name of its class if it has none. Never throws. */
    public static String message(Throwable exception) {
        try {
            String message = exception.getMessage();
            return message == null || message.isBlank() ? exception.getClass().getName() : Texts.escaped(message);
        } catch (Throwable e) { // an exception of user code that cannot be described
            return exception.getClass().getName();
        }
    }

    /**
     * Return what to log of an exception: the exception, or a copy with the same stack traces if a message has several lines. What
     * users write into objects becomes part of messages, and could look like other lines of the log there. Never throws.
     */
    public static Throwable loggable(Throwable exception) {
        return LoggedException.of(exception);
    }

    /** Return whether the exception or one of its causes is of the given type. */
    public static boolean contains(@Nullable Throwable exception, Class<?> type) {
        return find(exception, type) != null;
    }

    /** The copy of an exception whose message, or that of a cause, has several lines. Its message starts with the class. */
    private static final class LoggedException extends Exception {

        private static final long serialVersionUID = 1L;

        /** Chains can be long, and form a circle. */
        private static final int MAX_COPIES = 64;

        private LoggedException(String text, @Nullable Throwable cause) {
            super(text, cause, true, true);
        }

        static Throwable of(Throwable exception) {
            try {
                return isPlain(exception, seen()) ? exception : copyOf(exception, seen());
            } catch (Throwable e) { // one of user code that cannot be described
                LoggedException unknown =
                        new LoggedException(exception.getClass().getName(), null);
                unknown.setStackTrace(new StackTraceElement[0]);
                return unknown;
            }
        }

        private static Set<Throwable> seen() {
            return Collections.newSetFromMap(new IdentityHashMap<>());
        }

        private static boolean isPlain(@Nullable Throwable exception, Set<Throwable> seen) {
            if (exception == null || !seen.add(exception)) {
                return true;
            }
            if (seen.size() > MAX_COPIES) {
                return false;
            }
            String text = String.valueOf(exception);
            String message = String.valueOf(exception.getMessage());
            boolean isTraced = exception.getStackTrace() != null; // which user code overrides
            if (!isTraced
                    || !Texts.escaped(text).equals(text)
                    || !Texts.escaped(message).equals(message)) {
                return false;
            }
            for (Throwable suppressed : exception.getSuppressed()) {
                if (!isPlain(suppressed, seen)) {
                    return false;
                }
            }
            return isPlain(exception.getCause(), seen);
        }

        private static LoggedException copyOf(Throwable exception, Set<Throwable> seen) {
            seen.add(exception);
            LoggedException copy =
                    new LoggedException(Texts.escaped(String.valueOf(exception)), copy(exception.getCause(), seen));
            copy.setStackTrace(exception.getStackTrace());
            for (Throwable suppressed : exception.getSuppressed()) {
                LoggedException other = copy(suppressed, seen);
                if (other != null) {
                    copy.addSuppressed(other);
                }
            }
            return copy;
        }

        /** Null if there is no exception, or if it is in the copy already. */
        private static @Nullable LoggedException copy(@Nullable Throwable exception, Set<Throwable> seen) {
            return exception == null || seen.size() >= MAX_COPIES || seen.contains(exception)
                    ? null
                    : copyOf(exception, seen);
        }

        /** Return the text of the exception, without the name of this class. */
        @Override
        public String toString() {
            return String.valueOf(getMessage());
        }
    }
}
