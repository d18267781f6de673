package io.github.reconciler4j.manager;

import java.util.List;

/**
 * A running manager ended because something broke: a component failed, the lease was lost, or parts did not end within
 * the grace period. The message names each; the causes are the {@link #getCause() cause} (the first) and the suppressed
 * exceptions.
 *
 * @since 0.1.0
 */
public class ManagerFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates it.
     *
     * @param message the whole message
     * @param causes what was thrown, the first becomes the cause
     */
    public ManagerFailedException(String message, List<? extends Throwable> causes) {
        super(message, causes.isEmpty() ? null : causes.get(0));
        causes.stream().skip(1).forEach(this::addSuppressed);
    }
}
