package io.github.reconciler4j.sample.controllers.differential;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesOptions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Two control planes: one with Kubernetes' own controllers, and one with ours in the place of four of them. */
final class TwoClusters implements AutoCloseable {

    static final String[] REPLACED = {"deployment", "replicaset", "endpoints", "endpointslice"};

    private final RealKubernetes upstreamCluster;
    private final RealKubernetes ourCluster;
    private final KubernetesClient upstream;
    private final KubernetesClient ours;
    private final InstalledChart chart;
    private final ControllersProcess process;

    TwoClusters() {
        CompletableFuture<RealKubernetes> first = CompletableFuture.supplyAsync(RealKubernetes::start);
        ourCluster = RealKubernetes.start(RealKubernetesOptions.defaults().withoutControllers(REPLACED));
        upstreamCluster = first.join();
        upstream = new KubernetesClientBuilder()
                .withConfig(upstreamCluster.config())
                .build();
        ours = new KubernetesClientBuilder().withConfig(ourCluster.config()).build();
        both(TwoClusters::labelNodes);
        chart = InstalledChart.install(ourCluster);
        process = chart.start().awaitReady();
    }

    /** Zones for hints. */
    private static void labelNodes(KubernetesClient client) {
        for (String node : List.of("node-1", "node-2")) {
            client.nodes().withName(node).edit(n -> {
                n.getMetadata().getLabels().put("topology.kubernetes.io/zone", "zone-of-" + node);
                return n;
            });
        }
    }

    KubernetesClient upstream() {
        return upstream;
    }

    KubernetesClient ours() {
        return ours;
    }

    InstalledChart chart() {
        return chart;
    }

    /** Run kubectl on both clusters, one after the other, and return what it printed for upstream and for ours. */
    List<String> kubectl(String... arguments) {
        return List.of(upstreamCluster.kubectl(arguments), ourCluster.kubectl(arguments));
    }

    ControllersProcess process() {
        return process;
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
        process.close();
        upstream.close();
        ours.close();
        upstreamCluster.close();
        ourCluster.close();
    }
}
