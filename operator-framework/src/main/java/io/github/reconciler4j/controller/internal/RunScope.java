package io.github.reconciler4j.controller.internal;

import io.github.reconciler4j.reconcile.ReconcileContext;
import org.slf4j.MDC;

/** Puts into the log's context of a thread which run is going on. */
final class RunScope {

    private static final String CONTROLLER = "controller";
    private static final String NAMESPACE = "namespace";
    private static final String NAME = "name";
    private static final String RECONCILE_ID = "reconcileId";

    private RunScope() {}

    /** A run begins on this thread. */
    static void open(String controller, ReconcileContext context) {
        MDC.put(CONTROLLER, controller);
        MDC.put(NAMESPACE, context.request().namespace());
        MDC.put(NAME, context.request().name());
        MDC.put(RECONCILE_ID, context.reconcileId());
    }

    /** The run is over. Clears everything, as what user code left must not show up in another run. */
    static void close() {
        MDC.clear();
    }
}
