package io.github.reconciler4j.builder;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.error.ConflictException;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.KubernetesServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Two controllers and an administrator write the same objects in all ways, while both controllers ignore their own writes. In the end
 * each request has seen the last version that another one wrote. {@code -Down.seed=7 -Down.cases=1} runs one case.
 */
@Timeout(7200)
class OwnWritesRandomTests {

    private static final int FIRST = Integer.getInteger("own.seed", 0);
    private static final int CASES = Integer.getInteger("own.cases", 300);
    private static final int OBJECTS = 3;
    private static final int WRITES = 5;
    private static final int CHANGES = 12;
    private static final String WRITER = "example.com/writer";

    private static KubernetesServer server;
    private static ApiConnection connection;
    private static Client admin;

    @BeforeAll
    static void start() {
        server = KubernetesServer.start();
        connection = ApiConnection.open(server.clientConfig());
        admin = Client.create(connection, Scheme.create(), ClientOptions.defaults());
    }

    @AfterAll
    static void stop() {
        connection.close();
        server.close();
    }

    @Test
    void eachRequestSeesTheLastVersionThatItDidNotWrite() {
        List<String> failed = IntStream.range(FIRST, FIRST + CASES)
                .parallel()
                .mapToObj(seed -> {
                    try {
                        new Case(seed).run();
                        return "";
                    } catch (Throwable e) {
                        return "seed " + seed + ": " + e;
                    }
                })
                .filter(failure -> !failure.isEmpty())
                .toList();
        assertThat(failed).isEmpty();
    }

    /** Who writes or sees an object: the request of a controller, or the administrator. */
    private record Party(String controller, String request, String object) {}

    private static final class Case {

        private final Random random;
        private final String namespace;
        private final AtomicInteger number = new AtomicInteger();

        /** The last version that each party wrote, and certainly it. */
        private final Map<Party, Long> written = new ConcurrentHashMap<>();

        /** The version that the last reconciliation of each party saw when it started. */
        private final Map<Party, Long> seen = new ConcurrentHashMap<>();

        private final Map<Party, AtomicInteger> writes = new ConcurrentHashMap<>();

        Case(int seed) {
            random = new Random(seed);
            namespace = "own-" + seed;
        }

        private synchronized int draw(int bound) {
            return random.nextInt(bound);
        }

        void run() {
            admin.create(new NamespaceBuilder()
                    .withNewMetadata()
                    .withName(namespace)
                    .endMetadata()
                    .build());
            for (int i = 0; i < OBJECTS; i++) {
                admin.create(object(i, "0"));
                admin.create(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName("r" + i)
                        .endMetadata()
                        .build());
            }
            Manager manager = Manager.create(
                    server.clientConfig(),
                    ManagerOptions.defaults()
                            .withName(namespace)
                            .withoutLeaderElection()
                            .withCache(CacheOptions.defaults()
                                    .withKindDefaults(
                                            KindCacheOptions.defaults().withNamespaces(Set.of(namespace)))));
            List.of("a", "b").forEach(name -> controller(name, manager));
            manager.start();
            try {
                for (int i = 0; i < CHANGES; i++) {
                    changeFromOutside();
                }
                Awaitility.await("each party sees what others wrote")
                        .atMost(Duration.ofSeconds(60))
                        .untilAsserted(this::check);
            } finally {
                manager.stop();
            }
        }

        private ServiceAccount object(int index, String writer) {
            return new ServiceAccountBuilder()
                    .withNewMetadata()
                    .withNamespace(namespace)
                    .withName("s" + index)
                    .addToAnnotations(WRITER, writer)
                    .endMetadata()
                    .build();
        }

        private void controller(String name, Manager manager) {
            ControllerBuilder.of(ConfigMap.class)
                    .named(name + "-" + namespace)
                    .customizeOptions(options -> options.withMaxConcurrentReconciles(2))
                    .watches(Watch.kind(ServiceAccount.class)
                            .ownWrites(OwnWrites.IGNORE)
                            .map(this::requests))
                    .reconciler((object, context) -> {
                        reconcile(name, object.getMetadata().getName(), context, manager);
                        return Result.done();
                    })
                    .addTo(manager);
        }

