package io.github.reconciler4j.test.fullcluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.github.reconciler4j.test.cluster.TestCluster;
import io.github.reconciler4j.test.junit.KubernetesTest;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Claims, and the volumes that they are bound to. */
@KubernetesTest(cluster = TestCluster.FULL)
class VolumeTests {

    private static final String BOUND = "/status/phase";

    private final TestCluster cluster;
    private final KubernetesClient client;
    private String namespace;

    VolumeTests(TestCluster cluster) {
        this.cluster = cluster;
        client = cluster.client();
    }

    @BeforeEach
    void createNamespace() {
        namespace = cluster.createNamespace("volumes");
    }

    /** A class of this test only. */
    private String storageClass(String mode, String reclaim) {
        String name = namespace + "-" + mode.toLowerCase(Locale.ROOT);
        client.resource(new StorageClassBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .withProvisioner("disks.example.com")
                        .withReclaimPolicy(reclaim)
                        .withVolumeBindingMode(mode)
                        .withAllowVolumeExpansion(true)
                        .build())
                .create();
        return name;
    }

    private PersistentVolumeClaimBuilder claim(@Nullable String storageClass) {
        return new PersistentVolumeClaimBuilder()
                .withNewMetadata()
                .withName("data")
                .endMetadata()
                .withNewSpec()
                .withStorageClassName(storageClass)
                .withAccessModes("ReadWriteOnce")
                .withNewResources()
                .withRequests(Map.of("storage", new Quantity("2Gi")))
                .endResources()
                .endSpec();
    }

    private void create(PersistentVolumeClaimBuilder claim) {
        client.resource(claim.build()).inNamespace(namespace).create();
    }

    private void createPod() {
        client.resource(TestPods.pod(namespace, "web")
                        .editSpec()
                        .addNewVolume()
                        .withName("data")
                        .withNewPersistentVolumeClaim("data", false)
                        .endVolume()
                        .endSpec()
                        .build())
                .create();
    }

    private PersistentVolumeClaim awaitPhase(String phase) {
        return cluster.expect(PersistentVolumeClaim.class, namespace, "data").toHave(BOUND, phase);
    }

    @Test
    void claimWhenItHasNoClassIsBoundToANewVolume() {
        create(claim(null));

        PersistentVolumeClaim claim = awaitPhase("Bound");
        assertThat(claim.getSpec().getVolumeName())
                .isEqualTo("pvc-" + claim.getMetadata().getUid());
        assertThat(claim.getStatus().getCapacity()).isEqualTo(Map.of("storage", new Quantity("2Gi")));
        assertThat(claim.getStatus().getAccessModes()).containsExactly("ReadWriteOnce");
        PersistentVolume volume = cluster.expect(
                        PersistentVolume.class, claim.getSpec().getVolumeName())
                .toHave(BOUND, "Bound");
        assertThat(volume.getSpec().getClaimRef().getName()).isEqualTo("data");
        assertThat(volume.getSpec().getClaimRef().getUid())
                .isEqualTo(claim.getMetadata().getUid());
    }

    @Test
    void volumeWhenItsClaimIsGoneIsDeleted() {
        create(claim(storageClass("Immediate", "Delete")));
        String volume = awaitPhase("Bound").getSpec().getVolumeName();

        client.persistentVolumeClaims().inNamespace(namespace).withName("data").delete();

        cluster.expect(PersistentVolumeClaim.class, namespace, "data").toBeGone();
        cluster.expect(PersistentVolume.class, volume).toBeGone();
    }

    @Test
    void volumeWhenItIsRetainedOutlivesItsClaim() {
        create(claim(storageClass("Immediate", "Retain")));
        String volume = awaitPhase("Bound").getSpec().getVolumeName();

        client.persistentVolumeClaims().inNamespace(namespace).withName("data").delete();

        cluster.expect(PersistentVolume.class, volume).toHave(BOUND, "Released");
        client.persistentVolumes().withName(volume).delete();
        cluster.expect(PersistentVolume.class, volume).toBeGone();
    }

