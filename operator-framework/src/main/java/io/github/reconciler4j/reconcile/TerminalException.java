package io.github.reconciler4j.reconcile;

/**
 * Thrown by a reconciler if a retry is useless until something changes. The failure is logged and counted, and the request
 * is not requeued. Also works as the cause of another exception.
 *
 * @since 0.1.0
 */
public class TerminalException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Create an exception with a message that says what has to change. */
    public TerminalException(String message) {
        super(message);
    }

    /** Create an exception with a message that says what has to change, and the cause. */
    public TerminalException(String message, Throwable cause) {
        super(message, cause);
    }
}
