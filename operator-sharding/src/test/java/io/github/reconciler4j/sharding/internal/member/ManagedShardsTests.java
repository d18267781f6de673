package io.github.reconciler4j.sharding.internal.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.Informer;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.cache.Partition;
import io.github.reconciler4j.cache.PartitionKey;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.DeletionOptions;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.error.WriteRefusedException;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.leaderelection.WriteScope;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.manager.StartGroup;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.sharding.ShardHandler.Stop;
import io.github.reconciler4j.test.KubernetesServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two replicas on one server whose shards the test moves. */
@Timeout(300)
class ManagedShardsTests {

    private static final Duration LONG = Duration.ofSeconds(90);
    private static final Partition SHARDS = Partition.of(4, Set.of());
    private static final int NAMESPACES = 10;

    private final KubernetesServer server = KubernetesServer.start();
    private final ApiConnection connection = ApiConnection.open(server.clientConfig());
    private final Client client = Client.create(connection, Scheme.create(), ClientOptions.defaults());
    private final List<Replica> replicas = new ArrayList<>();
    private final Set<Request> running = ConcurrentHashMap.newKeySet();
    private final Map<Request, String> reconciled = new ConcurrentHashMap<>();
    private final List<String> violations = new CopyOnWriteArrayList<>();
    private final CountDownLatch release = new CountDownLatch(1);
    private volatile Request hangs = new Request("", "");
    private volatile CountDownLatch hanging = new CountDownLatch(1);

    /** A manager with a controller for ConfigMaps, and what it has reconciled. */
    private final class Replica {

        private final Set<Request> requests = ConcurrentHashMap.newKeySet();
        private final List<String> interrupted = new CopyOnWriteArrayList<>();
        private final Manager manager;
        private final ShardWork shards;
        private final Controller<Request> controller;

        Replica(PartitionKey key) {
            CacheOptions cache = CacheOptions.defaults()
                    .withPartition(SHARDS)
                    .withKindDefaults(KindCacheOptions.defaults().withPartitionKey(key));
            manager = Manager.create(
                    server.clientConfig(), ManagerOptions.defaults().withCache(cache));
            shards = new ShardWork(manager.cache());
            controller = add(ControllerBuilder.of(ConfigMap.class)
                    .customizeOptions(options -> options.withMaxConcurrentReconciles(3))
                    .reconciler((map, context) -> reconcile(map, context.request())));
            manager.start();
            replicas.add(this);
        }

        /** Does what the manager does if it has options for sharding. */
        Controller<Request> add(ControllerBuilder<ConfigMap> builder) {
            Controller<Request> added = builder.build(manager);
            Informer<ConfigMap> informer = manager.cache().informer(ConfigMap.class);
            added.divide(new ShardGate<Request>("test", request -> informer.partOf(request.key()), informer::hasParts));
            shards.add(added);
            manager.add(added);
            return added;
        }

        private Result reconcile(ConfigMap map, Request request) throws InterruptedException {
            if (!running.add(request)) {
                violations.add(request + " runs twice");
            }
            try {
                requests.add(request);
                if (request.equals(hangs)) {
                    hanging.countDown();
                    release.await();
                }
                reconciled.put(request, map.getData().get("key"));
                return map.getData().get("key").endsWith("7")
                        ? Result.requeueAfter(Duration.ofMillis(5))
                        : Result.done();
            } catch (InterruptedException e) {
                interrupted.add(request.toString());
                throw e;
            } finally {
                running.remove(request);
            }
        }

        void start(int... numbers) {
            for (int shard : numbers) {
                shards.start(shard, WriteScope.of(() -> {}));
            }
            shards.started();
        }

        CompletableFuture<Void> stop(int shard, Stop how) {
            return shards.stop(shard, how).toCompletableFuture();
        }

        void close() {
            manager.close();
            shards.close();
        }
    }

    @BeforeEach
    void fill() {
        for (int i = 0; i < NAMESPACES; i++) {
            client.create(new NamespaceBuilder()
                    .withNewMetadata()
                    .withName("n" + i)
                    .endMetadata()
                    .build());
            write("n" + i, "x", "0");
        }
    }

