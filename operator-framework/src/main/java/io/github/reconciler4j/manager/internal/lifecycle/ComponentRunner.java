package io.github.reconciler4j.manager.internal.lifecycle;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.manager.ComponentState;
import io.github.reconciler4j.manager.ComponentState.State;
import io.github.reconciler4j.manager.LifecycleOptions;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.StartGroup;
import io.github.reconciler4j.manager.internal.server.ServerAwayException;
import io.github.reconciler4j.manager.internal.server.ServerComponent;
import io.github.reconciler4j.support.Causes;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.support.Threads;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Starts and stops one component on threads of its own, so that no component delays another. Its lock guards the state of
 * the component; it is never held while code of the component runs or the owner is notified. See {@link Lifecycle}.
 */
public final class ComponentRunner {

    private static final Logger LOG = LoggerFactory.getLogger(ComponentRunner.class);

    private final ManagedComponent component;
    private final String name;
    private final StartGroup group;
    private final String lease;
    private final String cluster;
    private final Stage stage;
    private final ComponentOwner owner;
    private final LifecycleHooks hooks;
    private final LifecycleOptions options;
    private final TimeSource time;
    private final StartRetries retries;
    private final LogLimiter warnings;
    private final ReentrantLock lock = new ReentrantLock();

    /** Signalled when a wait between two start attempts or for the starting thread may be over. */
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private State state = State.NEW;

    @GuardedBy("lock")
    private Instant since;

    @GuardedBy("lock")
    private int attempts;

    @GuardedBy("lock")
    private String detail = "";

    @GuardedBy("lock")
    private boolean stopRequested;

    @GuardedBy("lock")
    private boolean removed;

    @GuardedBy("lock")
    private @Nullable Thread starter;

    /** When to start again on another thread, null for not at all. */
    @GuardedBy("lock")
    private @Nullable Long startAgainAt;

    @GuardedBy("lock")
    private @Nullable Thread stopper;

    /** A component of the manager itself, which starts at a stage between those of the public groups. */
    public interface InStage {
        Stage stage();
    }

    public ComponentRunner(
            ManagedComponent component,
            ComponentOwner owner,
            LifecycleHooks hooks,
            LifecycleOptions options,
            TimeSource time,
            StartRetries retries) {
        this.component = component;
        this.name = component.name();
        this.group = component.group();
        this.lease = component.lease();
        this.cluster = component.cluster();
        this.stage = component instanceof InStage placed ? placed.stage() : Stage.of(group);
        this.owner = owner;
        this.hooks = hooks;
        this.options = options;
        this.time = time;
        this.retries = retries;
        this.warnings = new LogLimiter(Duration.ofMinutes(1), time);
        this.since = time.instant();
    }

    public boolean isOneOf(List<ManagedComponent> components) {
        return components.stream().anyMatch(other -> other == component);
    }

    public Stage stage() {
        return stage;
    }

    public String name() {
        return name;
    }

    public String lease() {
        return lease;
    }

    public boolean runsUnder(String someLease) {
        return stage == Stage.LEADER_ELECTED && lease.equals(someLease);
    }

    public ReentrantLock lock() {
        return lock;
    }

    /** Whether the start waits for the first start attempt; one for another cluster delays nothing. */
    public boolean holdsStart() {
        State now = state();
        return cluster.isEmpty() && (now == State.NEW || now == State.STARTING);
    }

    public boolean isStopped() {
        return state() == State.STOPPED;
    }

    public boolean isBusy() {
        State now = state();
        return now != State.NEW && now != State.STOPPED;
    }

    public boolean isGone() {
        lock.lock();
        try {
            return removed && state == State.STOPPED;
        } finally {
            lock.unlock();
        }
    }

    private State state() {
        lock.lock();
        try {
            return state;
        } finally {
            lock.unlock();
        }
    }

    /** Return the status. Calls the component, so the caller must hold no lock. */
    public ComponentState status(boolean standby) {
        ComponentState status;
        lock.lock();
        try {
            boolean idle = state == State.NEW || state == State.STOPPED;
            State shown = standby && idle ? State.STANDBY : state;
            status = new ComponentState(name, group, lease, shown, since, attempts, detail);
        } finally {
            lock.unlock();
        }
        String reason = status.state() == State.STARTING ? notReadyReason() : "";
        return reason.isEmpty()
                ? status
                : new ComponentState(name, group, lease, State.WAITING, status.since(), status.attempts(), reason);
    }

