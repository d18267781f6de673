package io.github.reconciler4j.manager;

import java.time.Duration;

/** A part of an operator that the {@link Manager} starts and stops. */
public interface ManagedComponent {

    /** Names the component in logs, errors and health. */
    String name();

    /** When it starts; {@link StartGroup#ELECTED} unless it says otherwise. */
    default StartGroup group() {
        return StartGroup.ELECTED;
    }

    /**
     * Starts the component and returns when it is ready; it then works on threads of its own. Called at most once. Must
     * end soon after an interrupt.
     *
     * @throws Exception if it cannot start; the manager then stops, or goes on without it, as its options say
     */
    void start() throws Exception;

    /**
     * Ends the component: takes no new work, lets running work finish within the grace period, interrupts what is still
     * running after that, and returns when its threads have ended. Called also when {@link #start} failed or was never
     * called.
     */
    void stop(Duration grace);
}
