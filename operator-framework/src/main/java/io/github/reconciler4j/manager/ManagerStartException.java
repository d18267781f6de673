package io.github.reconciler4j.manager;

import java.util.List;

/**
 * The manager could not start, and has stopped what was started. The message names every component that failed and why;
 * the causes are the {@link #getCause() cause} (the first) and the suppressed exceptions.
 *
 * @since 0.1.0
 */
public class ManagerStartException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates it.
     *
     * @param message the whole message
     * @param causes what was thrown, the first becomes the cause
     */
    public ManagerStartException(String message, List<? extends Throwable> causes) {
        super(message, causes.isEmpty() ? null : causes.get(0));
        causes.stream().skip(1).forEach(this::addSuppressed);
    }
}
