package io.github.reconciler4j.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.cluster.ChurnedServer.Behavior;
import io.github.reconciler4j.fixtures.LiveThreads;
import io.github.reconciler4j.health.HealthCheck;
import io.github.reconciler4j.manager.Cluster;
import io.github.reconciler4j.manager.LifecycleOptions;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.metrics.MicrometerMetrics;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.test.KubernetesServer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Clusters with controllers join and leave all the time, in a random order, under load, and while some of them are broken. No broken
 * one affects another, and what has left leaves nothing behind. {@code clusters.servers} is the number of API servers, and
 * {@code clusters.seed} the order.
 */
@Timeout(3600)
class ClusterChurnTests {

    private static final int JOINS = 100;
    private static final int SERVERS = Integer.getInteger("clusters.servers", 10);
    /** How many changes a second the good clusters receive together. */
    private static final int RATE = 100;

    private static final long SEED = Long.getLong("clusters.seed", 18);

    /** How much more heap can be in use than before; what 100 clusters hold is several times as much. */
    private static final long TOLERATED_BYTES = 24L << 20;

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final KubernetesServer home = KubernetesServer.start();
    private final List<ChurnedServer> members = new ArrayList<>();
    private final List<WeakReference<Object>> left = new ArrayList<>();
    private final Set<Request> reconciled = ConcurrentHashMap.newKeySet();
    private final Manager manager = Manager.create(
            home.clientConfig(),
            ManagerOptions.defaults()
                    .withMetrics(new MicrometerMetrics(registry))
                    .withLifecycle(LifecycleOptions.defaults().withGracefulShutdown(Duration.ofMillis(100))));

    @AfterEach
    void stop() {
        manager.close();
        home.close();
        members.forEach(ChurnedServer::close);
    }

    private static void await(String what, Callable<Boolean> condition) {
        Awaitility.await(what)
                .pollInterval(Duration.ofMillis(10))
                .atMost(Duration.ofSeconds(120))
                .until(condition);
    }

    /** Adds controllers that write a Secret for each ConfigMap of each other cluster. */
    private void addControllers() {
        Clusters.of(manager)
                .addControllers(
                        ControllerBuilder.of(ConfigMap.class).owns(Secret.class).reconciler((map, context) -> {
                            context.client()
                                    .apply(new SecretBuilder()
                                            .withNewMetadata()
                                            .withNamespace("default")
                                            .withName(map.getMetadata().getName())
                                            .endMetadata()
                                            .addToStringData("value", value(map.getData()))
                                            .build());
                            reconciled.add(context.request());
                            return Result.done();
                        }),
                        cluster -> !cluster.name().isEmpty());
    }

    private static String value(Map<String, String> data) {
        return data == null ? "" : data.getOrDefault("value", "");
    }

    private Cluster join(ChurnedServer member, String name) {
        Cluster cluster = Clusters.of(manager).add(name, member.server().clientConfig());
        if (member.isGood()) {
            awaitReconciled("first", name);
        }
        return cluster;
    }

    private void awaitReconciled(String object, String cluster) {
        await(
                object + " is reconciled in " + cluster,
                () -> reconciled.contains(new Request("default", object, cluster)));
    }

    private void leave(String name) {
        Cluster cluster = Clusters.of(manager).find(name).orElseThrow();
        List.of(cluster, cluster.cache(), cluster.connection()).forEach(each -> left.add(new WeakReference<>(each)));
        manager.components().stream()
                .filter(component -> component.cluster().equals(name))
                .forEach(component -> left.add(new WeakReference<>(component)));
        assertThat(Clusters.of(manager).remove(name)).as("%s has ended", name).isTrue();
        reconciled.removeIf(request -> request.cluster().equals(name));
    }

    /** All threads of this JVM but those of the servers and of the waits of this test. */
    private static List<String> threads() {
        return LiveThreads.named("").stream()
                .filter(name -> !name.startsWith("kubernetes-server") && !name.startsWith("awaitility"))
                .sorted()
                .toList();
    }

