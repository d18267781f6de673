package io.github.reconciler4j.examples;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatusBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.github.reconciler4j.test.cluster.TestCluster;
import io.github.reconciler4j.test.spring.OperatorTest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

@OperatorTest(classes = ShopTests.Application.class)
class ShopTests {

    @EnableAutoConfiguration
    @Import(ShopReconciler.class)
    static class Application {}

    private static Shop shop(String namespace) {
        Shop shop = new Shop();
        shop.setMetadata(new ObjectMetaBuilder()
                .withNamespace(namespace)
                .withName("corner")
                .build());
        shop.getSpec().setImage("example.com/shop:1");
        shop.getSpec().setIngressEnabled(true);
        shop.getSpec().setServices(List.of("web", "admin"));
        return shop;
    }

    private static void makeReady(TestCluster cluster, Deployment deployment) {
        deployment.setStatus(new DeploymentStatusBuilder()
                .withObservedGeneration(deployment.getMetadata().getGeneration())
                .withReplicas(1)
                .withUpdatedReplicas(1)
                .withAvailableReplicas(1)
                .withReadyReplicas(1)
                .build());
        cluster.client().resource(deployment).updateStatus();
    }

    @Test
    void shopHasWhatItsSpecAsksForAndLosesTheRest(TestCluster cluster) {
        String namespace = cluster.createNamespace("shops");
        cluster.client().resource(shop(namespace)).create();
        cluster.expect(Ingress.class, namespace, "corner").toExist();
        cluster.expect(Shop.class, namespace, "corner").toHaveCondition("Ready", "False");
        makeReady(
                cluster,
                cluster.client()
                        .resources(Deployment.class)
                        .inNamespace(namespace)
                        .withName("corner")
                        .get());
        cluster.expect(Service.class, namespace, "admin").toExist();
        cluster.expect(Shop.class, namespace, "corner").toHaveCondition("Ready", "True");

        cluster.client()
                .resources(Shop.class)
                .inNamespace(namespace)
                .withName("corner")
                .edit(shop -> {
                    shop.getSpec().setIngressEnabled(false);
                    shop.getSpec().setServices(List.of("web"));
                    return shop;
                });

        cluster.expect(Ingress.class, namespace, "corner").toBeGone();
        cluster.expect(Service.class, namespace, "admin").toBeGone();
        cluster.expect(Service.class, namespace, "web").toExist();
    }

    @Test
    void kindThatIsNotCreatedAnyMoreIsDeleted(TestCluster cluster) {
        String namespace = cluster.createNamespace("shops");
        Shop shop = cluster.client().resource(shop(namespace)).create();
        cluster.client()
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName("old")
                        .addNewOwnerReference()
                        .withApiVersion(shop.getApiVersion())
                        .withKind(shop.getKind())
                        .withName("corner")
                        .withUid(shop.getMetadata().getUid())
                        .withController(true)
                        .endOwnerReference()
                        .endMetadata()
                        .build())
                .create();

        cluster.expect(ConfigMap.class, namespace, "old").toBeGone();
    }

    @Test
    void childrenGoBeforeTheShop(TestCluster cluster) {
        String namespace = cluster.createNamespace("shops");
        cluster.client().resource(shop(namespace)).create();
        cluster.expect(Deployment.class, namespace, "corner").toExist();

        cluster.client()
                .resources(Shop.class)
                .inNamespace(namespace)
                .withName("corner")
                .delete();

        cluster.expect(Shop.class, namespace, "corner").toBeGone();
        cluster.expect(Deployment.class, namespace, "corner").toBeGone();
    }
}
