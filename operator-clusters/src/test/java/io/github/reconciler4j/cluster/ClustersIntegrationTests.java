package io.github.reconciler4j.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.test.kubernetes.AnyKubernetes;
import io.github.reconciler4j.test.kubernetes.AnyKubernetesTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An API server that is two clusters: the controller of the other one works until that leaves, and again when it has come back. */
@Timeout(300)
@AnyKubernetesTest
class ClustersIntegrationTests {

    @TempDir
    private Path folder;

    private final AnyKubernetes kubernetes;
    private final String namespace;
    private final Manager manager;
    private final Clusters clusters;
    private final Set<String> reconciled = ConcurrentHashMap.newKeySet();

    ClustersIntegrationTests(AnyKubernetes kubernetes) {
        this.kubernetes = kubernetes;
        namespace = kubernetes.createNamespace("clusters");
        manager = Manager.create(kubernetes.config(), ManagerOptions.defaults().withName("clusters-it"));
        clusters = Clusters.of(manager);
    }

    @AfterEach
    void close() {
        manager.close();
    }

    private static ConditionFactory await(String what) {
        return Awaitility.await(what).atMost(Duration.ofSeconds(90)).pollInterval(Duration.ofMillis(100));
    }

    private ConfigMap map(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .build();
    }

    private Result copy(ConfigMap map, ReconcileContext context) {
        context.client()
                .apply(new SecretBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(map.getMetadata().getName())
                        .addToLabels("cluster", context.cluster())
                        .endMetadata()
                        .build());
        manager.recorder().normal(map, "Copied", "Copy", "in " + context.cluster());
        reconciled.add(map.getMetadata().getName() + " in " + context.cluster());
        return Result.done();
    }

    private boolean isCopied(String name) {
        return manager.client()
                .live()
                .get(Secret.class, ObjectKey.of(namespace, name))
                .filter(secret -> "east".equals(secret.getMetadata().getLabels().get("cluster")))
                .isPresent();
    }

    private boolean hasEvent(String name) {
        return manager.client().live().list(Kind.of(Event.class), Selection.inNamespace(namespace)).stream()
                .anyMatch(event -> event.getRegarding().getName().equals(name) && "in east".equals(event.getNote()));
    }

    @Test
    void controllerOfAnotherClusterWorksThereWhileItIsThere() throws IOException {
        var builder =
                ControllerBuilder.of(ConfigMap.class).inNamespaces(namespace).reconciler(this::copy);
        clusters.addControllers(builder, cluster -> !cluster.name().isEmpty());
        ClusterProviders.add(manager, KubeconfigFolder.of(folder).withInterval(Duration.ofMillis(200)));
        manager.start();
        Path file = Files.copy(kubernetes.kubeconfig(), folder.resolve("east.yaml"));
        manager.client().create(map("first"));
        await("it is copied").until(() -> isCopied("first") && hasEvent("first"));

        Files.delete(file);
        await("it leaves").until(() -> clusters.joined().isEmpty());
        await("its controller ends").until(() -> manager.components().size() == 1);
        reconciled.clear();
        manager.client().create(map("second"));
        assertThat(manager.client().live().get(Secret.class, ObjectKey.of(namespace, "second")))
                .isEmpty();

        Files.copy(kubernetes.kubeconfig(), file);
        await("all are reconciled again")
                .until(() -> reconciled.containsAll(Set.of("first in east", "second in east")));
        await("the second is copied").until(() -> isCopied("second") && hasEvent("second"));
        assertThat(manager.checkPermissions().missing()).isEmpty();
    }
}
