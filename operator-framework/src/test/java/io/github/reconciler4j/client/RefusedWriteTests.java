package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.policy.v1.Eviction;
import io.fabric8.kubernetes.api.model.policy.v1.EvictionBuilder;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.LoggedRequest;
import io.github.reconciler4j.test.request.RequestMatch;
import java.time.Duration;
import java.util.Map;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A refusal is knowledge: after it, reads show what the watch has not delivered yet. */
@Timeout(120)
class RefusedWriteTests {

    private static final Duration TIME_LIMIT = Duration.ofSeconds(60);
    private static final ObjectKey ONE = ObjectKey.of("default", "one");

    private final KubernetesServer server = KubernetesServer.start();
    private final ApiConnection connection = ApiConnection.open(server.clientConfig());
    private final Scheme scheme = Scheme.create();
    private final Cache cache = Cache.create(connection, scheme, CacheOptions.defaults());
    private final Client client = Client.create(connection, scheme, cache, ClientOptions.defaults());
    private final Client other = Client.create(connection, Scheme.create(), ClientOptions.defaults());

    RefusedWriteTests() {
        cache.start();
    }

    @AfterEach
    void close() {
        cache.close();
        connection.close();
        server.close();
    }

    private static ConfigMap map(String value) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("one")
                .endMetadata()
                .addToData("value", value)
                .build();
    }

    /** Waits until the watch has delivered the object, and holds back what comes later. */
    private void awaitDeliveryAndHoldLaterEvents(Class<? extends HasMetadata> type) {
        await("delivery by the watch")
                .atMost(TIME_LIMIT)
                .until(() -> client.withoutPendingWrites().get(type, ONE).isPresent());
        server.faults()
                .add(FaultRule.of(
                        RequestMatch.verbs("watch").kind(HasMetadata.getKind(type)), Fault.delayEvents(TIME_LIMIT)));
    }

    /** Writes of an object that another client has deleted. */
    enum Late {
        DELETE((client, pod) -> client.delete(pod)),
        UPDATE((client, pod) -> client.update(pod)),
        PATCH((client, pod) ->
                client.patch(pod, ObjectPatch.merge(Map.of("metadata", Map.of("labels", Map.of("a", "b")))))),
        STATUS_UPDATE((client, pod) -> client.status().update(pod)),
        STATUS_PATCH((client, pod) ->
                client.status().patch(pod, ObjectPatch.merge(Map.of("status", Map.of("phase", "Running"))))),
        STATUS_APPLY((client, pod) -> client.status().apply(pod)),
        EVICTION((client, pod) ->
                client.subresource("eviction").post(pod, eviction(), Status.class, WriteOptions.defaults()));

        private final BiConsumer<Client, Pod> write;

        Late(BiConsumer<Client, Pod> write) {
            this.write = write;
        }

        private static Eviction eviction() {
            return new EvictionBuilder()
                    .withNewMetadata()
                    .withName(ONE.name())
                    .endMetadata()
                    .build();
        }
    }

    private static Pod pod() {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("one")
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("main")
                .withImage("a")
                .endContainer()
                .endSpec()
                .build();
    }

    @ParameterizedTest
    @EnumSource(Late.class)
    void writeWhenAnotherClientHasDeletedTheObjectShowsThatToReaders(Late late) {
        Pod created = other.create(pod());
        awaitDeliveryAndHoldLaterEvents(Pod.class);
        other.delete(created);
        assertThat(client.get(Pod.class, ONE)).as("the watch is behind").isPresent();

        Throwable refusal = catchThrowable(() -> late.write.accept(client, created));

        assertThat(refusal == null ? late : refusal)
                .isInstanceOfAny(Late.class, NotFoundException.class, ConflictException.class);
        assertThat(client.get(Pod.class, ONE)).isEmpty();
        assertThat(client.list(Kind.of(Pod.class), Selection.inNamespace("default")))
                .isEmpty();
    }

    /** The watch of a kind opens a moment after its objects are cached. */
    private long requests() {
        return server.requests().all().stream()
                .map(LoggedRequest::request)
                .filter(RequestMatch.watches().negate())
                .count();
    }

    @Test
    void deleteWhenTheAnswerToAnEarlierOneWasLostShowsThatTheObjectIsGone() {
        client.create(map("1"));
        awaitDeliveryAndHoldLaterEvents(ConfigMap.class);
        server.faults()
                .add(FaultRule.of(RequestMatch.verbs("delete").kind("ConfigMap"), Fault.cut(Fault.CutPoint.AFTER))
                        .once());
        assertThatThrownBy(() -> client.delete(map("1"))).isInstanceOf(ConnectionException.class);

        assertThat(client.delete(map("1"))).isFalse();

        assertThat(client.get(ConfigMap.class, ONE)).isEmpty();
        assertThat(client.get(Kind.of(ConfigMap.class).metadata(), ONE)).isEmpty();
    }

    @Test
    void applyWhenAnotherClientHasChangedTheObjectShowsThatToReaders() {
        ConfigMap created = client.create(map("mine"));
        awaitDeliveryAndHoldLaterEvents(ConfigMap.class);
        other.patch(map(""), ObjectPatch.merge(Map.of("data", Map.of("value", "theirs"))));

        assertThatThrownBy(() -> client.applyUnconditionally(
                        created, ApplyOptions.defaults().withOptimisticLock()))
                .isInstanceOf(ConflictException.class);

        assertThat(client.get(ConfigMap.class, ONE).orElseThrow().getData()).containsEntry("value", "theirs");
    }

    @Test
    void applyWhenAnotherOwnsTheFieldCostsReadersNothing() {
        client.applyUnconditionally(map("1"), ApplyOptions.defaults().withFieldManager("first"));
        client.get(ConfigMap.class, ONE);
        assertThatThrownBy(() -> client.applyUnconditionally(
                        map("2"),
                        ApplyOptions.defaults().withFieldManager("second").withoutForce()))
                .isInstanceOf(ConflictException.class);
        long before = requests();

        assertThat(client.get(ConfigMap.class, ONE)).isPresent();

        assertThat(requests()).isEqualTo(before);
    }
}
