package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.RequestMatch;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The requests of a program with a cache after a restart. */
@Timeout(120)
class ClientRestartTests {

    private static final int MANY = 500;

    private final KubernetesServer server = KubernetesServer.start();
    private final ApiConnection connection = ApiConnection.open(server.clientConfig());
    private final List<ConfigMap> wanted = IntStream.range(0, MANY)
            .mapToObj(i -> new ConfigMapBuilder()
                    .withNewMetadata()
                    .withNamespace("default")
                    .withName("map-" + i)
                    .addToLabels("app", "x")
                    .endMetadata()
                    .addToData("a", "1")
                    .build())
            .toList();

    @AfterEach
    void close() {
        connection.close();
        server.close();
    }

    /** One life of a program: applies all and ends; returns what it asked of the server about single objects. */
    private Map<String, Long> live(List<ConfigMap> objects, int rounds) {
        Scheme scheme = Scheme.create();
        try (Cache cache = Cache.create(connection, scheme)) {
            Client client = Client.create(connection, scheme, cache, ClientOptions.defaults());
            cache.start();
            client.list(ConfigMap.class); // watches the kind, as the controller of an owner does
            server.requests().clear();
            for (int i = 0; i < rounds; i++) {
                objects.forEach(client::apply);
            }
            return server.requests().counts(RequestMatch.verbs("get", "patch").kind("ConfigMap"));
        }
    }

    @Test
    void restartWhenNothingHasChangedReadsEachObjectOnceAndWritesNothing() {
        assertThat(live(wanted, 1)).isEqualTo(Map.of("patch ConfigMap", (long) MANY));
        assertThat(live(wanted, 3)).isEqualTo(Map.of("get ConfigMap", (long) MANY));
    }

    @Test
    void restartWhenTheCacheShowsADifferenceWritesWithoutReading() {
        List<ConfigMap> few = wanted.subList(0, 10);
        live(few, 1);
        few.forEach(map -> map.getData().put("a", "2"));
        assertThat(live(few, 2)).isEqualTo(Map.of("patch ConfigMap", 10L));
    }

    @Test
    void restartWhenTheReadFailsWrites() {
        List<ConfigMap> few = wanted.subList(0, 2);
        live(few, 1);
        Fault forbidden = new Fault.Respond(403, "Forbidden", "not for you", Map.of());
        Fault cut = new Fault.Cut(Fault.CutPoint.INSIDE);
        for (Fault fault : List.of(forbidden, cut)) {
            server.faults().add(FaultRule.of(RequestMatch.verbs("get").kind("ConfigMap"), fault));
            assertThat(live(few, 2)).containsEntry("patch ConfigMap", 2L);
            server.faults().clear();
        }
    }
}
