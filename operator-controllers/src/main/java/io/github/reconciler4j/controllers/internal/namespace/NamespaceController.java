package io.github.reconciler4j.controllers.internal.namespace;

import io.fabric8.kubernetes.api.model.Namespace;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.RequestControllerBuilder;
import io.github.reconciler4j.builder.Watch;
import io.github.reconciler4j.controllers.ControllersOptions;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.handler.RequestSink;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectHeader;
import java.time.Duration;

/**
 * The namespace controller.
 *
 * @since 0.1.0
 */
public final class NamespaceController {

    private static final int WORKERS = 10;
    private static final Duration FIRST_RETRY = Duration.ofMillis(5);
    private static final Duration LAST_RETRY = Duration.ofMinutes(1);
    /** Other API servers and members of etcd notice a deletion later: until then, objects can still be created. */
    private static final Duration DELAY = Duration.ofSeconds(5);

    private NamespaceController() {}

    /** Return a builder of the controller. */
    public static RequestControllerBuilder<?> builder(Manager manager, ControllersOptions options) {
        return ControllerBuilder.forRequests("namespace", Request.class)
                .watches(Watch.kind(Kind.of(Namespace.class).metadata()).handler(NamespaceController::onNamespace))
                .customizeOptions(controller ->
                        controller.withMaxConcurrentReconciles(WORKERS).withBackoff(FIRST_RETRY, LAST_RETRY))
                .requiredPermissions(
                        RequiredPermission.onCore("namespaces/finalize", "update"),
                        RequiredPermission.onCore("namespaces/status", "patch"),
                        RequiredPermission.on("*", "*", "get", "list", "delete", "deletecollection"))
                .reconciler(
                        new NamespaceReconciler(manager.client(), manager.home().connection(), options.clock()));
    }

    private static void onNamespace(ObjectEvent<? extends ObjectHeader> event, RequestSink<Request> sink) {
        boolean present = !(event instanceof ObjectEvent.Deleted || event instanceof ObjectEvent.Departed);
        if (present && event.snapshot().header().isBeingDeleted()) {
            sink.addAfter(Request.of(event.snapshot().key()), DELAY);
        }
    }
}
