package io.github.reconciler4j.controllers.internal.endpointslice;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.discovery.v1.Endpoint;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointPort;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.github.reconciler4j.client.OwnerReferences;
import io.github.reconciler4j.controllers.internal.services.IpAddresses;
import io.github.reconciler4j.controllers.internal.services.ServicePods;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Makes slices for a Service and reads what they say about it. */
final class Slices {

    static final String SERVICE_NAME = "kubernetes.io/service-name";
    static final String MANAGED_BY = "endpointslice.kubernetes.io/managed-by";
    static final String CONTROLLER = "endpointslice-controller.k8s.io";
    static final String HEADLESS = "service.kubernetes.io/headless";

    private static final Set<String> RESERVED = Set.of(SERVICE_NAME, MANAGED_BY, HEADLESS);
    private static final int MAX_NAME_LENGTH = 253;

    private Slices() {}

    /** Return a slice without endpoints, to be created. */
    static EndpointSlice empty(Service service, List<EndpointPort> ports, String addressType) {
        String name = service.getMetadata().getName();
        EndpointSlice slice = new EndpointSlice();
        slice.setMetadata(new ObjectMetaBuilder()
                .withNamespace(service.getMetadata().getNamespace())
                .withGenerateName(name.length() < MAX_NAME_LENGTH ? name + "-" : name)
                .withLabels(labels(service))
                .build());
        slice.setAddressType(addressType);
        slice.setPorts(ports);
        slice.setEndpoints(new ArrayList<>());
        OwnerReferences.setController(slice, service);
        return slice;
    }

    /** Set empty lists where the API server says {@code null}, as it does for slices without ports or endpoints. */
    static EndpointSlice withoutNulls(EndpointSlice slice) {
        slice.setPorts(Objects.requireNonNullElse(slice.getPorts(), List.of()));
        slice.setEndpoints(Objects.requireNonNullElse(slice.getEndpoints(), List.of()));
        return slice;
    }

    /** Return a copy of a slice with other endpoints and labels. */
    static EndpointSlice with(EndpointSlice slice, Map<String, String> labels, Collection<Endpoint> endpoints) {
        EndpointSlice copy = new EndpointSlice();
        copy.setMetadata(
                new ObjectMetaBuilder(slice.getMetadata()).withLabels(labels).build());
        copy.setAddressType(slice.getAddressType());
        copy.setPorts(slice.getPorts());
        copy.setEndpoints(new ArrayList<>(endpoints));
        return copy;
    }

    /** Return the labels that the slices of a Service have: its own, and the reserved ones. */
    static Map<String, String> labels(Service service) {
        Map<String, String> labels = ownLabels(service.getMetadata().getLabels());
        if (ServicePods.isHeadless(service)) {
            labels.put(HEADLESS, "");
        }
        labels.put(SERVICE_NAME, service.getMetadata().getName());
        labels.put(MANAGED_BY, CONTROLLER);
        return labels;
    }

    /** Return whether the labels of a slice are those of its Service, apart from the reserved ones. */
    static boolean hasLabelsOf(EndpointSlice slice, Service service) {
        return ownLabels(slice.getMetadata().getLabels())
                .equals(ownLabels(service.getMetadata().getLabels()));
    }

    private static Map<String, String> ownLabels(@Nullable Map<String, String> labels) {
        Map<String, String> own = labels == null ? new TreeMap<>() : new TreeMap<>(labels);
        own.keySet().removeAll(RESERVED);
        return own;
    }

    static boolean isOwnedBy(EndpointSlice slice, Service service) {
        return slice.getMetadata().getOwnerReferences().stream()
                .anyMatch(owner ->
                        Objects.equals(owner.getUid(), service.getMetadata().getUid())
                                && "Service".equals(owner.getKind())
                                && "v1".equals(owner.getApiVersion()));
    }

    /** Return the name of the Service that a slice says it belongs to. */
    static Optional<String> serviceName(Map<String, String> labels) {
        return Optional.ofNullable(labels.get(SERVICE_NAME)).filter(name -> !name.isEmpty());
    }

    /** Return the address types of a Service. One that has no IP families yet has those that its address lets expect. */
    static Set<String> addressTypes(Service service) {
        Set<String> types = new TreeSet<>(service.getSpec().getIpFamilies());
        types.retainAll(Set.of(SliceEndpoints.IPV4, SliceEndpoints.IPV6));
        if (!types.isEmpty()) {
            return types;
        }
        if (ServicePods.isHeadless(service)) {
            return Set.of(SliceEndpoints.IPV4, SliceEndpoints.IPV6);
        }
        boolean ipv6 = IpAddresses.isIpv6(service.getSpec().getClusterIP());
        return Set.of(ipv6 ? SliceEndpoints.IPV6 : SliceEndpoints.IPV4);
    }

    /**
     * Return whether two slices without endpoints are the same but for name, version and annotations. A label with an
     * empty value is as good as none.
     */
    static boolean areEqualPlaceholders(EndpointSlice a, EndpointSlice b) {
        return Objects.equals(a.getMetadata().getNamespace(), b.getMetadata().getNamespace())
                && nonEmpty(a.getMetadata().getLabels())
                        .equals(nonEmpty(b.getMetadata().getLabels()))
                && Objects.equals(a.getAddressType(), b.getAddressType())
                && a.getPorts().equals(b.getPorts())
                && a.getEndpoints().equals(b.getEndpoints());
    }

    private static Map<String, String> nonEmpty(@Nullable Map<String, String> labels) {
        Map<String, String> nonEmpty = copy(labels);
        nonEmpty.values().removeIf(String::isEmpty);
        return nonEmpty;
    }

    static Map<String, String> copy(@Nullable Map<String, String> map) {
        return map == null ? new HashMap<>() : new HashMap<>(map);
    }
}
