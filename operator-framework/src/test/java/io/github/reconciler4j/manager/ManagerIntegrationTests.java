package io.github.reconciler4j.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.fixtures.Definitions;
import io.github.reconciler4j.fixtures.LiveThreads;
import io.github.reconciler4j.health.HealthCheck;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions;
import io.github.reconciler4j.manager.ComponentState.State;
import io.github.reconciler4j.manager.permission.PermissionReport;
import io.github.reconciler4j.manager.permission.Preflight;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.source.ChannelSource;
import io.github.reconciler4j.test.kubernetes.AnyKubernetes;
import io.github.reconciler4j.test.kubernetes.AnyKubernetesTest;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A manager with controllers on an API server, some of which lack what they need. */
@Timeout(300)
@AnyKubernetesTest
class ManagerIntegrationTests {

    private static final KindName GADGET = new KindName("manager.example.io", "v1", "Gadget");
    private static final String CRD = Definitions.of("manager.example.io", "Gadget");

    private final AnyKubernetes kubernetes;
    private final String namespace;
    private final Set<String> reconciled = ConcurrentHashMap.newKeySet();

    ManagerIntegrationTests(AnyKubernetes kubernetes) {
        this.kubernetes = kubernetes;
        this.namespace = kubernetes.createNamespace("manager");
    }

    private static ConditionFactory await(String what) {
        return Awaitility.await(what).atMost(Duration.ofSeconds(90)).pollInterval(Duration.ofMillis(100));
    }

    private static ManagerOptions options() {
        return ManagerOptions.defaults()
                .withName("manager-it")
                .withScheme(Scheme.create().register(new KindInfo(GADGET, "gadgets", true)))
                .withLifecycle(
                        LifecycleOptions.defaults().withRetryDelays(Duration.ofMillis(200), Duration.ofSeconds(1)));
    }

    private static ControllerOptions impatient() {
        return ControllerOptions.defaults().withCacheSyncTimeout(Duration.ofSeconds(2));
    }

    private static State state(Manager manager, String component) {
        return manager.status().components().stream()
                .filter(status -> status.name().equals(component))
                .findFirst()
                .orElseThrow()
                .state();
    }

    private void addConfigMaps(Manager manager) {
        ControllerBuilder.of(ConfigMap.class)
                .named("configmaps")
                .options(impatient())
                .reconciler((map, context) -> {
                    reconciled.add(context.request().toString());
                    return Result.done();
                })
                .addTo(manager);
    }

    private void addGadgets(Manager manager) {
        ControllerBuilder.of(Kind.of("manager.example.io/v1", "Gadget"))
                .named("gadgets")
                .options(impatient())
                .reconciler((gadget, context) -> {
                    reconciled.add(context.request().toString());
                    return Result.done();
                })
                .addTo(manager);
    }

    /** Declares what it writes; watches nothing on the server. */
    private static void addWriter(Manager manager) {
        ControllerBuilder.forRequests("writer", Request.class)
                .source(ChannelSource.ofRequests("writes"))
                .requiredPermissions(RequiredPermission.onCore("pods/status", "patch"))
                .reconciler((request, context) -> Result.done())
                .addTo(manager);
    }

