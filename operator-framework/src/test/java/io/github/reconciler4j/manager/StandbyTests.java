package io.github.reconciler4j.manager;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.cache.KindStatus;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.controller.Placement;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions;
import io.github.reconciler4j.leaderelection.LeaseStatus;
import io.github.reconciler4j.leaderelection.LeaseTiming;
import io.github.reconciler4j.manager.ComponentState.State;
import io.github.reconciler4j.manager.process.ProbeServer;
import io.github.reconciler4j.manager.process.ProbeServerOptions;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.test.KubernetesServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a replica does while another one leads, and how several leases are shared out. */
@Timeout(180)
class StandbyTests {

    private static final LeaseTiming TIMING =
            LeaseTiming.of(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofMillis(200));

    private final KubernetesServer server = KubernetesServer.start();
    private final Manager first = manager("first");
    private final Manager second = manager("second");
    private final List<String> reconciled = new CopyOnWriteArrayList<>();

    @AfterEach
    void stop() {
        first.close();
        second.close();
        server.close();
    }

    private Manager manager(String identity) {
        return Manager.create(
                server.clientConfig(),
                ManagerOptions.defaults()
                        .withLeaderElection(LeaderElectionOptions.named("lock")
                                .withLeaseNamespace("default")
                                .withIdentity(identity)
                                .withTiming(TIMING)));
    }

    private static ConditionFactory eventually(String what) {
        return Awaitility.await(what).atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(20));
    }

    private void addControllers(Manager manager, String replica) {
        ControllerBuilder.of(ConfigMap.class)
                .named("everywhere")
                .options(ControllerOptions.defaults().withPlacement(Placement.allReplicas()))
                .reconciler((map, context) -> {
                    reconciled.add(replica + " everywhere");
                    return Result.done();
                })
                .addTo(manager);
        ControllerBuilder.of(Secret.class)
                .named("elected")
                .reconciler((secret, context) -> Result.done())
                .addTo(manager);
    }

    private static State state(Manager manager, String component) {
        return manager.status().components().stream()
                .filter(status -> status.name().equals(component))
                .findFirst()
                .orElseThrow()
                .state();
    }

    private static int status(ProbeServer probes, String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + probes.port() + path);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    @Test
    void replicaWhenAnotherLeadsIsReadyWithWarmCachesAndRunsWhatIsNotElected() throws Exception {
        addControllers(first, "first");
        first.start();
        eventually("the first leads").until(() -> first.status().leader());
        addControllers(second, "second");
        ProbeServer probes = ProbeServer.addTo(
                second,
                ProbeServerOptions.defaults().withAddress("127.0.0.1", 0).withMetrics(() -> "a_total 1\n"));

        second.start();
        first.client()
                .create(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName("one")
                        .endMetadata()
                        .build());

        eventually("the standby reconciles").until(() -> reconciled.contains("second everywhere"));
        assertThat(second.status().leader()).isFalse();
        assertThat(state(second, "elected")).isEqualTo(State.STANDBY);
        assertThat(second.cache().kinds())
                .filteredOn(kind -> kind.kind().plural().equals("secrets"))
                .singleElement()
                .matches(KindStatus::synced, "is synced");
        assertThat(status(probes, "/healthz")).isEqualTo(200);
        assertThat(status(probes, "/readyz")).isEqualTo(200);
        assertThat(status(probes, "/metrics")).isEqualTo(200);

        first.stop();
        eventually("the second has taken over").until(() -> state(second, "elected") == State.RUNNING);
    }

    @Test
    void leasesWhenControllersHaveTheirOwnSpreadOverTheReplicas() {
        for (Manager manager : List.of(first, second)) {
            for (String lease : List.of("a", "b")) {
                ControllerBuilder.of(ConfigMap.class)
                        .named(lease)
                        .options(ControllerOptions.defaults().withPlacement(Placement.leaseHolder(lease)))
                        .reconciler((map, context) -> Result.done())
                        .addTo(manager);
            }
        }
        Thread other = new Thread(second::start);
        other.start();
        first.start();

        eventually("all leases are held").until(() -> held(first) + held(second) == 2);
        eventually("each controller stands by where its lease is not held")
                .until(() -> Stream.of("a", "b")
                        .allMatch(lease ->
                                state(first, lease) == State.STANDBY || state(second, lease) == State.STANDBY));
        Manager holder = held(first) > 0 ? first : second;
        Manager rest = holder == first ? second : first;
        holder.stop();
        eventually("the other has taken over").until(() -> held(rest) == 2);
        eventually("both controllers run there")
                .until(() -> state(rest, "a") == State.RUNNING && state(rest, "b") == State.RUNNING);
    }

    private static long held(Manager manager) {
        return manager.status().leases().stream().filter(LeaseStatus::leading).count();
    }
}
