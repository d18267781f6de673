package io.github.reconciler4j.manager.internal;

import io.github.reconciler4j.leaderelection.WriteScope;

/**
 * What happens around the stages of a {@link Lifecycle}. Called on its threads, never with its lock held.
 *
 * @since 0.1.0
 */
public interface LifecycleHooks {

    /** Under which right a component starts and works. */
    default WriteScope scope(Stage stage, String lease) {
        return WriteScope.everywhere();
    }

    /** All stages up to {@link Stage#ALL_REPLICAS} are up: begin to stand for election. */
    void standForElection();

    /** The stop begins: stand for election no more, but keep leases that are held. */
    void stopping();

    /**
     * All components have been stopped: give back leases and end what all of them shared.
     *
     * @param allEnded whether every elected component has ended; if not, its lease must not be given back
     */
    void stopped(boolean allEnded);
}