    @Test
    void claimWhenItWaitsForItsFirstPodIsBoundWithIt() {
        create(claim(storageClass("WaitForFirstConsumer", "Delete")));
        PersistentVolumeClaim waiting = awaitPhase("Pending");
        cluster.expectEvents(waiting).toHaveReason("WaitForFirstConsumer");
        assertThat(client.persistentVolumes().list().getItems())
                .noneMatch(volume -> volume.getSpec().getClaimRef() != null
                        && namespace.equals(volume.getSpec().getClaimRef().getNamespace()));

        createPod();

        cluster.expect(Pod.class, namespace, "web").toHaveCondition("Ready", "True");
        PersistentVolumeClaim bound = awaitPhase("Bound");
        assertThat(bound.getMetadata().getAnnotations())
                .containsEntry("volume.kubernetes.io/selected-node", "node-1")
                .containsEntry("volume.kubernetes.io/storage-provisioner", "disks.example.com");
    }

    private void awaitMessage(String message) {
        cluster.expect(Pod.class, namespace, "web")
                .toMatch(
                        "says what it waits for",
                        pod -> pod.getStatus().getConditions().stream()
                                .anyMatch(condition -> condition.getMessage() != null
                                        && condition.getMessage().contains(message)));
    }

    @Test
    void podWhenItsClaimIsMissingWaitsForIt() {
        createPod();
        awaitMessage("persistentvolumeclaim \"data\" not found");

        create(claim(storageClass("Immediate", "Delete")));

        cluster.expect(Pod.class, namespace, "web").toHaveCondition("Ready", "True");
    }

    @Test
    void claimWhenItsClassIsMissingWaitsForIt() {
        String missing = namespace + "-immediate";
        create(claim(missing));
        cluster.expectEvents(awaitPhase("Pending")).toHaveReason("ProvisioningFailed");

        storageClass("Immediate", "Delete");

        awaitPhase("Bound");
        assertThat(awaitPhase("Bound").getSpec().getStorageClassName()).isEqualTo(missing);
    }

    @Test
    void claimWhenAPodUsesItStaysUntilThePodIsGone() {
        create(claim(null));
        createPod();
        cluster.expect(Pod.class, namespace, "web").toHaveCondition("Ready", "True");

        client.persistentVolumeClaims().inNamespace(namespace).withName("data").delete();
        cluster.createNamespace("later"); // the deletion had time to be handled
        createUnrelatedClaim();

        assertThat(awaitPhase("Bound").getMetadata().getFinalizers()).contains("kubernetes.io/pvc-protection");
        client.pods().inNamespace(namespace).withName("web").delete();
        cluster.expect(PersistentVolumeClaim.class, namespace, "data").toBeGone();
    }

    /** When it is gone, what was deleted before it has been handled, too. */
    private void createUnrelatedClaim() {
        PersistentVolumeClaim other =
                claim(null).editMetadata().withName("other").endMetadata().build();
        client.resource(other).inNamespace(namespace).create();
        client.resource(other).inNamespace(namespace).delete();
        cluster.expect(PersistentVolumeClaim.class, namespace, "other").toBeGone();
    }

    @Test
    void claimWhenAFreeVolumeFitsGetsIt() {
        String type = storageClass("Immediate", "Delete");
        for (String size : new String[] {"1Gi", "5Gi", "3Gi"}) {
            client.resource(new PersistentVolumeBuilder()
                            .withNewMetadata()
                            .withName(namespace + "-" + size.toLowerCase(Locale.ROOT))
                            .endMetadata()
                            .withNewSpec()
                            .withStorageClassName(type)
                            .withCapacity(Map.of("storage", new Quantity(size)))
                            .withAccessModes("ReadWriteOnce", "ReadOnlyMany")
                            .withNewHostPath("/data", "")
                            .endSpec()
                            .build())
                    .create();
        }
        cluster.expect(PersistentVolume.class, namespace + "-3gi").toHave(BOUND, "Available");

        create(claim(type));

        assertThat(awaitPhase("Bound").getSpec().getVolumeName()).isEqualTo(namespace + "-3gi");
        cluster.expect(PersistentVolume.class, namespace + "-5gi").toHave(BOUND, "Available");
    }

    @Test
    void claimWhenItHasNoClassAndNamesAVolumeWaitsForIt() {
        create(claim("").editSpec().withVolumeName(namespace).endSpec());
        createPod();
        awaitMessage("pod has unbound immediate PersistentVolumeClaims");

        client.resource(new PersistentVolumeBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .withNewSpec()
                        .withCapacity(Map.of("storage", new Quantity("2Gi")))
                        .withAccessModes("ReadWriteOnce")
                        .withNewHostPath("/data", "")
                        .endSpec()
                        .build())
                .create();

        assertThat(awaitPhase("Bound").getSpec().getVolumeName()).isEqualTo(namespace);
        cluster.expect(Pod.class, namespace, "web").toHaveCondition("Ready", "True");
    }

