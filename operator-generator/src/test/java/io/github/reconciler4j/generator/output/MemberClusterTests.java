package io.github.reconciler4j.generator.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.cluster.ClusterListener;
import io.github.reconciler4j.cluster.Clusters;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.generator.GeneratorException;
import io.github.reconciler4j.generator.crd.CrdGenerator;
import io.github.reconciler4j.generator.crd.CrdOptions;
import io.github.reconciler4j.generator.crd.model.Ages;
import io.github.reconciler4j.generator.operator.OperatorDescription;
import io.github.reconciler4j.generator.operator.OperatorSnapshot;
import io.github.reconciler4j.generator.rbac.Right;
import io.github.reconciler4j.generator.yaml.Yaml;
import io.github.reconciler4j.handler.EventHandlers;
import io.github.reconciler4j.manager.Cluster;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.source.KindSource;
import io.github.reconciler4j.webhook.Converter;
import io.github.reconciler4j.webhook.OwnCertificateOptions;
import io.github.reconciler4j.webhook.OwnCertificates;
import io.github.reconciler4j.webhook.WebhookServer;
import io.github.reconciler4j.webhook.WebhookServerOptions;
import io.github.reconciler4j.webhook.Webhooks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Controllers that work in other clusters need an account with their permissions there. */
class MemberClusterTests {

    @TempDir
    private Path folder;

    private static OperatorSnapshot snapshot(Predicate<Cluster> ofMaps) {
        return snapshot(ofMaps, manager -> {});
    }

    private static OperatorSnapshot snapshot(Predicate<Cluster> ofMaps, Consumer<Manager> more) {
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl("https://localhost:1/")
                .build();
        try (Manager manager = Manager.create(config, ManagerOptions.defaults().withName("fleet"))) {
            manager.recorder();
            more.accept(manager);
            ControllerBuilder.of(Service.class)
                    .reconciler((service, context) -> Result.done())
                    .addTo(manager);
            Clusters.of(manager)
                    .addControllers(
                            ControllerBuilder.of(ConfigMap.class)
                                    .owns(Secret.class)
                                    .reconciler((map, context) -> Result.done()),
                            ofMaps);
            return OperatorSnapshot.of(manager, OperatorSnapshot.Web.NONE);
        }
    }

    private static List<String> resources(List<RequiredPermission> permissions) {
        return permissions.stream()
                .map(RequiredPermission::resource)
                .distinct()
                .sorted()
                .toList();
    }

    private void write(OperatorSnapshot snapshot) {
        List<Map<String, Object>> definitions = new CrdGenerator(
                        CrdOptions.defaults().withVerify(false))
                .generate(List.of(Ages.Stable.class, Ages.Beta.class))
                .definitions();
        OperatorDescription described = new OperatorDescription(snapshot, List.of(), List.of(), definitions, List.of());
        new Outputs(described, OutputOptions.defaults()).writeManifests(folder);
    }

    @Test
    void memberClusterWhenControllersSelectOthersHasTheirDefinitionsAccountAndRole() throws IOException {
        OperatorSnapshot snapshot = snapshot(cluster -> !cluster.name().isEmpty());
        assertThat(resources(snapshot.permissions())).contains("services").doesNotContain("configmaps", "secrets");
        assertThat(resources(snapshot.memberPermissions()))
                .contains("configmaps", "secrets", "events")
                .doesNotContain("services", "leases");
        write(snapshot);

        List<Map<String, Object>> objects =
                Yaml.readAll(Files.readString(folder.resolve("member-cluster.yaml")), "member-cluster.yaml");
        assertThat(objects)
                .extracting(object -> object.get("kind"))
                .containsExactly(
                        "Namespace", "CustomResourceDefinition", "ServiceAccount", "ClusterRole", "ClusterRoleBinding");
        assertThat(objects.get(3).get("rules").toString())
                .contains("configmaps", "secrets", "watch", "events")
                .doesNotContain("services");
        assertThat(objects.get(4).get("subjects").toString()).contains("ServiceAccount", "namespace=fleet");
        assertThat(folder.resolve("kustomization.yaml")).content().doesNotContain("member");
        assertThat(folder.resolve("install.yaml")).content().doesNotContain("configmaps");
    }

    @Test
    void memberClusterWhenAllControllersWorkAtHomeIsNotWritten() {
        OperatorSnapshot snapshot = snapshot(cluster -> cluster.name().isEmpty());
        assertThat(resources(snapshot.permissions())).contains("services", "configmaps", "secrets");
        assertThat(snapshot.memberPermissions()).isEmpty();
        write(snapshot);
        assertThat(folder.resolve("install.yaml")).exists();
        assertThat(folder.resolve("member-cluster.yaml")).doesNotExist();
    }