    @AfterEach
    void close() {
        release.countDown();
        replicas.forEach(Replica::close);
        connection.close();
        server.close();
        assertThat(violations).isEmpty();
    }

    private void write(String namespace, String name, String value) {
        client.createOrUpdate(
                new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(name)
                        .endMetadata()
                        .build(),
                map -> map.setData(Map.of("key", value)));
    }

    private static Set<Request> requestsOf(int... shards) {
        Set<Request> requests = new HashSet<>();
        for (int i = 0; i < NAMESPACES; i++) {
            for (int shard : shards) {
                if (SHARDS.ofNamespace("n" + i) == shard) {
                    requests.add(new Request("n" + i, "x"));
                }
            }
        }
        return requests;
    }

    private static Set<Request> named(Set<Request> requests, String name) {
        Set<Request> named = new HashSet<>(requests);
        named.removeIf(request -> !request.name().equals(name));
        return named;
    }

    private void awaitRequests(Replica replica, Set<Request> expected) {
        await("reconciliations")
                .atMost(LONG)
                .until(() -> named(replica.requests, "x").equals(expected));
    }

    @Test
    void startWhenReplicasHoldDifferentShardsEachReconcilesItsOwn() {
        Replica one = new Replica(PartitionKey.namespace());
        Replica two = new Replica(PartitionKey.namespace());
        one.start(0, 1);
        two.start(2, 3);

        awaitRequests(one, requestsOf(0, 1));
        awaitRequests(two, requestsOf(2, 3));
        assertThat(one.controller.group()).isEqualTo(StartGroup.ALL_REPLICAS);
        assertThat(one.manager.cache().partition().held()).containsExactly(0, 1);
    }

    @Test
    void startWhenNoShardIsHeldReconcilesNothing() {
        Replica one = new Replica(PartitionKey.namespace());
        assertThat(one.controller.operations().requeue(new Request("n1", "x"))).isTrue();

        await("dropped").atMost(LONG).until(() -> {
            var queue = one.controller.operations().queue().orElseThrow();
            return queue.running() == 0 && queue.depth().values().stream().allMatch(depth -> depth == 0);
        });
        assertThat(one.requests).isEmpty();
    }

    @Test
    void stopWhenAReconciliationRunsWaitsForItAndThenLeavesTheCache() throws Exception {
        Replica one = new Replica(PartitionKey.namespace());
        Request slow = requestsOf(1).iterator().next();
        hangs = slow;
        one.start(1, 2);
        assertThat(hanging.await(90, TimeUnit.SECONDS)).isTrue();
        awaitRequests(one, requestsOf(1, 2));

        CompletableFuture<Void> stopped = one.stop(1, Stop.FINISH);
        one.requests.clear();
        requestsOf(1, 2).forEach(request -> write(request.namespace(), "x", "1"));

        await("the other shard").atMost(LONG).until(() -> one.requests.containsAll(requestsOf(2)));
        assertThat(one.requests).isEqualTo(requestsOf(2));
        assertThat(stopped).isNotDone();
        assertThat(one.manager.cache().partition().held()).containsExactly(1, 2);
        release.countDown();
        stopped.get(90, TimeUnit.SECONDS);
        assertThat(one.manager.cache().partition().held()).containsExactly(2);
        assertThat(one.interrupted).isEmpty();
        assertThat(one.requests).isEqualTo(requestsOf(2));
    }

    @Test
    void stopNowInterruptsWhatRunsAndDropsTheCacheAtOnce() throws Exception {
        Replica one = new Replica(PartitionKey.namespace());
        Request slow = requestsOf(1).iterator().next();
        hangs = slow;
        one.start(1, 2);
        assertThat(hanging.await(90, TimeUnit.SECONDS)).isTrue();

        one.stop(1, Stop.FINISH);
        one.stop(1, Stop.NOW).get(90, TimeUnit.SECONDS);

        assertThat(one.interrupted).containsExactly(slow.toString());
        assertThat(one.manager.cache().partition().held()).containsExactly(2);
        hangs = new Request("", "");
        one.start(1);
        await("again").atMost(LONG).until(() -> reconciled.containsKey(slow));
    }

