package io.github.reconciler4j.client;

/**
 * Is told, in {@link WriteMode#OBSERVE}, of each write that would have changed something; by default the log is. Called
 * on the writing thread before the write returns. Must be safe for use by many threads.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface WriteObserver {

    /** Takes one write. */
    void observed(ObservedWrite write);
}
