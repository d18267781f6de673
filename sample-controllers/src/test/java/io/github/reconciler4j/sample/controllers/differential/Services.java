package io.github.reconciler4j.sample.controllers.differential;

import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.ServicePortBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;

/** What users do to Services of every shape, and to what is made of them. */
final class Services {

    private final Random random;
    private final String namespace;

    Services(Random random, String namespace) {
        this.random = random;
        this.namespace = namespace;
    }

    Consumer<KubernetesClient> create(String name) {
        boolean headless = random.nextInt(3) == 0;
        int kind = random.nextInt(10);
        ServiceBuilder service = new ServiceBuilder()
                .withNewMetadata()
                .withName(name)
                .addToLabels("owner", "o" + random.nextInt(3))
                .endMetadata()
                .withNewSpec()
                .withClusterIP(headless ? "None" : null)
                .withPublishNotReadyAddresses(random.nextInt(4) == 0 ? true : null)
                .withPorts(ports(headless))
                .withSelector(selector())
                .withTrafficDistribution(random.nextInt(4) == 0 ? "PreferClose" : null)
                .endSpec();
        if (kind == 0) {
            service.editSpec().withSelector(Map.of()).endSpec();
        }
        if (kind == 1) {
            service.editSpec()
                    .withType("ExternalName")
                    .withExternalName("elsewhere.example")
                    .withClusterIP(null)
                    .withTrafficDistribution(null)
                    .endSpec();
        }
        Service built = service.build();
        return client ->
                client.services().inNamespace(namespace).resource(built).create();
    }

    private Map<String, String> selector() {
        return random.nextInt(3) == 0 ? Map.of("tier", "back") : Map.of("app", "d" + random.nextInt(3));
    }

    private List<ServicePort> ports(boolean headless) {
        List<ServicePort> ports = new ArrayList<>();
        int count = headless ? random.nextInt(3) : 1 + random.nextInt(2);
        for (int i = 0; i < count; i++) {
            ports.add(new ServicePortBuilder()
                    .withName("p" + i)
                    .withPort(80 + i)
                    .withProtocol(random.nextInt(5) == 0 ? "UDP" : "TCP")
                    .withAppProtocol(random.nextInt(5) == 0 ? "http" : null)
                    .withTargetPort(
                            switch (random.nextInt(3)) {
                                case 0 -> new IntOrString("http");
                                case 1 -> new IntOrString("missing");
                                default -> new IntOrString(9000 + i);
                            })
                    .build());
        }
        return ports;
    }

    Consumer<KubernetesClient> edit(String name) {
        Map<String, String> selector = selector();
        String owner = "o" + random.nextInt(5);
        int what = random.nextInt(3);
        return client -> {
            var resource = client.services().inNamespace(namespace).withName(name);
            Service present = resource.get();
            if (present == null || "ExternalName".equals(present.getSpec().getType())) {
                return;
            }
            resource.edit(service -> {
                switch (what) {
                    case 0 -> service.getSpec().setSelector(selector);
                    case 1 -> service.getMetadata().getLabels().put("owner", owner);
                    default ->
                        service.getSpec()
                                .setPublishNotReadyAddresses(
                                        Boolean.TRUE.equals(service.getSpec().getPublishNotReadyAddresses())
                                                ? null
                                                : true);
                }
                return service;
            });
        };
    }

    Consumer<KubernetesClient> delete(String name) {
        return client -> client.services().inNamespace(namespace).withName(name).delete();
    }

    Consumer<KubernetesClient> deleteEndpoints(String name) {
        return client ->
                client.endpoints().inNamespace(namespace).withName(name).delete();
    }

    Consumer<KubernetesClient> deleteSlices(String name) {
        return client -> client.discovery()
                .v1()
                .endpointSlices()
                .inNamespace(namespace)
                .withLabel("kubernetes.io/service-name", name)
                .delete();
    }
}
