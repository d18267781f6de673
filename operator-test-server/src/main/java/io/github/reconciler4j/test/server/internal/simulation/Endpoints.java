package io.github.reconciler4j.test.server.internal.simulation;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.discovery.v1.Endpoint;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointPort;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointPortBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSliceBuilder;
import io.github.reconciler4j.test.server.internal.storage.ObjectName;
import java.util.Comparator;
import java.util.List;

/** Services with a selector have an EndpointSlice of their own name with the ready pods. */
final class Endpoints implements Simulation {
    private final SimulatedObjects objects;

    Endpoints(SimulatedObjects objects) {
        this.objects = objects;
    }

    @Override
    public void sync(ObjectName name) {
        Service service = objects.find(Service.class, name);
        if (service == null
                || service.getSpec().getSelector() == null
                || service.getSpec().getSelector().isEmpty()) {
            return;
        }
        List<Endpoint> endpoints = objects
                .all(Pod.class, name.namespace(), service.getSpec().getSelector())
                .stream()
                .filter(Pods::isReady)
                .sorted(Comparator.comparing(pod -> pod.getMetadata().getName()))
                .map(Endpoints::endpoint)
                .toList();
        List<EndpointPort> ports =
                service.getSpec().getPorts().stream().map(Endpoints::port).toList();
        if (objects.find(EndpointSlice.class, name) == null) {
            objects.create(slice(service));
        }
        objects.update(
                EndpointSlice.class,
                name,
                now -> new EndpointSliceBuilder(now)
                        .withEndpoints(endpoints)
                        .withPorts(ports)
                        .build());
    }

    private static EndpointSlice slice(Service service) {
        return new EndpointSliceBuilder()
                .withNewMetadata()
                .withNamespace(service.getMetadata().getNamespace())
                .withName(service.getMetadata().getName())
                .addToLabels("kubernetes.io/service-name", service.getMetadata().getName())
                .withOwnerReferences(SimulatedObjects.controller(service))
                .endMetadata()
                .withAddressType("IPv4")
                .withEndpoints(List.of())
                .build();
    }

    private static Endpoint endpoint(Pod pod) {
        return new EndpointBuilder()
                .withAddresses(pod.getStatus().getPodIP())
                .withNewConditions()
                .withReady(true)
                .withServing(true)
                .withTerminating(false)
                .endConditions()
                .withNewTargetRef()
                .withKind("Pod")
                .withNamespace(pod.getMetadata().getNamespace())
                .withName(pod.getMetadata().getName())
                .withUid(pod.getMetadata().getUid())
                .endTargetRef()
                .build();
    }

    /** The port of the pods; one that is given by name is taken to have the service's number. */
    private static EndpointPort port(ServicePort port) {
        Integer target =
                port.getTargetPort() == null ? null : port.getTargetPort().getIntVal();
        return new EndpointPortBuilder()
                .withName(port.getName() == null ? "" : port.getName())
                .withPort(target == null ? port.getPort() : target)
                .withProtocol(port.getProtocol() == null ? "TCP" : port.getProtocol())
                .build();
    }
}
