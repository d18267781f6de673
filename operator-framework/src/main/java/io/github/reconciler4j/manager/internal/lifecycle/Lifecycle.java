package io.github.reconciler4j.manager.internal.lifecycle;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.manager.ComponentState;
import io.github.reconciler4j.manager.LifecycleOptions;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.ManagerFailedException;
import io.github.reconciler4j.manager.ManagerStartException;
import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.support.Threads;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts and stops components in order.
 *
 * <h2>Two objects, two locks</h2>
 *
 * This class decides <em>when</em> a component starts and stops. A {@link ComponentRunner} for each component does it, on
 * threads of its own, and knows the state of the component. Either has a lock for its own fields.
 *
 * <p>Lock order: lifecycle, then runner. The lifecycle launches, stops and asks runners with its lock held, so a decision and its
 * execution are one step. A runner never calls it with its own lock held. Components, hooks and scopes run without any lock.
 *
 * <h2>Invariants</h2>
 *
 * <ol>
 *   <li>The phase only moves forward: NEW, STARTING, RUNNING, STOPPING, STOPPED. A phase can be skipped, never repeated.
 *   <li>A component starts only if its stage is open, it holds its lease (if it is elected) and the phase is before STOPPING.
 *       {@link #launch} is the only place that starts one, and checks all three under the lock.
 *   <li>Stages open one after the other. A stage opens when every component of the stage before has settled: it runs, waits
 *       for something outside, or has failed. No stage opens after a failure, so a runner reports one before it is FAILED.
 *   <li>A component is never started and stopped concurrently: the stopping thread of its runner waits for the starting one.
 *   <li>No runner is added once the phase is STOPPING, so the set of components to stop is known.
 *   <li>A stage is stopped when the components of all later stages have ended or were abandoned. The leases are released
 *       only if every elected component has ended: {@link LifecycleHooks#stopped} receives this as its argument.
 *   <li>Every failure is logged when it happens, and is part of the exception of {@link #start} or {@link #await}.
 * </ol>
 *
 * <p>All waits are on one condition. Every change that a wait may depend on signals it under the lock of the lifecycle, a change
 * of a runner through {@link #stateChanged} after the runner has released its lock; so no signal is lost. The evaluation reads
 * the state of a runner under the lock of the runner. Waits are bounded and report their progress, except the wait for the
 * first start attempts, which the components bound themselves, and a negative grace period.
 *
 * <h2>Stop</h2>
 *
 * The stop runs on a thread of its own, since {@link #fail} may be called by a thread that the stop has to wait for. The thread
 * starts with the manager: when the JVM can create no more threads, the manager must be able to stop. All stages share one grace
 * period. A component that has not ended {@link #INTERRUPT_ALLOWANCE} after it is abandoned; its threads may still run.
 * {@link #remove} stops single components. The name of an abandoned one stays taken until it has ended. Thread-safe.
 */
public final class Lifecycle implements ComponentOwner {

    /** How long a component may take to end after its interrupt before it is abandoned. */
    public static final Duration INTERRUPT_ALLOWANCE = Duration.ofSeconds(7);

    /** How long the other components of a stage may take to settle after one has failed, so that all failures show. */
    private static final Duration FAILURE_WINDOW = Duration.ofSeconds(1);

    private static final Duration UNLIMITED = Duration.ofNanos(-1);
    private static final Logger LOG = LoggerFactory.getLogger(Lifecycle.class);

    private final String name;
    private final LifecycleOptions options;
    private final TimeSource time;
    private final LifecycleHooks hooks;
    private final StartRetries retries;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Thread stopper;

    @GuardedBy("lock")
    private Phase phase = Phase.NEW;

    @GuardedBy("lock")
    private int openStages;

    @GuardedBy("lock")
    private final Set<String> heldLeases = new HashSet<>();

    @GuardedBy("lock")
    private final List<ComponentRunner> runners = new ArrayList<>();

    @GuardedBy("lock")
    private final List<Failure> failures = new ArrayList<>();

    private enum Phase {
        NEW,
        STARTING,
        RUNNING,
        STOPPING,
        STOPPED
    }

    public Lifecycle(String name, LifecycleOptions options, TimeSource time, LifecycleHooks hooks) {
        this.name = name;
        this.options = options;
        this.time = time;
        this.hooks = hooks;
        this.retries = new StartRetries(name, time);
        this.stopper = Threads.daemon(name + "-stop", this::runStop, this::stopFailed);
    }

    /** Adds components to the stages of their groups: all of them, or none if a name is taken. */
    public void add(List<? extends ManagedComponent> components) {
        List<ComponentRunner> added = components.stream()
                .map(component -> new ComponentRunner(component, this, hooks, options, time, retries))
                .toList();
        lock.lock();
        try {
            if (phase == Phase.STOPPING || phase == Phase.STOPPED) {
                throw new IllegalStateException(
                        "Cannot add '" + added.get(0).name() + "': the manager is stopping or has stopped");
            }
            runners.removeIf(ComponentRunner::isGone);
            Set<String> names =
                    runners.stream().map(ComponentRunner::name).collect(Collectors.toCollection(HashSet::new));
            for (ComponentRunner runner : added) {
                if (!names.add(runner.name())) {
                    throw new IllegalArgumentException("There is already a component named '" + runner.name()
                            + "': choose another name for one of them");
                }
            }
            runners.addAll(added);
            added.forEach(this::launch);
        } finally {
            lock.unlock();
        }
    }

    /** Starts a component if its stage is open, its lease is held and the stop has not started. */
    @GuardedBy("lock")
    private void launch(ComponentRunner runner) {
        boolean mayStart = runner.stage().ordinal() < openStages && phase.compareTo(Phase.STOPPING) < 0;
        if (mayStart && (runner.stage() != Stage.LEADER_ELECTED || heldLeases.contains(runner.lease()))) {
            runner.launch();
        }
    }

    /** Stops components and removes them once they have ended; returns whether they did so in time. */
    public boolean remove(List<ManagedComponent> components) {
        Duration grace = options.gracefulShutdown();
        Duration limit = grace.isNegative() ? UNLIMITED : Nanos.sum(grace, INTERRUPT_ALLOWANCE);
        lock.lock();
        try {
            List<ComponentRunner> removed = runners.stream()
                    .filter(runner -> runner.isOneOf(components))
                    .toList();
            removed.forEach(runner -> runner.remove(grace));
            boolean ended = awaitNone(removed, runner -> !runner.isStopped(), "to end", limit);
            runners.removeIf(ComponentRunner::isGone);
            return ended;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Starts all stages in order; returns when all but the elected components are up, or {@link #stop} was called. */
    public void start() {
        try {
            if (startStages() && callHook("Leader election", "could not start", hooks::campaign)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            fail(new Failure("The start", "was interrupted", e));
        }
        requestStop();
        lock.lock();
        try {
            awaitPhase(Phase.STOPPED);
            if (!failures.isEmpty()) {
                throw new ManagerStartException(
                        Failure.summary("The manager could not start", failures), Failure.causes(failures));
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether all stages are up. */
    private boolean startStages() throws InterruptedException {
        lock.lock();
        try {
            if (phase != Phase.NEW) {
                throw new IllegalStateException(
                        "The manager has been started or stopped before: create a new one to start again");
            }
            stopper.start();
            phase = Phase.STARTING;
            for (Stage stage : Stage.values()) {
                if (phase != Phase.STARTING) {
                    return false;
                }
                openStages = stage.ordinal() + 1;
                runners.forEach(this::launch);
                if (stage != Stage.LEADER_ELECTED && !awaitSettled(stage)) {
                    return false;
                }
            }
            phase = Phase.RUNNING;
            changed.signalAll();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether the next stage may open. */
    @GuardedBy("lock")
    private boolean awaitSettled(Stage stage) throws InterruptedException {
        Predicate<ComponentRunner> pending = runner -> runner.stage() == stage && runner.holdsStart();
        Wait wait = new Wait("to start", UNLIMITED);
        while (phase == Phase.STARTING && failures.isEmpty() && runners.stream().anyMatch(pending)) {
            wait.step(runners, pending);
        }
        if (!failures.isEmpty()) {
            awaitNone(runners, pending, "to start", FAILURE_WINDOW);
        }
        return phase == Phase.STARTING && failures.isEmpty();
    }

    /** This replica has acquired a lease: starts the components under it, in the background. */
    public void lead(String lease) {
        lock.lock();
        try {
            heldLeases.add(lease);
            runners.forEach(this::launch);
        } finally {
            lock.unlock();
        }
    }

    /** This replica has lost a lease: interrupts and stops the components under it, in the background. */
    public void withdraw(String lease) {
        lock.lock();
        try {
            heldLeases.remove(lease);
            runners.stream().filter(runner -> runner.runsUnder(lease)).forEach(ComponentRunner::withdraw);
        } finally {
            lock.unlock();
        }
    }

    /** Waits until no component runs under a lease; returns false if one does not end in time. */
    public boolean awaitWithdrawn(String lease) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            return awaitNone(
                    runners, runner -> runner.runsUnder(lease) && runner.isBusy(), "to end", INTERRUPT_ALLOWANCE);
        } finally {
            lock.unlock();
        }
    }

    /** Stops everything because of a failure; returns immediately. */
    @Override
    public void fail(Failure failure) {
        failure.log(LOG);
        lock.lock();
        try {
            failures.add(failure);
            changed.signalAll();
            if (phase == Phase.RUNNING) {
                requestStop();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Stops everything and waits for the end. An interrupt ends only the wait, with the flag set. */
    public void stop() {
        requestStop();
        try {
            await();
        } catch (ManagerFailedException e) {
            LOG.debug("The manager has stopped after failures, which were logged", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void requestStop() {
        lock.lock();
        try {
            if (phase == Phase.NEW) {
                stopper.start();
            }
            if (phase.compareTo(Phase.STOPPING) < 0) {
                phase = Phase.STOPPING;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    private void awaitPhase(Phase awaited) {
        lock.lock();
        try {
            while (phase.compareTo(awaited) < 0) {
                time.awaitUninterruptibly(changed);
            }
        } finally {
            lock.unlock();
        }
    }

    private void runStop() {
        awaitPhase(Phase.STOPPING);
        long start = time.nanoTime();
        callHook("The manager", "could not stop cleanly", hooks::stopping);
        boolean electedEnded = stopStage(Stage.LEADER_ELECTED, start);
        for (int i = Stage.LEADER_ELECTED.ordinal() - 1; i >= 0; i--) {
            stopStage(Stage.values()[i], start);
        }
        callHook("The manager", "could not stop cleanly", () -> hooks.stopped(electedEnded));
        endStop();
    }

    private void stopFailed(Throwable failure) {
        fail(new Failure("The stop", "failed", failure));
        endStop();
    }

    private void endStop() {
        lock.lock();
        try {
            phase = Phase.STOPPED;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private boolean callHook(String subject, String failure, Runnable hook) {
        try {
            hook.run();
            return true;
        } catch (Throwable e) {
            fail(new Failure(subject, failure, e));
            return false;
        }
    }

    /** Stops the components of a stage concurrently; returns whether all have ended. */
    private boolean stopStage(Stage stage, long start) {
        List<ComponentRunner> abandoned;
        lock.lock();
        try {
            List<ComponentRunner> stopped = runners.stream()
                    .filter(runner -> runner.stage() == stage && !runner.isStopped())
                    .toList();
            stopped.forEach(runner -> runner.stop(() -> remainingGrace(start)));
            Duration grace = remainingGrace(start);
            Duration limit = grace.isNegative() ? UNLIMITED : Nanos.sum(grace, INTERRUPT_ALLOWANCE);
            awaitNone(stopped, runner -> !runner.isStopped(), "to end", limit);
            abandoned = stopped.stream().filter(runner -> !runner.isStopped()).toList();
        } catch (Throwable e) { // of this class itself, or an interrupt, which nothing sends on purpose
            fail(new Failure("The stop of stage " + stage, "failed", e));
            return false;
        } finally {
            lock.unlock();
        }
        abandoned.forEach(ComponentRunner::abandon);
        return abandoned.isEmpty();
    }

    /** The rest of the grace period; negative if it is unlimited. */
    private Duration remainingGrace(long start) {
        Duration grace = options.gracefulShutdown();
        Duration left = grace.minusNanos(time.nanoTime() - start);
        return left.isNegative() && !grace.isNegative() ? Duration.ZERO : left;
    }

    /** Waits for the end; throws {@link ManagerFailedException} if there were failures. */
    public void await() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (phase != Phase.STOPPED) {
                time.await(changed);
            }
            if (!failures.isEmpty()) {
                throw new ManagerFailedException(
                        Failure.summary("The manager has stopped", failures), Failure.causes(failures));
            }
        } finally {
            lock.unlock();
        }
    }

    public boolean isRunning() {
        return isRunning(false);
    }

    public boolean isRunning(boolean orStarting) {
        lock.lock();
        try {
            return phase == Phase.RUNNING || (orStarting && phase == Phase.STARTING);
        } finally {
            lock.unlock();
        }
    }

    public List<ComponentState> statuses() {
        return statuses(runner -> true);
    }

    /** Returns the statuses of those runners for which a condition holds, which is tested under the lock. */
    public List<ComponentState> statuses(Predicate<ComponentRunner> selected) {
        List<ComponentRunner> all;
        boolean running;
        lock.lock();
        try {
            runners.removeIf(ComponentRunner::isGone);
            all = runners.stream().filter(selected).toList();
            running = phase == Phase.RUNNING;
        } finally {
            lock.unlock();
        }
        return all.stream()
                .map(runner -> runner.status(running && runner.stage() == Stage.LEADER_ELECTED))
                .toList();
    }

    /** All locks, in their order. A test that holds them knows that nothing happens. */
    public List<ReentrantLock> locks() {
        lock.lock();
        try {
            return Stream.concat(Stream.of(lock), runners.stream().map(ComponentRunner::lock))
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until a condition holds for no runner of a list that may change; returns false after the limit. */
    private boolean awaitNone(
            List<ComponentRunner> all, Predicate<ComponentRunner> pending, String purpose, Duration limit)
            throws InterruptedException {
        Wait wait = new Wait(purpose, limit);
        while (all.stream().anyMatch(pending)) {
            if (!wait.step(all, pending)) {
                return false;
            }
        }
        return true;
    }

    /** A wait with the lock held, for a limited time unless the limit is negative. */
    private final class Wait {
        private final String purpose;
        private final Duration limit;
        private final long start = time.nanoTime();
        private long nextReport = Nanos.of(options.progressInterval());

        Wait(String purpose, Duration limit) {
            this.purpose = purpose;
            this.limit = limit;
        }

        /** Waits for the next change; returns false after the limit. Reports what is pending now and then. */
        boolean step(List<ComponentRunner> all, Predicate<ComponentRunner> pending) throws InterruptedException {
            long waited = time.nanoTime() - start;
            long left = limit.isNegative() ? Nanos.MAX : Nanos.of(limit) - waited;
            if (left <= 0) {
                return false;
            }
            if (waited >= nextReport) {
                String names =
                        all.stream().filter(pending).map(ComponentRunner::name).collect(Collectors.joining(", "));
                String rest = limit.isNegative() ? "" : ", at most " + Nanos.seconds(Duration.ofNanos(left)) + " more";
                LOG.info("Waiting for {} {}: {}{}", names, purpose, Nanos.seconds(Duration.ofNanos(waited)), rest);
                nextReport = waited + Nanos.of(options.progressInterval());
            }
            time.await(changed, Math.min(left, nextReport - waited));
            return true;
        }
    }

    @Override
    public String threadName(String task) {
        return name + "-" + task;
    }

    @Override
    public void stateChanged() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
