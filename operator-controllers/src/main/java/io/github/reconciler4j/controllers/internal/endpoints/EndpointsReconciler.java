package io.github.reconciler4j.controllers.internal.endpoints;

import io.fabric8.kubernetes.api.model.Endpoints;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.controllers.internal.services.ServicePods;
import io.github.reconciler4j.controllers.internal.services.TriggerTimes;
import io.github.reconciler4j.controllers.internal.support.Claims;
import io.github.reconciler4j.event.ObjectEvent;
import io.github.reconciler4j.handler.RequestSink;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.recorder.EventRecorder;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Keeps the Endpoints object of each Service with a selector. */
final class EndpointsReconciler implements RequestReconciler<Request> {

    private static final String LEADER = "control-plane.alpha.kubernetes.io/leader";

    private final Client client;
    private final EventRecorder events;
    private final TriggerTimes triggerTimes = new TriggerTimes();

    EndpointsReconciler(Manager manager) {
        this.client = manager.client();
        this.events = manager.recorder();
    }

    /**
     * Create deleted Endpoints again. At the start, find those whose Service was deleted in the meantime. Some programs keep
     * their leader in Endpoints that never had a Service: leave these alone.
     */
    static void onEndpoints(ObjectEvent<?> event, RequestSink<Request> sink) {
        ObjectHeader endpoints = event.snapshot().header();
        boolean found = event instanceof ObjectEvent.Created<?> created && created.initial();
        if (event instanceof ObjectEvent.Deleted
                || (found && !endpoints.annotations().containsKey(LEADER))) {
            sink.add(Request.of(endpoints.key()));
        }
    }

    @Override
    public Result reconcile(Request request, ReconcileContext context) {
        ObjectKey key = request.key();
        Optional<Service> service = client.get(Service.class, key);
        if (service.isEmpty()) {
            triggerTimes.forget(key.namespace(), key.name());
            if (client.exists(Kind.of(Endpoints.class), key)) {
                client.delete(Kind.of(Endpoints.class), key, DeletionOptions.defaults());
            }
        } else if (ServicePods.hasEndpoints(service.get())) {
            write(service.get());
        }
        return Result.done();
    }

    private void write(Service service) {
        List<Pod> pods = client.list(
                Kind.of(Pod.class),
                Selection.inNamespace(service.getMetadata().getNamespace())
                        .withLabelSelector(ServicePods.labelSelector(service)));
        Endpoints current = client.get(Endpoints.class, ObjectKey.of(service)).orElse(null);
        EndpointsObjects.toWrite(service, pods, current, triggerTimes.next(service, pods))
                .ifPresent(wanted -> write(wanted, current));
    }

    private void write(Endpoints wanted, @Nullable Endpoints current) {
        try {
            if (current == null) {
                client.create(wanted);
            } else {
                client.update(wanted);
            }
        } catch (ApiException e) {
            if (current == null && Claims.isNamespaceTerminating(e)) {
                return;
            }
            String verb = current == null ? "create" : "update";
            events.warning(
                    wanted,
                    current == null ? "FailedToCreateEndpoint" : "FailedToUpdateEndpoint",
                    "Reconcile",
                    "Failed to " + verb + " endpoints for service " + ObjectKey.of(wanted) + ": " + e.getMessage());
            throw e;
        }
    }
}
