package io.github.reconciler4j.manager.internal;

import org.jspecify.annotations.Nullable;

/**
 * Something that broke.
 *
 * @param what the component or lease
 * @param how what it did, as the predicate of a sentence
 * @param cause what was thrown, if something was
 */
record Failure(String what, String how, @Nullable Throwable cause) {

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
