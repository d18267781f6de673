package io.github.reconciler4j.manager.permission;

/**
 * Thrown at startup if permissions are missing and {@link Preflight#FAIL} demands them. The message has a table of them and the
 * roles to add, so a stack trace says nothing more.
 *
 * @since 0.1.0
 */
public final class MissingPermissionsException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    /** Create the exception. The message lists what is missing. */
    public MissingPermissionsException(String message) {
        super(message);
    }
}
