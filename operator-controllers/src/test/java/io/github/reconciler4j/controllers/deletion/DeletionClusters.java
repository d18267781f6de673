package io.github.reconciler4j.controllers.deletion;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.github.reconciler4j.controllers.ControllersOptions;
import io.github.reconciler4j.controllers.internal.garbagecollector.GarbageCollectorController;
import io.github.reconciler4j.controllers.internal.namespace.NamespaceController;
import io.github.reconciler4j.controllers.internal.replicationcontroller.ReplicationControllerController;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.test.kubernetes.KubernetesComponent;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesOptions;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Two control planes: one with Kubernetes' own controllers, and one with ours in the place of some. */
final class DeletionClusters implements AutoCloseable {

    private static final RealKubernetesOptions OPTIONS =
            RealKubernetesOptions.defaults().withOnly(KubernetesComponent.CONTROLLER_MANAGER);

    private final RealKubernetes upstreamCluster;
    private final RealKubernetes ourCluster;
    private final KubernetesClient upstream;
    private final KubernetesClient ours;
    private final Manager manager;

    DeletionClusters() {
        CompletableFuture<RealKubernetes> first = CompletableFuture.supplyAsync(() -> RealKubernetes.start(OPTIONS));
        ourCluster = RealKubernetes.start(
                OPTIONS.withoutControllers("namespace", "garbage-collector", "replicationcontroller"));
        upstreamCluster = first.join();
        upstream = new KubernetesClientBuilder()
                .withConfig(upstreamCluster.config())
                .build();
        ours = new KubernetesClientBuilder().withConfig(ourCluster.config()).build();
        manager = Manager.create(ourCluster.config());
        NamespaceController.builder(manager, ControllersOptions.defaults()).addTo(manager);
        GarbageCollectorController.builder(manager, ControllersOptions.defaults())
                .addTo(manager);
        ReplicationControllerController.builder(manager, ControllersOptions.defaults())
                .addTo(manager);
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

    @Override
    public void close() {
        manager.close();
        upstream.close();
        ours.close();
        upstreamCluster.close();
        ourCluster.close();
    }
}
