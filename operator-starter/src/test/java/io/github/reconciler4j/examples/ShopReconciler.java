package io.github.reconciler4j.examples;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.networking.v1.IngressBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.objectset.ObjectSet;
import io.github.reconciler4j.objectset.ObjectSetResult;
import io.github.reconciler4j.objectset.ObjectSets;
import io.github.reconciler4j.reconcile.Cleaner;
import io.github.reconciler4j.reconcile.CleanupResult;
import io.github.reconciler4j.reconcile.Conditions;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.spring.Permission;
import io.github.reconciler4j.spring.Prunes;
import io.github.reconciler4j.spring.Reconciler;
import java.time.Duration;
import java.util.List;
import java.util.Map;

@Reconciler(
        owns = {Deployment.class, Service.class, Ingress.class},
        permissions = {
            @Permission(
                    group = "apps",
                    resources = "deployments",
                    verbs = {"get", "create", "patch", "delete"}),
            @Permission(
                    resources = "services",
                    verbs = {"get", "create", "patch", "delete"}),
            @Permission(
                    group = "networking.k8s.io",
                    resources = "ingresses",
                    verbs = {"get", "create", "patch", "delete"}),
            @Permission(
                    group = "route.openshift.io",
                    resources = "routes",
                    verbs = {"get", "list", "watch", "create", "patch", "delete"}),
            @Permission(group = "examples.reconciler4j.io", resources = "shops", verbs = "patch"),
            @Permission(group = "examples.reconciler4j.io", resources = "shops/status", verbs = "patch")
        })
@Prunes(ConfigMap.class)
class ShopReconciler implements ObjectReconciler<Shop>, Cleaner<Shop> {

    private static final Kind<GenericKubernetesResource> ROUTE = Kind.of("route.openshift.io/v1", "Route");

    private final Client client;
    private final ObjectSets sets;

    ShopReconciler(Client client, ObjectSets sets) {
        this.client = client;
        this.sets = sets;
    }

    @Override
    public Result reconcile(Shop shop, ReconcileContext context) {
        ObjectSetResult result = sets.reconcile(children(shop));
        client.status()
                .edit(
                        shop,
                        changed ->
                                result.report(Conditions.of(changed.getStatus().getConditions(), changed)));
        return result.toResult();
    }

    @Override
    public CleanupResult cleanup(Shop shop, ReconcileContext context) {
        return sets.delete(children(shop)).toCleanupResult();
    }

    private static ObjectSet children(Shop shop) {
        return ObjectSet.ownedBy(shop)
                .when(shop.getSpec().isIngressEnabled(), s -> s.apply(ingressFor(shop)))
                .apply(deploymentFor(shop))
                .untilReady()
                .within(Duration.ofMinutes(10))
                .then(s -> s.applyAll(Service.class, servicesFor(shop)))
                .ifServed(ROUTE, s -> s.apply(routeFor(shop)));
    }

    private static ObjectMeta named(String name) {
        return new ObjectMetaBuilder().withName(name).build();
    }

    private static Ingress ingressFor(Shop shop) {
        return new IngressBuilder()
                .withMetadata(named(shop.getMetadata().getName()))
                .withNewSpec()
                .withNewDefaultBackend()
                .withNewService()
                .withName("web")
                .withNewPort()
                .withNumber(80)
                .endPort()
                .endService()
                .endDefaultBackend()
                .endSpec()
                .build();
    }

    private static Deployment deploymentFor(Shop shop) {
        Map<String, String> labels = Map.of("app", shop.getMetadata().getName());
        return new DeploymentBuilder()
                .withMetadata(named(shop.getMetadata().getName()))
                .withNewSpec()
                .withNewSelector()
                .withMatchLabels(labels)
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .withLabels(labels)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("shop")
                .withImage(shop.getSpec().getImage())
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }

    private static List<Service> servicesFor(Shop shop) {
        return shop.getSpec().getServices().stream()
                .map(name -> new ServiceBuilder()
                        .withMetadata(named(name))
                        .withNewSpec()
                        .addToSelector("app", shop.getMetadata().getName())
                        .addNewPort()
                        .withPort(80)
                        .endPort()
                        .endSpec()
                        .build())
                .toList();
    }

    private static HasMetadata routeFor(Shop shop) {
        GenericKubernetesResource route = new GenericKubernetesResource();
        route.setApiVersion(ROUTE.apiVersion());
        route.setKind(ROUTE.kind());
        route.setMetadata(named(shop.getMetadata().getName()));
        route.setAdditionalProperty("spec", Map.of("to", Map.of("kind", "Service", "name", "web")));
        return route;
    }
}
