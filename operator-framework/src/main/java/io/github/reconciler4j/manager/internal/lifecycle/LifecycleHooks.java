package io.github.reconciler4j.manager.internal.lifecycle;

import io.github.reconciler4j.leaderelection.WriteScope;
import io.github.reconciler4j.manager.internal.server.ServerAwayException;

/** Called around the stages of a {@link Lifecycle}, on its threads and without its lock. */
public interface LifecycleHooks {

    /** Return the scope in which a component writes. */
    default WriteScope scope(Stage stage, String lease) {
        return WriteScope.everywhere();
    }

    /**
     * Throw if the API server of a cluster has not responded yet, so that what needs it waits without a thread.
     *
     * @throws ServerAwayException with the reason
     */
    default void checkResponds(String cluster) throws ServerAwayException {}

    /** All stages before {@link Stage#LEADER_ELECTED} are up: start to campaign. */
    void campaign();

    /** The stop has started: acquire no lease any more, but keep those that are held. */
    void stopping();

    /**
     * All components have been stopped: release the leases and close what the components shared.
     *
     * @param electedEnded whether every elected component has ended; otherwise no lease must be released
     */
    void stopped(boolean electedEnded);
}
