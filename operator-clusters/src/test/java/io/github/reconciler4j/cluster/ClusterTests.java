package io.github.reconciler4j.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.fixtures.ScriptedServer;
import io.github.reconciler4j.handler.EventHandlers;
import io.github.reconciler4j.health.HealthCheck;
import io.github.reconciler4j.manager.Cluster;
import io.github.reconciler4j.manager.LifecycleOptions;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.manager.permission.PermissionReport;
import io.github.reconciler4j.metrics.MicrometerMetrics;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.source.ChannelSource;
import io.github.reconciler4j.source.KindSource;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.request.RequestMatch;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A manager that works with two API servers. */
@Timeout(180)
class ClusterTests {

    private final KubernetesServer home = KubernetesServer.start();
    private final KubernetesServer away = KubernetesServer.start();
    private final Manager manager = manager(Duration.ofSeconds(90));

    @AfterEach
    void stop() {
        manager.close();
        home.close();
        away.close();
    }

    private Manager manager(Duration apiServerTimeout) {
        return Manager.create(
                home.clientConfig(),
                ManagerOptions.defaults()
                        .withLifecycle(LifecycleOptions.defaults().withApiServerTimeout(apiServerTimeout)));
    }

    private static ConfigMap configMap(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .build();
    }

    @Test
    void controllerWhenItWatchesAnotherClusterCopiesFromIt() {
        Cluster cluster = Clusters.of(manager).add("away", away.clientConfig());
        cluster.client().create(configMap("first"));
        addCopy(cluster);

        manager.start();

        awaitCopy("first");
        cluster.client().create(configMap("second"));
        awaitCopy("second");
        assertThat(manager.healthChecks())
                .filteredOn(check -> check.name().equals("cache/away"))
                .singleElement()
                .satisfies(check -> assertThat(check.check().ready()).isTrue());
    }

    private void awaitCopy(String name) {
        Awaitility.await(name + " is copied")
                .atMost(Duration.ofSeconds(60))
                .until(() ->
                        manager
                                .client()
                                .live()
                                .list(Kind.of(ConfigMap.class), Selection.inNamespace("default"))
                                .stream()
                                .anyMatch(map -> map.getMetadata().getName().equals(name)));
    }

    /** Copies what it sees in the other cluster. */
    private void addCopy(Cluster cluster) {
        ControllerBuilder.forRequests("copy", Request.class)
                .source(source(cluster))
                .reconciler((request, context) -> {
                    manager.client().apply(configMap(request.name()));
                    return Result.done();
                })
                .addTo(manager);
    }

    private static KindSource<ConfigMap, Request> source(Cluster cluster) {
        return new KindSource<>(cluster.cache().informer(ConfigMap.class), EventHandlers.forObject(), event -> true);
    }

