package io.github.reconciler4j.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.github.reconciler4j.test.kubernetes.KubernetesComponent;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A GitOps controller that deletes all objects of the chart in any order, without hooks, while no process of the operator runs.
 * Argo CD keeps definitions, and Flux deletes them. {@code -Dgitops.orders=20} tries more orders, as in nightly, {@code -Dgitops.seed=7} others.
 */
@Tag("whole")
class GitOpsUninstallIntegrationTests {

    private static final String NAMESPACE = "operators";
    private static final String DEFINITION = "webapps.apps.reconciler4j.io";
    private static final int ORDERS = Integer.getInteger("gitops.orders", 2);
    private static final long SEED = Long.getLong("gitops.seed", 1);
    private static final Duration MINUTE = Duration.ofSeconds(60);

    private static RealKubernetes kubernetes;
    private static KubernetesClient admin;

    @BeforeAll
    static void start() {
        kubernetes =
                RealKubernetes.start(RealKubernetesOptions.defaults().withOnly(KubernetesComponent.CONTROLLER_MANAGER));
        admin = new KubernetesClientBuilder().withConfig(kubernetes.config()).build();
        createNamespace(NAMESPACE);
    }

    @AfterAll
    static void stop() {
        admin.close();
        kubernetes.close();
    }

    private static void createNamespace(String name) {
        admin.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
    }

    /** The objects of the chart that are no hooks. Definitions come first, as GitOps controllers sort them. */
    private static List<HasMetadata> chart() {
        List<HasMetadata> objects = new ArrayList<>(Chart.render(Map.of()));
        objects.removeIf(object -> object.getMetadata().getAnnotations() != null
                && object.getMetadata().getAnnotations().containsKey("helm.sh/hook"));
        objects.sort((a, b) -> Boolean.compare(isDefinition(b), isDefinition(a)));
        return objects;
    }

    private static boolean isDefinition(HasMetadata object) {
        return object instanceof CustomResourceDefinition;
    }

    private static void apply(HasMetadata object) {
        admin.resource(object)
                .patch(
                        new PatchContext.Builder()
                                .withPatchType(PatchType.SERVER_SIDE_APPLY)
                                .withFieldManager("gitops")
                                .withForce(true)
                                .build(),
                        object);
    }

    /** Objects of the kind are created before the webhooks, which no process serves. */
    private static void install(String tenant, List<HasMetadata> chart) {
        createNamespace(tenant);
        for (HasMetadata object : chart) {
            apply(object);
            if (isDefinition(object)) {
                awaitEstablished();
                await("the kind is served")
                        .atMost(MINUTE)
                        .ignoreException(KubernetesClientException.class)
                        .until(() -> create(tenant, "one") && create(tenant, "two"));
            }
        }
        assertThat(chart)
                .allSatisfy(object -> assertThat(admin.resource(object).get())
                        .as(object.getKind() + " " + object.getMetadata().getName())
                        .isNotNull());
    }

    private static void awaitEstablished() {
        await("the definition is established")
                .atMost(MINUTE)
                .untilAsserted(() -> assertThat(definition().getStatus().getConditions())
                        .anyMatch(condition -> condition.getType().equals("Established")
                                && condition.getStatus().equals("True")));
    }

    private static CustomResourceDefinition definition() {
        return admin.resources(CustomResourceDefinition.class)
                .withName(DEFINITION)
                .get();
    }

    private static boolean create(String tenant, String name) {
        if (webApps("v1").inNamespace(tenant).withName(name).get() == null) {
            kubernetes.kubectlWithInput(WebApps.yaml(name, "replicas: 1"), "create", "-n", tenant, "-f", "-");
        }
        return true;
    }

    private static io.fabric8.kubernetes.client.dsl.MixedOperation<
                    GenericKubernetesResource,
                    GenericKubernetesResourceList,
                    io.fabric8.kubernetes.client.dsl.Resource<GenericKubernetesResource>>
            webApps(String version) {
        return admin.genericKubernetesResources("apps.reconciler4j.io/" + version, "WebApp");
    }

