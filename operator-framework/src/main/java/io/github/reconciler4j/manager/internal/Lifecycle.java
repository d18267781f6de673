package io.github.reconciler4j.manager.internal;

import io.github.reconciler4j.manager.ComponentStatus;
import io.github.reconciler4j.manager.LifecycleOptions;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.ManagerFailedException;
import io.github.reconciler4j.manager.ManagerStartException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The order of starting and stopping. Every component has a {@link ComponentRunner}; this class decides when each of
 * them starts and stops, and waits for them.
 *
 * <p>One lock guards all state, that of the runners included; one condition is signalled at every change of it. No code
 * of a component or hook runs while the lock is held. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class Lifecycle {

    /** How long something may take to end after it was interrupted, before it is left behind: 7 seconds. */
    public static final Duration INTERRUPT_ALLOWANCE = Duration.ofSeconds(7);

    private static final Logger LOG = LoggerFactory.getLogger(Lifecycle.class);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final RunnerContext context;
    private final LifecycleHooks hooks;
    private final Waits waits;

    // All guarded by lock.
    private final Progress progress = new Progress();
    private final Runners runners = new Runners();
    private final Failures failures = new Failures();

    /** Creates it; nothing runs before {@link #start}. */
    public Lifecycle(String name, LifecycleOptions options, TimeSource time, LifecycleHooks hooks) {
        this.hooks = hooks;
        this.context = new RunnerContext(name, options, time, lock, changed, this::failedLocked, hooks);
        this.waits = new Waits(context);
    }

    /** What the runners share; tests play time by it. */
    RunnerContext context() {
        return context;
    }

    /** Adds a component to a stage, and starts it if the stage is open already. */
    public void add(ManagedComponent component, Stage stage) {
        ComponentRunner runner = new ComponentRunner(component, stage, context);
        lock.lock();
        try {
            checkNotStoppingLocked(runner);
            runners.addLocked(runner);
            progress.launchLocked(runner);
        } finally {
            lock.unlock();
        }
    }

    /** Adds components to the stages of their groups; adds all of them or none. */
    public void add(List<ManagedComponent> components) {
        List<ComponentRunner> added = components.stream()
                .map(component -> new ComponentRunner(component, Stage.of(component.group()), context))
                .toList();
        lock.lock();
        try {
            checkNotStoppingLocked(added.get(0));
            runners.removeLocked(ComponentRunner::isGoneLocked);
            added.forEach(runners::addLocked);
            added.forEach(progress::launchLocked);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Stops components and removes them when they have ended.
     *
     * @return whether all have ended in time
     */
    public boolean remove(List<ManagedComponent> components) {
        Predicate<ComponentRunner> removed = runner -> runner.isOneOf(components);
        Predicate<ComponentRunner> busy = runner -> removed.test(runner) && !runner.isEndedLocked();
        lock.lock();
        try {
            Duration grace = context.options().gracefulShutdown();
            runners.eachLocked(removed, runner -> runner.removeLocked(grace));
            Duration limit = grace.isNegative() ? Waits.WITHOUT_END : grace.plus(INTERRUPT_ALLOWANCE);
            boolean ended = waits.awaitLocked(
                    () -> runners.noneLocked(busy), limit, () -> runners.namesLocked(busy) + " to end");
            runners.removeLocked(ComponentRunner::isGoneLocked);
            return ended;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    private void checkNotStoppingLocked(ComponentRunner runner) {
        if (progress.isStoppingLocked()) {
            throw new IllegalStateException("Cannot add " + runner.name() + ": the manager is stopping or has stopped");
        }
    }

    /** Starts all stages in order and returns when all but the elected one are up, or {@link #stop} was called. */
    public void start() {
        beginStart();
        try {
            if (new StartSequence(context, progress, runners, failures).run()) {
                hooks.standForElection();
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            fail("The start", "was interrupted", e);
        }
        requestStop();
        awaitFailedStart();
    }

    private void beginStart() {
        lock.lock();
        try {
            if (!progress.beginStartLocked()) {
                throw new IllegalStateException("The manager was started or stopped before: create a new one");
            }
        } finally {
            lock.unlock();
        }
    }

    private void awaitFailedStart() {
        lock.lock();
        try {
            while (!progress.isStoppedLocked()) {
                changed.awaitUninterruptibly();
            }
            if (!failures.isEmptyLocked()) {
                throw new ManagerStartException(
                        failures.summaryLocked("The manager could not start"), failures.causesLocked());
            }
        } finally {
            lock.unlock();
        }
    }

    /** This replica holds the lease: what runs under it is started, in the background. */
    public void lead(String lease) {
        lock.lock();
        try {
            progress.leadLocked(lease);
            runners.eachLocked(runner -> runner.runsUnder(lease), progress::launchLocked);
        } finally {
            lock.unlock();
        }
    }

    /** This replica holds the lease no more: what runs under it is interrupted and stopped, in the background. */
    public void withdraw(String lease) {
        lock.lock();
        try {
            progress.withdrawLocked(lease);
            runners.eachLocked(runner -> runner.runsUnder(lease), ComponentRunner::withdrawLocked);
        } finally {
            lock.unlock();
        }
    }

    /** Waits until nothing runs under a lease any more; false if something does not end in time. */
    public boolean awaitWithdrawn(String lease) throws InterruptedException {
        Predicate<ComponentRunner> busy = runner -> runner.runsUnder(lease) && runner.isBusyLocked();
        lock.lockInterruptibly();
        try {
            return waits.awaitLocked(
                    () -> runners.noneLocked(busy), INTERRUPT_ALLOWANCE, () -> runners.namesLocked(busy) + " to end");
        } finally {
            lock.unlock();
        }
    }

    /** Stops everything because something broke; returns at once. */
    public void fail(String what, String how, Throwable cause) {
        lock.lock();
        try {
            failedLocked(new Failure(what, how, cause));
        } finally {
            lock.unlock();
        }
    }

    private void failedLocked(Failure failure) {
        if (failure.isExpected()) {
            LOG.error("{}", failure.text());
        } else {
            LOG.error("{}", failure.text(), failure.cause());
        }
        failures.addLocked(failure);
        changed.signalAll();
        if (progress.isRunningLocked()) {
            requestStopLocked();
        }
    }

    /** Stops everything and waits for the end; an interrupt ends the waiting only, with the flag set. */
    public void stop() {
        requestStop();
        try {
            awaitStopped();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void requestStop() {
        lock.lock();
        try {
            requestStopLocked();
        } finally {
            lock.unlock();
        }
    }

    private void requestStopLocked() {
        if (progress.beginStopLocked()) {
            changed.signalAll();
            context.thread("stop", this::runStop).start();
        }
    }

    private void runStop() {
        new StopSequence(context, runners, hooks).run();
        lock.lock();
        try {
            progress.stoppedLocked();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void awaitStopped() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!progress.isStoppedLocked()) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the end, and throws {@link ManagerFailedException} if it came because something broke. */
    public void await() throws InterruptedException {
        awaitStopped();
        lock.lock();
        try {
            if (!failures.isEmptyLocked()) {
                throw new ManagerFailedException(
                        failures.summaryLocked("The manager has ended"), failures.causesLocked());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether everything but the elected components is up, and the stop has not begun. */
    public boolean isRunning() {
        lock.lock();
        try {
            return progress.isRunningLocked();
        } finally {
            lock.unlock();
        }
    }

    /** How the components are, in the order in which they were added. */
    public List<ComponentStatus> statuses() {
        Map<ComponentRunner, ComponentStatus> statuses = new LinkedHashMap<>();
        lock.lock();
        try {
            runners.removeLocked(ComponentRunner::isGoneLocked);
            boolean standing = progress.isRunningLocked();
            for (ComponentRunner runner : runners.copyLocked()) {
                statuses.put(runner, runner.statusLocked(standing && runner.stage() == Stage.LEADER_ELECTED));
            }
        } finally {
            lock.unlock();
        }
        return statuses.entrySet().stream()
                .map(entry -> entry.getKey().withObstacle(entry.getValue()))
                .toList();
    }
}
