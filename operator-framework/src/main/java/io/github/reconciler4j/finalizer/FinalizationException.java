package io.github.reconciler4j.finalizer;

import java.util.List;

/**
 * One or more finalizers of an object could not clean up. The message names them; what they threw is the
 * {@link #getCause() cause} (the first) and the suppressed exceptions.
 *
 * @since 0.1.0
 */
public class FinalizationException extends Exception {

    private static final long serialVersionUID = 1L;

    /**
     * Creates it.
     *
     * @param message the whole message
     * @param causes what was thrown, at least one
     */
    public FinalizationException(String message, List<? extends Throwable> causes) {
        super(message, causes.get(0));
        causes.stream().skip(1).forEach(this::addSuppressed);
    }
}
