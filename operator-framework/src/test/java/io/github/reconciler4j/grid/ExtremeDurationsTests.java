package io.github.reconciler4j.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.WatchOptions;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.health.HealthReport;
import io.github.reconciler4j.manager.LifecycleOptions;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.recorder.EventOptions;
import io.github.reconciler4j.source.PollSource;
import io.github.reconciler4j.test.KubernetesServer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every option that accepts the longest duration of Java takes it for "never". */
@Timeout(120)
class ExtremeDurationsTests {

    private static final Duration LONGEST = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);

    /** Set every duration of these options to the longest one, unless they refuse it. */
    @SuppressWarnings("unchecked")
    private static <T> T longest(T options) throws ReflectiveOperationException {
        T changed = options;
        for (Method method : options.getClass().getMethods()) {
            boolean takesDuration = List.of(method.getParameterTypes()).contains(Duration.class);
            if (takesDuration
                    && method.getName().startsWith("with")
                    && !method.getName().equals("withStartJitter")) {
                Object[] arguments = Arrays.stream(method.getParameterTypes())
                        .map(type -> type == Duration.class ? (Object) LONGEST : 1)
                        .toArray();
                try {
                    changed = (T) method.invoke(changed, arguments);
                } catch (InvocationTargetException e) {
                    assertThat(e.getCause()).as(method.getName()).isInstanceOf(IllegalArgumentException.class);
                }
            }
        }
        return changed;
    }

    private static ManagerOptions options() throws ReflectiveOperationException {
        return ManagerOptions.defaults()
                .withClient(longest(ClientOptions.defaults()))
                .withCache(longest(CacheOptions.defaults().withWatch(longest(WatchOptions.defaults()))))
                .withLifecycle(longest(LifecycleOptions.defaults()))
                .withEvents(longest(EventOptions.defaults()));
    }

    @Test
    void managerWhenAllDurationsAreTheLongestRunsAndStops() throws Exception {
        Set<String> reconciled = ConcurrentHashMap.newKeySet();
        try (KubernetesServer server = KubernetesServer.start();
                Manager manager = Manager.create(server.clientConfig(), options())) {
            ControllerBuilder.of(ConfigMap.class)
                    .named("extreme")
                    .options(longest(ControllerOptions.defaults()))
                    .resync(LONGEST)
                    .source(PollSource.ofAll("poll", LONGEST, Map::of))
                    .reconciler((map, context) -> {
                        reconciled.add(map.getMetadata().getName());
                        return Result.requeueAfter(LONGEST);
                    })
                    .addTo(manager);
            manager.start();
            manager.client()
                    .create(new ConfigMapBuilder()
                            .withNewMetadata()
                            .withName("a")
                            .withNamespace("default")
                            .endMetadata()
                            .build());
            await("reconciliation").atMost(Duration.ofSeconds(30)).until(() -> reconciled.contains("a"));
            assertThat(HealthReport.of(manager.healthChecks()).checks().values())
                    .allMatch(check -> check.alive());
            manager.stop();
            assertThat(manager.status().running()).isFalse();
        }
    }
}