    private String notReadyReason() {
        try {
            return component.notReadyReason();
        } catch (Throwable e) {
            Object cause = LogLimiter.cause(e);
            warnings.log(cause, now -> LOG.warn("{} gave no reason to wait{}", name, now.suffix(e), now.trace(e)));
            return "";
        }
    }

    /** Starts the component in the background if it has not started yet or has stopped. */
    public void launch() {
        launch(false);
    }

    private void launch(boolean again) {
        Throwable failure = null;
        lock.lock();
        try {
            boolean may = again ? state == State.WAITING : state == State.NEW || state == State.STOPPED;
            if (starter != null || removed || !may) {
                return;
            }
            if (!again) {
                stopRequested = false;
                attempts = 0;
                become(State.STARTING, "");
            }
            starter = Threads.daemon(owner.threadName("start-" + name), this::runStarts, this::starterDied);
            starter.start();
        } catch (Throwable e) { // the JVM could not create a thread
            starter = null;
            if (again) {
                throw e;
            }
            become(State.FAILED, Causes.message(e));
            failure = e;
        } finally {
            lock.unlock();
        }
        if (failure != null) {
            owner.fail(new Failure(name, "could not start", failure));
        }
    }

    private void runStarts() {
        boolean again = sleepUntil(time.nanoTime() + Nanos.of(startDelay()));
        while (again) {
            again = startOnce();
        }
        endStarts();
    }

    private void starterDied(Throwable failure) {
        try {
            fail(failure);
        } finally {
            endStarts();
        }
    }

