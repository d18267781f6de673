package io.github.reconciler4j.manager.internal;

import io.github.reconciler4j.manager.ComponentStatus;
import io.github.reconciler4j.manager.ComponentStatus.State;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.StartGroup;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts and stops one component, one after the other, on threads of its own, so that no component holds up another.
 * Methods named {@code ...Locked} are called with the lock of the {@link Lifecycle}; user code never is.
 */
final class ComponentRunner {

    private static final Logger LOG = LoggerFactory.getLogger(ComponentRunner.class);

    private final ManagedComponent component;
    private final String name;
    private final String lease;
    private final StartGroup group;
    private final Stage stage;
    private final RunnerContext context;

    // All guarded by context.lock().
    private State state = State.NEW;
    private Instant since;
    private int attempts;
    private String detail = "";
    private boolean stopRequested;
    private boolean removed;
    private @Nullable Thread starter;
    private @Nullable Thread stopper;

    ComponentRunner(ManagedComponent component, Stage stage, RunnerContext context) {
        this.component = component;
        this.name = component.name();
        this.lease = component.lease();
        this.group = component.group();
        this.stage = stage;
        this.context = context;
        this.since = context.time().now();
    }

    boolean isOneOf(List<ManagedComponent> components) {
        return components.stream().anyMatch(other -> other == component);
    }

    Stage stage() {
        return stage;
    }

    String name() {
        return name;
    }

    String lease() {
        return lease;
    }

    boolean runsUnder(String someLease) {
        return stage == Stage.LEADER_ELECTED && lease.equals(someLease);
    }

    /** Begins to start the component on a thread of its own, if it is new or has ended. */
    void launchLocked() {
        if (starter != null || (state != State.NEW && state != State.STOPPED)) {
            return;
        }
        stopRequested = false;
        attempts = 0;
        becomeLocked(State.STARTING, "");
        starter = context.thread("start-" + name, this::runStarts);
        starter.start();
    }

    /** Whether the first start attempt is over, one way or the other. */
    boolean isSettledLocked() {
        return state != State.NEW && state != State.STARTING;
    }

    boolean isEndedLocked() {
        return state == State.STOPPED;
    }

    boolean isBusyLocked() {
        return state != State.NEW && state != State.STOPPED;
    }

    ComponentStatus statusLocked(boolean standby) {
        State shown = standby && (state == State.NEW || state == State.STOPPED) ? State.STANDBY : state;
        return new ComponentStatus(name, group, lease, shown, since, attempts, detail);
    }

    /** The same status, or that of a component that waits, if it says so itself; calls user code, so without the lock. */
    ComponentStatus withObstacle(ComponentStatus status) {
        String obstacle = status.state() == State.STARTING ? component.notReadyReason() : "";
        return obstacle.isEmpty()
                ? status
                : new ComponentStatus(name, group, lease, State.WAITING, status.since(), status.attempts(), obstacle);
    }

    private void runStarts() {
        boolean again = awaitFirst();
        while (again) {
            Throwable failure = startOnce();
            context.lock().lock();
            try {
                again = afterAttemptLocked(failure) && pauseLocked();
                if (!again) {
                    starter = null;
                    context.changed().signalAll();
                }
            } finally {
                context.lock().unlock();
            }
        }
    }

    /** Waits for the start jitter; false if the component is to stop instead. */
    private boolean awaitFirst() {
        Duration delay = context.startDelay(stage);
        if (delay.isZero()) {
            return true;
        }
        context.lock().lock();
        try {
            boolean starts = sleepLocked(delay);
            if (!starts) {
                starter = null;
                context.changed().signalAll();
            }
            return starts;
        } finally {
            context.lock().unlock();
        }
    }

    private @Nullable Throwable startOnce() {
        try {
            context.hooks().scope(stage, lease).call(() -> {
                component.start();
                return null;
            });
            return null;
        } catch (Throwable e) {
            return e;
        }
    }

