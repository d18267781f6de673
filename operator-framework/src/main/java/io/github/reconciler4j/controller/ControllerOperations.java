package io.github.reconciler4j.controller;

import io.github.reconciler4j.controller.internal.ControllerDefinition.PausedRequests;
import io.github.reconciler4j.controller.internal.ControllerRun;
import io.github.reconciler4j.support.BusyKeys;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.workqueue.WorkQueueSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Inspects and operates one controller: its workers and its requests. A controller that is not started has no requests.
 * Thread-safe.
 *
 * <!-- snippet: ControllerUse -->
 * <pre>{@code
 * ControllerOperations<Request> operations = controller.operations();
 * operations.failing(10).forEach(failing -> log.accept(failing.request() + ": " + failing.error()));
 * operations.setMaxConcurrentReconciles(2);
 * operations.requeue(new Request("guests", "first"));
 * }</pre>
 *
 * @param <R> the type of requests
 * @since 0.1.0
 */
public final class ControllerOperations<R> {

    private static final Logger LOG = LoggerFactory.getLogger(Controller.class);

    private final Controller<R> controller;
    private final PausedRequests pausedObjects;
    private final LogLimiter switches = new LogLimiter();

    // Both are written before the current run is read, and a new run is published before they are read. So a run that
    // starts at the same time has the new values, or is resized to them, or both.
    private volatile int workers;
    private volatile boolean paused;

    ControllerOperations(Controller<R> controller, PausedRequests pausedObjects) {
        this.pausedObjects = pausedObjects;
        this.controller = controller;
        this.workers = controller.options().maxConcurrentReconciles();
    }

    /**
     * What the value of an annotation that pauses an object means. A value that is not understood pauses, too: it was written to
     * keep the operator away. Immutable.
     *
     * @param until when the object is reconciled again; {@link Instant#MIN} if it is not paused, {@link Instant#MAX} without an end
     * @param understood whether the value is {@code true}, {@code false} or a time
     * @since 0.1.0
     */
    public record Pause(Instant until, boolean understood) {

        /** Return the meaning of a value. */
        public static Pause parse(String value) {
            String text = value.strip();
            if (text.equalsIgnoreCase("true")) {
                return new Pause(Instant.MAX, true);
            }
            if (text.equalsIgnoreCase("false")) {
                return new Pause(Instant.MIN, true);
            }
            try {
                return new Pause(OffsetDateTime.parse(text).toInstant(), true);
            } catch (DateTimeParseException e) {
                return new Pause(Instant.MAX, false);
            }
        }

        /** Return the time until the object is reconciled again; zero if it is not paused, the longest time without an end. */
        public Duration left(Instant now) {
            return until.isAfter(now)
                    ? isEndless() ? Duration.ofNanos(Nanos.MAX) : Duration.between(now, until)
                    : Duration.ZERO;
        }

        /** Return whether the pause ends only when the annotation changes. */
        public boolean isEndless() {
            return until.equals(Instant.MAX);
        }
    }

    /** Return the number of workers that a run should have now. */
    int wantedWorkers() {
        return paused ? 0 : workers;
    }

    private void resize() {
        run().ifPresent(run -> run.resize(this::wantedWorkers));
    }

    /**
     * Let the workers end after their current reconciliations. Requests are still enqueued and coalesced until
     * {@link #resume}. Can be called before a start.
     */
    public void pause() {
        boolean changes = !paused;
        paused = true;
        resize();
        report(changes, "paused");
    }

    /** End a pause. Does nothing if the controller is not paused. */
    public void resume() {
        boolean changes = paused;
        paused = false;
        resize();
        report(changes, "resumed");
    }

    /** Limited, because a reconciler can pause and resume its own controller all the time. */
    private void report(boolean changes, String what) {
        if (changes) {
            switches.log(
                    what,
                    occurrence ->
                            LOG.info("Controller {} has been {}{}", controller.name(), what, occurrence.suffix()));
        }
    }

    /** Return whether the controller is paused. */
    public boolean isPaused() {
        return paused;
    }

    /** Return the number of workers that the controller has when it runs and is not paused. */
    public int maxConcurrentReconciles() {
        return workers;
    }

    /**
     * Change the number of workers, at once. Surplus workers end after their current reconciliation.
     *
     * @param newWorkers at least 1
     * @throws IllegalArgumentException if the number is less than 1
     */
    public void setMaxConcurrentReconciles(int newWorkers) {
        if (newWorkers < 1) {
            throw new IllegalArgumentException("'maxConcurrentReconciles' must be at least 1, was " + newWorkers);
        }
        workers = newWorkers;
        resize();
    }

    /** Return a snapshot of the queue; empty while the controller is not started. */
    public Optional<WorkQueueSnapshot<R>> queue() {
        return run().map(ControllerRun::queue);
    }

    /** Return the number of running reconciliations. */
    public int running() {
        return run().map(ControllerRun::busy).orElse(0);
    }

    /**
     * Return requests whose last reconciliation failed, those with the earliest retry first.
     *
     * @param limit the maximum number of requests
     */
    public List<FailingRequest<R>> failing(int limit) {
        return run().map(run -> run.failing(limit)).orElse(List.of());
    }

    /** Return a request if its last reconciliation failed, at the cost of a look into a map. */
    public Optional<FailingRequest<R>> failing(R request) {
        return run().flatMap(run -> run.failing(request));
    }

    /** Return where a request is in the queue; empty if it neither waits nor is being reconciled. */
    public Optional<WorkQueueSnapshot.Position> find(R request) {
        return run().flatMap(run -> run.find(request));
    }

    /** Return the number of requests whose last reconciliation failed. */
    public int failingCount() {
        return run().map(ControllerRun::failingCount).orElse(0);
    }

    /** Return the number of requests that failed and are not retried until something changes. */
    public int stalledCount() {
        return run().map(ControllerRun::stalledCount).orElse(0);
    }

    /**
     * Return the number of objects of the primary kind that an annotation pauses, see {@link ControllerOptions#pauseAnnotation}.
     * Counts those that an event or a request has led to since the controller was built.
     */
    public int pausedObjects() {
        return pausedObjects.count();
    }

    /**
     * Set the requests whose objects an annotation pauses; a {@code ControllerBuilder} does.
     *
     * @param requests a live set that is thread-safe. A request that another replica takes over is removed from it.
     */
    public void pausedObjects(Set<?> requests) {
        pausedObjects.are(Objects.requireNonNull(requests, "'requests' must not be null"));
    }

    /** Return the requests that are reconciled more than ten times per second, the busiest first. */
    public List<BusyKeys.Rate<R>> busyRequests() {
        return run().map(ControllerRun::busyRequests).orElse(List.of());
    }

    /**
     * Enqueue a request at once, before its backoff ends and with the priority of a change. Its count of failures stays.
     *
     * @return whether it was enqueued: false if the controller does not run
     */
    public boolean requeue(R request) {
        if (controller.state() != ControllerState.RUNNING) {
            return false;
        }
        Optional<ControllerRun<R>> running = run();
        running.ifPresent(run -> run.requeue(request));
        return running.isPresent();
    }

    private Optional<ControllerRun<R>> run() {
        return Optional.ofNullable(controller.run());
    }
}
