package io.github.reconciler4j.controllers.differential;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.github.reconciler4j.controllers.ControllersOptions;
import io.github.reconciler4j.test.kubernetes.NeedsKubernetes;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The controllers in this JVM, without the application, do the same as Kubernetes' own. */
@Tag("whole")
@NeedsKubernetes("1.37")
class InJvmIntegrationTests {

    private static final String[] NAMES = {"deployment", "replicaset"};

    /** Creates a Deployment, changes its image and scales it. */
    private static final class Rollouts extends History {

        private static final Map<String, String> LABELS = Map.of("app", "web");

        Rollouts(TwoClusters clusters, RunningControllers controllers) {
            super(clusters, controllers, "in-jvm");
        }

        void play() {
            playSteps(3, true);
        }

        @Override
        protected Step step(int index) {
            return switch (index) {
                case 0 -> new Step("create", false, this::create);
                case 1 ->
                    new Step(
                            "set image",
                            true,
                            client -> client.apps()
                                    .deployments()
                                    .inNamespace(namespace())
                                    .withName("web")
                                    .edit(web -> new DeploymentBuilder(web)
                                            .editSpec()
                                            .editTemplate()
                                            .editSpec()
                                            .editFirstContainer()
                                            .withImage("app:2")
                                            .endContainer()
                                            .endSpec()
                                            .endTemplate()
                                            .endSpec()
                                            .build()));
                default ->
                    new Step(
                            "scale",
                            true,
                            client -> client.apps()
                                    .deployments()
                                    .inNamespace(namespace())
                                    .withName("web")
                                    .scale(5));
            };
        }

        private void create(KubernetesClient client) {
            client.resource(new DeploymentBuilder()
                            .withNewMetadata()
                            .withNamespace(namespace())
                            .withName("web")
                            .endMetadata()
                            .withNewSpec()
                            .withReplicas(3)
                            .withNewSelector()
                            .withMatchLabels(LABELS)
                            .endSelector()
                            .withNewTemplate()
                            .withNewMetadata()
                            .withLabels(LABELS)
                            .endMetadata()
                            .withNewSpec()
                            .addNewContainer()
                            .withName("main")
                            .withImage("app:1")
                            .endContainer()
                            .endSpec()
                            .endTemplate()
                            .endSpec()
                            .build())
                    .create();
        }

        @Override
        protected List<String> snapshot(KubernetesClient client) {
            return Snapshot.of(client, namespace());
        }

        @Override
        protected boolean areEqual(List<String> upstream, List<String> ours) {
            return Snapshot.areEqual(upstream, ours) && upstream.size() > 2;
        }

        @Override
        protected boolean isQuiet(List<String> lines) {
            return lines.stream().noneMatch(line -> line.contains(" deleting=true") || line.contains("observed=false"));
        }
    }

    @Test
    void deploymentWhenItRollsOutOnBothClustersEndsEqual() {
        try (TwoClusters clusters = TwoClusters.start(NAMES);
                ControllersInJvm controllers =
                        ControllersInJvm.start(clusters.ourCluster().config(), ControllersOptions.defaults(), NAMES)) {
            new Rollouts(clusters, controllers).play();

            assertThat(controllers.manager().status().components())
                    .extracting(component -> component.name())
                    .contains(NAMES);
        }
    }
}
