package io.github.reconciler4j.controller;

import static io.github.reconciler4j.controller.ControllerFixture.A;
import static io.github.reconciler4j.controller.ControllerFixture.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.fixtures.TestHeader;
import io.github.reconciler4j.fixtures.TestSnapshot;
import io.github.reconciler4j.health.HealthCheck.Health;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.manager.process.ProbeServer;
import io.github.reconciler4j.manager.process.ProbeServerOptions;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.test.KubernetesServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the state of one controller means for the readiness of the whole process. */
class ControllerReadinessTests extends ControllerLifecycleFixture {

    private static Health health(Controller<?> controller) {
        return controller.healthChecks().get(0).check();
    }

    private static int readyz(ProbeServer probes) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + probes.port() + "/readyz"))
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    @Test
    void readyzWhenTheKindOfOneControllerIsMissingIsOkAndTheOthersReconcile() throws Exception {
        try (KubernetesServer server = KubernetesServer.start();
                Manager manager = Manager.create(server.clientConfig(), ManagerOptions.defaults())) {
            ProbeServer probes =
                    ProbeServer.addTo(manager, ProbeServerOptions.defaults().withAddress("127.0.0.1", 0));
            KindName missing = KindName.of("example.io/v1", "Missing");
            manager.options().scheme().register(new KindInfo(missing, "missings", true));
            Controller<Request> waiting = ControllerBuilder.of(Kind.of("example.io/v1", "Missing"))
                    .reconciler((object, context) -> Result.done())
                    .addTo(manager);
            Controller<Request> working = ControllerBuilder.of(ConfigMap.class)
                    .reconciler((map, context) -> Result.done())
                    .addTo(manager);
            manager.start();
            eventually("waiting", () -> waiting.state() == ControllerState.WAITING);
            eventually("running", () -> working.state() == ControllerState.RUNNING);
            assertThat(health(waiting).ready()).isTrue();
            assertThat(health(waiting).details().get("waitingFor")).asString().contains("missings");
            assertThat(readyz(probes)).isEqualTo(200);
            working.stop(Duration.ofSeconds(30));
            assertThat(readyz(probes)).as("a controller that was stopped").isEqualTo(200);
        }
    }

    @Test
    void healthWhenTheFirstStartIsInProgressIsNotReady() throws Exception {
        try (ControllerFixture fixture = doingNothing(ControllerOptions.defaults())) {
            fixture.controller.watch(podSource());
            assertThat(health(fixture.controller).ready()).as("standby").isTrue();
            Thread start = startInBackground(fixture);
            eventually("starting", () -> fixture.controller.state() == ControllerState.STARTING);
            assertThat(health(fixture.controller).ready()).isFalse();
            pods.sync();
            start.join();
            assertThat(health(fixture.controller).ready()).isTrue();
        }
    }

    @Test
    void healthWhenLeadershipWasLostAndIsCampaignedForAgainIsReady() throws Exception {
        try (ControllerFixture fixture = doingNothing(ControllerOptions.defaults())) {
            fixture.controller.watch(podSource());
            pods.sync();
            fixture.started();
            fixture.controller.stop(Duration.ZERO);
            assertThat(health(fixture.controller).ready()).as("standby again").isTrue();
            fixture.started();
            pods.deliver(TestSnapshot.created(TestHeader.of("default", "a")));
            fixture.awaitRuns(1);
            assertThat(health(fixture.controller).ready()).isTrue();
        }
    }

    @Test
    void healthWhenAStartFailedAndIsRetriedIsReadyAndHasTheReason() throws Exception {
        try (ControllerFixture fixture = doingNothing(syncTimeout(Duration.ofMillis(10)))) {
            fixture.controller.watch(podSource());
            startInBackground(fixture).join();
            assertThat(fixture.controller.state()).isEqualTo(ControllerState.FAILED);
            assertThat(health(fixture.controller).ready()).isTrue();
            assertThat(health(fixture.controller).details().get("startFailure"))
                    .asString()
                    .contains("Pod.v1");
            fixture.channel.send(A);
        }
    }

    @Test
    void healthWhenAMapperFailsCountsTheObjectsThatWait() throws Exception {
        try (ControllerFixture fixture = doingNothing(ControllerOptions.defaults())) {
            fixture.controller.watch(podSource((event, sink) -> {
                throw new NoClassDefFoundError("broken");
            }));
            pods.sync();
            fixture.started();
            pods.deliver(TestSnapshot.created(TestHeader.of("default", "a")));
            pods.deliver(TestSnapshot.created(TestHeader.of("default", "b")));
            pods.deliver(TestSnapshot.deleted(TestHeader.of("default", "b")));
            assertThat(health(fixture.controller).details()).containsEntry("undelivered", Map.of("Pod.v1", 2));
            assertThat(fixture.metrics.gauge("reconciler4j_controller_undelivered_objects{controller=test}"))
                    .isEqualTo(2);
            assertThat(health(fixture.controller).ready()).isTrue();
        }
    }

    private static Thread startInBackground(ControllerFixture fixture) {
        Thread thread = new Thread(() -> {
            try {
                fixture.controller.start();
            } catch (Exception e) {
                // shown by the state
            }
        });
        thread.start();
        return thread;
    }
}
