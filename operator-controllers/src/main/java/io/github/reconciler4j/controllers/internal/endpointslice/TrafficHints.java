package io.github.reconciler4j.controllers.internal.endpointslice;

import io.fabric8.kubernetes.api.model.discovery.v1.Endpoint;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointHints;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointHintsBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.api.model.discovery.v1.ForNode;
import io.fabric8.kubernetes.api.model.discovery.v1.ForZone;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The hints that {@code trafficDistribution} of a Service asks for: every ready endpoint is for its own zone, and for its
 * own node if the Service prefers that.
 */
final class TrafficHints {

    private static final Set<String> SUPPORTED = Set.of("PreferClose", "PreferSameZone", "PreferSameNode");

    private TrafficHints() {}

    /** Set hints in what is written, and add unchanged slices whose hints are wrong. {@code null} and unknown distributions remove all hints. */
    static void apply(@Nullable String wanted, SliceChanges changes, Collection<EndpointSlice> existing) {
        String distribution = wanted != null && SUPPORTED.contains(wanted) ? wanted : null;
        for (EndpointSlice slice : changes.unchanged(existing)) {
            if (!areCorrect(distribution, slice)) {
                changes.update.add(slice);
            }
        }
        changes.create.forEach(slice -> set(distribution, slice));
        changes.update.forEach(slice -> set(distribution, slice));
    }

    private static boolean areCorrect(@Nullable String distribution, EndpointSlice slice) {
        return slice.getEndpoints().stream()
                .filter(endpoint -> distribution == null || SliceEndpoints.isReady(endpoint))
                .allMatch(endpoint -> sameHints(endpoint.getHints(), hints(distribution, endpoint)));
    }

    private static void set(@Nullable String distribution, EndpointSlice slice) {
        for (Endpoint endpoint : slice.getEndpoints()) {
            if (distribution == null || SliceEndpoints.isReady(endpoint)) {
                endpoint.setHints(hints(distribution, endpoint));
            }
        }
    }

    private static @Nullable EndpointHints hints(@Nullable String distribution, Endpoint endpoint) {
        boolean byZone = distribution != null && endpoint.getZone() != null;
        boolean byNode = "PreferSameNode".equals(distribution) && endpoint.getNodeName() != null;
        if (!byZone && !byNode) {
            return null;
        }
        return new EndpointHintsBuilder()
                .withForZones(byZone ? List.of(new ForZone(endpoint.getZone())) : List.of())
                .withForNodes(byNode ? List.of(new ForNode(endpoint.getNodeName())) : List.of())
                .build();
    }

    private static boolean sameHints(@Nullable EndpointHints a, @Nullable EndpointHints b) {
        return Objects.equals(a == null ? new EndpointHints() : a, b == null ? new EndpointHints() : b);
    }
}
