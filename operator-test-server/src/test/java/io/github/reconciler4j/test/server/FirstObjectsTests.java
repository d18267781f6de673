package io.github.reconciler4j.test.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.EndpointPort;
import io.fabric8.kubernetes.api.model.Endpoints;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.github.reconciler4j.test.KubernetesServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What every cluster has from its start. */
class FirstObjectsTests {

    private static final String NAME = "kubernetes";

    private final KubernetesServer server = KubernetesServer.start();
    private final KubernetesClient client =
            new KubernetesClientBuilder().withConfig(server.clientConfig()).build();

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    /** The development cluster runs without the endpoints of its API server, so the transcripts show the Service only. */
    @Test
    void startWhenNewHasTheServiceOfTheApiServerWithItsEndpoints() {
        Service service =
                client.services().inNamespace("default").withName(NAME).require();
        Endpoints endpoints =
                client.endpoints().inNamespace("default").withName(NAME).require();
        EndpointSlice slice = client.discovery()
                .v1()
                .endpointSlices()
                .inNamespace("default")
                .withName(NAME)
                .require();

        assertThat(service.getSpec().getPorts()).singleElement().satisfies(port -> {
            assertThat(port.getPort()).isEqualTo(443);
            assertThat(port.getName()).isEqualTo("https");
        });
        assertThat(endpoints.getSubsets()).singleElement().satisfies(subset -> {
            assertThat(subset.getAddresses()).hasSize(1);
            assertThat(subset.getPorts()).extracting(EndpointPort::getName).containsExactly("https");
        });
        String address = endpoints.getSubsets().get(0).getAddresses().get(0).getIp();
        assertThat(slice.getMetadata().getLabels()).containsEntry("kubernetes.io/service-name", NAME);
        assertThat(slice.getEndpoints())
                .singleElement()
                .satisfies(endpoint -> assertThat(endpoint.getAddresses()).containsExactly(address));
    }
}
