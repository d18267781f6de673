package io.github.reconciler4j.controllers.differential.sets;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.github.reconciler4j.builder.AbstractControllerBuilder;
import io.github.reconciler4j.controller.ControllerSelection;
import io.github.reconciler4j.controllers.ControllersOptions;
import io.github.reconciler4j.controllers.KubernetesControllers;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesOptions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Two control planes: one with Kubernetes' own StatefulSet and DaemonSet controllers, and one with ours in this JVM. */
final class SetClusters implements AutoCloseable {

    private static final String[] REPLACED = {"daemonset", "statefulset"};

    private final RealKubernetes upstreamCluster;
    private final RealKubernetes ourCluster;
    private final KubernetesClient upstream;
    private final KubernetesClient ours;
    private final Manager manager;

    SetClusters() {
        CompletableFuture<RealKubernetes> first = CompletableFuture.supplyAsync(RealKubernetes::start);
        ourCluster = RealKubernetes.start(RealKubernetesOptions.defaults().withoutControllers(REPLACED));
        upstreamCluster = first.join();
        upstream = new KubernetesClientBuilder()
                .withConfig(upstreamCluster.config())
                .build();
        ours = new KubernetesClientBuilder().withConfig(ourCluster.config()).build();
        manager = Manager.create(ourCluster.config());
        AbstractControllerBuilder.addSelected(
                manager,
                ControllerSelection.of(List.of(REPLACED)),
                KubernetesControllers.builders(manager, ControllersOptions.defaults()));
        manager.start();
    }

    KubernetesClient upstream() {
        return upstream;
    }

    KubernetesClient ours() {
        return ours;
    }

    /** Do the same on both clusters, at the same time. */
    void both(Consumer<KubernetesClient> action) {
        CompletableFuture<Void> other = CompletableFuture.runAsync(() -> action.accept(upstream));
        action.accept(ours);
        other.join();
    }

    void createNamespace(String name) {
        both(client -> {
            client.namespaces()
                    .resource(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName(name)
                            .endMetadata()
                            .build())
                    .create();
            while (client.serviceAccounts()
                            .inNamespace(name)
                            .withName("default")
                            .get()
                    == null) {
                Thread.onSpinWait();
            }
        });
    }

    void deleteNamespace(String name) {
        both(client -> client.namespaces().withName(name).delete());
    }

    @Override
    public void close() {
        manager.close();
        upstream.close();
        ours.close();
        upstreamCluster.close();
        ourCluster.close();
    }
}
