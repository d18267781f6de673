package io.github.reconciler4j.controller;

import io.github.reconciler4j.controller.internal.Definition;
import io.github.reconciler4j.controller.internal.Engine;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts and stops a controller, any number of times, each time with a new engine. A warm-up is the first half of a
 * start: the sources work, no worker does. Safe for use by many threads.
 *
 * @param <R> what a request is
 */
final class ControllerLifecycle<R> {

    private static final Logger LOG = LoggerFactory.getLogger(Controller.class);

    private final Definition<R> definition;
    private final EngineSlot<R> slot;
    private final WatchList<R> watches;
    private final WorkerCount workers;

    /** Signalled when a start or warm-up has ended, well or not. */
    private final Condition startEnded;

    /** Written under the lock. */
    private volatile ControllerState state = ControllerState.NEW;

    /** The thread in a start or warm-up. Guarded by the lock. */
    private @Nullable Thread starter;

    /** Why the last start failed, {@code ""} if it did not. */
    private volatile String startFailure = "";

    ControllerLifecycle(Definition<R> definition, EngineSlot<R> slot, WatchList<R> watches, WorkerCount workers) {
        this.definition = definition;
        this.slot = slot;
        this.watches = watches;
        this.workers = workers;
        this.startEnded = slot.lock.newCondition();
    }

    /** The state; a start that waits for what only a person can do shows as {@link ControllerState#WAITING}. */
    ControllerState state() {
        ControllerState now = state;
        Engine<R> engine = slot.get();
        boolean waits = now == ControllerState.STARTING
                && engine != null
                && !engine.notReadyReasons().isEmpty();
        return waits ? ControllerState.WAITING : now;
    }

    String startFailure() {
        return startFailure;
    }

    /** What a start does with its engine, beyond making it. */
    private interface Beginning<R> {
        void begin(Engine<R> engine, List<Watch<R>> watches) throws InterruptedException;
    }

    void start() throws InterruptedException {
        if (!beginStart(false)) {
            return;
        }
        run(ControllerState.RUNNING, (engine, initial) -> {
            LOG.info("Starting controller {} with {} sources", definition.name(), initial.size());
            engine.start(initial);
        });
        LOG.info("Controller {} runs with {} workers", definition.name(), workers.whenRunning());
    }

    /** Starts the sources alone, unless the controller was started or warmed up before. */
    void warmUp() throws InterruptedException {
        if (beginStart(true)) {
            run(ControllerState.WARM, Engine::warmUp);
            LOG.info("Controller {} is warm and waits for its turn", definition.name());
        }
    }

    private void run(ControllerState reached, Beginning<R> beginning) throws InterruptedException {
        boolean begun = false;
        try {
            Engine<R> engine = slot.get();
            if (engine == null) {
                engine = new Engine<>(definition);
            }
            beginning.begin(engine, install(engine));
            begun = true;
            startFailure = "";
        } catch (RuntimeException | Error e) {
            startFailure = String.valueOf(e.getMessage());
            throw e;
        } finally {
            endStart(begun ? reached : ControllerState.FAILED);
        }
    }

    /** Claims the controller for a start; false if there is nothing to do for a warm-up. */
    private boolean beginStart(boolean warmUp) throws InterruptedException {
        slot.lock.lock();
        try {
            while (!warmUp && state == ControllerState.WARMING) {
                startEnded.await();
            }
            if (starter != null || (slot.get() != null && state != ControllerState.WARM)) {
                if (warmUp) {
                    return false;
                }
                throw new IllegalStateException(
                        "Controller '" + definition.name() + "' has been started already, it is " + state);
            }
            if (warmUp && slot.get() != null) {
                return false;
            }
            starter = Thread.currentThread();
            state = warmUp ? ControllerState.WARMING : ControllerState.STARTING;
            return true;
        } finally {
            slot.lock.unlock();
        }
    }

    /** From here on new watches go to the engine; those there were before are returned. */
    private List<Watch<R>> install(Engine<R> engine) {
        slot.lock.lock();
        try {
            slot.setLocked(engine);
            workers.applyLocked();
            return watches.allLocked();
        } finally {
            slot.lock.unlock();
        }
    }

    private void endStart(ControllerState reached) {
        Engine<R> engine = slot.get();
        boolean failed = reached == ControllerState.FAILED;
        if (failed && engine != null) {
            engine.stop(Duration.ZERO);
        }
        slot.lock.lock();
        try {
            starter = null;
            if (failed) {
                slot.setLocked(null);
            }
            state = reached;
            startEnded.signalAll();
        } finally {
            slot.lock.unlock();
        }
    }

    void stop(Duration grace) {
        Engine<R> stopping = beginStop();
        if (stopping == null) {
            return;
        }
        LOG.info("Stopping controller {}, {} reconciles are under way", definition.name(), stopping.busy());
        stopping.stop(grace);
        slot.lock.lock();
        try {
            slot.setLocked(null);
            state = ControllerState.STOPPED;
        } finally {
            slot.lock.unlock();
        }
        LOG.info("Controller {} has stopped", definition.name());
    }

    /** Ends a warm-up; does nothing once the controller has started. */
    void coolDown() {
        if (state == ControllerState.WARM || state == ControllerState.WARMING) {
            stop(Duration.ZERO);
        }
    }

    private @Nullable Engine<R> beginStop() {
        slot.lock.lock();
        try {
            Thread starting = starter;
            if (starting != null && starting != Thread.currentThread()) {
                starting.interrupt();
                while (starter == starting) {
                    startEnded.awaitUninterruptibly();
                }
            }
            Engine<R> engine = slot.get();
            if (engine == null || (state != ControllerState.RUNNING && state != ControllerState.WARM)) {
                return null;
            }
            state = ControllerState.STOPPING;
            return engine;
        } finally {
            slot.lock.unlock();
        }
    }
}
