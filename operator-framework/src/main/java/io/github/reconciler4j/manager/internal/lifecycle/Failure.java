package io.github.reconciler4j.manager.internal.lifecycle;

import io.github.reconciler4j.cache.CacheSyncTimeoutException;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.manager.ComponentNotReadyException;
import io.github.reconciler4j.manager.permission.MissingPermissionsException;
import io.github.reconciler4j.support.Causes;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * A failure of one part of a manager.
 *
 * @param subject the component or lease
 * @param predicate what happened to it, as the predicate of a sentence
 * @param cause the exception, or null
 */
public record Failure(
        String subject, String predicate, @Nullable Throwable cause) {

    /** Whether the API server, or the way to it, is the cause, so that a stack trace adds nothing to the message. */
    public boolean isExpected() {
        return Causes.contains(cause, ApiException.class);
    }

    public String message() {
        String what = subject + " " + predicate;
        if (cause instanceof MissingPermissionsException) {
            return what + ": " + cause.getMessage(); // a table
        }
        return cause == null ? what : what + ": " + Causes.message(cause);
    }

    /** Log the failure. It counts even if that fails. */
    public void log(Logger logger) {
        try {
            if (Causes.contains(cause, MissingPermissionsException.class)) {
                // The caller of start receives the exception with the whole text.
                logger.error("{} {}: permissions are missing", subject, predicate);
            } else if (isExpected()) {
                logger.error("{}", message());
            } else {
                logger.error("{}", message(), cause == null ? null : Causes.loggable(cause));
            }
        } catch (Throwable e) {
            // The log, which would have to report it, is what is broken.
        }
    }

    /** One sentence for one failure, a list for several. */
    public static String summary(String start, List<Failure> failures) {
        return failures.size() == 1
                ? start + ": " + failures.get(0).message()
                : start + " for " + failures.size() + " reasons:"
                        + failures.stream()
                                .map(failure -> "\n  " + failure.message())
                                .collect(Collectors.joining());
    }

    public static List<Throwable> causes(List<Failure> failures) {
        return failures.stream()
                .map(Failure::cause)
                .filter(Objects::nonNull)
                .<Throwable>map(cause -> cause)
                .toList();
    }

    /** Whether what is missing may appear later, by the first cause that is conclusive. */
    public static boolean isRetryable(Throwable failure) {
        return Causes.of(failure).stream()
                .anyMatch(cause -> cause instanceof ComponentNotReadyException
                        || cause instanceof CacheSyncTimeoutException
                        || (cause instanceof ApiException api && (api.code() == 403 || api.code() == 404)));
    }

    /** What a failure counts as in the log: texts about an API server can differ each time, by a count or an id. */
    public static Object kindOf(Throwable failure) {
        ConnectionException connection = Causes.find(failure, ConnectionException.class);
        if (connection != null) {
            return connection.problem();
        }
        for (Throwable cause : Causes.of(failure)) {
            if (cause instanceof ApiException api && api.code() != 0 && api.code() != 403 && api.code() != 404) {
                return api.code();
            }
        }
        return Causes.contains(failure, CacheSyncTimeoutException.class)
                ? CacheSyncTimeoutException.class
                : Causes.message(failure);
    }
}
