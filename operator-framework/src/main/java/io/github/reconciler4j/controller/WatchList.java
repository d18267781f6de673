package io.github.reconciler4j.controller;

import io.github.reconciler4j.controller.internal.Engine;
import io.github.reconciler4j.manager.RequiredPermission;
import io.github.reconciler4j.source.EventSource;
import io.github.reconciler4j.source.KindSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The sources of a controller, whether it is started or not. Safe for use by many threads.
 *
 * @param <R> what a request is
 */
final class WatchList<R> {

    private final String controller;
    private final EngineSlot<R> slot;

    /** Guarded by the lock of the slot. */
    private final List<Watch<R>> watches = new ArrayList<>();

    WatchList(String controller, EngineSlot<R> slot) {
        this.controller = controller;
        this.slot = slot;
    }

    /** Adds a source, and starts it at once if there is an engine. */
    Watch<R> add(EventSource<R> source) {
        SourceWatch watch = new SourceWatch(source);
        Engine<R> running;
        slot.lock.lock();
        try {
            watches.add(watch);
            running = slot.get();
        } finally {
            slot.lock.unlock();
        }
        if (running != null) {
            start(running, watch);
        }
        return watch;
    }

    private void start(Engine<R> running, Watch<R> watch) {
        try {
            running.add(watch);
        } catch (Exception e) {
            watch.close();
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            throw new IllegalStateException(
                    "Controller '" + controller + "' could not start source "
                            + watch.source().name() + ": " + e.getMessage(),
                    e);
        }
    }

    private void remove(Watch<R> watch) {
        Engine<R> running;
        slot.lock.lock();
        try {
            watches.remove(watch);
            running = slot.get();
        } finally {
            slot.lock.unlock();
        }
        if (running != null) {
            running.remove(watch);
        }
    }

    /** All watches there are now; the caller holds the lock. */
    List<Watch<R>> allLocked() {
        return List.copyOf(watches);
    }

    List<EventSource<R>> sources() {
        slot.lock.lock();
        try {
            return watches.stream().map(Watch::source).toList();
        } finally {
            slot.lock.unlock();
        }
    }

    /** The rights that the watched kinds need. */
    Stream<RequiredPermission> requiredPermissions() {
        return sources().stream()
                .filter(KindSource.class::isInstance)
                .map(source -> RequiredPermission.watching(((KindSource<?, ?>) source).kind()));
    }

    private final class SourceWatch implements Watch<R> {

        private final EventSource<R> source;

        SourceWatch(EventSource<R> source) {
            this.source = source;
        }

        @Override
        public EventSource<R> source() {
            return source;
        }

        @Override
        public void close() {
            remove(this);
        }
    }
}
