package io.github.reconciler4j.controllers.internal.endpointslice;

import static java.util.Comparator.comparing;

import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.discovery.v1.Endpoint;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointPort;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Places endpoints with the same ports in slices, so that few slices are written: endpoints stay where they are, slices
 * that change anyway are filled first, then the fullest one with room for all that are left, and new slices come last.
 */
final class SlicePlacement {

    private final Service service;
    private final String addressType;
    private final List<EndpointPort> ports;
    private final int maxEndpoints;

    SlicePlacement(Service service, String addressType, List<EndpointPort> ports, int maxEndpoints) {
        this.service = service;
        this.addressType = addressType;
        this.ports = ports;
        this.maxEndpoints = maxEndpoints;
    }

    SliceChanges place(Collection<EndpointSlice> existing, Collection<Endpoint> desired) {
        Map<SliceEndpoints.Key, Endpoint> left = new LinkedHashMap<>();
        desired.forEach(endpoint -> left.put(SliceEndpoints.Key.of(endpoint), endpoint));
        SliceChanges changes = new SliceChanges();
        List<EndpointSlice> unchanged = new ArrayList<>();
        for (EndpointSlice slice : existing) {
            keepDesired(slice, left, changes, unchanged);
        }
        changes.update.sort(
                comparing((EndpointSlice slice) -> slice.getEndpoints().size()).reversed());
        changes.update.forEach(slice -> fill(slice, left));
        while (!left.isEmpty()) {
            EndpointSlice roomy =
                    left.size() < maxEndpoints ? fullestWithRoom(unchanged, left.size(), maxEndpoints) : null;
            EndpointSlice target;
            if (roomy == null) {
                target = Slices.empty(service, ports, addressType);
                changes.create.add(target);
            } else {
                unchanged.remove(roomy);
                target = Slices.with(roomy, roomy.getMetadata().getLabels(), roomy.getEndpoints());
                changes.update.add(target);
            }
            fill(target, left);
        }
        return changes;
    }

    /** Keeps the endpoints of a slice that are still desired, as they are now. */
    private void keepDesired(
            EndpointSlice slice,
            Map<SliceEndpoints.Key, Endpoint> left,
            SliceChanges changes,
            List<EndpointSlice> unchanged) {
        List<Endpoint> kept = new ArrayList<>();
        boolean changed = false;
        for (Endpoint endpoint : slice.getEndpoints()) {
            Endpoint now = left.remove(SliceEndpoints.Key.of(endpoint));
            if (now == null) {
                changed = true;
            } else {
                kept.add(now);
                changed |= !SliceEndpoints.areEqual(now, endpoint);
            }
        }
        if (changed && kept.isEmpty()) {
            changes.delete.add(slice);
        } else if (changed) {
            changes.update.add(Slices.with(slice, Slices.labels(service), kept));
        } else if (!Slices.hasLabelsOf(slice, service)) {
            changes.update.add(Slices.with(slice, Slices.labels(service), slice.getEndpoints()));
        } else {
            unchanged.add(slice);
        }
    }

    private void fill(EndpointSlice slice, Map<SliceEndpoints.Key, Endpoint> left) {
        Iterator<Endpoint> endpoints = left.values().iterator();
        while (endpoints.hasNext() && slice.getEndpoints().size() < maxEndpoints) {
            slice.getEndpoints().add(endpoints.next());
            endpoints.remove();
        }
    }

    static @Nullable EndpointSlice fullestWithRoom(List<EndpointSlice> slices, int count, int maxEndpoints) {
        return slices.stream()
                .filter(slice -> slice.getEndpoints().size() + count <= maxEndpoints)
                .max(comparing(slice -> slice.getEndpoints().size()))
                .orElse(null);
    }
}