    private static long usedBytes() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private void assertNothingIsLeft(List<String> threads) {
        Awaitility.await("all threads have ended, there were " + threads)
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(threads()).isSubsetOf(threads));
        await("all memory of clusters is free", () -> {
            System.gc();
            return left.stream().allMatch(reference -> reference.get() == null);
        });
        assertThat(manager.components()).isEmpty();
        assertThat(registry.getMeters())
                .filteredOn(meter -> meter.getId().getTag("cluster") != null)
                .isEmpty();
        assertThat(manager.status().running()).isTrue();
    }

    @Test
    void controllersWhenTheirClustersJoinAndLeaveReturnThreadsMetersAndMemory() {
        members.add(ChurnedServer.start("good", Behavior.GOOD));
        members.add(ChurnedServer.start("dead", Behavior.DEAD));
        addControllers();
        manager.start();
        join(members.get(0), "warm-up");
        leave("warm-up");
        List<String> threads = threads();
        long before = usedBytes();
        for (int i = 0; i < JOINS; i++) {
            String name = "member-" + i;
            join(members.get(i % 5 == 0 ? 1 : 0), name);
            leave(name);
        }
        assertNothingIsLeft(threads);
        await("the heap is as it was", () -> usedBytes() - before < TOLERATED_BYTES);
    }

    @Test
    void clustersWhenSomeAreBrokenReconcileAndLeaveUnaffected() {
        addControllers();
        manager.start();
        members.add(ChurnedServer.start("warm-up", Behavior.GOOD));
        join(members.get(0), "warm-up");
        leave("warm-up");
        closeServers();
        List<String> threads = threads();
        long before = usedBytes();
        long start = System.nanoTime();
        startServers();
        Load load = new Load();
        int[] moves = churn(load);
        load.close();
        assertThat(load.changes.sum()).isGreaterThan(SERVERS);
        goodOnes().forEach(Load::awaitConverged);
        for (ChurnedServer member : present()) {
            leave(member.name());
            moves[1]++;
        }
        load.present = List.of();
        closeServers();
        assertNothingIsLeft(threads);
        await("the heap is as it was", () -> usedBytes() - before < TOLERATED_BYTES);
        System.out.printf(
                "%d servers, %d joins, %d leaves, %d changes in %d s; %d threads before, %d after; %d KB before, %d after%n",
                SERVERS,
                moves[0],
                moves[1],
                load.changes.sum(),
                (System.nanoTime() - start) / 1_000_000_000,
                threads.size(),
                threads().size(),
                before >> 10,
                usedBytes() >> 10);
    }

    private void startServers() {
        Behavior[] behaviors = Behavior.values();
        for (int i = 0; i < SERVERS; i++) {
            Behavior behavior = i % 2 == 0 ? Behavior.GOOD : behaviors[1 + i / 2 % (behaviors.length - 1)];
            members.add(ChurnedServer.start("member-" + i, behavior));
        }
    }

    /** What the servers remember of requests and changes must not count as memory of clusters. */
    private void closeServers() {
        members.forEach(ChurnedServer::close);
        members.clear();
    }

    /** Lets clusters join and leave, and returns how many did. */
    private int[] churn(Load load) {
        int[] moves = new int[2];
        Random random = new Random(SEED);
        for (int step = 0; step < 3 * SERVERS; step++) {
            ChurnedServer member = members.get(random.nextInt(SERVERS));
            if (Clusters.of(manager).find(member.name()).isPresent()) {
                leave(member.name());
                moves[1]++;
            } else {
                join(member, member.name());
                moves[0]++;
            }
            boolean down = step % 2 == 0;
            members.forEach(each -> each.flap(down));
            load.present = goodOnes();
            reconcileInGoodOnes("step-" + step);
        }
        return moves;
    }

    private List<ChurnedServer> present() {
        return members.stream()
                .filter(member -> Clusters.of(manager).find(member.name()).isPresent())
                .toList();
    }

    /** Changes objects of good clusters all the time, with clients that do not belong to the manager. */
    private static final class Load implements AutoCloseable {
        private static final int OBJECTS = 20;

        private final ScheduledExecutorService writer = Executors.newSingleThreadScheduledExecutor();
        private final Random random = new Random(SEED);
        private final LongAdder changes = new LongAdder();
        private final Future<?> changing;
        private volatile List<ChurnedServer> present = List.of();

        Load() {
            changing = writer.scheduleAtFixedRate(this::change, 0, 1_000_000 / RATE, TimeUnit.MICROSECONDS);
        }

        private void change() {
            List<ChurnedServer> targets = present;
            if (!targets.isEmpty()) {
                ChurnedServer target = targets.get(random.nextInt(targets.size()));
                changes.increment();
                String value = "value-" + changes.sum();
                target.client()
                        .createOrUpdate(
                                ChurnedServer.configMap("load-" + random.nextInt(OBJECTS)),
                                map -> map.setData(Map.of("value", value)));
            }
        }

        /** Waits until each object has the Secret that fits it. */
        static void awaitConverged(ChurnedServer member) {
            await("all is reconciled in " + member.name(), () -> {
                Map<String, String> secrets = new HashMap<>();
                member.client()
                        .list(Kind.of(Secret.class), Selection.inNamespace("default"))
                        .forEach(secret -> secrets.put(
                                secret.getMetadata().getName(),
                                new String(
                                        Base64.getDecoder()
                                                .decode(secret.getData().getOrDefault("value", "")),
                                        StandardCharsets.UTF_8)));
                return member.client().list(Kind.of(ConfigMap.class), Selection.inNamespace("default")).stream()
                        .filter(map -> map.getMetadata().getName().startsWith("load-"))
                        .allMatch(map -> value(map.getData())
                                .equals(secrets.get(map.getMetadata().getName())));
            });
        }

        @Override
        public void close() {
            assertThat(changing.isDone()).as("a change has failed").isFalse();
            writer.shutdown();
            try {
                assertThat(writer.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private List<ChurnedServer> goodOnes() {
        return present().stream().filter(ChurnedServer::isGood).toList();
    }

    /** The broken ones never answer meanwhile, so what waited for one of them would not happen at all. */
    private void reconcileInGoodOnes(String object) {
        List<ChurnedServer> good = goodOnes();
        good.forEach(member -> Clusters.of(manager)
                .find(member.name())
                .orElseThrow()
                .client()
                .create(ChurnedServer.configMap(object)));
        good.forEach(member -> awaitReconciled(object, member.name()));
        Predicate<HealthCheck> works =
                check -> check.check().alive() && check.check().ready();
        assertThat(manager.healthChecks()).filteredOn(works.negate()).isEmpty();
        assertThat(manager.healthChecks())
                .filteredOn(check -> good.stream()
                        .anyMatch(member -> check.name().endsWith("/" + member.name())
                                || check.name().endsWith("@" + member.name())))
                .hasSize(2 * good.size())
                .allMatch(check -> Boolean.TRUE.equals(check.check().details().get("available")));
    }
}
