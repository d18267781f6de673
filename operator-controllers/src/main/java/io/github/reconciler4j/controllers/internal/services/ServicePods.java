package io.github.reconciler4j.controllers.internal.services;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodIP;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.github.reconciler4j.controllers.internal.support.Numbers;
import io.github.reconciler4j.controllers.internal.support.Pods;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Says which pods are behind a Service, and where they can be reached.
 *
 * @since 0.1.0
 */
public final class ServicePods {

    private ServicePods() {}

    /** Return whether a controller lists the pods behind a Service: it has a selector and is not just a name. */
    public static boolean hasEndpoints(Service service) {
        return !"ExternalName".equals(service.getSpec().getType())
                && !selector(service).isEmpty();
    }

    /** Return the labels that a pod must have. */
    public static Map<String, String> selector(Service service) {
        Map<String, String> selector = service.getSpec().getSelector();
        return selector == null ? Map.of() : selector;
    }

    /** Return the selector in the notation of lists. */
    public static String labelSelector(Service service) {
        return selector(service).entrySet().stream()
                .map(label -> label.getKey() + "=" + label.getValue())
                .collect(Collectors.joining(","));
    }

    /** Return whether a Service selects a pod with these labels. A Service without a selector selects none. */
    public static boolean selects(Service service, @Nullable Map<String, String> labels) {
        return !selector(service).isEmpty()
                && labels != null
                && labels.entrySet().containsAll(selector(service).entrySet());
    }

    /** Return whether a Service has no address of its own, so that its name resolves to those of its pods. */
    public static boolean isHeadless(Service service) {
        String address = service.getSpec().getClusterIP();
        return address == null || address.isEmpty() || address.equals("None");
    }

    /** Return whether unready pods are to be listed as ready ones. */
    public static boolean publishesNotReady(Service service) {
        return Boolean.TRUE.equals(service.getSpec().getPublishNotReadyAddresses());
    }

    /** Return whether a pod can be an endpoint: it has not ended and has an address. */
    public static boolean canServe(Pod pod, boolean includeTerminating) {
        return !Pods.isTerminal(pod)
                && hasAddress(pod)
                && (includeTerminating || pod.getMetadata().getDeletionTimestamp() == null);
    }

    private static boolean hasAddress(Pod pod) {
        return pod.getStatus() != null
                && ((pod.getStatus().getPodIP() != null
                                && !pod.getStatus().getPodIP().isEmpty())
                        || !pod.getStatus().getPodIPs().isEmpty());
    }

    /** Return the addresses of a pod in canonical form, IPv6 or IPv4 ones. */
    public static List<String> addresses(Pod pod, boolean ipv6) {
        return pod.getStatus() == null
                ? List.of()
                : pod.getStatus().getPodIPs().stream()
                        .map(PodIP::getIp)
                        .map(IpAddresses::canonical)
                        .filter(Objects::nonNull)
                        .filter(address -> IpAddresses.isIpv6(address) == ipv6)
                        .toList();
    }

    /** Return the host name of a pod in the domain of a Service, {@code null} if it has none there. */
    public static @Nullable String hostname(Pod pod, Service service) {
        String hostname = pod.getSpec() == null ? null : pod.getSpec().getHostname();
        return hostname != null
                        && !hostname.isEmpty()
                        && service.getMetadata().getName().equals(pod.getSpec().getSubdomain())
                        && Objects.equals(
                                service.getMetadata().getNamespace(),
                                pod.getMetadata().getNamespace())
                ? hostname
                : null;
    }

    /** Return the port of a pod that a port of a Service means; empty if it is a name that the pod does not have. */
    public static OptionalInt findPort(Pod pod, ServicePort port) {
        IntOrString target = port.getTargetPort();
        if (target == null || target.getStrVal() == null) {
            return OptionalInt.of(target == null ? 0 : Numbers.orZero(target.getIntVal()));
        }
        Stream<Container> sidecars = pod.getSpec().getInitContainers().stream()
                .filter(container -> "Always".equals(container.getRestartPolicy()));
        return Stream.concat(pod.getSpec().getContainers().stream(), sidecars)
                .flatMap(container -> container.getPorts().stream())
                .filter(candidate -> target.getStrVal().equals(candidate.getName())
                        && Objects.equals(candidate.getProtocol(), port.getProtocol()))
                .mapToInt(candidate -> Numbers.orZero(candidate.getContainerPort()))
                .findFirst();
    }
}
