package io.github.reconciler4j.controller;

import io.github.reconciler4j.controller.internal.Engine;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The lock of a controller, and the engine it has from the begin of a start to the end of the next stop.
 *
 * @param <R> what a request is
 */
final class EngineSlot<R> {

    /** Guards the state of the controller; not held while user code runs. */
    final ReentrantLock lock = new ReentrantLock();

    /** Written under {@link #lock}. */
    private volatile @Nullable Engine<R> engine;

    /** The engine, null while there is none. */
    @Nullable
    Engine<R> get() {
        return engine;
    }

    /** Sets or removes the engine; the caller holds the lock. */
    void setLocked(@Nullable Engine<R> newEngine) {
        engine = newEngine;
    }
}
