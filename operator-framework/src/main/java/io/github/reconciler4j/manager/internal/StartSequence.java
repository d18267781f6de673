package io.github.reconciler4j.manager.internal;

import java.time.Duration;
import java.util.function.Predicate;

/** Starts all components, stage by stage; each stage begins when all of the one before are up or wait alone. */
final class StartSequence {

    /** How long the other components of a stage may take to fail too, once one has failed. */
    private static final Duration FAILURE_WINDOW = Duration.ofSeconds(1);

    private final RunnerContext context;
    private final Progress progress;
    private final Runners runners;
    private final Failures failures;
    private final Waits waits;

    StartSequence(RunnerContext context, Progress progress, Runners runners, Failures failures) {
        this.context = context;
        this.progress = progress;
        this.runners = runners;
        this.failures = failures;
        this.waits = new Waits(context);
    }

    /** Returns when all stages but the elected one are up; false if something failed or the stop began. */
    boolean run() throws InterruptedException {
        context.lock().lockInterruptibly();
        try {
            for (Stage stage : Stage.values()) {
                if (!progress.isStartingLocked()) {
                    return false;
                }
                progress.openLocked(stage);
                runners.eachLocked(runner -> true, progress::launchLocked);
                if (stage != Stage.LEADER_ELECTED && !awaitUpLocked(stage)) {
                    return false;
                }
            }
            progress.startedLocked();
            context.changed().signalAll();
            return true;
        } finally {
            context.lock().unlock();
        }
    }

    private boolean awaitUpLocked(Stage stage) throws InterruptedException {
        Predicate<ComponentRunner> pending = runner -> runner.stage() == stage && !runner.isSettledLocked();
        waits.awaitLocked(
                () -> !progress.isStartingLocked() || !failures.isEmptyLocked() || runners.noneLocked(pending),
                Waits.WITHOUT_END,
                () -> runners.namesLocked(pending) + " to start");
        if (!failures.isEmptyLocked()) {
            waits.awaitLocked(() -> runners.noneLocked(pending), FAILURE_WINDOW, () -> runners.namesLocked(pending));
        }
        return progress.isStartingLocked() && failures.isEmptyLocked();
    }
}