    @Test
    void clusterWhenAllObjectsOfTheChartAreDeletedAtOnceStillListsAndDeletes() {
        for (int order = 0; order < ORDERS; order++) {
            Random random = new Random(SEED + order);
            boolean keepsDefinitions = order % 2 == 0;
            String tenant = "tenant-" + order;
            List<HasMetadata> chart = chart();
            install(tenant, chart);
            List<HasMetadata> deleted = new ArrayList<>(chart);
            deleted.removeIf(object -> keepsDefinitions && isDefinition(object));
            Collections.shuffle(deleted, random);

            deleted.forEach(object -> admin.resource(object)
                    .withPropagationPolicy(DeletionPropagation.BACKGROUND)
                    .delete());

            String what =
                    "order " + (SEED + order) + (keepsDefinitions ? ", definitions kept: " : ": ") + names(deleted);
            long start = System.nanoTime();
            awaitDeleted(what, deleted);
            assertEveryKindLists(what);
            assertObjects(what, tenant, keepsDefinitions);
            assertGarbageIsCollected(what, tenant);
            assertNamespaceEnds(what, tenant);
            System.out.println(
                    what + ": " + Duration.ofNanos(System.nanoTime() - start).toSeconds() + " s");
        }
    }

    private static List<String> names(List<HasMetadata> objects) {
        return objects.stream()
                .map(object -> object.getKind() + "/" + object.getMetadata().getName())
                .toList();
    }

    private static void awaitDeleted(String what, List<HasMetadata> deleted) {
        await(what + ": all are deleted")
                .atMost(MINUTE)
                .until(() -> deleted.stream()
                        .allMatch(object -> admin.resource(object).get() == null));
    }

    /** In the versions that Kubernetes itself reads: garbage collector, namespace controller and kubectl use them. */
    private static void assertEveryKindLists(String what) {
        List<String> kinds = kubernetes
                .kubectl("api-resources", "--verbs=list", "--cached=false", "-o", "name")
                .lines()
                .toList();
        assertThat(kinds).as(what).hasSizeGreaterThan(40);
        kubernetes.kubectl("get", String.join(",", kinds), "-A", "-o", "name", "--ignore-not-found");
    }

    /**
     * A former version needs the conversion, and a request for it fails instead of returning objects that are not converted. Kubernetes
     * 1.31 can refuse it because the cache of that version does not fill without the conversion.
     */
    private static void assertObjects(String what, String tenant, boolean kept) {
        if (kept) {
            assertThat(webApps("v1").inNamespace(tenant).list().getItems())
                    .as(what)
                    .hasSize(2);
            assertThat(catchMessage(() -> webApps("v1beta1").inNamespace(tenant).list()))
                    .as(what)
                    .containsAnyOf("conversion webhook", "storage is (re)initializing");
        } else {
            assertThat(definition()).as(what).isNull();
        }
    }

    private static String catchMessage(Runnable request) {
        try {
            request.run();
            return "no error";
        } catch (KubernetesClientException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static void assertGarbageIsCollected(String what, String tenant) {
        ConfigMap owner = admin.resource(configMap(tenant, "owner").build()).create();
        admin.resource(configMap(tenant, "owned")
                        .editMetadata()
                        .addNewOwnerReference()
                        .withApiVersion("v1")
                        .withKind("ConfigMap")
                        .withName("owner")
                        .withUid(owner.getMetadata().getUid())
                        .endOwnerReference()
                        .endMetadata()
                        .build())
                .create();
        admin.resource(owner)
                .withPropagationPolicy(DeletionPropagation.BACKGROUND)
                .delete();
        await(what + ": the garbage collector works")
                .atMost(MINUTE)
                .until(() ->
                        admin.configMaps().inNamespace(tenant).withName("owned").get() == null);
    }

    private static ConfigMapBuilder configMap(String namespace, String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata();
    }

    private static void assertNamespaceEnds(String what, String tenant) {
        admin.namespaces().withName(tenant).delete();
        await(what + ": the namespace ends").atMost(MINUTE).untilAsserted(() -> {
            Namespace namespace = admin.namespaces().withName(tenant).get();
            assertThat(namespace == null ? null : namespace.getStatus()).isNull();
        });
    }
}
