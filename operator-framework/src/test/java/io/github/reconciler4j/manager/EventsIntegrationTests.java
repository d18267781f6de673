package io.github.reconciler4j.manager;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.fixtures.CuttableProxy;
import io.github.reconciler4j.fixtures.RecordingMetrics;
import io.github.reconciler4j.recorder.EventRecorder;
import io.github.reconciler4j.test.kubernetes.AnyKubernetes;
import io.github.reconciler4j.test.kubernetes.AnyKubernetesTest;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Events on an API server: their limits, and what becomes of them while it does not answer. */
@Timeout(300)
@AnyKubernetesTest
class EventsIntegrationTests {

    private static final int BURST = 25;

    private final AnyKubernetes kubernetes;
    private final String namespace;
    private final RecordingMetrics metrics = new RecordingMetrics();

    EventsIntegrationTests(AnyKubernetes kubernetes) {
        this.kubernetes = kubernetes;
        this.namespace = kubernetes.createNamespace("events");
    }

    private Manager manager(Config config) {
        return Manager.create(
                config, ManagerOptions.defaults().withName("events-it").withMetrics(metrics));
    }

    private static ConditionFactory await(String what) {
        return Awaitility.await(what).atMost(Duration.ofSeconds(90)).pollInterval(Duration.ofMillis(100));
    }

    private double events(String result) {
        return metrics.count("reconciler4j_events_total{result=" + result + "}");
    }

    /** What the server has, one line an event: whom it is about and why. */
    private List<String> written() {
        return kubernetes.with(client -> client.resources(Event.class).inNamespace(namespace).list().getItems().stream()
                .map(event ->
                        event.getRegarding().getName() + " " + event.getReason() + " " + event.getReportingController())
                .toList());
    }

    private ConfigMap map(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(name)
                .endMetadata()
                .build();
    }

    @Test
    void eventsWhenTooManyAreLimitedForEachControllerAndObject() throws Exception {
        try (Manager manager = manager(kubernetes.config())) {
            manager.start();
            EventRecorder noisy = manager.recorder("example.io/noisy");
            for (int i = 0; i < BURST + 15; i++) {
                noisy.warning(map("full"), "Reason" + i, "Try", "the try " + i);
            }
            noisy.normal(map("other"), "Alone", "Try", "about another object");
            manager.recorder("example.io/calm").normal(map("full"), "Calm", "Try", "of another controller");
            await("all are decided").until(() -> events("written") + events("rate_limited") >= BURST + 17);
        }
        assertThat(events("rate_limited")).isEqualTo(15);
        assertThat(events("written")).isEqualTo(BURST + 2.0);
        List<String> expected = IntStream.range(0, BURST)
                .mapToObj(i -> "full Reason" + i + " example.io/noisy")
                .toList();
        assertThat(written())
                .containsAll(expected)
                .contains("other Alone example.io/noisy", "full Calm example.io/calm")
                .hasSize(BURST + 2);
    }

    @Test
    void recordWhenTheServerDoesNotRespondDoesNotBlockAndWritesLater() throws Exception {
        Config config = kubernetes.config();
        URI direct = URI.create(config.getMasterUrl());
        try (CuttableProxy proxy = new CuttableProxy(direct.getPort())) {
            config.setMasterUrl("https://127.0.0.1:" + proxy.port() + "/");
            try (Manager manager = manager(config)) {
                manager.start();
                EventRecorder recorder = manager.recorder("example.io/cut");
                proxy.cut();
                for (int i = 0; i < 10; i++) {
                    recorder.normal(map("away"), "Away" + i, "Try", "without a response");
                }
                // All calls have returned, and none can have been answered.
                assertThat(written()).isEmpty();
                proxy.restore();
                await("the events").until(() -> written().size() == 10);
                await("the answers").until(() -> events("written") == 10);
            }
        }
        assertThat(events("dropped") + events("failed")).isZero();
    }
}
