package io.github.reconciler4j.client.internal.kubeconfig;

/**
 * There are no credentials, or they cannot be sent. The message says why and what to do, without any secret.
 *
 * @since 0.1.0
 */
public final class CredentialsException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Create an exception with the given message, and without a stack trace: the place says nothing about the cause. */
    public CredentialsException(String message) {
        super(message + " (R4J-027)", null, false, false);
    }
}
