package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.TooManyRequestsException;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.faults.ActiveFault;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.RequestMatch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A write without an answer may have been carried out, so the next read asks the API server, while the watch is behind. */
@Timeout(120)
class UnansweredWriteTests {

    private static final Duration TIME_LIMIT = Duration.ofSeconds(60);
    private static final ObjectKey ONE = ObjectKey.of("default", "one");
    private static final ObjectKey OTHER = ObjectKey.of("default", "other");
    private static final Selection LABELED = Selection.inNamespace("default").withLabelSelector("parent=a");

    private final KubernetesServer server = KubernetesServer.start();
    private final ApiConnection connection = ApiConnection.open(server.clientConfig());
    private final Scheme scheme = Scheme.create();
    private final Cache cache = Cache.create(connection, scheme, CacheOptions.defaults());
    private final Client client = Client.create(connection, scheme, cache, ClientOptions.defaults());

    UnansweredWriteTests() {
        cache.start();
    }

    @AfterEach
    void close() {
        cache.close();
        connection.close();
        server.close();
    }

    private static ConfigMap map(ObjectKey key, String value) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(key.namespace())
                .withName(key.name())
                .addToLabels("parent", "a")
                .endMetadata()
                .addToData("value", value)
                .build();
    }

    /** Writes of an object that has the value "old", or of one that does not exist yet. */
    enum Write {
        CREATE(false, (client, map) -> client.create(map)),
        FIRST_APPLY(false, (client, map) -> client.apply(map)),
        UPDATE(true, (client, map) -> client.update(map)),
        PATCH(
                true,
                (client, map) ->
                        client.patch(map, ObjectPatch.json(ObjectPatch.Operation.replace("/data/value", "new")))),
        APPLY(true, (client, map) -> client.applyUnconditionally(map, ApplyOptions.defaults())),
        DELETE(true, (client, map) -> client.delete(map));

        private final boolean exists;
        private final BiConsumer<Client, ConfigMap> write;

        Write(boolean exists, BiConsumer<Client, ConfigMap> write) {
            this.exists = exists;
            this.write = write;
        }

        private List<String> result() {
            return this == DELETE ? List.of() : List.of("new");
        }
    }

    /** Let the watch deliver nothing from now on. */
    private void awaitDeliveryAndHoldLaterEvents(ObjectKey key) {
        await("delivery by the watch")
                .atMost(TIME_LIMIT)
                .until(() ->
                        client.withoutPendingWrites().get(ConfigMap.class, key).isPresent());
        server.faults().add(FaultRule.of(RequestMatch.verbs("watch").kind("ConfigMap"), Fault.delayEvents(TIME_LIMIT)));
    }

    private void loseAnswers(Fault fault, Runnable write) {
        ActiveFault active =
                server.faults().add(FaultRule.of(RequestMatch.writes().kind("ConfigMap"), fault));
        assertThat(catchThrowable(write::run)).isInstanceOf(ApiException.class);
        active.close();
    }

    private List<String> values(Selection options) {
        return client.list(Kind.of(ConfigMap.class), options).stream()
                .filter(map -> map.getMetadata().getName().equals("one"))
                .map(map -> map.getData().get("value"))
                .toList();
    }

    private ConfigMap prepare(boolean exists) {
        client.create(map(OTHER, "other"));
        if (exists) {
            client.create(map(ONE, "old"));
        }
        awaitDeliveryAndHoldLaterEvents(exists ? ONE : OTHER);
        return map(ONE, "new");
    }

    @ParameterizedTest
    @EnumSource(Write.class)
    void listWhenAWriteWasCarriedOutAndItsAnswerLostShowsTheWrite(Write write) {
        ConfigMap map = prepare(write.exists);

        loseAnswers(Fault.cut(Fault.CutPoint.AFTER), () -> write.write.accept(client, map));

        assertThat(values(LABELED)).isEqualTo(write.result());
    }

    @ParameterizedTest
    @EnumSource(Write.class)
    void getWhenAWriteWasCarriedOutAndItsAnswerLostShowsTheWrite(Write write) {
        ConfigMap map = prepare(write.exists);

        loseAnswers(Fault.cut(Fault.CutPoint.AFTER), () -> write.write.accept(client, map));

        Optional<ConfigMap> read = client.get(ConfigMap.class, ONE);
        assertThat(read.map(one -> one.getData().get("value")).stream()).containsExactlyElementsOf(write.result());
    }

    @Test
    void readWhenTheServerDoesNotAnswerEitherShowsWhatTheWatchHasDelivered() {
        ConfigMap map = prepare(true);
        loseAnswers(Fault.cut(Fault.CutPoint.AFTER), () -> client.update(map));
        server.faults().add(FaultRule.of(RequestMatch.verbs("list"), Fault.unavailable()));
        long before = requests();

        assertThat(values(LABELED)).containsExactly("old");
        assertThat(values(LABELED)).containsExactly("old");
        assertThat(client.get(ConfigMap.class, ONE)).isPresent();

        assertThat(requests()).as("lookups").isEqualTo(before + 1);
    }

    @Test
    void readWhenTheReaderIsInterruptedLeavesTheQuestionToTheNext() {
        ConfigMap map = prepare(true);
        loseAnswers(Fault.cut(Fault.CutPoint.AFTER), () -> client.update(map));

        Thread.currentThread().interrupt();
        try {
            assertThat(values(LABELED)).containsExactly("old");
        } finally {
            assertThat(Thread.interrupted()).as("the interrupt stays set").isTrue();
        }

        assertThat(values(LABELED)).containsExactly("new");
    }

    @Test
    void readWhenTheRequestWasNotSentCostsNoRequest() {
        ConfigMap map = prepare(true);
        try (ApiConnection broken = ApiConnection.open(unreachable());
                Cache same = cache) {
            Client away = Client.create(broken, scheme, same, ClientOptions.defaults());
            assertThat(catchThrowable(() -> away.update(map))).isInstanceOf(ApiException.class);
            long before = requests();

            assertThat(values(LABELED)).containsExactly("old");

            assertThat(requests()).isEqualTo(before);
        }
    }

    private Config unreachable() {
        Config config = server.clientConfig();
        config.setMasterUrl("http://127.0.0.1:1");
        return config;
    }

    private long requests() {
        return server.requests().count(RequestMatch.verbs("list"));
    }

    @Test
    void readWhenAnEarlierAttemptMayHaveBeenCarriedOutShowsTheWrite() {
        ConfigMap map = prepare(true);
        RequestMatch writes = RequestMatch.writes().kind("ConfigMap");
        server.faults()
                .add(FaultRule.of(writes, Fault.cut(Fault.CutPoint.AFTER)).once());
        server.faults().add(FaultRule.of(writes, Fault.tooManyRequests(Duration.ofDays(1))));

        assertThat(catchThrowable(() -> client.applyUnconditionally(map, ApplyOptions.defaults())))
                .isInstanceOf(TooManyRequestsException.class);

        assertThat(values(LABELED)).containsExactly("new");
    }
}