    private void createConfigMap(String name) {
        kubernetes.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + ", namespace: " + namespace
                + "}, data: {a: b}}");
    }

    private void createServiceAccount(String name) {
        kubernetes.apply(
                "{apiVersion: v1, kind: ServiceAccount, metadata: {name: " + name + ", namespace: " + namespace + "}}");
    }

    /** Binds the role of that name to a service account. */
    private void bind(String kind, String roleKind, String role, String account) {
        String place = kind.equals("RoleBinding") ? ", namespace: " + namespace : "";
        kubernetes.apply("{apiVersion: rbac.authorization.k8s.io/v1, kind: " + kind + ", metadata: {name: " + role
                + place
                + "}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: " + roleKind + ", name: " + role
                + "}, subjects: [{kind: ServiceAccount, name: " + account + ", namespace: " + namespace + "}]}");
    }

    private void createFirstGadget() {
        kubernetes.applyDefinitions(CRD);
        kubernetes.apply(
                "{apiVersion: manager.example.io/v1, kind: Gadget, metadata: {name: g, namespace: " + namespace + "}}");
    }

    @Test
    void startWhenCustomResourceDefinitionIsMissingRunsTheRestAndRetries() throws Exception {
        createConfigMap("first");
        try (Manager manager = Manager.create(kubernetes.config(), options())) {
            addConfigMaps(manager);
            addGadgets(manager);
            manager.start();
            await("the config map is reconciled").until(() -> reconciled.contains(namespace + "/first"));
            await("the other waits").until(() -> state(manager, "gadgets") == State.WAITING);
            await("the health says for what it waits")
                    .untilAsserted(() -> assertThat(manager.healthChecks().stream()
                                    .filter(check -> check.name().equals("manager"))
                                    .map(HealthCheck::check))
                            .singleElement()
                            .satisfies(health -> {
                                assertThat(health.ready()).isTrue();
                                assertThat(health.details().get("gadgets").toString())
                                        .startsWith("WAITING")
                                        .contains("CustomResourceDefinition");
                            }));
            createFirstGadget();
            await("the gadget is reconciled").until(() -> reconciled.contains(namespace + "/g"));
            await("it runs").until(() -> state(manager, "gadgets") == State.RUNNING);
            manager.stop();
            manager.await();
        } finally {
            kubernetes.with(client -> client.resources(CustomResourceDefinition.class)
                    .withName("gadgets.manager.example.io")
                    .withTimeout(1, TimeUnit.MINUTES)
                    .delete());
        }
        await("no thread of the manager is left")
                .until(() -> LiveThreads.named("manager-it", "controller-", "event-writer")
                        .isEmpty());
    }

    @Test
    void startWhenPermissionIsMissingNamesTheRuleAndRetries() throws Exception {
        createConfigMap("second");
        createServiceAccount("poor");
        Config poor = kubernetes.serviceAccountConfig(namespace, "poor");
        try (Manager manager = Manager.create(poor, options())) {
            addConfigMaps(manager);
            manager.start();
            await("the controller waits, and says for what")
                    .untilAsserted(() -> assertThat(manager.status().components())
                            .filteredOn(status -> status.name().equals("configmaps"))
                            .singleElement()
                            .satisfies(status -> {
                                assertThat(status.state()).isEqualTo(State.WAITING);
                                assertThat(status.detail())
                                        .contains("resources: [\"configmaps\"]", "verbs: [\"list\", \"watch\"]");
                            }));
            kubernetes.apply("{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: "
                    + namespace + "}, rules: [{apiGroups: [''], resources: [configmaps], verbs: [list, watch]}]}");
            bind("ClusterRoleBinding", "ClusterRole", namespace, "poor");
            await("the config map is reconciled").until(() -> reconciled.contains(namespace + "/second"));
        }
    }

    @Test
    void checkPermissionsWhenSomeAreMissingReturnsTheRulesToAdd() throws Exception {
        createServiceAccount("newcomer");
        Config newcomer = kubernetes.serviceAccountConfig(namespace, "newcomer");
        ManagerOptions options = options()
                .withLeaderElection(LeaderElectionOptions.named("access").withLeaseNamespace(namespace))
                .withLifecycle(LifecycleOptions.defaults().withPreflight(Preflight.FAIL));
        String role = namespace + "-newcomer";
        try (Manager manager = Manager.create(newcomer, options)) {
            addConfigMaps(manager);
            addWriter(manager);
            manager.recorder();
            PermissionReport report = manager.checkPermissions();
            assertThat(report.problem()).isEmpty();
            assertThat(report.missing())
                    .extracting(missing -> missing.component() + ": "
                            + missing.permission().qualifiedResource() + " "
                            + new TreeSet<>(missing.permission().verbs()))
                    .containsExactlyInAnyOrder(
                            "configmaps: configmaps [list, watch]",
                            "writer: pods/status [patch]",
                            "event recorder: events.events.k8s.io [create, patch]",
                            "leader election: leases.coordination.k8s.io [create]",
                            "leader election: leases.coordination.k8s.io [get, update]");
            assertThatThrownBy(manager::start)
                    .isInstanceOf(ManagerStartException.class)
                    .hasMessageContaining("preflight could not start: permissions are missing")
                    .hasMessageContaining("kind: ClusterRole");
            kubernetes.apply(report.yaml(role));
        }
        bind("ClusterRoleBinding", "ClusterRole", role, "newcomer");
        bind("RoleBinding", "Role", role, "newcomer");
        try (Manager manager = Manager.create(newcomer, options)) {
            addConfigMaps(manager);
            addWriter(manager);
            await("nothing is missing").until(() -> manager.checkPermissions().isComplete());
            manager.start();
            await("it leads").until(() -> manager.status().leader());
        }
    }

    @Test
    void startWhenTokenIsInvalidFailsAndNamesTheCause() {
        Config invalid = kubernetes.config("alice");
        invalid.setOauthToken("nonsense");
        invalid.setAutoOAuthToken("nonsense");
        try (Manager manager = Manager.create(invalid, options())) {
            assertThatThrownBy(manager::start)
                    .isInstanceOf(ManagerStartException.class)
                    .hasMessageContaining("api-server")
                    .hasMessageContaining("401");
        }
    }

    @Test
    void addWhenManagerRunsStartsControllerOnAKindThatWasNotWatched() throws Exception {
        try (Manager manager = Manager.create(kubernetes.config(), options())) {
            manager.start();
            createConfigMap("third");
            addConfigMaps(manager);
            await("the config map is reconciled").until(() -> reconciled.contains(namespace + "/third"));
        }
    }

    @Test
    void recorderWhenEventsAreEqualWritesOneSeriesAndFlushesAtStop() throws Exception {
        createConfigMap("fourth");
        ConfigMap map = new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("fourth")
                .endMetadata()
                .build();
        try (Manager manager = Manager.create(kubernetes.config(), options())) {
            manager.start();
            for (int i = 0; i < 7; i++) {
                manager.recorder("example.io/fourth").warning(map, "Broken", "Fix", "equal each time");
            }
            manager.recorder("example.io/fourth").normal(map, "Fixed", "Fix", "works again");
        }
        List<Event> events = kubernetes.with(client ->
                client.resources(Event.class).inNamespace(namespace).list().getItems());
        assertThat(events)
                .extracting(event -> event.getType() + " " + event.getReason() + " "
                        + (event.getSeries() == null ? "" : event.getSeries().getCount()) + " "
                        + event.getRegarding().getName() + " " + event.getNote())
                .containsExactlyInAnyOrder(
                        "Warning Broken 7 fourth equal each time", "Normal Fixed  fourth works again");
    }
}
