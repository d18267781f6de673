package io.github.reconciler4j.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.RETURNS_DEEP_STUBS;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.cache.KindStatus;
import io.github.reconciler4j.client.error.UndecodableObjectException;
import io.github.reconciler4j.health.HealthCheck;
import io.github.reconciler4j.leaderelection.LeaseStatus;
import io.github.reconciler4j.manager.internal.HealthRegistry;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.test.KubernetesServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the checks of a running manager say when something in it is wrong. */
@Timeout(180)
class ManagerHealthTests {

    private final KubernetesServer server = KubernetesServer.start();
    private final Queue<Thread> reflectors = new ConcurrentLinkedQueue<>();
    private final Manager manager = Manager.create(
            server.clientConfig(),
            ManagerOptions.defaults()
                    .withName("health")
                    .withCache(CacheOptions.defaults()
                            .withKindDefaults(KindCacheOptions.defaults()
                                    .withTransform(object -> reflectors.add(Thread.currentThread())))));

    @BeforeEach
    void start() {
        create("there");
        manager.cache().informer(ConfigMap.class);
        manager.start();
    }

    @AfterEach
    void stop() {
        manager.stop();
        server.close();
    }

    private void create(String name) {
        manager.client()
                .create(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName(name)
                        .endMetadata()
                        .addToData("a", "b")
                        .build());
    }

    private HealthCheck.Health check(String name) {
        return manager.healthChecks().stream()
                .filter(check -> check.name().equals(name))
                .findFirst()
                .orElseThrow()
                .check();
    }

    private Map<?, ?> configMaps() {
        return (Map<?, ?>) check("cache").details().get("configmaps");
    }

    @Test
    void healthWhenRequestsForALeaseFailSaysWhyInOneLine() {
        LeaseStatus.Replica replica = new LeaseStatus.Replica("me", Duration.ZERO, true, "3 failures: refused");
        LeaseStatus lease = new LeaseStatus("", ObjectKey.of("operators", "lock"), "other\nERROR", replica);

        assertThat(HealthRegistry.ofLeases(List.of(lease)).details())
                .containsExactly(Map.entry(
                        "operators/lock",
                        Map.of(
                                "leading",
                                false,
                                "holder",
                                "other\\nERROR",
                                "identity",
                                "me",
                                "failure",
                                "3 failures: refused")));
    }

    @Test
    void cacheWhenAWatchThreadHasDiedIsNotAlive() {
        KindStatus dead = mock(KindStatus.class, RETURNS_DEEP_STUBS);
        when(dead.watched()).thenReturn(false);
        when(dead.synced()).thenReturn(true);
        when(dead.failure()).thenReturn("");
        Cache cache = mock(Cache.class);
        when(cache.kinds()).thenReturn(List.of(dead));

        assertThat(HealthRegistry.ofCache("cache", cache, () -> "").check().alive())
                .isFalse();
        when(dead.watched()).thenReturn(true);
        assertThat(HealthRegistry.ofCache("cache", cache, () -> "").check().alive())
                .isTrue();
    }

    @Test
    void cacheWhenAWatchIsSilentSaysForHowLong() {
        KindStatus silent = mock(KindStatus.class, RETURNS_DEEP_STUBS);
        when(silent.kind().resource()).thenReturn("gadgets.example.io");
        when(silent.synced()).thenReturn(true);
        when(silent.watched()).thenReturn(true);
        when(silent.failure()).thenReturn("");
        when(silent.activity().staleness()).thenReturn(Duration.ofMinutes(7));
        Cache cache = mock(Cache.class);
        when(cache.kinds()).thenReturn(List.of(silent));

        HealthCheck.Health health =
                HealthRegistry.ofCache("cache", cache, () -> "").check();

        assertThat((Map<?, ?>) health.details().get("gadgets.example.io"))
                .extracting("stalenessSeconds")
                .isEqualTo(420L);
        assertThat((long) configMaps().get("stalenessSeconds")).isBetween(0L, 60L);
    }

    @Test
    void cacheWhenAWatchThreadIsInterruptedStaysAlive() {
        // A virtual thread cannot be found from outside, so the transform names the thread that delivers objects.
        Thread reflector = reflectors.stream()
                .filter(thread -> thread.getName().equals("reflector-configmaps"))
                .findFirst()
                .orElseThrow();

        reflector.interrupt();
        create("later");

        Awaitility.await("the watch continues")
                .atMost(Duration.ofSeconds(60))
                .until(() -> manager.cache()
                        .get(ConfigMap.class, ObjectKey.of("default", "later"))
                        .isPresent());
        assertThat(check("cache").alive()).isTrue();
        assertThat(configMaps().get("watched")).isNull();
    }

    @Test
    void cacheWhenAnObjectDoesNotFitItsClassNamesItWithoutItsContent() {
        create("odd");
        server.corrupt("", "configmaps", "default", "odd", "/data", "[\"topsecret\"]");
        Awaitility.await("reading it fails")
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThatThrownBy(
                                () -> manager.client().get(ConfigMap.class, ObjectKey.of("default", "odd")))
                        .isInstanceOf(UndecodableObjectException.class));

        assertThat(check("cache").alive()).isTrue();
        assertThat(check("cache").ready()).isTrue();
        assertThat((List<?>) configMaps().get("undecodableObjects"))
                .singleElement()
                .asString()
                .contains("default/odd", "data")
                .doesNotContain("topsecret");
        assertThat(configMaps().get("undecodableObjectCount")).isEqualTo(1);
    }

    @Test
    void managerWhenStoppedIsNotReadyButAlive() {
        assertThat(check("manager").ready()).isTrue();
        manager.stop();
        assertThat(check("manager").ready()).isFalse();
        assertThat(check("manager").alive()).isTrue();
        assertThat(check("cache").alive()).isTrue();
    }
}
