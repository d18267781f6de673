package io.github.reconciler4j.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.github.reconciler4j.cluster.Clusters;
import io.github.reconciler4j.cluster.KubeconfigSecrets;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.test.KubernetesServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;

/** Applications whose clusters come from properties. */
class ClusterPropertiesTests extends RunningOperatorFixture {

    @TempDir
    private Path folder;

    private static void createAt(Manager manager, String cluster, String name) {
        Clusters.of(manager)
                .find(cluster)
                .orElseThrow()
                .client()
                .create(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName(name)
                        .endMetadata()
                        .build());
    }

    @Test
    void clustersWhenTheyComeFromAFolderAndSecretsAreReconciledAsSelected() throws IOException {
        try (KubernetesServer away = KubernetesServer.start()) {
            away.writeKubeconfig(folder.resolve("east.yaml"));
            ConfigurableApplicationContext context = run(
                    server.clientConfig(),
                    "--reconciler4j.controllers.maps.clusters=*,-west",
                    "--reconciler4j.clusters.folder=" + folder,
                    "--reconciler4j.clusters.secrets.enabled=true",
                    "--reconciler4j.clusters.secrets.namespace=default");
            Manager manager = context.getBean(Manager.class);
            manager.client()
                    .create(new SecretBuilder()
                            .withNewMetadata()
                            .withNamespace("default")
                            .withName("west")
                            .withLabels(Map.of(KubeconfigSecrets.LABEL, "true"))
                            .endMetadata()
                            .withStringData(Map.of("kubeconfig", Files.readString(folder.resolve("east.yaml"))))
                            .build());
            eventually("both join").until(() -> Clusters.of(manager).joined().size() == 2);
            create(context, "at-home");
            createAt(manager, "east", "at-east");
            eventually("it is reconciled")
                    .until(() -> operator(context).reconciled.contains("at-east"));
            assertThat(operator(context).reconciled).doesNotContain("at-home");
            assertThat(manager.components())
                    .extracting(component -> component.name())
                    .contains("maps@east")
                    .doesNotContain("maps", "maps@west");
        }
    }

    @Test
    void clustersWhenHomeIsNamedIncludeIt() {
        ConfigurableApplicationContext context =
                run(server.clientConfig(), "--reconciler4j.controllers.maps.clusters=home,*");
        create(context, "at-home");
        eventually("it is reconciled").until(() -> operator(context).reconciled.contains("at-home"));
    }
}
