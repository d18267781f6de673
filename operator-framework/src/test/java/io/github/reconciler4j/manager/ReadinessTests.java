package io.github.reconciler4j.manager;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.cache.KindStatus;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.health.HealthCheck;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions.OnLost;
import io.github.reconciler4j.leaderelection.LeadershipListener;
import io.github.reconciler4j.leaderelection.LeaseTiming;
import io.github.reconciler4j.manager.ComponentState.State;
import io.github.reconciler4j.manager.process.ProbeServer;
import io.github.reconciler4j.manager.process.ProbeServerOptions;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.test.KubernetesServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the readiness probe of the kubelet gets, over HTTP. */
@Timeout(120)
class ReadinessTests {

    private static final KindInfo MISSING = new KindInfo(new KindName("example.io", "v1", "Gadget"), "gadgets", true);

    private final KubernetesServer server =
            KubernetesServer.builder().rbac(true).start();
    private final List<Manager> managers = new CopyOnWriteArrayList<>();

    @AfterEach
    void stop() {
        managers.forEach(Manager::close);
        server.close();
    }

    private Manager manager(Config config, ManagerOptions options) {
        Manager manager = Manager.create(config, options);
        managers.add(manager);
        return manager;
    }

    private static ProbeServer probes(Manager manager) {
        return ProbeServer.addTo(manager, ProbeServerOptions.defaults().withAddress("127.0.0.1", 0));
    }

    private static HttpResponse<String> get(ProbeServer probes, String path) {
        URI uri = URI.create("http://127.0.0.1:" + probes.port() + path);
        try {
            return HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static ConditionFactory eventually(String what) {
        return Awaitility.await(what).atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(20));
    }

    /** A component that starts, or fails to. */
    private static final class Part implements ManagedComponent {
        private final String name;
        private final StartGroup group;
        volatile Exception failure;

        Part(String name, StartGroup group, Exception failure) {
            this.name = name;
            this.group = group;
            this.failure = failure;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public StartGroup group() {
            return group;
        }

        @Override
        public void start() throws Exception {
            if (failure != null) {
                throw failure;
            }
        }

        @Override
        public void stop(Duration grace) {}
    }

    private static State state(Manager manager, String component) {
        return manager.status().components().stream()
                .filter(status -> status.name().equals(component))
                .findFirst()
                .orElseThrow()
                .state();
    }

    private static KindStatus kind(Manager manager, String plural) {
        return manager.cache().kinds().stream()
                .filter(status -> status.kind().plural().equals(plural))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void readyzWhenADefinitionIsMissingIsOk() {
        Manager manager = manager(server.clientConfig(), ManagerOptions.defaults());
        ProbeServer probes = probes(manager);
        manager.options().scheme().register(MISSING);
        manager.cache().informer(Kind.of(MISSING.kind()));
        manager.cache().informer(ConfigMap.class);
        manager.add(new Part("waiting", StartGroup.ALL_REPLICAS, new ComponentNotReadyException("no gadgets")));
        manager.add(new Part("running", StartGroup.ALL_REPLICAS, null));
        manager.start();
        assertThat(state(manager, "waiting")).isEqualTo(State.WAITING);
        assertThat(kind(manager, "gadgets").synced()).isFalse();
        assertThat(get(probes, "/readyz?verbose").body()).doesNotContain("[-]");
        assertThat(get(probes, "/readyz").statusCode()).isEqualTo(200);
        assertThat(get(probes, "/healthz").statusCode()).isEqualTo(200);
    }

    @Test
    void readyzWhenAPermissionIsMissingIsOk() {
        Manager manager = manager(server.clientConfig(server.addUser("stranger")), ManagerOptions.defaults());
        ProbeServer probes = probes(manager);
        manager.cache().informer(Secret.class);
        manager.start();
        assertThat(kind(manager, "secrets").synced()).isFalse();
        assertThat(get(probes, "/readyz?verbose").body()).doesNotContain("[-]");
        assertThat(get(probes, "/readyz").statusCode()).isEqualTo(200);
    }

    @Test
    void readyzWhenAComponentHasFailedIsNotOk() {
        Manager manager = manager(server.clientConfig(), ManagerOptions.defaults());
        ProbeServer probes = probes(manager);
        manager.start();
        assertThat(get(probes, "/readyz").statusCode()).isEqualTo(200);
        manager.addHealthCheck(new HealthCheck() {
            @Override
            public String name() {
                return "broken";
            }

            @Override
            public Health check() {
                return new Health(false, false, Map.of());
            }
        });
        assertThat(get(probes, "/readyz").statusCode()).isEqualTo(500);
        assertThat(get(probes, "/healthz").statusCode()).isEqualTo(500);
    }

    private ManagerOptions campaigning(String identity) {
        return ManagerOptions.defaults()
                .withName(identity)
                .withLeaderElection(LeaderElectionOptions.named("lock")
                        .withLeaseNamespace("default")
                        .withIdentity(identity)
                        .withOnLost(OnLost.REJOIN)
                        .withTiming(LeaseTiming.of(
                                Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofMillis(200))));
    }

    @Test
    void readyzWhenTheLeaseWasLostAndAnotherReplicaLeadsIsOk() {
        Manager manager = manager(server.clientConfig(), campaigning("first"));
        ProbeServer probes = probes(manager);
        manager.add(new Part("elected", StartGroup.LEADER_ELECTED, null));
        List<String> lost = new CopyOnWriteArrayList<>();
        manager.addLeadershipListener(new LeadershipListener() {
            @Override
            public void lost(String lease, String reason) {
                lost.add(reason);
            }
        });
        manager.start();
        eventually("it leads").until(() -> state(manager, "elected") == State.RUNNING);
        steal();
        eventually("it has lost the lease").until(() -> !lost.isEmpty());
        eventually("it is a standby").until(() -> state(manager, "elected") == State.STANDBY);
        assertThat(get(probes, "/readyz?verbose").body()).doesNotContain("[-]");
        assertThat(get(probes, "/readyz").statusCode()).isEqualTo(200);
        assertThat(get(probes, "/healthz").statusCode()).isEqualTo(200);
        assertThat(manager.status().leader()).isFalse();
    }

    /** Another client puts another holder into the Lease. */
    private void steal() {
        Manager thief = manager(server.clientConfig(), ManagerOptions.defaults().withName("thief"));
        thief.client()
                .patch(
                        Kind.of(Lease.class),
                        ObjectKey.of("default", "lock"),
                        ObjectPatch.merge(Map.of("spec", Map.of("holderIdentity", "thief"))),
                        WriteOptions.defaults());
    }
}
