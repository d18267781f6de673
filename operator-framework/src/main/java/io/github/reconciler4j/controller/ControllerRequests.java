package io.github.reconciler4j.controller;

import io.github.reconciler4j.controller.internal.Engine;
import io.github.reconciler4j.workqueue.WorkQueueSnapshot;
import java.util.List;
import java.util.Optional;

/**
 * The requests a controller has now. While it is not started there are none. Safe for use by many threads.
 *
 * @param <R> what a request is
 * @since 0.1.0
 */
public final class ControllerRequests<R> {

    private final EngineSlot<R> slot;
    private final ControllerLifecycle<R> lifecycle;

    ControllerRequests(EngineSlot<R> slot, ControllerLifecycle<R> lifecycle) {
        this.slot = slot;
        this.lifecycle = lifecycle;
    }

    /** What the queue looks like now; empty while the controller is not started. */
    public Optional<WorkQueueSnapshot<R>> queue() {
        return engine().map(Engine::queue);
    }

    /** How many runs are under way now. */
    public int running() {
        return engine().map(Engine::busy).orElse(0);
    }

    /** Those whose last run failed, at most so many, those that are tried next first. */
    public List<FailingRequest<R>> failing(int limit) {
        return engine().map(engine -> engine.failing(limit)).orElse(List.of());
    }

    /** How many requests' last run failed. */
    public int failingCount() {
        return engine().map(Engine::failingCount).orElse(0);
    }

    /**
     * Queues a request now, in front of its backoff and of what nobody waits for. Its count of failures stays.
     *
     * @return whether it was queued: false while the controller is not started
     */
    public boolean requeue(R request) {
        Optional<Engine<R>> running = lifecycle.state() == ControllerState.RUNNING ? engine() : Optional.empty();
        running.ifPresent(engine -> engine.requeue(request));
        return running.isPresent();
    }

    private Optional<Engine<R>> engine() {
        return Optional.ofNullable(slot.get());
    }
}
