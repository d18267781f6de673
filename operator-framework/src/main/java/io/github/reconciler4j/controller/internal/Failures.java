package io.github.reconciler4j.controller.internal;

import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.reconcile.TerminalException;
import org.jspecify.annotations.Nullable;

/** Tells kinds of failures apart, by looking through their causes. */
final class Failures {

    /** Chains of causes can be circles. */
    private static final int MOST_CAUSES = 20;

    private static final int CONFLICT = 409;

    private Failures() {}

    /** Whether trying again is useless until something changes. */
    static boolean isTerminal(Throwable failure) {
        return find(failure, TerminalException.class) != null;
    }

    /** Whether the API server, or the way to it, is behind this: expected in operation, so no stack trace is needed. */
    static boolean isExpected(Throwable failure) {
        return find(failure, ApiException.class) != null || isTerminal(failure);
    }

    /** Whether somebody else changed an object meanwhile, which is part of normal operation. */
    static boolean isConflict(Throwable failure) {
        ApiException api = find(failure, ApiException.class);
        return api != null && api.code() == CONFLICT;
    }

    /** The first throwable of a class among a failure and its causes. */
    static <E extends Throwable> @Nullable E find(Throwable failure, Class<E> type) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < MOST_CAUSES; depth++) {
            if (type.isInstance(cause)) {
                return type.cast(cause);
            }
            cause = cause.getCause();
        }
        return null;
    }

    /** The failure and its causes in one line: {@code A: message; caused by B: message}. */
    static String chain(Throwable failure) {
        StringBuilder text = new StringBuilder();
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < MOST_CAUSES; depth++) {
            if (depth > 0) {
                text.append("; caused by ");
            }
            text.append(cause.getClass().getSimpleName());
            Throwable next = cause.getCause();
            boolean repeatsNext = next != null && next.toString().equals(cause.getMessage());
            if (cause.getMessage() != null && !repeatsNext) {
                text.append(": ").append(cause.getMessage());
            }
            cause = next;
        }
        return text.toString().replaceAll("\\s*\\R\\s*", " ");
    }

    /** What makes two failures the same for the log: the classes of the chain and where the last cause was thrown. */
    static String signature(Throwable failure) {
        StringBuilder text = new StringBuilder();
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < MOST_CAUSES; depth++) {
            text.append(cause.getClass().getName());
            StackTraceElement[] stack = cause.getStackTrace();
            text.append(stack.length > 0 ? "@" + stack[0] : "").append(';');
            cause = cause.getCause();
        }
        return text.toString();
    }
}
