package io.github.reconciler4j.manager.internal;

import io.github.reconciler4j.client.error.ApiException;
import org.jspecify.annotations.Nullable;

/**
 * Something that broke.
 *
 * @param what the component or lease
 * @param how what it did, as the predicate of a sentence
 * @param cause what was thrown, if something was
 */
record Failure(String what, String how, @Nullable Throwable cause) {

    /** Chains of causes can be circles. */
    private static final int MOST_CAUSES = 20;

    /** Whether the API server, or the way to it, is behind this, so that no stack trace says more than the sentence. */
    boolean isExpected() {
        Throwable next = cause;
        for (int depth = 0; next != null && depth < MOST_CAUSES; depth++) {
            if (next instanceof ApiException) {
                return true;
            }
            next = next.getCause();
        }
        return false;
    }

    /** The sentence a person reads. */
    String text() {
        if (cause == null) {
            return what + " " + how;
        }
        String message = cause.getMessage();
        return what + " " + how + ": "
                + (message == null || message.isBlank() ? cause.getClass().getName() : message);
    }
}
