package io.github.reconciler4j.controllers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.github.reconciler4j.builder.AbstractControllerBuilder;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.controller.ControllerSelection;
import io.github.reconciler4j.manager.Manager;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class KubernetesControllersTests {

    private final Manager manager = Manager.create(new ConfigBuilder(Config.empty())
            .withMasterUrl("https://127.0.0.1:1")
            .build());

    @Test
    void buildersWhenBuiltHaveTheNamesInTheirOrder() {
        assertThat(KubernetesControllers.builders(manager, ControllersOptions.defaults()))
                .extracting(builder -> builder.nameIn(manager))
                .containsExactlyElementsOf(KubernetesControllers.names());
        assertThat(List.copyOf(KubernetesControllers.names()))
                .contains("deployment", "replicaset")
                .isSorted();
    }

    @Test
    void controllersWhenAllAreAddedDeclareTheirRights() {
        List<Controller<?>> controllers = AbstractControllerBuilder.addSelected(
                manager,
                ControllerSelection.of(List.of("*")),
                KubernetesControllers.builders(manager, ControllersOptions.defaults()));

        assertThat(controllers).hasSameSizeAs(KubernetesControllers.names());
        assertThat(controllers)
                .allSatisfy(controller -> assertThat(controller.requiredPermissions())
                        .as(controller.name())
                        .isNotEmpty());
    }

    @Test
    void optionsWhenAValueIsOutOfRangeAreRefused() {
        ControllersOptions options = ControllersOptions.defaults();

        assertThatThrownBy(() -> options.withReplicaSetBurst(0))
                .hasMessage("'replicaSetBurst' must be positive, was 0");
        assertThatThrownBy(() -> options.withMaxEndpointsPerSlice(-1))
                .hasMessage("'maxEndpointsPerSlice' must be positive, was -1");
        assertThatThrownBy(() -> options.withEndpointsBatchPeriod(Duration.ofSeconds(-1)))
                .hasMessage("'endpointsBatchPeriod' must not be negative, was PT-1S");
        assertThat(options.withEndpointSliceBatchPeriod(Duration.ofSeconds(2)).endpointSliceBatchPeriod())
                .isEqualTo(Duration.ofSeconds(2));
        assertThat(options.endpointSliceBatchPeriod()).isZero();
    }
}
