package io.github.reconciler4j.finalizer;

import io.github.reconciler4j.finalizer.Finalizers.Outcome;
import java.util.List;

/**
 * Thrown if cleaners of an object failed. The message names their finalizers and what each cleaner threw; the exceptions
 * are the {@link #getCause() cause} (the first) and the suppressed exceptions (the others). The finalizers of cleaners
 * that succeeded have been removed: see {@link #outcome}.
 *
 * @since 0.1.0
 */
public class FinalizationException extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient Outcome<?> outcome;

    FinalizationException(String message, List<? extends Throwable> causes, Outcome<?> outcome) {
        super(message, causes.get(0));
        this.outcome = outcome;
        causes.stream().skip(1).forEach(this::addSuppressed);
    }

    /**
     * Return what the cleaners that succeeded achieved: the object without their finalizers. Not available after
     * serialization.
     */
    public Outcome<?> outcome() {
        return outcome;
    }
}
