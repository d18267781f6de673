package io.github.reconciler4j.controllers.internal.endpointslice;

import static java.util.Comparator.comparing;
import static java.util.Comparator.naturalOrder;
import static java.util.Comparator.nullsFirst;

import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.discovery.v1.Endpoint;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointPort;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointPortBuilder;
import io.github.reconciler4j.controllers.internal.services.ServicePods;
import io.github.reconciler4j.controllers.internal.support.Pods;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Makes the endpoints in slices from pods, and compares them. */
final class SliceEndpoints {

    static final String IPV4 = "IPv4";
    static final String IPV6 = "IPv6";
    static final String ZONE = "topology.kubernetes.io/zone";

    static final Comparator<EndpointPort> PORT_ORDER = comparing(EndpointPort::getName, nullsFirst(naturalOrder()))
            .thenComparing(EndpointPort::getPort, nullsFirst(naturalOrder()))
            .thenComparing(EndpointPort::getProtocol, nullsFirst(naturalOrder()))
            .thenComparing(EndpointPort::getAppProtocol, nullsFirst(naturalOrder()));

    /** What makes an endpoint the same one although its conditions have changed. */
    record Key(
            List<String> addresses,
            String hostname,
            @Nullable String namespace,
            @Nullable String name) {
        static Key of(Endpoint endpoint) {
            ObjectReference target = endpoint.getTargetRef();
            return new Key(
                    endpoint.getAddresses().stream().sorted().toList(),
                    Objects.requireNonNullElse(endpoint.getHostname(), ""),
                    target == null ? null : target.getNamespace(),
                    target == null ? null : target.getName());
        }
    }

    private SliceEndpoints() {}

    static Endpoint endpoint(Pod pod, @Nullable String zone, Service service, String addressType) {
        boolean serving = Pods.isReady(pod);
        boolean terminating = pod.getMetadata().getDeletionTimestamp() != null;
        return new EndpointBuilder()
                .withAddresses(ServicePods.addresses(pod, addressType.equals(IPV6)))
                .withNewConditions()
                .withReady(ServicePods.publishesNotReady(service) || (serving && !terminating))
                .withServing(serving)
                .withTerminating(terminating)
                .endConditions()
                .withTargetRef(new ObjectReferenceBuilder()
                        .withKind("Pod")
                        .withNamespace(pod.getMetadata().getNamespace())
                        .withName(pod.getMetadata().getName())
                        .withUid(pod.getMetadata().getUid())
                        .build())
                .withNodeName(Pods.node(pod).isEmpty() ? null : Pods.node(pod))
                .withZone(zone == null || zone.isEmpty() ? null : zone)
                .withHostname(ServicePods.hostname(pod, service))
                .build();
    }

    /** Return the ports of a Service that a pod has, in a fixed order: pods with the same ports share slices. */
    static List<EndpointPort> ports(Service service, Pod pod) {
        List<EndpointPort> ports = new ArrayList<>();
        for (ServicePort port : service.getSpec().getPorts()) {
            OptionalInt number = ServicePods.findPort(pod, port);
            if (number.isPresent()) {
                ports.add(new EndpointPortBuilder()
                        .withName(Objects.requireNonNullElse(port.getName(), ""))
                        .withPort(number.getAsInt())
                        .withProtocol(Objects.requireNonNullElse(port.getProtocol(), ""))
                        .withAppProtocol(port.getAppProtocol())
                        .build());
            }
        }
        return sorted(ports);
    }

    static List<EndpointPort> sorted(List<EndpointPort> ports) {
        return ports.stream().sorted(PORT_ORDER).toList();
    }

    /** Compare two endpoints with the same key, apart from the version of the pod and from hints. */
    static boolean areEqual(Endpoint a, Endpoint b) {
        return Objects.equals(a.getNodeName(), b.getNodeName())
                && Objects.equals(a.getZone(), b.getZone())
                && Objects.equals(a.getConditions(), b.getConditions())
                && Objects.equals(withoutVersion(a.getTargetRef()), withoutVersion(b.getTargetRef()));
    }

    private static @Nullable ObjectReference withoutVersion(@Nullable ObjectReference reference) {
        return reference == null
                ? null
                : new ObjectReferenceBuilder(reference)
                        .withResourceVersion(null)
                        .build();
    }

    static boolean isReady(Endpoint endpoint) {
        return endpoint.getConditions() != null
                && Boolean.TRUE.equals(endpoint.getConditions().getReady());
    }

    /** Return whether hints by topology are wanted; the older annotation decides if both are there. */
    static boolean wantsTopologyHints(Service service) {
        Map<String, String> annotations = service.getMetadata().getAnnotations();
        if (annotations == null) {
            return false;
        }
        String mode = annotations.getOrDefault(
                "service.kubernetes.io/topology-aware-hints", annotations.get("service.kubernetes.io/topology-mode"));
        return "Auto".equals(mode) || "auto".equals(mode);
    }
}
