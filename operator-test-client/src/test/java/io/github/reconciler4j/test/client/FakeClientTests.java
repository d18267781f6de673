package io.github.reconciler4j.test.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.client.error.ConnectionException.Problem;
import io.github.reconciler4j.client.error.InvalidObjectException;
import io.github.reconciler4j.client.error.KindNotServedException;
import io.github.reconciler4j.client.error.NotFoundException;
import io.github.reconciler4j.client.error.RequestInterruptedException;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.KindInfo;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.RequestMatch;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FakeClientTests {

    private static final KindInfo UNKNOWN = new KindInfo(KindName.of("other.example/v1", "Thing"), "things", true);

    private static ConfigMap map(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("shop")
                .withName(name)
                .endMetadata()
                .withData(Map.of("key", "value"))
                .build();
    }

    @Test
    void buildWhenAnObjectIsGivenCreatesItAndItsNamespace() {
        ConfigMap given = map("one");
        try (FakeClient client = FakeClient.of(given)) {
            assertThat(client.get(ConfigMap.class, "shop", "one")).hasValueSatisfying(found -> {
                assertThat(found.getData()).containsEntry("key", "value");
                assertThat(found.getMetadata().getUid()).isNotBlank();
            });
            assertThat(client.exists(Kind.of(Namespace.class), ObjectKey.ofName("shop")))
                    .isTrue();
        }
        assertThat(given.getMetadata().getUid()).isNull();
    }

    @Test
    void buildWhenAnObjectHasAStatusWritesIt() {
        Pod pod = new PodBuilder()
                .withNewMetadata()
                .withNamespace("shop")
                .withName("web")
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("web")
                .withImage("web:1")
                .endContainer()
                .endSpec()
                .withNewStatus()
                .withPhase("Running")
                .endStatus()
                .build();
        try (FakeClient client = FakeClient.of(pod)) {
            assertThat(client.get(Pod.class, "shop", "web"))
                    .hasValueSatisfying(
                            found -> assertThat(found.getStatus().getPhase()).isEqualTo("Running"));
        }
    }

    @Test
    void buildWhenTheServerRefusesAnObjectFails() {
        Widget small = Widget.named("small");
        small.setSpec(Map.of("size", 0));
        assertThatThrownBy(() -> FakeClient.of(small)).isInstanceOf(InvalidObjectException.class);
    }

    @Test
    void objectsWhenOneHasNoMetadataFails() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FakeClient.of(new ConfigMap()))
                .withMessage("'objects' must have metadata, but a ConfigMap has none");
    }

    @Test
    void createWhenTheDefinitionIsOnTheClassPathFollowsIt() {
        try (FakeClient client =
                FakeClient.builder().kinds(Widget.class).namespaces("shop").build()) {
            Widget widget = Widget.named("one");
            widget.setSpec(Map.of("unknown", true));

            Widget created = client.create(widget);

            assertThat(created.getSpec()).isEqualTo(Map.of("size", 7));
            created.setSpec(Map.of("size", 0));
            assertThatThrownBy(() -> client.update(created)).isInstanceOf(InvalidObjectException.class);
        }
    }

    @Test
    void createWhenThereIsNoDefinitionAcceptsEveryFieldAndServesTheStatus() {
        try (FakeClient client = FakeClient.builder().kinds(Gadget.class).build()) {
            Gadget gadget = Gadget.named("one");
            gadget.setSpec(Map.of("any", "thing"));
            gadget.setStatus(Map.of("phase", "dropped"));

            Gadget created = client.create(gadget);
            Gadget written = client.status().edit(created, changed -> changed.setStatus(Map.of("phase", "Ready")));

            assertThat(created.getSpec()).isEqualTo(Map.of("any", "thing"));
            assertThat(created.getStatus()).isNull();
            assertThat(written.getStatus()).isEqualTo(Map.of("phase", "Ready"));
        }
    }

    @Test
    void kindWhenItHasNoClassIsServed() {
        try (FakeClient client = FakeClient.builder().kind(UNKNOWN).build()) {
            assertThat(client.serves(Kind.of(UNKNOWN.kind()))).isTrue();
            assertThat(client.list(Kind.of(UNKNOWN.kind()), Selection.all())).isEmpty();
        }
    }

    @Test
    void kindWhenItWasNotAddedIsNotServed() {
        try (FakeClient client = FakeClient.builder().build()) {
            assertThatThrownBy(() -> client.list(Gadget.class)).isInstanceOf(KindNotServedException.class);
        }
    }

    @Test
    void kindsWhenTheyHaveTwoVersionsAreServedInBoth() {
        KindInfo beta = new KindInfo(KindName.of("other.example/v1beta1", "Thing"), "things", true);
        try (FakeClient client = FakeClient.builder().kind(UNKNOWN).kind(beta).build()) {
            assertThat(client.discovery().versions("other.example")).containsExactly("v1", "v1beta1");
        }
    }

    @Test
    void createWhenTheNamespaceIsMissingFails() {
        try (FakeClient client = FakeClient.builder().build()) {
            assertThatThrownBy(() -> client.create(map("one"))).isInstanceOf(NotFoundException.class);
        }
    }

    @Test
    void faultsWhenAddedDecideTheAnswer() {
        try (FakeClient client = FakeClient.of(map("one"))) {
            client.faults()
                    .add(FaultRule.of(RequestMatch.writes().kind("ConfigMap"), Fault.conflict())
                            .once());

            assertThatThrownBy(() -> client.create(map("two"))).isInstanceOf(ConflictException.class);
            client.create(map("two"));

            assertThat(client.requests().all())
                    .extracting(Object::toString)
                    .containsExactly("create configmaps shop/ -> 409", "create configmaps shop/two -> 201");
        }
    }

    @Test
    void interceptorsWhenGivenSeeCallsOfTheTestOnly() {
        List<ClientCall.Verb> verbs = new ArrayList<>();
        ClientOptions options = ClientOptions.defaults().withInterceptors(List.of((call, next) -> {
            verbs.add(call.verb());
            return next.proceed(call);
        }));
        try (FakeClient client =
                FakeClient.builder().objects(map("one")).options(options).build()) {
            client.get(ConfigMap.class, "shop", "one");
            client.delete(map("one"));
        }
        assertThat(verbs).containsExactly(ClientCall.Verb.GET, ClientCall.Verb.DELETE);
    }

    @Test
    void serverWhenItsSettingsAreChangedFollowsThem() {
        Instant then = Instant.parse("2020-01-02T03:04:05Z");
        try (FakeClient client = FakeClient.builder()
                .server(settings ->
                        settings.clock(Clock.fixed(then, ZoneOffset.UTC)).minorVersion(34))
                .objects(map("one"))
                .build()) {
            assertThat(client.get(ConfigMap.class, "shop", "one"))
                    .hasValueSatisfying(found -> assertThat(found.getMetadata().getCreationTimestamp())
                            .isEqualTo("2020-01-02T03:04:05Z"));
            assertThat(client.discovery().isKubernetesAtLeast(35)).isFalse();
        }
    }

    @Test
    void cacheWhenItWatchesSeesWritesInTheirOrder() throws Exception {
        try (FakeClient client = FakeClient.of(map("one"));
                Cache cache = Cache.create(client.connection(), client.scheme())) {
            cache.informer(ConfigMap.class);
            cache.start();
            cache.awaitSync(Duration.ofSeconds(30));
            Client cached = Client.create(client.connection(), client.scheme(), cache, ClientOptions.defaults());
            IntStream.range(0, 500).forEach(number -> client.create(map("next-" + number)));

            await().untilAsserted(() -> assertThat(
                            cached.list(ConfigMap.class, "shop").stream().filter(map -> map.getData() != null))
                    .hasSize(501));
            client.delete(map("one"));
            await().until(() -> cached.get(ConfigMap.class, "shop", "one").isEmpty());
        }
    }

    @Test
    void watchWhenTheServerEndsItIsOpenedAgain() throws Exception {
        try (FakeClient client = FakeClient.of(map("one"));
                Cache cache = Cache.create(client.connection(), client.scheme())) {
            client.faults()
                    .add(FaultRule.of(
                                    RequestMatch.watches().kind("ConfigMap").name("cut"),
                                    Fault.endWatch(Fault.WatchEnd.INSIDE_EVENT))
                            .once());
            cache.informer(ConfigMap.class);
            cache.start();
            cache.awaitSync(Duration.ofSeconds(30));

            client.create(map("cut"));

            await().until(() -> cache.get(ConfigMap.class, "shop", "cut").isPresent());
            assertThat(client.requests().count(RequestMatch.watches().kind("ConfigMap")))
                    .isGreaterThan(1);
        }
    }

    @Test
    void callWhenTheClientIsClosedFails() {
        FakeClient client = FakeClient.of(map("one"));
        client.close();
        client.close();
        assertThatThrownBy(() -> client.get(ConfigMap.class, "shop", "one"))
                .isInstanceOfSatisfying(
                        ConnectionException.class, e -> assertThat(e.problem()).isEqualTo(Problem.CLOSED));
    }

    @Test
    void callWhenTheThreadIsInterruptedFailsAndKeepsTheFlag() {
        try (FakeClient client = FakeClient.of(map("one"))) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> client.get(ConfigMap.class, "shop", "one"))
                    .isInstanceOf(RequestInterruptedException.class);
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void callWhenItStallsEndsWithTheClient() throws Exception {
        List<Object> seen = new CopyOnWriteArrayList<>();
        FakeClient client = FakeClient.of(map("one"));
        client.faults().add(FaultRule.of(RequestMatch.verbs("get"), Fault.stall()));
        Thread caller = new Thread(() -> {
            try {
                seen.add(client.get(ConfigMap.class, "shop", "one").isPresent());
            } catch (RuntimeException e) {
                seen.add(e.getClass());
            }
        });
        caller.start();
        await().until(() -> caller.getState() == Thread.State.TIMED_WAITING);

        client.close();

        caller.join(Duration.ofSeconds(30).toMillis());
        assertThat(seen).containsExactly(ConnectionException.class);
    }

    @Test
    void clientsWhenThereAreTwoShareNothing() {
        try (FakeClient one = FakeClient.of(map("one"));
                FakeClient two = FakeClient.of(map("two"))) {
            assertThat(one.get(ConfigMap.class, "shop", "two")).isEmpty();
            assertThat(two.get(ConfigMap.class, "shop", "two")).isPresent();
        }
    }
}