    private HealthCheck.Health health(String name) {
        return manager.healthChecks().stream()
                .filter(check -> check.name().equals(name))
                .findFirst()
                .orElseThrow()
                .check();
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 500})
    void healthWhenAnotherClusterRefusesEverythingSaysWhy(int status) {
        byte[] refusal = ScriptedServer.json(status, "{\"kind\":\"Status\",\"message\":\"not today\"}");
        try (ScriptedServer refusing = ScriptedServer.start((request, out) -> out.write(refusal))) {
            addCopy(Clusters.of(manager).add("refusing", refusing.config()));
            manager.start();
            Awaitility.await("reason")
                    .atMost(Duration.ofSeconds(45))
                    .untilAsserted(() -> assertThat(String.valueOf(
                                    health("cache/refusing").details().get("failure")))
                            .contains(refusing.config().getMasterUrl().replaceAll("/$", ""), Integer.toString(status)));
            assertThat(health("cache/refusing").details()).containsEntry("available", false);
        }
    }

    @Test
    void startWhenAnotherClusterIsUnavailableDoesNotWaitAndItsSourcesDeliverWhenItAppears() {
        Cluster cluster = Clusters.of(manager).add("away", away.clientConfig());
        addCopy(cluster);
        away.stop();

        manager.start();

        Awaitility.await("everything is ready")
                .atMost(Duration.ofSeconds(45)) // half of what a start waits for an API server
                .until(() -> manager.healthChecks().stream()
                        .allMatch(check -> check.check().ready()));
        assertThat(health("cache/away").details()).containsEntry("available", false);
        assertThat(health("controller/copy").details()).containsEntry("state", "RUNNING");
        away.resume();
        cluster.client().create(configMap("late"));
        awaitCopy("late");
        assertThat(health("cache/away").details()).containsEntry("available", true);
    }

    @Test
    void clustersAddWhenTheManagerRunsStartsIt() {
        manager.start();
        Cluster cluster = Clusters.of(manager).add("away", away.clientConfig());
        cluster.client().create(configMap("first"));
        addCopy(cluster);

        awaitCopy("first");

        assertThat(Clusters.of(manager).joined()).containsExactly(cluster);
        assertThat(Clusters.of(manager).find("away")).contains(cluster);
        assertThat(Clusters.of(manager).find("")).contains(manager.home());
        assertThat(Clusters.of(manager).find("elsewhere")).isEmpty();
    }

    @Test
    void clustersRemoveRemovesSourcesComponentsHealthAndName() {
        manager.start();
        Cluster cluster = Clusters.of(manager).add("away", away.clientConfig());
        Controller<Request> copy = ControllerBuilder.forRequests("copy", Request.class)
                .source(source(cluster))
                .watches(ConfigMap.class, object -> List.of())
                .reconciler((request, context) -> Result.done())
                .addTo(manager);
        manager.add(new Part("away-part", "away"));
        Awaitility.await("the watch").atMost(Duration.ofSeconds(60)).until(() -> away.watches(RequestMatch.any()) == 1);

        assertThat(Clusters.of(manager).remove("away")).isTrue();

        Awaitility.await("the watch has ended")
                .atMost(Duration.ofSeconds(60))
                .until(() -> away.watches(RequestMatch.any()) == 0);
        assertThat(copy.sources()).hasSize(1);
        assertThat(health("controller/copy").alive()).isTrue();
        assertThat(Clusters.of(manager).joined()).isEmpty();
        assertThat(manager.components()).containsExactly(copy);
        assertThat(manager.healthChecks()).extracting(HealthCheck::name).doesNotContain("cache/away");
        assertThatThrownBy(() -> cluster.client().create(configMap("second"))).isInstanceOf(ApiException.class);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Clusters.of(manager).remove("away"))
                .withMessage("The manager has no cluster 'away'");
        Clusters.of(manager).add("away", away.clientConfig()).client().create(configMap("third"));
    }

    @Test
    void addWhenTheClusterOfTheComponentIsNotThereIsRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> manager.add(new Part("part", "away")))
                .withMessage("Cannot add 'part': the manager has no cluster 'away'");
        assertThat(manager.components()).isEmpty();
    }

    /** A component for a cluster, which cannot start. */
    private record Part(String name, String cluster) implements ManagedComponent {
        @Override
        public void start() {
            throw new IllegalStateException("cannot start");
        }

        @Override
        public void stop(Duration grace) {}
    }

    @Test
    void startOfComponentForAnotherClusterWhenItFailsIsRetriedAndAffectsNothingElse() {
        Clusters.of(manager).add("away", away.clientConfig());
        manager.start();
        manager.add(new Part("part", "away"));

        Awaitility.await("the second attempt")
                .atMost(Duration.ofSeconds(60))
                .until(() -> manager.status().components().stream()
                        .anyMatch(status -> status.name().equals("part") && status.attempts() > 1));

        assertThat(manager.status().running()).isTrue();
        assertThat(health("manager").ready()).isTrue();
    }

    @Test
    void checkPermissionsWhenAnotherClusterIsUnavailableChecksTheOthersAndSaysSo() {
        Cluster cluster = Clusters.of(manager).add("away", away.clientConfig());
        cluster.cache().informer(ConfigMap.class);
        manager.cache().informer(ConfigMap.class);
        away.stop();

        PermissionReport report = manager.checkPermissions();

        assertThat(report.missing()).isEmpty();
        assertThat(report.problem()).contains(Integer.toString(away.port()));
    }

    @Test
    void metricsOfAnotherClusterHaveItsNameUntilItLeaves() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        ManagerOptions options = ManagerOptions.defaults().withMetrics(new MicrometerMetrics(registry));
        try (Manager measured = Manager.create(home.clientConfig(), options)) {
            measured.cache().informer(ConfigMap.class);
            measured.start();
            int before = registry.getMeters().size();
            Clusters.of(measured).add("away", away.clientConfig()).cache().informer(ConfigMap.class);
            Awaitility.await("it is synced")
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> registry.find("reconciler4j_cache_synced").tag("cluster", "away").gauges().stream()
                            .anyMatch(gauge -> gauge.value() == 1));
            assertThat(registry.get("rest_client_requests_total")
                            .tag("cluster", "away")
                            .counters())
                    .isNotEmpty();
            Clusters.of(measured).remove("away");
            assertThat(registry.getMeters())
                    .filteredOn(meter -> meter.getId().getTag("cluster") != null)
                    .isEmpty();
            assertThat(registry.getMeters()).hasSizeGreaterThanOrEqualTo(before);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a b", "-a", "a/b", "a\n"})
    void clustersAddWhenTheNameIsNotValidIsRejected(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Clusters.of(manager).add(name, away.clientConfig()))
                .withMessageStartingWith("'name' of a cluster must be");
    }

    @Test
    void clustersAddWhenTheNameIsTakenIsRejected() {
        Clusters.of(manager).add("away", away.clientConfig());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Clusters.of(manager).add("away", away.clientConfig()))
                .withMessageContaining("'away'");
        assertThat(manager.components()).extracting(ManagedComponent::name).containsExactly("away");
    }

    @Test
    void clustersAddWhenItFailsLeavesNothing() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        ManagerOptions options = ManagerOptions.defaults().withMetrics(new MicrometerMetrics(registry));
        try (Manager measured = Manager.create(home.clientConfig(), options)) {
            Controller<Request> taken = addController(measured, "away");
            int before = registry.getMeters().size();

            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Clusters.of(measured).add("away", away.clientConfig()))
                    .withMessageContaining("'away'");

            assertThat(registry.getMeters()).as("its connection is closed").hasSize(before);
            assertThat(Clusters.of(measured).joined()).isEmpty();
            assertThat(Clusters.of(measured).find("away")).isEmpty();
            assertThat(measured.components()).containsExactly(taken);
        }
    }

    @Test
    void clustersAddWhenItHasFailedNotifiesOnlyOfTheNextOne() {
        List<Cluster> notified = new ArrayList<>();
        Clusters.of(manager).addListener(new ClusterListener() {
            @Override
            public void joined(Cluster cluster) {
                notified.add(cluster);
            }
        });
        Controller<Request> taken = addController(manager, "away");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Clusters.of(manager).add("away", away.clientConfig()));
        assertThat(notified).isEmpty();
        manager.remove(taken);
        Cluster added = Clusters.of(manager).add("away", away.clientConfig());
        assertThat(notified).containsExactly(added);
    }

    private static Controller<Request> addController(Manager manager, String name) {
        return ControllerBuilder.forRequests(name, Request.class)
                .source(ChannelSource.ofRequests("requests"))
                .reconciler((request, context) -> Result.done())
                .addTo(manager);
    }

    @Test
    void clustersWhenSomeJoinAndLeaveAreInTheOrderInWhichTheyJoined() {
        Clusters clusters = Clusters.of(manager);
        assertThat(clusters).isSameAs(Clusters.of(manager));
        assertThat(clusters.joined()).isEmpty();

        clusters.add("west", away.clientConfig());
        clusters.add("east", away.clientConfig());
        List<Cluster> both = clusters.joined();
        assertThat(clusters.remove("west")).isTrue();
        clusters.add("west", away.clientConfig());

        assertThat(both).extracting(Cluster::name).containsExactly("west", "east");
        assertThat(clusters.joined()).extracting(Cluster::name).containsExactly("east", "west");
        assertThat(clusters.find("west")).isPresent().isNotEqualTo(Optional.of(both.get(0)));
    }

    @Test
    void clustersRemoveWhenTheNameIsThatOfTheHomeClusterIsRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Clusters.of(manager).remove(manager.home().name()))
                .withMessage("The manager has no cluster ''");
        assertThat(Clusters.of(manager).find("")).contains(manager.home());
    }

    @Test
    void clustersAddListenerWhenSomeHaveJoinedNotifiesItOfThemAndOfLaterOnes() {
        List<String> joined = new ArrayList<>();
        Clusters.of(manager).add("west", away.clientConfig());

        Clusters.of(manager).addListener(new ClusterListener() {
            @Override
            public void joined(Cluster cluster) {
                joined.add("+" + cluster.name());
            }

            @Override
            public void left(Cluster cluster) {
                joined.add("-" + cluster.name());
            }
        });
        Clusters.of(manager).add("east", away.clientConfig());
        Clusters.of(manager).remove("west");

        assertThat(joined).containsExactly("+west", "+east", "-west");
        assertThatNullPointerException()
                .isThrownBy(() -> Clusters.of(manager).addListener(null))
                .withMessage("'listener' must not be null");
    }

    @Test
    void clustersAddWhenTheManagerHasStoppedIsRejected() {
        manager.stop();

        assertThatIllegalStateException().isThrownBy(() -> Clusters.of(manager).add("away", away.clientConfig()));
        assertThat(Clusters.of(manager).joined()).isEmpty();
    }
}
