package io.github.reconciler4j.client.error;

/**
 * An object has a managing controller already, and it is another one; the message names both.
 *
 * @since 0.1.0
 */
public class AlreadyControlledException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Creates it with the whole message. */
    public AlreadyControlledException(String message) {
        super(message);
    }
}
