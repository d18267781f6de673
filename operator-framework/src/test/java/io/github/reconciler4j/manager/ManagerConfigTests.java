package io.github.reconciler4j.manager;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.test.KubernetesServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Where a manager connects to, and what it leaves there. */
@Timeout(120)
class ManagerConfigTests {

    private final KubernetesServer first = KubernetesServer.start();
    private final KubernetesServer second = KubernetesServer.start();

    @TempDir
    private Path folder;

    @AfterEach
    void stop() {
        System.clearProperty("kubeconfig");
        first.close();
        second.close();
    }

    /** A kubeconfig with a context of the given name. */
    private Path kubeconfig(String context, KubernetesServer server) throws IOException {
        return Files.writeString(folder.resolve(context), """
                apiVersion: v1
                kind: Config
                clusters:
                - name: %1$s
                  cluster: {server: "%2$s", insecure-skip-tls-verify: true}
                users:
                - name: %1$s
                  user: {token: "%3$s"}
                contexts:
                - name: %1$s
                  context: {cluster: %1$s, user: %1$s}
                current-context: %1$s
                """.formatted(context, server.url(), server.adminToken()));
    }

    private static String serverOf(Config config) {
        try (Manager manager = Manager.create(config)) {
            manager.start();
            return manager.home().connection().server().toString();
        }
    }

    @Test
    void configWhenThereAreSeveralKubeconfigsUsesTheContextOfTheFirstUnlessNamed() throws Exception {
        Path a = kubeconfig("a", first);
        Path b = kubeconfig("b", second);
        System.setProperty("kubeconfig", a + ":" + folder.resolve("missing") + ":" + b);
        assertThat(serverOf(Config.autoConfigure(null))).contains(":" + first.port());
        assertThat(serverOf(Config.autoConfigure("b"))).contains(":" + second.port());
        System.setProperty("kubeconfig", b + ":" + a);
        assertThat(serverOf(Config.autoConfigure(null))).contains(":" + second.port());
        assertThat(serverOf(Config.autoConfigure("a"))).contains(":" + first.port());
    }

    @Test
    void startWhenGivenAConfigDoesNotModifyIt() {
        Config config = first.clientConfig();
        String before = Serialization.asYaml(config);
        try (Manager manager = Manager.create(config, ManagerOptions.defaults().withName("another-name"))) {
            manager.cache().informer(ConfigMap.class);
            manager.start();
            manager.client().live().list(ConfigMap.class);
        }
        assertThat(Serialization.asYaml(config)).isEqualTo(before);
    }

    @Test
    void recorderWhenAComponentRecordsWhileItStopsWritesTheEventToTheServer() {
        ConfigMap map = new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("one")
                .endMetadata()
                .build();
        Manager manager =
                Manager.create(first.clientConfig(), ManagerOptions.defaults().withName("shop"));
        manager.add(new ManagedComponent() {
            @Override
            public String name() {
                return "last";
            }

            @Override
            public StartGroup group() {
                return StartGroup.SERVERS;
            }

            @Override
            public void start() {}

            @Override
            public void stop(Duration grace) {
                manager.recorder().normal(map, "Stopped", "Stop", "last words");
            }
        });
        manager.start();
        manager.stop();
        try (Manager reader = Manager.create(first.clientConfig())) {
            assertThat(reader.client().live().list(Kind.of(Event.class), Selection.inNamespace("default")))
                    .filteredOn(event -> "last words".equals(event.getNote()))
                    .singleElement()
                    .satisfies(
                            event -> assertThat(event.getReportingController()).isEqualTo("reconciler4j.io/shop"));
        }
    }
}
