package io.github.reconciler4j.manager.internal;

import java.util.HashSet;
import java.util.Set;

/**
 * How far a manager has come, from new to stopped, and which components may run by that. Guarded by the lock of the
 * lifecycle.
 */
final class Progress {

    private enum Phase {
        NEW,
        STARTING,
        RUNNING,
        STOPPING,
        STOPPED
    }

    private final Set<String> leading = new HashSet<>();
    private Phase phase = Phase.NEW;
    private int openStages;

    /** The start begins; false if it, or the stop, has begun before. */
    boolean beginStartLocked() {
        if (phase != Phase.NEW) {
            return false;
        }
        phase = Phase.STARTING;
        return true;
    }

    /** The components up to this stage may start. */
    void openLocked(Stage stage) {
        openStages = stage.ordinal() + 1;
    }

    void startedLocked() {
        phase = Phase.RUNNING;
    }

    /** The stop begins; false if it has begun before. */
    boolean beginStopLocked() {
        if (isStoppingLocked()) {
            return false;
        }
        phase = Phase.STOPPING;
        return true;
    }

    void stoppedLocked() {
        phase = Phase.STOPPED;
    }

    boolean isStartingLocked() {
        return phase == Phase.STARTING;
    }

    boolean isRunningLocked() {
        return phase == Phase.RUNNING;
    }

    /** Whether the stop has begun, or is over. */
    boolean isStoppingLocked() {
        return phase == Phase.STOPPING || phase == Phase.STOPPED;
    }

    boolean isStoppedLocked() {
        return phase == Phase.STOPPED;
    }

    void leadLocked(String lease) {
        leading.add(lease);
    }

    void withdrawLocked(String lease) {
        leading.remove(lease);
    }

    /** Starts a component unless its turn has not come, or is over. */
    void launchLocked(ComponentRunner runner) {
        boolean open = runner.stage().ordinal() < openStages
                && (runner.stage() != Stage.LEADER_ELECTED || leading.contains(runner.lease()));
        if (open && !isStoppingLocked()) {
            runner.launchLocked();
        }
    }
}