    private void endStarts() {
        lock.lock();
        try {
            starter = null;
            if (startAgainAt != null && !stopRequested) {
                retries.add(this, cluster, startAgainAt, () -> launch(true));
            }
            startAgainAt = null;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        owner.stateChanged();
    }

    /** Only the components that do the work of the operator spread their starts. */
    private Duration startDelay() {
        long max = Nanos.bounded(options.startJitter()).toMillis();
        boolean works = stage == Stage.ALL_REPLICAS || stage == Stage.LEADER_ELECTED;
        return works && max > 0 ? Duration.ofMillis(ThreadLocalRandom.current().nextLong(max + 1)) : Duration.ZERO;
    }

    private boolean startOnce() {
        Throwable failure = null;
        try {
            hooks.scope(stage, lease).call(() -> {
                if (!(component instanceof ServerComponent)) {
                    hooks.checkResponds(cluster);
                }
                component.start();
                return null;
            });
        } catch (Throwable e) {
            failure = e;
        }
        if (failure == null) {
            started();
            return false;
        }
        if (isStopRequested()) {
            LOG.debug("{} ended its start because of the stop", name, Causes.loggable(failure));
            return false;
        }
        if (!Failure.isRetryable(failure) && (cluster.isEmpty() || failure instanceof Error)) {
            fail(failure);
            return false;
        }
        long next = waiting(failure);
        return cluster.isEmpty()
                && sleepUntil(next); // this thread ends otherwise, because many clusters may be away for long
    }

    private void started() {
        lock.lock();
        try {
            attempts++;
            if (attempts > 1) {
                LOG.info("{} has started at attempt {}", name, attempts);
            }
            if (!stopRequested) {
                become(State.RUNNING, "");
            }
        } finally {
            lock.unlock();
        }
        if (component instanceof ServerComponent) {
            retries.hurry(cluster);
        }
        owner.stateChanged();
    }

    /** The owner knows of the failure before the state says so: it must not open the next stage in between. */
    private void fail(Throwable failure) {
        owner.fail(new Failure(name, "could not start", failure));
        lock.lock();
        try {
            attempts++;
            if (!stopRequested) {
                become(State.FAILED, Causes.message(failure));
            }
        } finally {
            lock.unlock();
        }
        owner.stateChanged();
    }

    /** Returns the time of the next attempt, which counts from the moment at which the state became visible. */
    private long waiting(Throwable failure) {
        String reason = Causes.message(failure);
        Duration delay;
        long next;
        lock.lock();
        try {
            attempts++;
            if (!stopRequested) {
                become(State.WAITING, reason);
            }
            delay = StartRetries.delayAfter(attempts, options);
            next = time.nanoTime() + Nanos.of(delay);
            startAgainAt = cluster.isEmpty() ? null : next;
        } finally {
            lock.unlock();
        }
        Level level = failure instanceof ServerAwayException ? Level.DEBUG : Level.WARN;
        Consumer<LogLimiter.Occurrence> line = occurrence -> LOG.atLevel(level)
                .log(
                        "{} cannot start yet and will be retried in {}: {}{}",
                        name,
                        Nanos.seconds(delay),
                        reason,
                        occurrence.suffix());
        Consumer<LogLimiter.Occurrence> again = own -> retries.repeats().log(level, line);
        warnings.log(Failure.kindOf(failure), own -> (cluster.isEmpty() || own.first() ? line : again).accept(own));
        owner.stateChanged();
        return next;
    }

    private boolean isStopRequested() {
        lock.lock();
        try {
            return stopRequested;
        } finally {
            lock.unlock();
        }
    }

    /** Waits unless the component is to stop; returns whether it is not. */
    private boolean sleepUntil(long end) {
        lock.lock();
        try {
            long left = end - time.nanoTime();
            while (!stopRequested && left > 0) {
                time.await(changed, left);
                left = end - time.nanoTime();
            }
            return !stopRequested;
        } catch (InterruptedException e) {
            // Only the stop interrupts this thread, and it has set stopRequested before.
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Stops the component in the background; interrupts its start. */
    public void stop(Supplier<Duration> grace) {
        Throwable failure = null;
        lock.lock();
        try {
            if (stopper != null || state == State.STOPPED) {
                return;
            }
            stopRequested = true;
            retries.cancel(this);
            changed.signalAll();
            if (starter != null) {
                starter.interrupt();
            }
            become(State.STOPPING, detail);
            stopper = Threads.daemon(owner.threadName("stop-" + name), () -> runStop(grace), this::stopperDied);
            stopper.start();
        } catch (Throwable e) { // the JVM could not create a thread
            stopper = null;
            become(State.STOPPED, detail);
            failure = e;
        } finally {
            lock.unlock();
        }
        if (failure != null) {
            stopFailed(failure);
        }
    }

    public void withdraw() {
        if (state() != State.NEW) {
            stop(() -> Duration.ZERO);
        }
    }

    public void abandon() {
        owner.fail(new Failure(
                name,
                "did not end within the grace period of " + Nanos.seconds(options.gracefulShutdown()) + " and "
                        + Nanos.seconds(Lifecycle.INTERRUPT_ALLOWANCE)
                        + " after its interrupt; its threads were abandoned",
                null));
    }

    /** Stops the component for good; a failure of its stop is only logged. */
    public void remove(Duration grace) {
        lock.lock();
        try {
            removed = true;
        } finally {
            lock.unlock();
        }
        stop(() -> grace);
    }

    private void runStop(Supplier<Duration> grace) {
        try {
            awaitStarter();
            hooks.scope(stage, lease).run(() -> component.stop(grace.get()));
        } catch (Throwable e) {
            stopFailed(e);
        } finally {
            endStop();
        }
    }

    private void stopperDied(Throwable failure) {
        try {
            stopFailed(failure);
        } finally {
            endStop();
        }
    }

    private void endStop() {
        lock.lock();
        try {
            stopper = null;
            become(State.STOPPED, detail);
        } finally {
            lock.unlock();
        }
        owner.stateChanged();
    }

    private void awaitStarter() {
        lock.lock();
        try {
            while (starter != null) {
                time.awaitUninterruptibly(changed);
            }
        } finally {
            lock.unlock();
        }
    }

    private void stopFailed(Throwable failure) {
        boolean onlyLogged;
        lock.lock();
        try {
            onlyLogged = removed;
        } finally {
            lock.unlock();
        }
        if (onlyLogged) {
            LOG.warn("{} was removed but could not stop cleanly", name, Causes.loggable(failure));
        } else {
            owner.fail(new Failure(name, "could not stop cleanly", failure));
        }
    }

    @GuardedBy("lock")
    private void become(State next, String newDetail) {
        if (state != next) {
            state = next;
            since = time.instant();
        }
        detail = newDetail;
    }
}
