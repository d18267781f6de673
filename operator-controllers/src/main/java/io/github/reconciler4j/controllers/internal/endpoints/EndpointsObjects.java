package io.github.reconciler4j.controllers.internal.endpoints;

import io.fabric8.kubernetes.api.model.EndpointAddress;
import io.fabric8.kubernetes.api.model.EndpointAddressBuilder;
import io.fabric8.kubernetes.api.model.EndpointPort;
import io.fabric8.kubernetes.api.model.EndpointPortBuilder;
import io.fabric8.kubernetes.api.model.EndpointSubset;
import io.fabric8.kubernetes.api.model.EndpointSubsetBuilder;
import io.fabric8.kubernetes.api.model.Endpoints;
import io.fabric8.kubernetes.api.model.EndpointsBuilder;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.github.reconciler4j.controllers.internal.services.IpAddresses;
import io.github.reconciler4j.controllers.internal.services.ServicePods;
import io.github.reconciler4j.controllers.internal.services.TriggerTimes;
import io.github.reconciler4j.controllers.internal.support.Pods;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Makes the Endpoints object of a Service from its pods. */
final class EndpointsObjects {

    static final String MANAGED_BY = "endpoints.kubernetes.io/managed-by";
    static final String CONTROLLER = "endpoint-controller";
    static final String HEADLESS = "service.kubernetes.io/headless";

    private EndpointsObjects() {}

    /** Return the object to write; empty if {@code current} is as it should be. */
    static Optional<Endpoints> toWrite(
            Service service, Collection<Pod> pods, @Nullable Endpoints current, @Nullable Instant triggerTime) {
        List<EndpointSubset> subsets = subsets(service, pods);
        if (current != null && isCurrent(current, service, subsets)) {
            return Optional.empty();
        }
        Endpoints base = current != null
                ? current
                : new EndpointsBuilder()
                        .withNewMetadata()
                        .withNamespace(service.getMetadata().getNamespace())
                        .withName(service.getMetadata().getName())
                        .endMetadata()
                        .build();
        Map<String, String> annotations = copy(base.getMetadata().getAnnotations());
        annotations.remove(TriggerTimes.ANNOTATION);
        annotations.remove(Capacity.ANNOTATION);
        if (triggerTime != null) {
            annotations.put(TriggerTimes.ANNOTATION, triggerTime.toString());
        }
        if (Capacity.isExceeded(subsets)) {
            annotations.put(Capacity.ANNOTATION, Capacity.TRUNCATED);
        }
        return Optional.of(new EndpointsBuilder(base)
                .editMetadata()
                .withAnnotations(annotations)
                .withLabels(labels(service))
                .endMetadata()
                .withSubsets(Capacity.truncated(subsets))
                .build());
    }

    private static Map<String, String> labels(Service service) {
        Map<String, String> labels = copy(service.getMetadata().getLabels());
        labels.remove(HEADLESS);
        if (ServicePods.isHeadless(service)) {
            labels.put(HEADLESS, "");
        }
        labels.put(MANAGED_BY, CONTROLLER);
        return labels;
    }

    private static boolean isCurrent(Endpoints current, Service service, List<EndpointSubset> subsets) {
        Map<String, String> annotations = copy(current.getMetadata().getAnnotations());
        return areEqual(Subsets.pack(current.getSubsets()), subsets)
                && labelsAreCurrent(
                        copy(current.getMetadata().getLabels()),
                        copy(service.getMetadata().getLabels()))
                && capacityIsCurrent(annotations, current.getSubsets());
    }

    /** Whether the object has the labels of its Service. Whether it says "headless" does not matter. */
    static boolean labelsAreCurrent(Map<String, String> labels, Map<String, String> serviceLabels) {
        Map<String, String> own = new HashMap<>(labels);
        own.remove(HEADLESS);
        return CONTROLLER.equals(own.remove(MANAGED_BY)) && own.equals(serviceLabels);
    }

    static boolean capacityIsCurrent(Map<String, String> annotations, List<EndpointSubset> subsets) {
        return !Capacity.isExceeded(subsets) && !annotations.containsKey(Capacity.ANNOTATION);
    }

