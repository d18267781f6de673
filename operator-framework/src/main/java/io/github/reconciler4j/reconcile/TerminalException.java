package io.github.reconciler4j.reconcile;

/**
 * Says that trying again is useless until something changes: the failure is logged and counted, and the request is not
 * queued again. Works also as the cause of another exception.
 *
 * @since 0.1.0
 */
public class TerminalException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Creates it with a message that says what has to change. */
    public TerminalException(String message) {
        super(message);
    }

    /** Creates it with a message that says what has to change, and the failure behind it. */
    public TerminalException(String message, Throwable cause) {
        super(message, cause);
    }
}
