package io.github.reconciler4j.generator;

import org.jspecify.annotations.Nullable;

/**
 * Says what is wrong with the input of the generator, where, and how to resolve it. The message is for people and needs no
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
