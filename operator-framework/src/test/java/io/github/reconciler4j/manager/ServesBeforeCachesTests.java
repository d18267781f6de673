package io.github.reconciler4j.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.health.HealthCheck;
import io.github.reconciler4j.health.HealthReport;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.RequestMatch;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A replica whose caches cannot sync, with and without a component that the API server may need to list. */
@Timeout(60)
class ServesBeforeCachesTests {

    private final KubernetesServer server = KubernetesServer.start();
    private final Manager manager = Manager.create(server.clientConfig(), ManagerOptions.defaults());
    private final Thread starter = new Thread(manager::start, "starter");

    @AfterEach
    void stop() throws InterruptedException {
        manager.stop();
        starter.join();
        server.close();
    }

    private void startWithoutCaches(Part part) {
        server.faults().add(FaultRule.of(RequestMatch.any().kind("ConfigMap"), Fault.internalError()));
        manager.cache().informer(ConfigMap.class);
        manager.add(part);
        manager.add(new Part("later", StartGroup.ALL_REPLICAS, false));
        starter.start();
        await().atMost(Duration.ofSeconds(30))
                .until(() -> !manager.cache().kinds().isEmpty()
                        && !manager.cache().kinds().get(0).failure().isEmpty());
    }

    private Map<String, HealthCheck.Health> checks() {
        return HealthReport.of(manager.healthChecks()).checks();
    }

    private boolean isReady() {
        return checks().values().stream().allMatch(HealthCheck.Health::ready);
    }

    @Test
    void replicaWhenAComponentServesBeforeTheCachesIsReadyOnceThatComponentIs() {
        Part part = new Part("conversion", StartGroup.WEBHOOKS, true);
        startWithoutCaches(part);

        assertThat(manager.status().running()).isFalse();
        assertThat(checks())
                .allSatisfy(
                        (name, health) -> assertThat(health.ready()).as(name).isTrue());
        assertThat(checks().get("cache").details().toString()).contains("synced=false");
        part.ready = false;
        assertThat(isReady()).isFalse();
        part.ready = true;
        manager.remove(part);
        assertThat(isReady()).isFalse();
    }

    @Test
    void replicaWhenNoComponentServesBeforeTheCachesWaitsForThem() {
        startWithoutCaches(new Part("validation", StartGroup.WEBHOOKS, false));

        assertThat(checks().get("validation").ready()).isTrue();
        assertThat(checks().get("cache").ready()).isFalse();
        assertThat(checks().get("manager").ready()).isFalse();
    }

    @Test
    void replicaWhenItStopsIsNotReady() {
        assertThat(isReady()).isFalse();
        manager.add(new Part("conversion", StartGroup.WEBHOOKS, true));
        assertThat(isReady()).isFalse();
        manager.start();
        assertThat(isReady()).isTrue();

        manager.stop();

        assertThat(isReady()).isFalse();
    }

    private static final class Part implements ManagedComponent, HealthCheck {
        private final String name;
        private final StartGroup group;
        private final boolean early;
        private volatile boolean ready = true;

        Part(String name, StartGroup group, boolean early) {
            this.name = name;
            this.group = group;
            this.early = early;
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
        public boolean servesBeforeCaches() {
            return early;
        }

        @Override
        public List<HealthCheck> healthChecks() {
            return List.of(this);
        }

        @Override
        public Health check() {
            return new Health(true, ready, Map.of());
        }

        @Override
        public void start() {}

        @Override
        public void stop(Duration grace) {}
    }
}
