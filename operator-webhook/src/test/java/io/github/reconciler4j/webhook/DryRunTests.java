package io.github.reconciler4j.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.github.reconciler4j.client.ApplyOptions;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.DryRunScope;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.test.KubernetesServer;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

class DryRunTests {

    private static ConfigMap map(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .build();
    }

    @Test
    void writesWhenInTheScopeOfDryRunsAreNotStored() throws Exception {
        try (KubernetesServer server = KubernetesServer.start();
                Manager manager = Manager.create(server.clientConfig())) {
            Client client = manager.client();
            client.create(map("stored"));

            DryRunScope.call(() -> client.create(map("created")));
            DryRunScope.call(() -> client.applyUnconditionally(map("applied"), ApplyOptions.defaults()));
            Callable<Boolean> deletion =
                    DryRunScope.call(() -> DryRunScope.inherit(() -> client.delete(map("stored"))));
            deletion.call();

            assertThat(client.live().get(ConfigMap.class, "default", "created")).isEmpty();
            assertThat(client.live().get(ConfigMap.class, "default", "applied")).isEmpty();
            assertThat(client.live().get(ConfigMap.class, "default", "stored")).isPresent();
            client.create(map("created"));
        }
    }
}
