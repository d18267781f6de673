package io.github.reconciler4j.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.CachedNamespaces;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.fixtures.HostExtension;
import io.github.reconciler4j.handler.EventHandlers;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions;
import io.github.reconciler4j.manager.internal.lifecycle.Lifecycle;
import io.github.reconciler4j.manager.permission.MissingPermissionsException;
import io.github.reconciler4j.manager.permission.PermissionReport;
import io.github.reconciler4j.manager.permission.Preflight;
import io.github.reconciler4j.manager.permission.RequiredPermission;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.source.KindSource;
import io.github.reconciler4j.test.KubernetesServer;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which permissions are checked, and on which server. */
@Timeout(60)
class PermissionCheckTests {

    private static final String EVENTS = "event recorder:  events.events.k8s.io [create, patch]";

    private final KubernetesServer home = KubernetesServer.builder().rbac(true).start();
    private final KubernetesServer away = KubernetesServer.builder().rbac(true).start();
    private final Config stranger = home.clientConfig(home.addUser("stranger"));

    @AfterEach
    void stop() {
        home.close();
        away.close();
    }

    /** Component, cluster, resource, verbs and namespace. */
    private static List<String> missing(Manager manager) {
        PermissionReport report = manager.checkPermissions();
        assertThat(report.problem()).isEmpty();
        return report.missing().stream()
                .map(missing -> missing.component() + ": " + missing.cluster() + " "
                        + missing.permission().qualifiedResource() + " "
                        + new TreeSet<>(missing.permission().verbs())
                        + (missing.permission().namespace().isEmpty()
                                ? ""
                                : " in " + missing.permission().namespace()))
                .toList();
    }

    private static ManagerOptions withNamespaces(CachedNamespaces namespaces) {
        return ManagerOptions.defaults()
                .withCache(CacheOptions.defaults()
                        .withKindDefaults(KindCacheOptions.defaults().withNamespaces(namespaces)));
    }

    @Test
    void reportWhenAKindIsOnlyReadNamesTheCache() {
        try (Manager manager = Manager.create(stranger)) {
            manager.cache().informer(Secret.class);
            manager.recorder();
            assertThat(missing(manager)).containsExactly("cache:  secrets [list, watch]", EVENTS);
        }
    }

    @Test
    void reportWhenNothingRecordsEventsHasNoneButThoseAboutLeases() {
        try (Manager manager = Manager.create(stranger)) {
            manager.cache().informer(Secret.class);
            assertThat(manager.home().recordsEvents()).isFalse();
            assertThat(missing(manager)).containsExactly("cache:  secrets [list, watch]");
        }
        ManagerOptions elected = ManagerOptions.defaults()
                .withLeaderElection(LeaderElectionOptions.named("a").withLeaseNamespace("b"));
        try (Manager manager = Manager.create(stranger, elected)) {
            ControllerBuilder.of(ConfigMap.class)
                    .reconciler((map, context) -> Result.done())
                    .addTo(manager);
            assertThat(missing(manager))
                    .contains("leader election:  events.events.k8s.io [create, patch] in b")
                    .doesNotContain(EVENTS);
            manager.recorder("one");
            assertThat(manager.home().recordsEvents()).isTrue();
            assertThat(missing(manager)).contains(EVENTS).noneMatch(need -> need.endsWith("[create, patch] in b"));
        }
    }

    @Test
    void startWhenAPermissionIsMissingAndMustNotBeIsReportedOnce() {
        ManagerOptions options = ManagerOptions.defaults()
                .withLifecycle(LifecycleOptions.defaults().withPreflight(Preflight.FAIL));
        try (CapturedLog log = CapturedLog.of(Lifecycle.class.getName());
                Manager manager = Manager.create(stranger, options)) {
            manager.cache().informer(Secret.class);

            assertThatThrownBy(manager::start)
                    .isInstanceOf(ManagerStartException.class)
                    .hasCauseInstanceOf(MissingPermissionsException.class)
                    .hasMessageContaining("name: operator-missing\n");
            assertThat(log.lines(Level.WARN))
                    .containsExactly("ERROR preflight could not start: permissions are missing");
        }
    }

    @Test
    void reportWhenNamespacesAreSelectedByLabelIncludesNamespaces() {
        try (Manager manager = Manager.create(stranger, withNamespaces(CachedNamespaces.matchingLabels("team=a")))) {
            manager.cache().informer(ConfigMap.class);
            manager.recorder();
            assertThat(missing(manager))
                    .containsExactly("cache:  configmaps [list, watch]", "cache:  namespaces [list, watch]", EVENTS);
        }
    }

    @Test
    void reportWhenNamespacesAreNamedAsksForEachOfThem() {
        try (Manager manager = Manager.create(stranger, withNamespaces(CachedNamespaces.only(Set.of("a", "b"))))) {
            ControllerBuilder.of(ConfigMap.class)
                    .named("maps")
                    .reconciler((map, context) -> Result.done())
                    .addTo(manager);
            assertThat(missing(manager))
                    .startsWith("maps:  configmaps [list, watch] in a", "maps:  configmaps [list, watch] in b");
        }
    }

    @Test
    void reportWhenControllerWatchesAnotherClusterAsksThatClusterOnly() {
        try (Manager manager = Manager.create(home.clientConfig())) {
            Cluster cluster = HostExtension.connect(manager, "east", away.clientConfig(away.addUser("stranger")));
            ControllerBuilder.forRequests("copy", Request.class)
                    .source(new KindSource<>(
                            cluster.cache().informer(ConfigMap.class), EventHandlers.forObject(), event -> true))
                    .requiredPermissions(RequiredPermission.onCore("configmaps", "patch"))
                    .reconciler((request, context) -> Result.done())
                    .addTo(manager);
            assertThat(missing(manager)).containsExactly("copy: east configmaps [list, watch]");
            assertThat(manager.checkPermissions().yaml("operator")).isEmpty();
            assertThat(manager.checkPermissions().yaml("operator", "east", "")).contains("configmaps");
        }
    }

    @Test
    void reportWhenBothClustersAreWatchedAsksEachForItsOwn() {
        try (Manager manager = Manager.create(stranger)) {
            Cluster cluster = HostExtension.connect(manager, "east", away.clientConfig());
            manager.cache().informer(Secret.class);
            cluster.cache().informer(ConfigMap.class);
            manager.recorder();
            assertThat(missing(manager)).containsExactly("cache:  secrets [list, watch]", EVENTS);
        }
    }
}