    @Test
    void claimWhenItRequestsMoreGrows() {
        create(claim(storageClass("Immediate", "Delete")));
        awaitPhase("Bound");

        cluster.edit(
                PersistentVolumeClaim.class,
                namespace,
                "data",
                claim -> claim.getSpec().getResources().setRequests(Map.of("storage", new Quantity("4Gi"))));

        PersistentVolumeClaim grown = cluster.expect(PersistentVolumeClaim.class, namespace, "data")
                .toHave("/status/capacity/storage", "4Gi");
        cluster.expect(PersistentVolume.class, grown.getSpec().getVolumeName()).toHave("/spec/capacity/storage", "4Gi");
    }

    private void createStatefulSet(String whenScaled, String whenDeleted) {
        client.resource(new StatefulSetBuilder()
                        .withNewMetadata()
                        .withName("db")
                        .endMetadata()
                        .withNewSpec()
                        .withReplicas(2)
                        .withServiceName("db")
                        .withNewSelector()
                        .addToMatchLabels("app", "db")
                        .endSelector()
                        .withNewPersistentVolumeClaimRetentionPolicy(whenDeleted, whenScaled)
                        .withNewTemplate()
                        .withNewMetadata()
                        .addToLabels("app", "db")
                        .endMetadata()
                        .withNewSpec()
                        .addNewContainer()
                        .withName("db")
                        .withImage("example.com/db:1")
                        .addNewVolumeMount()
                        .withName("data")
                        .withMountPath("/data")
                        .endVolumeMount()
                        .endContainer()
                        .endSpec()
                        .endTemplate()
                        .addToVolumeClaimTemplates(claim(storageClass("WaitForFirstConsumer", "Delete"))
                                .build())
                        .endSpec()
                        .build())
                .inNamespace(namespace)
                .create();
        cluster.expect(StatefulSet.class, namespace, "db")
                .within(Duration.ofSeconds(60))
                .toHave("/status/availableReplicas", 2);
    }

    private String volumeOf(String claim) {
        return cluster.expect(PersistentVolumeClaim.class, namespace, claim)
                .toHave(BOUND, "Bound")
                .getSpec()
                .getVolumeName();
    }

    @Test
    void statefulSetWhenItIsScaledDownAndDeletedDeletesTheClaimsThatItsPolicyNames() {
        createStatefulSet("Delete", "Delete");
        String first = volumeOf("data-db-0");
        String second = volumeOf("data-db-1");

        cluster.edit(StatefulSet.class, namespace, "db", set -> set.getSpec().setReplicas(1));

        cluster.expect(PersistentVolumeClaim.class, namespace, "data-db-1").toBeGone();
        cluster.expect(PersistentVolume.class, second).toBeGone();
        assertThat(volumeOf("data-db-0")).isEqualTo(first);

        client.apps().statefulSets().inNamespace(namespace).withName("db").delete();

        cluster.expect(PersistentVolumeClaim.class, namespace, "data-db-0").toBeGone();
        cluster.expect(PersistentVolume.class, first).toBeGone();
    }

    @Test
    void statefulSetWhenItsPolicyRetainsClaimsFindsThemAgain() {
        createStatefulSet("Retain", "Retain");
        String second = volumeOf("data-db-1");

        cluster.edit(StatefulSet.class, namespace, "db", set -> set.getSpec().setReplicas(1));
        cluster.expect(Pod.class, namespace, "db-1").toBeGone();
        cluster.edit(StatefulSet.class, namespace, "db", set -> set.getSpec().setReplicas(2));

        cluster.expect(StatefulSet.class, namespace, "db")
                .within(Duration.ofSeconds(60))
                .toHave("/status/availableReplicas", 2);
        assertThat(volumeOf("data-db-1")).isEqualTo(second);
    }

    @Test
    void namespaceWhenDeletedTakesClaimsAndVolumesWithIt() {
        createStatefulSet("Retain", "Retain");
        String volume = volumeOf("data-db-0");

        client.namespaces().withName(namespace).delete();

        cluster.expect(Namespace.class, namespace)
                .within(Duration.ofSeconds(60))
                .toBeGone();
        cluster.expect(PersistentVolume.class, volume).toBeGone();
        assertThat(client.persistentVolumeClaims().inNamespace(namespace).list().getItems())
                .isEmpty();
    }
}
