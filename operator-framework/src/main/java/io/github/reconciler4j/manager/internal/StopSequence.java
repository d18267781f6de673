package io.github.reconciler4j.manager.internal;

import java.time.Duration;
import java.util.function.Predicate;

/** Stops all components, stage by stage from the last to the first, within one grace period for all of them. */
final class StopSequence {

    private final RunnerContext context;
    private final Runners runners;
    private final Waits waits;
    private final LifecycleHooks hooks;
    private final long begin;

    StopSequence(RunnerContext context, Runners runners, LifecycleHooks hooks) {
        this.context = context;
        this.runners = runners;
        this.waits = new Waits(context);
        this.hooks = hooks;
        this.begin = context.time().nanoTime();
    }

    /** Does it all; never throws. */
    void run() {
        guarded(hooks::stopping);
        boolean electedEnded = stopStage(Stage.LEADER_ELECTED);
        for (int i = Stage.LEADER_ELECTED.ordinal() - 1; i >= 0; i--) {
            stopStage(Stage.values()[i]);
        }
        guarded(() -> hooks.stopped(electedEnded));
    }

    private void guarded(Runnable hook) {
        try {
            hook.run();
        } catch (Throwable e) {
            context.lock().lock();
            try {
                context.failures().failedLocked(new Failure("The manager", "could not stop cleanly", e));
            } finally {
                context.lock().unlock();
            }
        }
    }

    /** Stops the components of a stage side by side; whether all have ended. */
    private boolean stopStage(Stage stage) {
        Predicate<ComponentRunner> busy = runner -> runner.stage() == stage && !runner.isEndedLocked();
        context.lock().lock();
        try {
            runners.eachLocked(busy, runner -> runner.beginStopLocked(this::remainingGrace));
            Duration left = remainingGrace();
            Duration limit = left.isNegative() ? Waits.WITHOUT_END : left.plus(Lifecycle.INTERRUPT_ALLOWANCE);
            boolean ended = waits.awaitLocked(
                    () -> runners.noneLocked(busy), limit, () -> runners.namesLocked(busy) + " to end");
            runners.eachLocked(busy, this::leaveBehindLocked);
            return ended;
        } catch (InterruptedException e) {
            // Nobody knows this thread but thread dumps; should somebody interrupt it, the stop goes on without
            // waiting.
            Thread.currentThread().interrupt();
            return false;
        } finally {
            context.lock().unlock();
        }
    }

    private void leaveBehindLocked(ComponentRunner runner) {
        String grace = Texts.seconds(context.options().gracefulShutdown());
        String how = "did not end within the grace period of " + grace + ", nor within "
                + Texts.seconds(Lifecycle.INTERRUPT_ALLOWANCE) + " of being interrupted; it is left behind";
        context.failures().failedLocked(new Failure(runner.name(), how, null));
    }

    /** What is left of the grace period; negative if it is without end. */
    private Duration remainingGrace() {
        Duration grace = context.options().gracefulShutdown();
        if (grace.isNegative()) {
            return grace;
        }
        Duration left = grace.minusNanos(context.time().nanoTime() - begin);
        return left.isNegative() ? Duration.ZERO : left;
    }
}
