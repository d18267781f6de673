package io.github.reconciler4j.test.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What tests may count on from the shared instance. */
@RealKubernetesTest
class RealKubernetesIntegrationTests {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private static final String THINGS = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: things.example.io}
            spec:
              group: example.io
              scope: Namespaced
              names: {plural: things, singular: thing, kind: Thing}
              versions:
                - name: v1
                  served: true
                  storage: true
                  schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
            """;

    private static final String STORE = """
            apiVersion: apps/v1
            kind: StatefulSet
            metadata: {name: store}
            spec:
              replicas: 2
              serviceName: store
              selector: {matchLabels: {app: store}}
              template:
                metadata: {labels: {app: store}}
                spec:
                  containers:
                    - name: store
                      image: store
                      volumeMounts: [{name: data, mountPath: /data}]
              volumeClaimTemplates:
                - metadata: {name: data}
                  spec:
                    accessModes: [ReadWriteOnce]
                    resources: {requests: {storage: 1Gi}}
            """;

    private final RealKubernetes kubernetes;
    private final KubernetesClient admin;
    private final String namespace;

    RealKubernetesIntegrationTests(RealKubernetes kubernetes) {
        this.kubernetes = kubernetes;
        this.admin = client(kubernetes.config());
        this.namespace = kubernetes.createNamespace("real");
    }

    @BeforeEach
    void checkThatTheClientIsTheAdministrator() {
        assertThat(admin.getConfiguration().getClientCertData()).isNotNull();
    }

    @AfterEach
    void closeClient() {
        admin.close();
    }

    @Test
    void deploymentWhenCreatedGetsReadyPods() {
        kubernetes.kubectl("-n", namespace, "create", "deployment", "web", "--image=web", "--replicas=3");
        await("three ready pods").atMost(TIMEOUT).untilAsserted(() -> {
            List<Pod> pods = admin.pods().inNamespace(namespace).list().getItems();
            assertThat(pods).hasSize(3).allMatch(Readiness::isPodReady);
            assertThat(pods)
                    .allSatisfy(pod -> assertThat(pod.getSpec().getNodeName()).startsWith("node-"));
        });
        await("a ready Deployment")
                .atMost(TIMEOUT)
                .until(() -> admin.apps()
                        .deployments()
                        .inNamespace(namespace)
                        .withName("web")
                        .isReady());
    }

    @Test
    void statefulSetWhenItClaimsVolumesBecomesReadyAndItsClaimsAndVolumesCanGo() {
        kubernetes.kubectlWithInput(STORE, "-n", namespace, "create", "-f", "-");
        await("a ready StatefulSet")
                .atMost(TIMEOUT)
                .until(() -> admin.apps()
                        .statefulSets()
                        .inNamespace(namespace)
                        .withName("store")
                        .isReady());
        List<PersistentVolumeClaim> claims =
                admin.persistentVolumeClaims().inNamespace(namespace).list().getItems();
        assertThat(claims)
                .hasSize(2)
                .allSatisfy(claim -> assertThat(claim.getStatus().getPhase()).isEqualTo("Bound"));
        List<String> volumes =
                claims.stream().map(claim -> claim.getSpec().getVolumeName()).toList();
        assertThat(volumes)
                .allSatisfy(volume -> assertThat(
                                admin.persistentVolumes().withName(volume).get())
                        .isNotNull());
        kubernetes.kubectl("-n", namespace, "delete", "statefulset", "store");
        kubernetes.kubectl("-n", namespace, "delete", "persistentvolumeclaims", "--all", "--wait=false");
        await("the end of the claims")
                .atMost(TIMEOUT)
                .until(() -> admin.persistentVolumeClaims()
                        .inNamespace(namespace)
                        .list()
                        .getItems()
                        .isEmpty());
        await("the end of the volumes")
                .atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(volumes)
                        .allSatisfy(volume -> assertThat(admin.persistentVolumes()
                                        .withName(volume)
                                        .get())
                                .isNull()));
    }

    @Test
    void podWhenImageIsMissingStaysUnready() {
        kubernetes.kubectl("-n", namespace, "create", "deployment", "web", "--image=missing.example/web");
        await("a pod that waits for its image")
                .atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(
                                admin.pods().inNamespace(namespace).list().getItems())
                        .singleElement()
                        .satisfies(pod -> assertThat(pod.getStatus().getContainerStatuses())
                                .singleElement()
                                .satisfies(container -> assertThat(container
                                                .getState()
                                                .getWaiting()
                                                .getReason())
                                        .isEqualTo("ImagePullBackOff"))));
    }

    @Test
    void ownedObjectWhenOwnerIsDeletedGoesToo() {
        ConfigMap owner = admin.resource(configMap("owner").build())
                .inNamespace(namespace)
                .create();
        createOwned("v1", "ConfigMap", owner.getMetadata().getUid());
        admin.resource(owner).delete();
        awaitEndOfOwned();
    }

    @Test
    void objectOwnedByCustomResourceWhenOwnerIsDeletedGoesToo() {
        kubernetes.applyDefinitions(THINGS);
        kubernetes.kubectlWithInput(
                "{apiVersion: example.io/v1, kind: Thing, metadata: {name: owner}}",
                "-n",
                namespace,
                "create",
                "-f",
                "-");
        String uid = kubernetes.kubectl("-n", namespace, "get", "thing", "owner", "-o", "jsonpath={.metadata.uid}");
        createOwned("example.io/v1", "Thing", uid);
        kubernetes.kubectl("-n", namespace, "delete", "thing", "owner");
        awaitEndOfOwned();
    }

    @Test
    void namespaceWhenDeletedGoesWithItsContent() {
        admin.resource(configMap("content").build()).inNamespace(namespace).create();
        admin.namespaces().withName(namespace).delete();
        await("the namespace's end")
                .atMost(TIMEOUT)
                .until(() -> admin.namespaces().withName(namespace).get() == null);
    }

    @Test
    void plainUserWhenNothingIsGrantedIsRefused() {
        try (KubernetesClient alice = client(kubernetes.config("alice"))) {
            assertThatThrownBy(() -> alice.configMaps().inNamespace(namespace).list())
                    .isInstanceOfSatisfying(
                            KubernetesClientException.class,
                            e -> assertThat(e.getCode()).isEqualTo(403))
                    .hasMessageContaining("User \"alice\" cannot list resource \"configmaps\"");
        }
    }

    @Test
    void plainUserWhenRoleIsBoundMayDoJustThat() {
        kubernetes.kubectl("-n", namespace, "create", "role", "see", "--verb=list", "--resource=configmaps");
        kubernetes.kubectl("-n", namespace, "create", "rolebinding", "see", "--role=see", "--user=bob");
        try (KubernetesClient bob = client(kubernetes.config("bob"))) {
            await("the right to list")
                    .atMost(TIMEOUT)
                    .untilAsserted(() -> assertThat(bob.configMaps()
                                    .inNamespace(namespace)
                                    .list()
                                    .getItems())
                            .extracting(map -> map.getMetadata().getName())
                            .contains("kube-root-ca.crt"));
            assertThatThrownBy(() -> bob.resource(configMap("mine").build())
                            .inNamespace(namespace)
                            .create())
                    .isInstanceOfSatisfying(
                            KubernetesClientException.class,
                            e -> assertThat(e.getCode()).isEqualTo(403));
        }
    }

    @Test
    void serviceAccountWhenItHasATokenIsKnownByItsName() {
        Config config = kubernetes.serviceAccountConfig(namespace, "default");
        try (KubernetesClient account = client(config)) {
            assertThatThrownBy(() -> account.pods().inNamespace(namespace).list())
                    .hasMessageContaining("system:serviceaccount:" + namespace + ":default");
        }
    }

    @Test
    void kubectlWhenItFailsTellsWhatItSaid() {
        assertThatThrownBy(() -> kubernetes.kubectl("-n", namespace, "get", "configmap", "nowhere"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("configmaps \"nowhere\" not found");
    }

    private void createOwned(String ownerVersion, String ownerKind, String ownerUid) {
        OwnerReference owner = new OwnerReferenceBuilder()
                .withApiVersion(ownerVersion)
                .withKind(ownerKind)
                .withName("owner")
                .withUid(ownerUid)
                .build();
        ConfigMap owned = configMap("owned").build();
        owned.getMetadata().setOwnerReferences(List.of(owner));
        admin.resource(owned).inNamespace(namespace).create();
    }

    private void awaitEndOfOwned() {
        Resource<ConfigMap> owned = admin.configMaps().inNamespace(namespace).withName("owned");
        await("the owned object's end").atMost(TIMEOUT).until(() -> owned.get() == null);
    }

    private static ConfigMapBuilder configMap(String name) {
        return new ConfigMapBuilder().withNewMetadata().withName(name).endMetadata();
    }

    private static KubernetesClient client(Config config) {
        return new KubernetesClientBuilder().withConfig(config).build();
    }
}
