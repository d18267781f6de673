package io.github.reconciler4j.builder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.controller.ControllerSelection;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.source.ChannelSource;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    private static List<AbstractControllerBuilder<?, ?>> three() {
        return List.of(
                deployments(),
                deployments().named("second"),
                ControllerBuilder.forRequests("third", String.class)
                        .source(ChannelSource.ofRequests("third"))
                        .reconciler((request, context) -> Result.done()));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            *                | deployment second third
            *,-second        | deployment third
            third            | third
            third,deployment | deployment third
            """)
    void controllersThatASelectionEnablesAreAdded(String words, String expected) {
        try (Manager manager = Manager.create(config())) {
            List<Controller<?>> added =
                    ControllerBuilder.addSelected(manager, ControllerSelection.of(List.of(words.split(","))), three());
            assertThat(added).extracting(ManagedComponent::name).containsExactly(expected.split(" "));
            assertThat(manager.components()).isEqualTo(added);
        }
    }

    @Test
    void selectionWhenItNamesNoBuilderAddsNothing() {
        try (Manager manager = Manager.create(config())) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ControllerBuilder.addSelected(
                            manager, ControllerSelection.of(List.of("*", "-fourth")), three()))
                    .withMessage("There are no controllers named [fourth]; known are [deployment, second, third]");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ControllerBuilder.addSelected(
                            manager, ControllerSelection.defaults(), List.of(deployments(), deployments())))
                    .withMessage("Two builders have the name 'deployment': call named(...)");
            assertThat(manager.components()).isEmpty();
        }
    }

    @Test
    void controllersWhenOneCannotBeAddedAreNotAdded() {
        try (Manager manager = Manager.create(config())) {
            Controller<?> taken = deployments().named("third").addTo(manager);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ControllerBuilder.addSelected(manager, ControllerSelection.defaults(), three()))
                    .withMessageContaining("third");
            assertThat(manager.components()).isEqualTo(List.of(taken));
            assertThat(ControllerBuilder.addSelected(
                            manager, ControllerSelection.of(List.of("deployment", "second")), three()))
                    .as("the names are free")
                    .hasSize(2);
        }
    }

    @Test
    void controllersWhenOneCannotBeBuiltAreNotAdded() {
        try (Manager manager = Manager.create(config())) {
            List<AbstractControllerBuilder<?, ?>> builders =
                    List.of(deployments(), ControllerBuilder.forRequests("none", String.class)); // without a reconciler
            assertThatIllegalStateException()
                    .isThrownBy(() -> ControllerBuilder.addSelected(manager, ControllerSelection.defaults(), builders))
                    .withMessageContaining("none");
            assertThat(manager.components()).isEmpty();
        }
    }

    /** Return the configuration of a cluster that is never asked. */
    private static Config config() {
        return new ConfigBuilder(Config.empty())
                .withMasterUrl("http://127.0.0.1:1")
                .build();
    }
}
