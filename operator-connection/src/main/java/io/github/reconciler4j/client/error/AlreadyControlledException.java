package io.github.reconciler4j.client.error;

/**
 * An object already has a managing controller, and it is a different one. The message names both.
 *
 * @since 0.1.0
 */
public class AlreadyControlledException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Create an exception with the given message. */
    public AlreadyControlledException(String message) {
        super(message);
    }
}
