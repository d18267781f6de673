package io.github.reconciler4j.builder;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientCall;
import io.github.reconciler4j.client.ClientInterceptor;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.WorkScope;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.controller.ControllerState;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.reconcile.ObjectReconciler;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.reconcile.TerminalException;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.workqueue.WorkQueueSnapshot;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A ConfigMap is reconciled into the Secret of its name, whose updates come back unless the reconciliation wrote them. */
class OwnWritesTests {

    private static final ObjectKey KEY = ObjectKey.of("default", "app");

    /** Numbers as base64. */
    private static final List<String> TURNS = IntStream.rangeClosed(0, 20)
            .mapToObj(turn ->
                    Base64.getEncoder().encodeToString(String.valueOf(turn).getBytes(StandardCharsets.UTF_8)))
            .toList();

    private KubernetesServer server;
    private ApiConnection connection;
    private Client admin;
    private Manager manager;
    private final AtomicReference<CountDownLatch> released = new AtomicReference<>();

    @BeforeEach
    void start() {
        server = KubernetesServer.start();
        connection = ApiConnection.open(server.clientConfig());
        admin = Client.create(connection, Scheme.create(), ClientOptions.defaults());
        manager = Manager.create(
                server.clientConfig(), ManagerOptions.defaults().withName("own").withoutLeaderElection());
    }

    @AfterEach
    void stop() {
        manager.stop();
        connection.close();
        server.close();
    }

    /** The ways to write that say which version they replace. */
    enum Way {
        APPLY((client, secret) -> client.apply(secret)),
        UPDATE((client, secret) -> client.update(client.get(Secret.class, KEY)
                .orElseThrow()
                .edit()
                .withData(secret.getData())
                .build())),
        LOCKED_PATCH((client, secret) -> {
            Secret now = client.get(Secret.class, KEY).orElseThrow();
            client.patch(
                    now, ObjectPatch.merge(Map.of("data", secret.getData())).lockedTo(now));
        }),
        TWO_APPLIES((client, secret) -> {
            client.apply(secret.edit().addToData("more", "bW9yZQ==").build());
            client.apply(secret);
        }),
        ON_ANOTHER_THREAD((client, secret) -> {
            Thread thread = new Thread(WorkScope.inherit(() -> client.apply(secret)));
            thread.start();
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });

        private final BiConsumer<Client, Secret> write;

        Way(BiConsumer<Client, Secret> write) {
            this.write = write;
        }
    }

    private static Secret secret(String value) {
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace(KEY.namespace())
                .withName(KEY.name())
                .endMetadata()
                .addToData("value", value)
                .build();
    }

