package io.github.reconciler4j.controllers.internal.endpointslice;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.controllers.internal.services.ServicePods;
import io.github.reconciler4j.controllers.internal.services.TriggerTimes;
import io.github.reconciler4j.controllers.internal.support.Claims;
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
import org.jspecify.annotations.Nullable;

/** Keeps the EndpointSlices of each Service with a selector. */
final class EndpointSliceReconciler implements RequestReconciler<Request> {

    private final Client client;
    private final EventRecorder events;
    private final int maxEndpointsPerSlice;
    private final TriggerTimes triggerTimes = new TriggerTimes();
    private final TopologyHints topology;
    private final SliceEvents sliceEvents;

    EndpointSliceReconciler(
            Manager manager, int maxEndpointsPerSlice, TopologyHints topology, SliceEvents sliceEvents) {
        this.client = manager.client();
        this.events = manager.recorder();
        this.maxEndpointsPerSlice = maxEndpointsPerSlice;
        this.topology = topology;
        this.sliceEvents = sliceEvents;
    }

    @Override
    public Result reconcile(Request request, ReconcileContext context) {
        ObjectKey key = request.key();
        Service service = client.get(Service.class, key).orElse(null);
        if (service == null) {
            triggerTimes.forget(key.namespace(), key.name()); // its slices are garbage, which is collected
        } else if (ServicePods.hasEndpoints(service)) {
            reconcile(service);
        }
        return Result.done();
    }

    private void reconcile(Service service) {
        String namespace = service.getMetadata().getNamespace();
        List<Pod> pods = client.list(
                Kind.of(Pod.class),
                Selection.inNamespace(namespace).withLabelSelector(ServicePods.labelSelector(service)));
        String ofService = Slices.SERVICE_NAME + "=" + service.getMetadata().getName() + "," + Slices.MANAGED_BY + "="
                + Slices.CONTROLLER;
        List<EndpointSlice> existing = client
                .list(
                        Kind.of(EndpointSlice.class),
                        Selection.inNamespace(namespace).withLabelSelector(ofService))
                .stream()
                .filter(slice -> slice.getMetadata().getDeletionTimestamp() == null)
                .map(Slices::withoutNulls)
                .toList();
        SlicePlan plan = SlicePlan.of(
                service, pods, existing, this::zone, topology, maxEndpointsPerSlice, triggerTimes.next(service, pods));
        write(service, plan.changes());
        plan.hintOutcomes().forEach(outcome -> report(service, outcome));
        if (!plan.missingNodes().isEmpty()) {
            throw new IllegalStateException("The nodes of these pods are unknown: " + plan.missingNodes());
        }
    }

    /** The zone of a node: {@code null} if there is no such node, an empty text if it is in none. */
    private @Nullable String zone(String node) {
        if (node.isEmpty()) { // a pod with an address has a node, unless no scheduler runs
            return "";
        }
        return client.get(Kind.of(Node.class).metadata(), ObjectKey.of("", node))
                .map(ObjectHeader::labels)
                .map(labels -> labels.getOrDefault(SliceEndpoints.ZONE, ""))
                .orElse(null);
    }

    private void write(Service service, SliceChanges changes) {
        try {
            if (service.getMetadata().getDeletionTimestamp() == null) {
                for (EndpointSlice slice : changes.create) {
                    sliceEvents.expect(client.create(slice));
                }
            }
            for (EndpointSlice slice : changes.update) {
                sliceEvents.expect(client.update(slice));
            }
            for (EndpointSlice slice : changes.delete) {
                sliceEvents.expectDeletion(slice);
                client.delete(slice);
            }
        } catch (ApiException e) {
            if (Claims.isNamespaceTerminating(e)) {
                return;
            }
            events.warning(
                    service,
                    "FailedToUpdateEndpointSlices",
                    "Reconcile",
                    "Error updating Endpoint Slices for Service " + ObjectKey.of(service) + ": " + e.getMessage());
            throw e;
        }
    }

    private void report(Service service, TopologyHints.Outcome outcome) {
        if (outcome.event().isEmpty()) {
            return;
        }
        if (outcome.hinted()) {
            events.normal(service, "TopologyAwareHintsEnabled", "Reconcile", outcome.event());
        } else {
            events.warning(service, "TopologyAwareHintsDisabled", "Reconcile", outcome.event());
        }
    }
}
