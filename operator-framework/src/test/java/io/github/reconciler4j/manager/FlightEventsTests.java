package io.github.reconciler4j.manager;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.cache.WatchOptions;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.support.internal.FlightEvents;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.request.RequestMatch;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a recording of the JDK Flight Recorder has of an operator. */
@Timeout(180)
class FlightEventsTests {

    private static final List<String> EVENTS = List.of("Reconcile", "ApiCall", "List", "WatchGap", "Lease");

    @TempDir
    Path folder;

    private static ConfigMap map(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .build();
    }

    private List<RecordedEvent> record() throws IOException {
        List<String> reconciled = new CopyOnWriteArrayList<>();
        ManagerOptions options = ManagerOptions.defaults()
                .withLeaderElection(LeaderElectionOptions.named("lock").withLeaseNamespace("default"));
        options = options.withCache(options.cache()
                .withWatch(options.cache()
                        .watch()
                        .withListMode(WatchOptions.ListMode.WHOLE)
                        .withLifetime(Duration.ofSeconds(1), Duration.ofSeconds(1))));
        try (KubernetesServer server = KubernetesServer.start();
                Recording recording = new Recording()) {
            EVENTS.forEach(name -> recording.enable("io.github.reconciler4j." + name));
            recording.start();
            try (Manager manager = Manager.create(server.clientConfig(), options)) {
                ControllerBuilder.of(ConfigMap.class)
                        .reconciler((map, context) -> {
                            reconciled.add(map.getMetadata().getName());
                            return Result.done();
                        })
                        .addTo(manager);
                manager.start();
                manager.client().create(map("one"));
                Awaitility.await("the first").atMost(Duration.ofSeconds(60)).until(() -> reconciled.contains("one"));
                Awaitility.await("the watch has ended and is renewed")
                        .atMost(Duration.ofSeconds(60))
                        .until(() ->
                                server.requests().count(RequestMatch.watches().kind("ConfigMap")) > 1);
                manager.client().create(map("two"));
                Awaitility.await("the second").atMost(Duration.ofSeconds(60)).until(() -> reconciled.contains("two"));
            }
            recording.stop();
            Path file = folder.resolve("events.jfr");
            recording.dump(file);
            return RecordingFile.readAllEvents(file);
        }
    }

    /** The recorder can lose a text when it changes files, so an event can lack the field. */
    private static RecordedEvent find(List<RecordedEvent> events, String name, String field, String value) {
        return events.stream()
                .filter(event -> event.getEventType().getName().equals("io.github.reconciler4j." + name)
                        && String.valueOf(event.getString(field)).contains(value))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + name + " with " + field + " " + value));
    }

    @Test
    void recordingWhenOnHasTheEventsOfTheFramework() throws Exception {
        List<RecordedEvent> events = record();
        RecordedEvent run = find(events, "Reconcile", "name", "one");
        assertThat(run.getString("controller")).isEqualTo("configmap");
        assertThat(run.getString("namespace")).isEqualTo("default");
        assertThat(run.getString("outcome")).isEqualTo("success");
        assertThat(run.getString("reconcileId")).hasSize(36);
        assertThat(run.getInt("attempt")).isEqualTo(1);
        assertThat(run.getDuration("queueWait")).isPositive();
        RecordedEvent call = find(events, "ApiCall", "path", "/api/v1/namespaces/default/configmaps");
        assertThat(call.getString("verb")).isEqualTo("create");
        assertThat(call.getInt("status")).isEqualTo(201);
        assertThat(call.getLong("responseSize")).isPositive();
        assertThat(find(events, "List", "kind", "configmaps").getInt("objects")).isNotNegative();
        assertThat(find(events, "WatchGap", "kind", "configmaps").getString("reason"))
                .isEqualTo("ENDED");
        assertThat(find(events, "Lease", "lease", "lock").getBoolean("leading")).isTrue();
    }

    @Test
    void eventsWhenNothingRecordsThemAreNull() {
        assertThat(FlightEvents.reconcile()).isNull();
        assertThat(FlightEvents.apiCall()).isNull();
        assertThat(FlightEvents.list()).isNull();
        assertThat(FlightEvents.watchGap()).isNull();
        assertThat(FlightEvents.lease()).isNull();
    }
}
