package io.github.reconciler4j.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.ListOptions;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.fixtures.LiveThreads;
import io.github.reconciler4j.health.HealthCheck;
import io.github.reconciler4j.manager.Cluster;
import io.github.reconciler4j.manager.LifecycleOptions;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.metrics.MicrometerMetrics;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.Fault.CutPoint;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.RequestMatch;
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
    private final List<Member> members = new ArrayList<>();
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
        members.forEach(Member::close);
    }

    /** How an API server behaves while its cluster is there. */
    private enum Behavior {
        GOOD,
        /** Refuses connections. */
        DEAD,
        /** Answers nothing. */
        SILENT,
        /** Answers no write. */
        STUCK,
        /** Answers late. */
        SLOW,
        /** Refuses connections in every other step of the test, and resets what was open. */
        FLAPPING,
        /** Ends half of its answers in the middle. */
        HALF
    }

    private record Member(
            String name, Behavior behavior, KubernetesServer server, ApiConnection connection, Client client)
            implements AutoCloseable {

        private static final Duration SLOWLY = Duration.ofMillis(300);

        /** Starts a server with one object, before it misbehaves. */
        static Member start(String name, Behavior behavior) {
            KubernetesServer server = KubernetesServer.start();
            ApiConnection connection = ApiConnection.open(server.clientConfig());
            Client client = Client.create(connection, Scheme.create(), ClientOptions.defaults());
            client.create(configMap("first"));
            switch (behavior) {
                case DEAD -> server.stop();
                case SILENT -> server.faults().add(FaultRule.of(RequestMatch.any(), new Fault.Stall()));
                case SLOW -> server.faults().add(FaultRule.of(RequestMatch.any(), new Fault.Delay(SLOWLY)));
                case STUCK -> server.faults().add(FaultRule.of(RequestMatch.writes(), new Fault.Stall()));
                case HALF ->
                    server.faults()
                            .add(FaultRule.of(RequestMatch.any(), new Fault.Cut(CutPoint.INSIDE))
                                    .withProbability(0.5, SEED));
                default -> {}
            }
            return new Member(name, behavior, server, connection, client);
        }

        void flap(boolean down) {
            if (behavior == Behavior.FLAPPING && down) {
                server.stop();
            } else if (behavior == Behavior.FLAPPING) {
                server.resume();
            }
        }

        @Override
        public void close() {
            connection.close();
            server.close();
        }

        boolean isGood() {
            return behavior == Behavior.GOOD;
        }
    }

    private static ConfigMap configMap(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .build();
    }

    private static void await(String what, Callable<Boolean> condition) {
        Awaitility.await(what)
                .pollInterval(Duration.ofMillis(10))
                .atMost(Duration.ofSeconds(120))
                .until(condition);
    }

    /** Adds controllers that write a Secret for each ConfigMap of each other cluster. */
    private void addControllers() {
        ControllerBuilder.forType(ConfigMap.class)
                .owns(Secret.class)
                .reconciler((map, context) -> {
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
                })
                .addTo(manager, cluster -> !cluster.name().isEmpty());
    }

    private static String value(Map<String, String> data) {
        return data == null ? "" : data.getOrDefault("value", "");
    }

    private Cluster join(Member member, String name) {
        Cluster cluster = manager.addCluster(name, member.server.clientConfig());
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
        Cluster cluster = manager.cluster(name).orElseThrow();
        List.of(cluster, cluster.cache(), cluster.connection()).forEach(each -> left.add(new WeakReference<>(each)));
        manager.components().stream()
                .filter(component -> component.cluster().equals(name))
                .forEach(component -> left.add(new WeakReference<>(component)));
        assertThat(manager.removeCluster(name)).as("%s has ended", name).isTrue();
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
        assertThat(manager.isRunning()).isTrue();
    }

    @Test
    void controllersWhenTheirClustersJoinAndLeaveReturnThreadsMetersAndMemory() {
        members.add(Member.start("good", Behavior.GOOD));
        members.add(Member.start("dead", Behavior.DEAD));
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
        Behavior[] behaviors = Behavior.values();
        for (int i = 0; i < SERVERS; i++) {
            Behavior behavior = i % 2 == 0 ? Behavior.GOOD : behaviors[1 + i / 2 % (behaviors.length - 1)];
            members.add(Member.start("member-" + i, behavior));
        }
        addControllers();
        manager.start();
        join(members.get(0), "warm-up");
        leave("warm-up");
        List<String> threads = threads();
        long before = usedBytes();
        Random random = new Random(SEED);
        Load load = new Load();
        for (int step = 0; step < 3 * SERVERS; step++) {
            Member member = members.get(random.nextInt(SERVERS));
            if (manager.cluster(member.name).isPresent()) {
                leave(member.name);
            } else {
                join(member, member.name);
            }
            boolean down = step % 2 == 0;
            members.forEach(each -> each.flap(down));
            load.present = goodOnes();
            reconcileInGoodOnes("step-" + step);
        }
        load.close();
        assertThat(load.changes.sum()).isGreaterThan(SERVERS);
        goodOnes().forEach(Load::awaitConverged);
        members.stream()
                .map(Member::name)
                .filter(name -> manager.cluster(name).isPresent())
                .forEach(this::leave);
        load.present = List.of();
        assertNothingIsLeft(threads);
        await("the heap is as it was", () -> usedBytes() - before < TOLERATED_BYTES);
    }

    /** Changes objects of good clusters all the time, with clients that do not belong to the manager. */
    private static final class Load implements AutoCloseable {
        private static final int OBJECTS = 20;

        private final ScheduledExecutorService writer = Executors.newSingleThreadScheduledExecutor();
        private final Random random = new Random(SEED);
        private final LongAdder changes = new LongAdder();
        private final Future<?> changing;
        private volatile List<Member> present = List.of();

        Load() {
            changing = writer.scheduleAtFixedRate(this::change, 0, 1_000_000 / RATE, TimeUnit.MICROSECONDS);
        }

        private void change() {
            List<Member> targets = present;
            if (!targets.isEmpty()) {
                Member target = targets.get(random.nextInt(targets.size()));
                changes.increment();
                String value = "value-" + changes.sum();
                target.client.createOrUpdate(
                        configMap("load-" + random.nextInt(OBJECTS)), map -> map.setData(Map.of("value", value)));
            }
        }

        /** Waits until each object has the Secret that fits it. */
        static void awaitConverged(Member member) {
            await("all is reconciled in " + member.name, () -> {
                Map<String, String> secrets = new HashMap<>();
                member.client
                        .list(Secret.class, ListOptions.inNamespace("default"))
                        .forEach(secret -> secrets.put(
                                secret.getMetadata().getName(),
                                new String(
                                        Base64.getDecoder()
                                                .decode(secret.getData().getOrDefault("value", "")),
                                        StandardCharsets.UTF_8)));
                return member.client.list(ConfigMap.class, ListOptions.inNamespace("default")).stream()
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

    private List<Member> goodOnes() {
        return members.stream()
                .filter(Member::isGood)
                .filter(member -> manager.cluster(member.name).isPresent())
                .toList();
    }

    /** The broken ones never answer meanwhile, so what waited for one of them would not happen at all. */
    private void reconcileInGoodOnes(String object) {
        List<Member> good = goodOnes();
        good.forEach(
                member -> manager.cluster(member.name).orElseThrow().client().create(configMap(object)));
        good.forEach(member -> awaitReconciled(object, member.name));
        Predicate<HealthCheck> works =
                check -> check.check().alive() && check.check().ready();
        assertThat(manager.healthChecks()).filteredOn(works.negate()).isEmpty();
        assertThat(manager.healthChecks())
                .filteredOn(check -> good.stream()
                        .anyMatch(member -> check.name().endsWith("/" + member.name)
                                || check.name().endsWith("@" + member.name)))
                .hasSize(2 * good.size())
                .allMatch(check -> Boolean.TRUE.equals(check.check().details().get("available")));
    }
}