    /** Takes in how an attempt ended; whether there is to be another. */
    private boolean afterAttemptLocked(@Nullable Throwable failure) {
        attempts++;
        if (failure == null) {
            if (attempts > 1) {
                LOG.info("{} has started, at attempt {}", name, attempts);
            }
            if (!stopRequested) {
                becomeLocked(State.RUNNING, "");
            }
            return false;
        }
        if (stopRequested) {
            LOG.debug("{} ended its start because of the stop", name, failure);
            return false;
        }
        if (RetryableStart.isDeferred(failure)) {
            becomeLocked(State.WAITING, message(failure));
            return true;
        }
        becomeLocked(State.FAILED, message(failure));
        context.failures().failedLocked(new Failure(name, "could not start", failure));
        return false;
    }

    /** Waits before the next attempt; false if the component is to stop instead. */
    private boolean pauseLocked() {
        Duration delay = context.retryDelay(attempts);
        LOG.warn(
                "{} cannot start yet and is tried again in {}: {}",
                name,
                Texts.seconds(delay),
                detail.isEmpty() ? "no reason given" : detail);
        return sleepLocked(delay);
    }

    /** Waits unless the component is to stop; whether it is not. */
    private boolean sleepLocked(Duration delay) {
        long deadline = context.time().nanoTime() + delay.toNanos();
        try {
            long left = delay.toNanos();
            while (!stopRequested && left > 0) {
                context.time().await(context.changed(), left);
                left = deadline - context.time().nanoTime();
            }
        } catch (InterruptedException e) {
            // Only the stop interrupts this thread, and it has set stopRequested before.
            Thread.currentThread().interrupt();
        }
        return !stopRequested;
    }

    /** Begins to stop the component on a thread of its own; a start under way is interrupted. */
    void beginStopLocked(Supplier<Duration> grace) {
        if (stopper != null || state == State.STOPPED) {
            return;
        }
        stopRequested = true;
        if (starter != null) {
            starter.interrupt();
        }
        becomeLocked(State.STOPPING, detail);
        stopper = context.thread("stop-" + name, () -> runStop(grace));
        stopper.start();
    }

    /** Stops the component, which the lifecycle forgets when it has ended; a failure of its stop is only logged. */
    void removeLocked(Duration grace) {
        removed = true;
        beginStopLocked(() -> grace);
    }

    /** Whether the lifecycle can forget the component. */
    boolean isGoneLocked() {
        return removed && state == State.STOPPED;
    }

    /** Interrupts and stops the component because its lease was lost. */
    void withdrawLocked() {
        if (state != State.NEW) {
            beginStopLocked(() -> Duration.ZERO);
        }
    }

    private void runStop(Supplier<Duration> grace) {
        try {
            awaitStarter();
            context.hooks().scope(stage, lease).run(() -> component.stop(grace.get()));
        } catch (Throwable e) {
            reportStopFailure(e);
        } finally {
            context.lock().lock();
            try {
                stopper = null;
                becomeLocked(State.STOPPED, detail);
            } finally {
                context.lock().unlock();
            }
        }
    }

    private void awaitStarter() {
        context.lock().lock();
        try {
            while (starter != null) {
                context.changed().awaitUninterruptibly();
            }
        } finally {
            context.lock().unlock();
        }
    }

    private void reportStopFailure(Throwable e) {
        context.lock().lock();
        try {
            if (removed) {
                LOG.warn("{} could not stop cleanly and is removed", name, e);
            } else {
                context.failures().failedLocked(new Failure(name, "could not stop cleanly", e));
            }
        } finally {
            context.lock().unlock();
        }
    }

    private void becomeLocked(State next, String newDetail) {
        if (state != next) {
            state = next;
            since = context.time().now();
        }
        detail = newDetail;
        context.changed().signalAll();
    }

    private static String message(Throwable failure) {
        String message = failure.getMessage();
        return message == null || message.isBlank() ? failure.getClass().getSimpleName() : message;
    }
}
