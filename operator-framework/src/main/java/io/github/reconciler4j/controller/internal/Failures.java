package io.github.reconciler4j.controller.internal;

import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.TerminalException;
import io.github.reconciler4j.support.Causes;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.Texts;
import java.util.Optional;
import java.util.function.Supplier;

/** Classifies and describes failures by their causes. */
final class Failures {

    private static final int CONFLICT = 409;
    private static final int UNAVAILABLE = 503;

    private Failures() {}

    /** Return whether a retry is useless until something changes. */
    static boolean isTerminal(Throwable failure) {
        return Causes.contains(failure, TerminalException.class);
    }

    /** Return whether a failure was the last one that {@code maxAttempts} allows. A transient one does not count. */
    static boolean isExhausted(Throwable failure, ReconcileContext context) {
        return context.isLastAttempt() && !ApiException.isTransient(failure) && !isTerminal(failure);
    }

    /** The methods of an exception of a user can throw too. */
    private static <T> Optional<T> known(Supplier<? extends T> fact) {
        try {
            return Optional.ofNullable(fact.get());
        } catch (Throwable e) {
            return Optional.empty();
        }
    }

    private static int codeOf(ApiException api) {
        return known(api::code).orElse(0);
    }

    /** Return whether the API server or the connection to it failed, which needs no stack trace. */
    static boolean isExpected(Throwable failure) {
        return Causes.contains(failure, ApiException.class) || isTerminal(failure);
    }

    /** Return whether the API server is away, which concerns all requests at the same time. */
    static boolean isUnavailable(Throwable failure) {
        ApiException api = Causes.find(failure, ApiException.class);
        return api != null && (codeOf(api) == UNAVAILABLE || api instanceof ConnectionException);
    }

    /** Return whether another writer has changed an object meanwhile, which is part of normal operation. */
    static boolean isConflict(Throwable failure) {
        ApiException api = Causes.find(failure, ApiException.class);
        return api != null && codeOf(api) == CONFLICT;
    }

    /** Return a failure and its causes in one line: {@code A: message; caused by B: message}. */
    static String chain(Throwable failure) {
        StringBuilder text = new StringBuilder();
        for (Throwable cause : Causes.of(failure)) {
            text.append(text.isEmpty() ? "" : "; caused by ")
                    .append(cause.getClass().getSimpleName());
            Optional<String> next = known(cause::getCause).flatMap(inner -> known(inner::toString));
            Optional<String> message = known(cause::getMessage);
            if (message.isPresent() && !message.equals(next)) {
                text.append(": ").append(message.get());
            }
        }
        return Texts.escaped(text.toString().replaceAll("\\s*\\R\\s*", " "));
    }

    /**
     * Return what makes two failures the same for the log: the classes of the chain and where each was thrown, and of a request
     * that was refused its status and the rejected fields. All errors of a client come from one place, so the place alone says little.
     * A server that is away answers with one status and then another, which is one failure.
     */
    static String signature(Throwable failure) {
        StringBuilder text = new StringBuilder();
        for (Throwable cause : Causes.of(failure)) {
            text.append(LogLimiter.cause(cause));
            if (cause instanceof ApiException api && !ApiException.isTransient(api)) {
                text.append(known(() -> refusal(api)).orElse(""));
            }
            text.append(';');
        }
        return text.toString();
    }

    private static String refusal(ApiException api) {
        StringBuilder text = new StringBuilder(" " + api.code() + " " + api.reason());
        for (ApiException.Cause rejected : api.causes()) {
            text.append(' ').append(rejected.reason()).append(' ').append(rejected.field());
        }
        return text.toString();
    }
}
