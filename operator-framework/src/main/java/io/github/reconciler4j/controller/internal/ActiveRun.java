package io.github.reconciler4j.controller.internal;

import io.github.reconciler4j.reconcile.Request;

/** A run under way. The marks are set by the watchdog; {@code timedOut} under the lock of the worker. */
final class ActiveRun {

    private final Request request;
    private final String reconcileId;
    private final long begunNanos;
    private volatile boolean timedOut;
    private volatile boolean stuck;

    ActiveRun(Request request, String reconcileId, long begunNanos) {
        this.request = request;
        this.reconcileId = reconcileId;
        this.begunNanos = begunNanos;
    }

    Request request() {
        return request;
    }

    String reconcileId() {
        return reconcileId;
    }

    long ageNanos(long now) {
        return now - begunNanos;
    }

    boolean isTimedOut() {
        return timedOut;
    }

    void markTimedOut() {
        timedOut = true;
    }

    /** Whether it was reported as stuck. */
    boolean isStuck() {
        return stuck;
    }

    void markStuck() {
        stuck = true;
    }
}
