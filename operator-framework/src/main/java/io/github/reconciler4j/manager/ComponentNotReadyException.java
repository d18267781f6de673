package io.github.reconciler4j.manager;

/**
 * Thrown by {@link ManagedComponent#start} if something outside the process is missing that may appear later, such as a custom
 * resource definition or a permission. The manager runs everything else, reports the reason in log and health, and retries the
 * component with increasing delays until it starts.
 *
 * @since 0.1.0
 */
public class ComponentNotReadyException extends Exception {

    private static final long serialVersionUID = 1L;

    /** Create an exception with a message that says what is missing and how to fix it. */
    public ComponentNotReadyException(String message) {
        super(message);
    }

    /** Create an exception with a message that says what is missing and how to fix it, and the cause. */
    public ComponentNotReadyException(String message, Throwable cause) {
        super(message, cause);
    }
}
