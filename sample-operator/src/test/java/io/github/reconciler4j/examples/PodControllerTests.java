package io.github.reconciler4j.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.github.reconciler4j.client.Client;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** How a REST controller returns objects of Kubernetes. */
class PodControllerTests {

    private static final Pod POD = new PodBuilder()
            .withNewSpec()
            .withOverhead(Map.of("memory", new Quantity("1Gi")))
            .endSpec()
            .build();

    @Test
    void podWhenReturnedHasTheFormOfKubernetes() {
        Client client = mock(Client.class);
        when(client.get(Pod.class, "default", "one")).thenReturn(Optional.of(POD));
        assertThat(new PodController(client).pod("default", "one"))
                .hasValueSatisfying(
                        json -> assertThat(json.replaceAll("\\s", "")).contains("\"overhead\":{\"memory\":\"1Gi\"}"));
    }

    @Test
    void podWhenSerializedBySpringHasAnotherForm() {
        assertThat(JsonMapper.builder().build().writeValueAsString(POD.getSpec().getOverhead()))
                .contains("\"amount\":\"1\"", "\"format\":\"Gi\"");
    }
}
