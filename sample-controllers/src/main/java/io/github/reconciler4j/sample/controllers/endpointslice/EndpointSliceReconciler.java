package io.github.reconciler4j.sample.controllers.endpointslice;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.builder.ControllerCustomizer;
import io.github.reconciler4j.builder.Watch;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.controllers.internal.support.Claims;
import io.github.reconciler4j.predicate.ReconcileOn;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.RequestReconciler;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.recorder.EventRecorder;
import io.github.reconciler4j.sample.controllers.ControllersProperties;
import io.github.reconciler4j.sample.controllers.services.PodEvents;
import io.github.reconciler4j.sample.controllers.services.ServicePods;
import io.github.reconciler4j.sample.controllers.services.TriggerTimes;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectHeader;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.spring.Permission;
import io.github.reconciler4j.spring.Reconciler;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps the EndpointSlices of each Service with a selector. */
@Reconciler(
        name = "endpointslice",
        value = Service.class,
        reconcileOn = ReconcileOn.SPEC_OR_METADATA,
        maxConcurrentReconciles = "5",
        initialBackoff = "1s",
        permissions = {
            @Permission(
                    group = "discovery.k8s.io",
                    resources = "endpointslices",
                    verbs = {"get", "create", "update", "patch", "delete"}),
            @Permission(resources = "services/finalizers", verbs = "update")
        })
class EndpointSliceReconciler implements RequestReconciler<Request>, ControllerCustomizer<ControllerBuilder<Service>> {

    private final Client client;
    private final EventRecorder events;
    private final ControllersProperties.EndpointSlices properties;
    private final TriggerTimes triggerTimes = new TriggerTimes();
    private final TopologyHints topology;
    private final SliceEvents sliceEvents;

    EndpointSliceReconciler(Client client, EventRecorder events, ControllersProperties properties) {
        this.client = client;
        this.events = events;
        this.properties = properties.endpointslice();
        this.topology = new TopologyHints(() -> client.list(Node.class));
        this.sliceEvents = new SliceEvents(this.properties.batchPeriod());
    }

    @Override
    public void customize(ControllerBuilder<Service> controller) {
        PodEvents.watch(controller, "endpointslice-selector", client, properties.batchPeriod());
        controller
                .watches(Watch.kind(EndpointSlice.class).handler(sliceEvents))
                .watches(Watch.kind(Node.class).handler(new NodeEvents(topology)));
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
                service,
                pods,
                existing,
                this::zone,
                topology,
                properties.maxEndpointsPerSlice(),
                triggerTimes.next(service, pods));
        write(service, plan.changes());
        plan.hintOutcomes().forEach(outcome -> report(service, outcome));
        if (!plan.missingNodes().isEmpty()) {
            throw new IllegalStateException("The nodes of these pods are unknown: " + plan.missingNodes());
        }
    }

    /** The zone of a node: {@code null} if there is no such node, an empty text if it is in none. */
    private @Nullable String zone(String node) {
        if (node.isEmpty()) { // a pod with an address has a node, unless nodes are simulated
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
