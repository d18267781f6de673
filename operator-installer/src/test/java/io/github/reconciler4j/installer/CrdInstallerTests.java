package io.github.reconciler4j.installer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.ClientInterceptor;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.WriteMode;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.manager.ComponentNotReadyException;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.request.RequestMatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CrdInstallerTests {

    private static final String NAME = "widgets.example.com";

    private final KubernetesServer server = KubernetesServer.start();
    private final KubernetesClient admin =
            new KubernetesClientBuilder().withConfig(server.clientConfig()).build();
    private final List<Manager> managers = new ArrayList<>();

    @AfterEach
    void stop() {
        managers.forEach(Manager::close);
        admin.close();
        server.close();
    }

    /** A definition whose last version is the stored one; the field is in all schemas. */
    private static CustomResourceDefinition definition(String field, String... versions) {
        StringBuilder yaml = new StringBuilder("""
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: widgets.example.com, labels: {from: definition}}
                spec:
                  group: example.com
                  scope: Namespaced
                  names: {kind: Widget, plural: widgets, singular: widget, listKind: WidgetList}
                  versions:
                """);
        for (String version : versions) {
            yaml.append("  - name: " + version + "\n    served: true\n    storage: "
                    + version.equals(versions[versions.length - 1])
                    + "\n    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {"
                    + field + ": {type: string}}}}}}\n");
        }
        return new KubernetesSerialization().unmarshal(yaml.toString(), CustomResourceDefinition.class);
    }

    private CrdInstaller installer(String version, CustomResourceDefinition definition) {
        return installer(version, definition, ClientOptions.defaults());
    }

    private CrdInstaller installer(String version, CustomResourceDefinition definition, ClientOptions client) {
        Config config = server.clientConfig();
        Manager manager = Manager.create(
                config,
                ManagerOptions.defaults()
                        .withName("widgets")
                        .withVersion(version)
                        .withClient(client));
        managers.add(manager);
        return CrdInstaller.addTo(
                manager,
                List.of(definition),
                CrdInstallerOptions.defaults()
                        .withTimeout(Duration.ofSeconds(10))
                        .withMigrateStorage(false));
    }

    private CustomResourceDefinition live() {
        return admin.resources(CustomResourceDefinition.class).withName(NAME).get();
    }

    private String field() {
        return live().getSpec()
                .getVersions()
                .get(0)
                .getSchema()
                .getOpenAPIV3Schema()
                .getProperties()
                .get("spec")
                .getProperties()
                .keySet()
                .iterator()
                .next();
    }

    private long writes() {
        return server.requests().count(RequestMatch.writes().kind("CustomResourceDefinition"));
    }

    @Test
    void definitionWhenItDoesNotExistIsInstalledAndServed() throws Exception {
        installer("1.0", definition("a", "v1")).start();

        assertThat(live().getMetadata().getAnnotations()).containsEntry(CrdInstaller.VERSION_ANNOTATION, "1.0");
        assertThat(admin.genericKubernetesResources("example.com/v1", "Widget")
                        .inAnyNamespace()
                        .list()
                        .getItems())
                .isEmpty();
    }

    @Test
    void definitionWhenItIsNewAndHasNoConditionsIsNotEstablished() {
        CustomResourceDefinition live = new KubernetesSerialization()
                .unmarshal(
                        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
                                + "status: {conditions: null, storedVersions: [v1]}",
                        CustomResourceDefinition.class);

        assertThat(DefinitionState.notEstablished(live)).isEqualTo("it is not established");
    }

    @Test
    void definitionWhenUpToDateIsNotWritten() throws Exception {
        installer("1.0", definition("a", "v1")).start();
        long before = writes();

        installer("1.0", definition("a", "v1")).start();
        installer("1.1", definition("a", "v1")).start();

        assertThat(writes()).isEqualTo(before);
    }

    @Test
    void definitionWhenOlderIsUpgradedAndWhenNewerStays() throws Exception {
        installer("1.9.0", definition("a", "v1")).start();
        installer("1.10.0", definition("b", "v1")).start();
        assertThat(field()).isEqualTo("b");

        installer("1.9.0", definition("a", "v1")).start();

        assertThat(field()).isEqualTo("b");
    }

    @Test
    void definitionWhenOthersHaveSetFieldsKeepsThem() throws Exception {
        installer("1.0", definition("a", "v1")).start();
        String conversion = """
                {"metadata": {"labels": {"team": "x"}}, "spec": {"conversion": {"strategy": "Webhook", "webhook":
                {"conversionReviewVersions": ["v1"], "clientConfig": {"url": "https://example.com/convert",
                "caBundle": "LS0tLS1CRUdJTi0tLS0tCg=="}}}}}""";
        admin.resources(CustomResourceDefinition.class)
                .withName(NAME)
                .patch(
                        io.fabric8.kubernetes.client.dsl.base.PatchContext.of(
                                io.fabric8.kubernetes.client.dsl.base.PatchType.JSON_MERGE),
                        conversion);

        installer("1.1", definition("b", "v1")).start();

        assertThat(field()).isEqualTo("b");
        assertThat(live().getMetadata().getLabels()).containsEntry("team", "x").containsEntry("from", "definition");
        assertThat(live().getSpec()
                        .getConversion()
                        .getWebhook()
                        .getClientConfig()
                        .getCaBundle())
                .isEqualTo("LS0tLS1CRUdJTi0tLS0tCg==");
    }

    @Test
    void definitionWhenReplicasOfTwoVersionsStartTogetherIsThatOfTheNewerOne() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Callable<Void>> starts = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                CrdInstaller installer =
                        i % 2 == 0 ? installer("1.0", definition("a", "v1")) : installer("2.0", definition("b", "v1"));
                starts.add(() -> {
                    installer.start();
                    return null;
                });
            }
            for (Future<Void> started : threads.invokeAll(starts)) {
                started.get();
            }
        } finally {
            threads.shutdownNow();
        }

        assertThat(field()).isEqualTo("b");
        assertThat(live().getMetadata().getGeneration()).isLessThanOrEqualTo(2);
    }

    @Test
    void startWhenANewerOperatorNoLongerServesAVersionSaysSo() throws Exception {
        installer("2.0", definition("a", "v1")).start();

        assertThatThrownBy(() ->
                        installer("1.0", definition("a", "v1alpha1", "v1")).start())
                .isInstanceOf(ComponentNotReadyException.class)
                .hasMessageContaining("applied by version '2.0'")
                .hasMessageContaining("no longer serves v1alpha1");
    }

    @Test
    void startWhenTheOperatorDoesNotWriteInstallsNothing() throws Exception {
        installer("1.0", definition("a", "v1"), ClientOptions.defaults().withMode(WriteMode.DRY_RUN))
                .start();

        assertThat(live()).isNull();
    }

    @Test
    void permissionsNameTheDefinitions() {
        assertThat(installer("1.0", definition("a", "v1")).requiredPermissions())
                .containsExactly(
                        RequiredPermission.on("apiextensions.k8s.io", "customresourcedefinitions", "create"),
                        RequiredPermission.on("apiextensions.k8s.io", "customresourcedefinitions", "get", "patch")
                                .named(NAME));
    }

    private void edit(Consumer<List<CustomResourceDefinitionVersion>> change) {
        CustomResourceDefinition live = live();
        change.accept(live.getSpec().getVersions());
        admin.resource(live).update();
    }

    private Map<String, String> versions() {
        Map<String, String> versions = new TreeMap<>();
        live().getSpec()
                .getVersions()
                .forEach(version -> versions.put(
                        version.getName(),
                        (version.getServed() ? "served" : "not served") + (version.getStorage() ? ", stored" : "")));
        return versions;
    }

    private static void unserve(List<CustomResourceDefinitionVersion> versions) {
        versions.forEach(version -> version.setServed(false));
    }

    private static void storeFirst(List<CustomResourceDefinitionVersion> versions) {
        versions.forEach(version -> version.setStorage(version == versions.get(0)));
    }

    static List<Consumer<List<CustomResourceDefinitionVersion>>> edits() {
        return List.of(
                CrdInstallerTests::unserve,
                CrdInstallerTests::storeFirst,
                versions -> versions.get(0).setServed(false),
                versions -> {
                    unserve(versions);
                    storeFirst(versions);
                });
    }

    @ParameterizedTest
    @MethodSource("edits")
    void versionsWhenSomeoneHasChangedThemAreRestored(Consumer<List<CustomResourceDefinitionVersion>> edit)
            throws Exception {
        installer("1.0", definition("a", "v1alpha1", "v1")).start();
        Map<String, String> before = versions();
        edit(edit);
        assertThat(versions()).isNotEqualTo(before);

        try (CapturedLog log = CapturedLog.of(CrdInstaller.class.getName())) {
            installer("1.0", definition("a", "v1alpha1", "v1")).start();

            assertThat(log.lines(Level.WARN))
                    .singleElement()
                    .asString()
                    .contains(NAME + " was changed by others and is applied again: ");
        }
        assertThat(versions()).isEqualTo(before);
    }

    @Test
    void versionWhenSomeoneHasRemovedItIsRestored() throws Exception {
        installer("1.0", definition("a", "v1alpha1", "v1")).start();
        edit(versions -> versions.remove(0));

        installer("1.0", definition("a", "v1alpha1", "v1")).start();

        assertThat(versions()).containsOnlyKeys("v1", "v1alpha1");
    }

    /** Each read of the definition is followed by another one's write, which stops serving the version. */
    @Test
    void startWhenSomeoneChangesTheDefinitionAllTheTimeSaysSo() throws Exception {
        installer("1.0", definition("a", "v1")).start();
        ClientInterceptor other = (call, next) -> {
            ApiResponse response = next.proceed(call);
            if (call.verb() == ClientCall.Verb.APPLY) {
                edit(CrdInstallerTests::unserve);
            }
            return response;
        };
        edit(CrdInstallerTests::unserve);
        CrdInstaller installer =
                installer("1.0", definition("a", "v1"), ClientOptions.defaults().withInterceptors(List.of(other)));
        long before = writes();

        assertThatThrownBy(installer::start)
                .isInstanceOf(ComponentNotReadyException.class)
                .hasMessageContaining("the definition " + NAME + " is changed by others each time")
                .hasMessageContaining("v1 is not served")
                .hasMessageContaining("managed fields");
        assertThat(writes() - before).as("half of them are of the other one").isLessThanOrEqualTo(8);
    }
}