    /** Compare subsets, apart from the versions of the pods that they refer to. */
    static boolean areEqual(List<EndpointSubset> a, List<EndpointSubset> b) {
        return withoutVersions(a).equals(withoutVersions(b));
    }

    private static List<EndpointSubset> withoutVersions(List<EndpointSubset> subsets) {
        return subsets.stream()
                .map(subset -> new EndpointSubsetBuilder(subset)
                        .withAddresses(subset.getAddresses().stream()
                                .map(EndpointsObjects::withoutVersion)
                                .toList())
                        .withNotReadyAddresses(subset.getNotReadyAddresses().stream()
                                .map(EndpointsObjects::withoutVersion)
                                .toList())
                        .build())
                .toList();
    }

    private static EndpointAddress withoutVersion(EndpointAddress address) {
        return address.getTargetRef() == null || address.getTargetRef().getResourceVersion() == null
                ? address
                : new EndpointAddressBuilder(address)
                        .editTargetRef()
                        .withResourceVersion(null)
                        .endTargetRef()
                        .build();
    }

    static List<EndpointSubset> subsets(Service service, Collection<Pod> pods) {
        List<EndpointSubset> subsets = new ArrayList<>();
        for (Pod pod : pods) {
            if (ServicePods.canServe(pod, ServicePods.publishesNotReady(service))) {
                address(service, pod).ifPresent(address -> {
                    for (List<EndpointPort> ports : ports(service, pod)) {
                        subsets.add(
                                subset(address, ports, ServicePods.publishesNotReady(service) || Pods.isReady(pod)));
                    }
                });
            }
        }
        return Subsets.pack(subsets);
    }

    private static EndpointSubset subset(EndpointAddress address, List<EndpointPort> ports, boolean ready) {
        return new EndpointSubsetBuilder()
                .withAddresses(ready ? List.of(address) : List.of())
                .withNotReadyAddresses(ready ? List.of() : List.of(address))
                .withPorts(ports)
                .build();
    }

    /** The ports of the Service that the pod has, each in a list of its own; one empty list if it needs none. */
    private static List<List<EndpointPort>> ports(Service service, Pod pod) {
        List<ServicePort> wanted = service.getSpec().getPorts();
        if (wanted.isEmpty()) {
            return "None".equals(service.getSpec().getClusterIP()) ? List.of(List.of()) : List.of();
        }
        List<List<EndpointPort>> ports = new ArrayList<>();
        for (ServicePort port : wanted) {
            OptionalInt number = ServicePods.findPort(pod, port);
            if (number.isPresent()) {
                ports.add(List.of(port(port, number.getAsInt())));
            }
        }
        return ports;
    }

    static EndpointPort port(ServicePort port, int number) {
        return new EndpointPortBuilder()
                .withName(port.getName() == null || port.getName().isEmpty() ? null : port.getName())
                .withPort(number)
                .withProtocol(port.getProtocol())
                .withAppProtocol(port.getAppProtocol())
                .build();
    }

    /** The address of a pod in the first IP family of the Service; empty if the pod has none there. */
    static Optional<EndpointAddress> address(Service service, Pod pod) {
        return ServicePods.addresses(pod, wantsIpv6(service, pod)).stream()
                .findFirst()
                .map(ip -> new EndpointAddressBuilder()
                        .withIp(ip)
                        .withNodeName(Pods.node(pod))
                        .withHostname(ServicePods.hostname(pod, service))
                        .withTargetRef(reference(pod))
                        .build());
    }

    private static boolean wantsIpv6(Service service, Pod pod) {
        List<String> families = service.getSpec().getIpFamilies();
        if (!families.isEmpty()) {
            return families.get(0).equals("IPv6");
        }
        return IpAddresses.isIpv6(
                ServicePods.isHeadless(service)
                        ? pod.getStatus().getPodIP()
                        : service.getSpec().getClusterIP());
    }

    private static ObjectReference reference(Pod pod) {
        return new ObjectReferenceBuilder()
                .withKind("Pod")
                .withNamespace(pod.getMetadata().getNamespace())
                .withName(pod.getMetadata().getName())
                .withUid(pod.getMetadata().getUid())
                .build();
    }

    private static Map<String, String> copy(@Nullable Map<String, String> map) {
        return map == null ? new HashMap<>() : new HashMap<>(map);
    }
}