        /** Each object concerns two requests. */
        private List<Request> requests(ServiceAccount object) {
            String name = object.getMetadata().getName();
            if (!name.startsWith("s")) {
                return List.of();
            }
            int index = Integer.parseInt(name.substring(1));
            return List.of(
                    Request.of(ObjectKey.of(namespace, "r" + index)),
                    Request.of(ObjectKey.of(namespace, "r" + (index + 1) % OBJECTS)));
        }

        private List<Integer> objectsOf(String request) {
            int index = Integer.parseInt(request.substring(1));
            return List.of(index, (index + OBJECTS - 1) % OBJECTS);
        }

        private void reconcile(String controller, String request, ReconcileContext context, Manager manager) {
            for (int index : objectsOf(request)) {
                manager.cache()
                        .get(ServiceAccount.class, ObjectKey.of(namespace, "s" + index))
                        .ifPresent(now -> seen.put(new Party(controller, request, "s" + index), version(now)));
            }
            for (int index : objectsOf(request)) {
                Party party = new Party(controller, request, "s" + index);
                if (draw(3) > 0
                        && writes.computeIfAbsent(party, same -> new AtomicInteger())
                                        .getAndIncrement()
                                < WRITES) {
                    write(party, index, context.client());
                }
            }
        }

        private void write(Party party, int index, Client client) {
            String id = party.controller + party.request + number.incrementAndGet();
            ServiceAccount mine = object(index, id);
            ObjectPatch patch = ObjectPatch.merge(Map.of("metadata", Map.of("annotations", Map.of(WRITER, id))));
            switch (draw(6)) {
                case 0 -> wrote(party, client.apply(mine));
                case 1 ->
                    tryLocked(
                            party,
                            index,
                            client,
                            now -> client.update(now.edit()
                                    .editMetadata()
                                    .addToAnnotations(WRITER, id)
                                    .endMetadata()
                                    .build()));
                case 2 -> tryLocked(party, index, client, now -> client.patch(now, patch.lockedTo(now)));
                case 3 -> wrote(party, client.patch(mine, patch));
                default -> client.apply(object(index, "fixed")); // often changes nothing
            }
        }

        private interface Locked {
            ServiceAccount write(ServiceAccount now);
        }

        private void tryLocked(Party party, int index, Client client, Locked write) {
            try {
                client.get(ServiceAccount.class, ObjectKey.of(namespace, "s" + index))
                        .ifPresent(now -> wrote(party, write.write(now)));
            } catch (ConflictException e) {
                assertThat(e.code()).isEqualTo(409);
            }
        }

        private void changeFromOutside() {
            int index = draw(OBJECTS);
            Party outside = new Party("", "", "s" + index);
            String number = String.valueOf(this.number.incrementAndGet());
            wrote(
                    outside,
                    admin.patch(
                            object(index, ""),
                            ObjectPatch.merge(Map.of(
                                    "metadata",
                                    Map.of(
                                            "annotations",
                                            Map.of(
                                                    "example.com/number",
                                                    number,
                                                    WRITER,
                                                    draw(2) == 0 ? "fixed" : "other"))))));
        }

        private void wrote(Party party, ServiceAccount answer) {
            written.merge(party, version(answer), Math::max);
        }

        private static long version(ServiceAccount object) {
            return Long.parseLong(object.getMetadata().getResourceVersion());
        }

        private void check() {
            for (String controller : List.of("a", "b")) {
                for (int request = 0; request < OBJECTS; request++) {
                    for (int index : objectsOf("r" + request)) {
                        Party party = new Party(controller, "r" + request, "s" + index);
                        written.forEach((writer, version) -> {
                            if (writer.object.equals(party.object) && !writer.equals(party)) {
                                assertThat(seen.getOrDefault(party, 0L))
                                        .as("%s sees %s", party, writer)
                                        .isGreaterThanOrEqualTo(version);
                            }
                        });
                    }
                }
            }
        }
    }
}