    @Test
    void memberPermissionsWhenAControllerWorksEverywhereAreThoseOfHomeWithoutLeases() {
        OperatorSnapshot snapshot = snapshot(cluster -> true);
        assertThat(snapshot.memberPermissions().stream()
                        .flatMap(permission -> Right.of(permission).stream())
                        .filter(right -> right.resource().equals("configmaps")))
                .isNotEmpty()
                .containsExactlyInAnyOrderElementsOf(snapshot.permissions().stream()
                        .flatMap(permission -> Right.of(permission).stream())
                        .filter(right -> right.resource().equals("configmaps"))
                        .toList());
    }

    @Test
    void clusterWhenItHasTheNameThatTheGeneratorUsesIsRefused() {
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl("https://localhost:1/")
                .build();
        try (Manager manager = Manager.create(config, ManagerOptions.defaults().withName("fleet"))) {
            Clusters.of(manager).add("member", config);
            Clusters.of(manager)
                    .addControllers(
                            ControllerBuilder.of(ConfigMap.class).reconciler((map, context) -> Result.done()),
                            cluster -> cluster.name().equals("member"));

            assertThatThrownBy(() -> OperatorSnapshot.of(manager, OperatorSnapshot.Web.NONE))
                    .isInstanceOf(GeneratorException.class)
                    .hasMessage("Rename the cluster 'member', because the generator uses this name (R4J-707)");
            assertThat(Clusters.of(manager).find("member")).as("it stays").isPresent();
        }
    }

    private static final class AgeConverter implements Converter<Ages.Stable, Ages.Beta> {

        @Override
        public Ages.Stable toHub(Ages.Beta beta) {
            return new Ages.Stable();
        }

        @Override
        public Ages.Beta fromHub(Ages.Stable stable) {
            return new Ages.Beta();
        }
    }

    private Map<String, Object> servedInMemberCluster() throws IOException {
        Map<String, Object> definition = Yaml.readAll(
                        Files.readString(folder.resolve("member-cluster.yaml")), "member-cluster.yaml")
                .get(1);
        Map<?, ?> spec = (Map<?, ?>) definition.get("spec");
        assertThat(spec.containsKey("conversion")).isFalse();
        return ((List<?>) spec.get("versions"))
                .stream()
                        .map(version -> (Map<?, ?>) version)
                        .collect(Collectors.toMap(
                                version -> String.valueOf(version.get("name")), version -> version.get("served")));
    }

    @Test
    void memberClusterWhenADefinitionHasAConverterServesItsStorageVersionOnly() throws IOException {
        write(snapshot(
                cluster -> true,
                manager -> WebhookServer.addTo(
                        manager,
                        Webhooks.builder()
                                .converter(Ages.Stable.class, Ages.Beta.class, new AgeConverter())
                                .build(),
                        OwnCertificates.create(OwnCertificateOptions.defaults().withNamespace("fleet")),
                        WebhookServerOptions.defaults().withService("fleet", "hooks"))));
        assertThat(servedInMemberCluster()).containsExactlyInAnyOrderEntriesOf(Map.of("v1", true, "v1beta1", false));
        assertThat(folder.resolve("install.yaml")).content().contains("conversion:");
    }

    @Test
    void memberClusterWhenADefinitionHasNoConverterServesAllVersions() throws IOException {
        write(snapshot(cluster -> true));
        assertThat(servedInMemberCluster()).containsExactlyInAnyOrderEntriesOf(Map.of("v1", true, "v1beta1", true));
    }

    @Test
    void memberPermissionsWhenAControllerOfHomeWatchesOthersHaveWhatItWatches() {
        List<String> notified = new ArrayList<>();
        OperatorSnapshot snapshot = snapshot(cluster -> cluster.name().isEmpty(), manager -> {
            Controller<Request> hub = ControllerBuilder.of(Deployment.class)
                    .reconciler((deployment, context) -> Result.done())
                    .addTo(manager);
            Clusters.of(manager).addListener(new ClusterListener() {
                @Override
                public void joined(Cluster cluster) {
                    notified.add("joined " + cluster.name());
                    hub.watch(new KindSource<>(
                            cluster.cache().informer(Pod.class), EventHandlers.forObject(), event -> true));
                }

                @Override
                public void left(Cluster cluster) {
                    notified.add("left " + cluster.name());
                }
            });
        });
        assertThat(resources(snapshot.memberPermissions())).containsExactly("events", "pods");
        assertThat(resources(snapshot.permissions())).contains("deployments").doesNotContain("pods");
        assertThat(notified).containsExactly("joined member", "left member");
    }
}
