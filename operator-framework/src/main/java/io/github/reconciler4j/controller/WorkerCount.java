package io.github.reconciler4j.controller;

import io.github.reconciler4j.controller.internal.Engine;

/** How many workers a controller is to have, started or not. Safe for use by many threads. */
final class WorkerCount {

    private final EngineSlot<?> slot;

    /** Written under the lock of the slot. */
    private volatile int workers;

    /** Written under the lock of the slot. */
    private volatile boolean paused;

    WorkerCount(EngineSlot<?> slot, int workers) {
        this.slot = slot;
        this.workers = workers;
    }

    /** How many there are when the controller runs and is not paused. */
    int whenRunning() {
        return workers;
    }

    boolean isPaused() {
        return paused;
    }

    void setPaused(boolean newPaused) {
        slot.lock.lock();
        try {
            paused = newPaused;
            applyLocked();
        } finally {
            slot.lock.unlock();
        }
    }

    void set(int newWorkers) {
        if (newWorkers < 1) {
            throw new IllegalArgumentException("'maxConcurrentReconciles' must be at least 1, was " + newWorkers);
        }
        slot.lock.lock();
        try {
            workers = newWorkers;
            applyLocked();
        } finally {
            slot.lock.unlock();
        }
    }

    /** Tells the engine, if there is one; the caller holds the lock. */
    void applyLocked() {
        Engine<?> engine = slot.get();
        if (engine != null) {
            engine.resize(paused ? 0 : workers);
        }
    }
}
