package io.github.reconciler4j.examples;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.cluster.ClusterListener;
import io.github.reconciler4j.cluster.ClusterProviders;
import io.github.reconciler4j.cluster.Clusters;
import io.github.reconciler4j.cluster.KubeconfigFolder;
import io.github.reconciler4j.cluster.KubeconfigSecrets;
import io.github.reconciler4j.handler.EventHandlers;
import io.github.reconciler4j.manager.Cluster;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.source.KindSource;
import java.nio.file.Path;
import java.util.List;

/** Controllers in several clusters. */
final class ClusterUse {

    private ClusterUse() {}

    /** A custom resource that asks for a greeting. */
    @Group("examples.reconciler4j.io")
    @Version("v1")
    public static class Greeting extends CustomResource<Void, Void> {

        private static final long serialVersionUID = 1L;
    }

    static void join(Manager manager) {
        ClusterProviders.add(manager, KubeconfigSecrets.in(manager, "fleet"));
        ClusterProviders.add(manager, KubeconfigFolder.of(Path.of("/etc/clusters")));
    }

    static void everywhere(Manager manager) {
        var controllers = ControllerBuilder.of(Greeting.class)
                .owns(ConfigMap.class)
                .reconciler((greeting, context) -> {
                    context.client().apply(card(greeting));
                    return Result.done();
                });
        Clusters clusters = Clusters.of(manager);
        clusters.addControllers(controllers, cluster -> !cluster.name().isEmpty());
    }

    private static ConfigMap card(Greeting greeting) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(greeting.getMetadata().getNamespace())
                .withName(greeting.getMetadata().getName())
                .endMetadata()
                .build();
    }

    static void hub(Manager manager) {
        var hub = ControllerBuilder.forRequests("hub", Request.class)
                .watches(Greeting.class, greeting -> List.of(Request.of(greeting)))
                .reconciler((request, context) -> {
                    Clusters.of(manager)
                            .joined()
                            .forEach(cluster -> cluster.client().list(ConfigMap.class));
                    return Result.done();
                })
                .addTo(manager);
        Clusters.of(manager).addListener(new ClusterListener() {
            @Override
            public void joined(Cluster cluster) {
                hub.watch(new KindSource<>(
                        cluster.cache().informer(ConfigMap.class), EventHandlers.forObject(), event -> true));
            }
        });
    }
}
