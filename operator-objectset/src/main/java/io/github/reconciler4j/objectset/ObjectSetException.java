package io.github.reconciler4j.objectset;

/**
 * Thrown by {@link ObjectSetResult#toResult} if objects of a set could not be applied or deleted. The message names each of them.
 * The cause is the first failure, the others are suppressed ones.
 *
 * @since 0.1.0
 */
public class ObjectSetException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ObjectSetException(String message) {
        super(message);
    }

    ObjectSetException(String message, Throwable cause) {
        super(message, cause);
    }
}
