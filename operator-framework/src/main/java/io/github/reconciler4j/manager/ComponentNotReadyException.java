package io.github.reconciler4j.manager;

/**
 * Thrown by {@link ManagedComponent#start} if something outside the process is missing that may come later: a custom
 * resource definition, a right. The manager runs everything else, says so in log and health, and tries the component
 * again with backoff until it starts.
 *
 * @since 0.1.0
 */
public class ComponentNotReadyException extends Exception {

    private static final long serialVersionUID = 1L;

    /** Creates it with a message that says what is missing and how to mend it. */
    public ComponentNotReadyException(String message) {
        super(message);
    }

    /** Creates it with a message that says what is missing and how to mend it, and the error that told of it. */
    public ComponentNotReadyException(String message, Throwable cause) {
        super(message, cause);
    }
}
