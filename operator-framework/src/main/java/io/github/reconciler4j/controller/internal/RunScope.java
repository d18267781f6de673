package io.github.reconciler4j.controller.internal;

import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.scheme.GroupVersionKind;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** Puts into the log's context of a thread which run is going on. Immutable. */
final class RunScope {

    private static final String CONTROLLER = "controller";
    private static final String GROUP = "controllerGroup";
    private static final String KIND = "controllerKind";
    private static final String NAMESPACE = "namespace";
    private static final String NAME = "name";
    private static final String RECONCILE_ID = "reconcileId";

    private final String controller;
    private final String group;
    private final String kind;

    RunScope(String controller, @Nullable GroupVersionKind kind) {
        this.controller = controller;
        this.group = kind == null ? "" : kind.group();
        this.kind = kind == null ? "" : kind.kind();
    }

    /** A run begins on this thread. */
    void open(ReconcileContext context) {
        MDC.put(CONTROLLER, controller);
        if (!kind.isEmpty()) {
            MDC.put(GROUP, group);
            MDC.put(KIND, kind);
        }
        MDC.put(NAMESPACE, context.request().namespace());
        MDC.put(NAME, context.request().name());
        MDC.put(RECONCILE_ID, context.reconcileId());
    }

    /** The run is over. Clears everything, as what user code left must not show up in another run. */
    void close() {
        MDC.clear();
    }
}