    @Test
    void addWhenShardsAreHeldLetsTheComponentWorkOnThem() {
        Replica one = new Replica(PartitionKey.namespace());
        one.start(1);
        awaitRequests(one, requestsOf(1));
        Set<Request> seen = ConcurrentHashMap.newKeySet();
        one.add(ControllerBuilder.of(ConfigMap.class).named("late").reconciler((map, context) -> {
            seen.add(context.request());
            return Result.done();
        }));

        await("late").atMost(LONG).until(() -> named(seen, "x").equals(requestsOf(1)));
    }

    @Test
    void writeWhenTheScopeIsClosedIsRefused() {
        Replica one = new Replica(PartitionKey.namespace());
        List<String> refused = new CopyOnWriteArrayList<>();
        AtomicBoolean lost = new AtomicBoolean();
        one.add(ControllerBuilder.of(ConfigMap.class).named("writer").reconciler((map, context) -> {
            lost.set(true); // none starts later
            try {
                one.manager
                        .client()
                        .delete(Kind.of(ConfigMap.class), ObjectKey.of("n0", "none"), DeletionOptions.defaults());
            } catch (WriteRefusedException e) {
                refused.add(e.getMessage());
            }
            return Result.done();
        }));
        one.shards.start(1, WriteScope.of(() -> {
            if (lost.get()) {
                throw new WriteRefusedException("lost");
            }
        }));
        one.shards.started();

        await("refusal").atMost(LONG).until(() -> refused.contains("lost"));
    }

    /** Returns the last states. */
    private Map<Request, String> moveWhileObjectsChange(Random random, int[] holder) throws Exception {
        Map<Request, String> last = new ConcurrentHashMap<>();
        for (int i = 0; i < 60; i++) {
            Request target = new Request("n" + random.nextInt(NAMESPACES), "o" + random.nextInt(3));
            if (random.nextInt(6) == 0 && last.remove(target) != null) {
                client.delete(Kind.of(ConfigMap.class), target.key(), DeletionOptions.defaults());
            } else {
                write(target.namespace(), target.name(), Integer.toString(i));
                last.put(target, Integer.toString(i));
            }
            if (random.nextInt(3) == 0) {
                int shard = random.nextInt(holder.length);
                Stop how = random.nextBoolean() ? Stop.FINISH : Stop.NOW;
                replicas.get(holder[shard]).stop(shard, how).get(90, TimeUnit.SECONDS);
                holder[shard] = random.nextInt(2);
                replicas.get(holder[shard]).start(shard);
            }
        }
        return last;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void movesWhenObjectsChangeMeanwhileRunNothingTwiceAndForgetNothing(long seed) throws Exception {
        Random random = new Random(seed);
        PartitionKey key = seed % 2 == 0 ? PartitionKey.uid() : PartitionKey.namespace();
        new Replica(key);
        new Replica(key);
        int[] holder = new int[SHARDS.count()];
        for (int shard = 0; shard < holder.length; shard++) {
            holder[shard] = random.nextInt(2);
            replicas.get(holder[shard]).start(shard);
        }
        Map<Request, String> last = moveWhileObjectsChange(random, holder);

        await("last states").atMost(LONG).untilAsserted(() -> {
            Map<Request, String> seen = new ConcurrentHashMap<>(reconciled);
            seen.keySet().retainAll(last.keySet());
            assertThat(seen).isEqualTo(last);
        });
        assertThat(violations).isEmpty();
        int all = client.list(Kind.of(ConfigMap.class), Selection.all()).size();
        await("content")
                .atMost(LONG)
                .until(() -> replicas.stream()
                                .mapToInt(replica -> replica.manager
                                        .cache()
                                        .list(Kind.of(ConfigMap.class), Selection.all())
                                        .size())
                                .sum()
                        == all);
    }
}
