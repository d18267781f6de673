package io.github.reconciler4j.controllers.differential;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesOptions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Two control planes: one with Kubernetes' own controllers, and one without some of them, whose place ours take. */
public final class TwoClusters implements AutoCloseable {

    private final RealKubernetes upstreamCluster;
    private final RealKubernetes ourCluster;
    private final KubernetesClient upstream;
    private final KubernetesClient ours;

    private TwoClusters(RealKubernetesOptions options, String... replaced) {
        CompletableFuture<RealKubernetes> first = CompletableFuture.supplyAsync(() -> RealKubernetes.start(options));
        ourCluster = RealKubernetes.start(options.withoutControllers(replaced));
        upstreamCluster = first.join();
        upstream = new KubernetesClientBuilder()
                .withConfig(upstreamCluster.config())
                .build();
        ours = new KubernetesClientBuilder().withConfig(ourCluster.config()).build();
        both(TwoClusters::labelNodes);
    }

    /** Start both with all components. On ours, the controller manager does not run the replaced controllers. */
    public static TwoClusters start(String... replaced) {
        return start(RealKubernetesOptions.defaults(), replaced);
    }

    /** Start both. On ours, the controller manager does not run the replaced controllers. */
    public static TwoClusters start(RealKubernetesOptions options, String... replaced) {
        return new TwoClusters(options, replaced);
    }

    /** Zones for hints. */
    private static void labelNodes(KubernetesClient client) {
        for (String node : List.of("node-1", "node-2")) {
            if (client.nodes().withName(node).get() != null) {
                client.nodes().withName(node).edit(n -> {
                    n.getMetadata().getLabels().put("topology.kubernetes.io/zone", "zone-of-" + node);
                    return n;
                });
            }
        }
    }

    /** Return the client of the cluster with Kubernetes' own controllers. */
    public KubernetesClient upstream() {
        return upstream;
    }

    /** Return the client of the cluster with our controllers. */
    public KubernetesClient ours() {
        return ours;
    }

    /** Return the cluster whose missing controllers ours replace. */
    public RealKubernetes ourCluster() {
        return ourCluster;
    }

    /** Run kubectl on both clusters, one after the other, and return what it printed for upstream and for ours. */
    public List<String> kubectl(String... arguments) {
        return List.of(upstreamCluster.kubectl(arguments), ourCluster.kubectl(arguments));
    }

    /** Do the same on both clusters, at the same time. */
    public void both(Consumer<KubernetesClient> action) {
        CompletableFuture<Void> other = CompletableFuture.runAsync(() -> action.accept(upstream));
        action.accept(ours);
        other.join();
    }

    /** Create a namespace on both clusters, and wait for its service account. */
    public void createNamespace(String name) {
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

    /** Delete a namespace on both clusters. */
    public void deleteNamespace(String name) {
        both(client -> client.namespaces().withName(name).delete());
    }

    @Override
    public void close() {
        upstream.close();
        ours.close();
        upstreamCluster.close();
        ourCluster.close();
    }
}
