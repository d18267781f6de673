package io.github.reconciler4j.builder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.Result;
import org.junit.jupiter.api.Test;

/** Names of controllers are unique in a manager, and several managers know nothing of each other. */
class ControllerNamesTests {

    private static ControllerBuilder<Deployment> deployments() {
        return ControllerBuilder.of(Deployment.class).requestReconciler((request, context) -> Result.done());
    }

    @Test
    void controllersOfOneKindNeedDifferentNamesInOneManager() {
        try (Manager manager = Manager.create(config());
                Manager another = Manager.create(config())) {
            deployments().addTo(manager);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> deployments().addTo(manager))
                    .withMessageContaining("deployment");
            deployments().named("second").addTo(manager);
            deployments().addTo(another);
            assertThat(manager.components()).extracting(ManagedComponent::name).containsExactly("deployment", "second");
            assertThat(another.components()).hasSize(1);
        }
    }

    /** Return the configuration of a cluster that is never asked. */
    private static Config config() {
        return new ConfigBuilder(Config.empty())
                .withMasterUrl("http://127.0.0.1:1")
                .build();
    }
}
