package io.github.reconciler4j.generator;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when the input of the generator is not valid. The message says what is wrong, where, and how to fix it. The message is for people and needs no
 * stack trace.
 *
 * @since 0.1.0
 */
public final class GeneratorException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Create an exception with a message. */
    public GeneratorException(String message) {
        super(message);
    }

    /** Create an exception with a message and its cause. */
    public GeneratorException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