    private static ConfigMap config(String value) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(KEY.namespace())
                .withName(KEY.name())
                .endMetadata()
                .addToData("value", value)
                .build();
    }

    /** Replaces the manager by one whose requests are intercepted. */
    private Manager managerWith(ClientInterceptor interceptor) {
        manager.stop();
        return Manager.create(
                server.clientConfig(),
                ManagerOptions.defaults()
                        .withName("own")
                        .withoutLeaderElection()
                        .withClient(ClientOptions.defaults().withInterceptors(List.of(interceptor))));
    }

    private static void awaitUnchecked(CountDownLatch latch) {
        try {
            await(latch);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Iterable<Request> requests(Secret secret) {
        return List.of(Request.of(ObjectKey.of(secret)));
    }

    private Controller<Request> controller(String name, OwnWrites own, ObjectReconciler<ConfigMap> reconciler) {
        return ControllerBuilder.of(ConfigMap.class)
                .named(name)
                .watches(Watch.kind(Secret.class).ownWrites(own).map(OwnWritesTests::requests))
                .reconciler(reconciler)
                .addTo(manager);
    }

    private static void awaitIdle(Controller<?> controller) {
        Awaitility.await().until(() -> controller.state() == ControllerState.RUNNING);
        Awaitility.await().until(() -> {
            WorkQueueSnapshot<?> queue = controller.operations().queue().orElseThrow();
            return queue.running() == 0 && queue.oldestWaiting().isEmpty();
        });
    }

    /** A listener that counts down when the Secret has a value and nothing else, so that the last of several writes is seen. */
    private CountDownLatch seen(String value) {
        CountDownLatch seen = new CountDownLatch(1);
        manager.cache().informer(Secret.class).subscribe("seen", event -> {
            if (event.snapshot().object().getData().equals(Map.of("value", value))) {
                seen.countDown();
            }
        });
        return seen;
    }

    private void changeFromOutside() {
        label("foreign");
    }

    private void label(String name) {
        admin.patch(secret(""), ObjectPatch.merge(Map.of("metadata", Map.of("labels", Map.of(name, "1")))));
    }

    private static boolean isLabelled(Secret secret, String name) {
        return secret.getMetadata().getLabels() != null
                && secret.getMetadata().getLabels().containsKey(name);
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
    }

    /** Reconcile until nothing is left, change the ConfigMap, wait for the written Secret, and return the number of runs since. */
    private int runsAfterChange(Controller<?> controller, AtomicInteger runs) throws InterruptedException {
        CountDownLatch written = seen("MQ==");
        manager.start();
        awaitIdle(controller);
        int before = runs.get();
        admin.apply(config("MQ=="));
        await(written);
        changeFromOutside();
        Awaitility.await().until(() -> runs.get() >= before + 2);
        awaitIdle(controller);
        return runs.get() - before;
    }

    private static ObjectReconciler<ConfigMap> writing(Way way, AtomicInteger runs) {
        return (object, context) -> {
            runs.incrementAndGet();
            String value = object.getData().get("value");
            if (!value.equals("MA==")) {
                way.write.accept(context.client(), secret(value));
            }
            return Result.done();
        };
    }

    @ParameterizedTest
    @EnumSource
    void ownUpdateIsDroppedWhateverWroteIt(Way way) throws Exception {
        admin.create(secret("MA=="));
        admin.create(config("MA=="));
        AtomicInteger runs = new AtomicInteger();
        assertThat(runsAfterChange(controller("own", OwnWrites.IGNORE, writing(way, runs)), runs))
                .as("the change of the ConfigMap, and that of the administrator")
                .isEqualTo(2);
    }

    @Test
    void eventThatIsFasterThanTheAnswerIsDropped() throws Exception {
        manager = managerWith((call, next) -> {
            ApiResponse response = next.proceed(call);
            if (call.verb() == ClientCall.Verb.APPLY) {
                awaitUnchecked(released.get());
            }
            return response;
        });
        admin.create(secret("MA=="));
        admin.create(config("MA=="));
        AtomicInteger runs = new AtomicInteger();
        Controller<Request> controller = controller("own", OwnWrites.IGNORE, writing(Way.APPLY, runs));
        released.set(seen("MQ=="));
        assertThat(runsAfterChange(controller, runs)).isEqualTo(2);
    }

    @Test
    void allUpdatesAreDeliveredByDefault() throws Exception {
        admin.create(secret("MA=="));
        admin.create(config("MA=="));
        AtomicInteger runs = new AtomicInteger();
        Controller<Request> controller = ControllerBuilder.of(ConfigMap.class)
                .named("every")
                .watches(Watch.kind(Secret.class).map(OwnWritesTests::requests))
                .reconciler(writing(Way.APPLY, runs))
                .addTo(manager);
        manager.start();
        awaitIdle(controller);
        int before = runs.get();
        admin.apply(config("MQ=="));
        Awaitility.await().until(() -> runs.get() == before + 2);
    }

    @Test
    void creationAndDeletionAreDelivered() {
        AtomicInteger runs = new AtomicInteger();
        Controller<Request> controller = controller("own", OwnWrites.IGNORE, (object, context) -> {
            switch (runs.incrementAndGet()) {
                case 1 -> context.client().apply(secret("MQ=="));
                case 2 -> context.client().delete(secret("MQ=="));
                default -> {}
            }
            return Result.done();
        });
        manager.start();
        admin.create(config("MA=="));
        Awaitility.await().until(() -> runs.get() == 3);
        awaitIdle(controller);
    }

    /** Each waits for what the other one writes, and none for its own writes. */
    @Test
    void twoControllersReceiveTheWritesOfEachOther() {
        admin.create(secret("MA=="));
        admin.create(config("MA=="));
        List<String> turns = new CopyOnWriteArrayList<>();
        for (String name : List.of("ping", "pong")) {
            controller(name, OwnWrites.IGNORE, (object, context) -> {
                Secret now = context.client().get(Secret.class, KEY).orElseThrow();
                int turn = TURNS.indexOf(now.getData().getOrDefault("turn", TURNS.get(0)));
                if (turn < 20 && turn % 2 == (name.equals("ping") ? 0 : 1)) {
                    turns.add(name + turn);
                    context.client()
                            .update(now.edit()
                                    .addToData("turn", TURNS.get(turn + 1))
                                    .build());
                }
                return Result.done();
            });
        }
        manager.start();
        Awaitility.await().until(() -> turns.size() == 20);
    }

    @Test
    void anotherRequestReceivesTheUpdate() {
        admin.create(secret("MA=="));
        admin.create(config("MA=="));
        admin.create(config("MA==")
                .edit()
                .editMetadata()
                .withName("other")
                .endMetadata()
                .build());
        List<String> runs = new CopyOnWriteArrayList<>();
        ControllerBuilder.of(ConfigMap.class)
                .named("shared")
                .watches(Watch.kind(Secret.class)
                        .ownWrites(OwnWrites.IGNORE)
                        .map(secret -> List.of(Request.of(KEY), Request.of(ObjectKey.of("default", "other")))))
                .reconciler((object, context) -> {
                    runs.add(object.getMetadata().getName());
                    if (object.getData().get("value").equals("MQ==")) {
                        context.client().apply(secret("MQ=="));
                    }
                    return Result.done();
                })
                .addTo(manager);
        manager.start();
        Awaitility.await().until(() -> runs.size() >= 2);
        runs.clear();
        admin.apply(config("MQ=="));
        Awaitility.await().until(() -> runs.equals(List.of("app", "other")));
    }

    /** The apply changes nothing then, and its answer has the version of another writer. */
    @Test
    void foreignUpdateThatMakesAnApplySuperfluousIsDelivered() throws Exception {
        AtomicInteger applies = new AtomicInteger();
        manager = managerWith((call, next) -> {
            if (call.verb() == ClientCall.Verb.APPLY && applies.incrementAndGet() == 1) {
                admin.apply(secret("MQ=="));
                changeFromOutside();
            }
            return next.proceed(call);
        });
        admin.create(secret("MA=="));
        admin.create(config("MA=="));
        AtomicInteger runs = new AtomicInteger();
        Controller<Request> controller = controller("own", OwnWrites.IGNORE, writing(Way.APPLY, runs));
        manager.start();
        awaitIdle(controller);
        int before = runs.get();
        admin.apply(config("MQ=="));
        Awaitility.await().until(() -> runs.get() >= before + 2);
    }

    /** The watch is slow, so that the subscription delivers both changes as one update, of which the last step is own. */
    @Test
    void foreignUpdateIsDeliveredIfAnOwnOneFollowsAtOnce() throws Exception {
        admin.create(secret("MA=="));
        admin.create(config("MA=="));
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch blocked = new CountDownLatch(1);
        AtomicInteger runs = new AtomicInteger();
        Controller<Request> controller = ControllerBuilder.of(ConfigMap.class)
                .named("own")
                .watches(Watch.kind(Secret.class).ownWrites(OwnWrites.IGNORE).map(secret -> {
                    if (isLabelled(secret, "block") && !isLabelled(secret, "foreign")) {
                        blocked.countDown();
                        awaitUnchecked(release);
                    }
                    return isLabelled(secret, "foreign") ? requests(secret) : List.of();
                }))
                .reconciler((object, context) -> {
                    if (object.getData().get("value").equals("MQ==") && runs.incrementAndGet() == 1) {
                        label("foreign");
                        Awaitility.await()
                                .until(() -> isLabelled(
                                        context.client().get(Secret.class, KEY).orElseThrow(), "foreign"));
                        context.client().apply(secret("MQ=="));
                    }
                    return Result.done();
                })
                .addTo(manager);
        manager.start();
        awaitIdle(controller);
        label("block");
        await(blocked);
        CountDownLatch written = seen("MQ==");
        admin.apply(config("MQ=="));
        await(written);
        release.countDown();
        Awaitility.await().until(() -> runs.get() == 2);
    }

    /** The cache still has the object, so the apply names a version that does not exist any more. */
    @Test
    void applyOfAnObjectThatHasJustBeenDeletedCreatesIt() throws Exception {
        AtomicInteger applies = new AtomicInteger();
        manager = managerWith((call, next) -> {
            if (call.verb() == ClientCall.Verb.APPLY && applies.incrementAndGet() == 1) {
                admin.delete(secret(""));
            }
            return next.proceed(call);
        });
        admin.create(secret("MA=="));
        admin.create(config("MQ=="));
        AtomicInteger runs = new AtomicInteger();
        controller("own", OwnWrites.IGNORE, writing(Way.APPLY, runs));
        manager.start();
        Awaitility.await()
                .until(() -> admin.get(Secret.class, KEY)
                        .filter(now -> now.getData().containsValue("MQ=="))
                        .isPresent());
    }

    @Test
    void failedReconciliationDropsItsOwnUpdateAsWell() throws Exception {
        admin.create(secret("MA=="));
        admin.create(config("MA=="));
        AtomicInteger runs = new AtomicInteger();
        Controller<Request> controller = controller("own", OwnWrites.IGNORE, (object, context) -> {
            writing(Way.APPLY, runs).reconcile(object, context);
            throw new TerminalException("on purpose");
        });
        assertThat(runsAfterChange(controller, runs)).isEqualTo(2);
    }
}
