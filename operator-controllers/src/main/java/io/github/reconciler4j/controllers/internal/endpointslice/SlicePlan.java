package io.github.reconciler4j.controllers.internal.endpointslice;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.discovery.v1.Endpoint;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointPort;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.github.reconciler4j.controllers.internal.services.ServicePods;
import io.github.reconciler4j.controllers.internal.support.Pods;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Decides which slices of a Service are created, updated and deleted so that they list its pods. */
final class SlicePlan {

    private final Service service;
    private final Function<String, @Nullable String> zones;
    private final TopologyHints topology;
    private final int maxEndpoints;
    private final SliceChanges changes = new SliceChanges();
    private final List<String> missingNodes = new ArrayList<>();
    private final List<TopologyHints.Outcome> hintOutcomes = new ArrayList<>();

    private SlicePlan(
            Service service, Function<String, @Nullable String> zones, TopologyHints topology, int maxEndpoints) {
        this.service = service;
        this.zones = zones;
        this.topology = topology;
        this.maxEndpoints = maxEndpoints;
    }

    /** Plan with {@code zones}, which maps a node to its zone: {@code null} if the node is unknown, empty if it has no zone. */
    static SlicePlan of(
            Service service,
            Collection<Pod> pods,
            Collection<EndpointSlice> existing,
            Function<String, @Nullable String> zones,
            TopologyHints topology,
            int maxEndpoints,
            @Nullable Instant triggerTime) {
        SlicePlan plan = new SlicePlan(service, zones, topology, maxEndpoints);
        Set<String> types = Slices.addressTypes(service);
        List<EndpointSlice> obsolete = existing.stream()
                .filter(slice -> !types.contains(slice.getAddressType()))
                .toList();
        for (String type : types) {
            plan.planFor(
                    type,
                    pods,
                    existing.stream()
                            .filter(slice -> type.equals(slice.getAddressType()))
                            .toList());
        }
        obsolete.forEach(slice -> topology.forget(plan.serviceKey(), slice.getAddressType()));
        plan.changes.delete.addAll(obsolete);
        plan.changes.annotate(triggerTime);
        return plan;
    }

    SliceChanges changes() {
        return changes;
    }

    /** The pods that are left out because the node they are on is unknown. */
    List<String> missingNodes() {
        return missingNodes;
    }

    /** Return the outcomes that events report. */
    List<TopologyHints.Outcome> hintOutcomes() {
        return hintOutcomes;
    }

    private void planFor(String type, Collection<Pod> pods, List<EndpointSlice> existing) {
        SliceChanges changed = new SliceChanges();
        Map<List<EndpointPort>, List<EndpointSlice>> existingByPorts = new LinkedHashMap<>();
        for (EndpointSlice slice : existing) {
            if (Slices.isOwnedBy(slice, service)) {
                existingByPorts
                        .computeIfAbsent(SliceEndpoints.sorted(slice.getPorts()), ports -> new ArrayList<>())
                        .add(slice);
            } else {
                changed.delete.add(slice);
            }
        }
        desiredByPorts(type, pods).forEach((ports, endpoints) -> {
            List<EndpointSlice> slices = existingByPorts.remove(ports);
            changed.addAll(new SlicePlacement(service, type, ports, maxEndpoints)
                    .place(slices == null ? List.of() : slices, endpoints));
        });
        existingByPorts.values().forEach(changed.delete::addAll);
        if (existing.size() == changed.delete.size() && changed.create.isEmpty()) {
            keepPlaceholder(type, changed);
        }
        applyHints(type, changed, existing);
        changed.reuseDeleted(service);
        changes.addAll(changed);
    }

    private Map<List<EndpointPort>, List<Endpoint>> desiredByPorts(String type, Collection<Pod> pods) {
        Map<List<EndpointPort>, List<Endpoint>> desired = new LinkedHashMap<>();
        for (Pod pod : pods) {
            if (!ServicePods.canServe(pod, true)) {
                continue;
            }
            List<Endpoint> endpoints =
                    desired.computeIfAbsent(SliceEndpoints.ports(service, pod), ports -> new ArrayList<>());
            String zone = zones.apply(Pods.node(pod));
            if (zone == null && !ServicePods.publishesNotReady(service)) {
                missingNodes.add(pod.getMetadata().getName());
                continue;
            }
            Endpoint endpoint = SliceEndpoints.endpoint(pod, zone, service, type);
            if (!endpoint.getAddresses().isEmpty()) {
                endpoints.add(endpoint);
            }
        }
        return desired;
    }

    /** A Service without endpoints has one empty slice, so that it is visible that there are none. */
    private void keepPlaceholder(String type, SliceChanges changed) {
        EndpointSlice placeholder = Slices.empty(service, List.of(), type);
        if (changed.delete.size() == 1 && Slices.areEqualPlaceholders(changed.delete.get(0), placeholder)) {
            changed.delete.clear();
        } else {
            changed.create.add(placeholder);
        }
    }

    private void applyHints(String type, SliceChanges changed, List<EndpointSlice> existing) {
        if (SliceEndpoints.wantsTopologyHints(service)) {
            hintOutcomes.add(topology.apply(serviceKey(), type, changed, existing));
            return;
        }
        if (topology.forget(serviceKey(), type)) {
            hintOutcomes.add(
                    new TopologyHints.Outcome(false, "Topology Aware Hints has been disabled, addressType: " + type));
        }
        TrafficHints.apply(service.getSpec().getTrafficDistribution(), changed, existing);
    }

    private String serviceKey() {
        return service.getMetadata().getNamespace() + "/"
                + service.getMetadata().getName();
    }
}
