package io.github.reconciler4j.manager;

import java.util.List;

/**
 * Thrown if a running manager stopped because of failures: a component failed, a lease was lost, or a component did not end
 * within the grace period. The message lists all failures. The first cause is the {@link #getCause() cause}, the others are
 * suppressed exceptions.
 *
 * @since 0.1.0
 */
public class ManagerFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Create an exception.
     *
     * @param message the complete message
     * @param causes the causes, the first of which becomes the cause of this exception
     */
    public ManagerFailedException(String message, List<? extends Throwable> causes) {
        super(message, causes.isEmpty() ? null : causes.get(0));
        causes.stream().skip(1).forEach(this::addSuppressed);
    }
}
