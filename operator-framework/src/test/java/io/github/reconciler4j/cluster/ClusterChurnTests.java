package io.github.reconciler4j.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.fixtures.LiveThreads;
import io.github.reconciler4j.health.HealthCheck;
import io.github.reconciler4j.manager.Cluster;
import io.github.reconciler4j.manager.LifecycleOptions;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.metrics.MicrometerMetrics;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.Fault.CutPoint;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.RequestMatch;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Clusters with controllers join and leave all the time, in a random order and while some of them are broken. No broken one affects
 * another, and what has left leaves nothing behind. {@code clusters.servers} is the number of API servers, {@code clusters.seed} the
 * order.
 */
@Timeout(900)
class ClusterChurnTests {

    private static final int JOINS = 100;
    private static final int SERVERS = Integer.getInteger("clusters.servers", 10);
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
        members.forEach(member -> member.server.close());
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
        /** Ends half of its answers in the middle. */
        HALF
    }

    private record Member(String name, Behavior behavior, KubernetesServer server) {

        /** Starts a server with one object, before it misbehaves. */
        static Member start(String name, Behavior behavior) {
            KubernetesServer server = KubernetesServer.start();
            try (Manager manager = Manager.create(server.clientConfig())) {
                manager.client().create(configMap("first"));
            }
            switch (behavior) {
                case DEAD -> server.stop();
                case SILENT -> server.faults().add(FaultRule.of(RequestMatch.any(), new Fault.Stall()));
                case STUCK -> server.faults().add(FaultRule.of(RequestMatch.writes(), new Fault.Stall()));
                case HALF ->
                    server.faults()
                            .add(FaultRule.of(RequestMatch.any(), new Fault.Cut(CutPoint.INSIDE))
                                    .withProbability(0.5, SEED));
                default -> {}
            }
            return new Member(name, behavior, server);
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
                                    .build());
                    reconciled.add(context.request());
                    return Result.done();
                })
                .addTo(manager, cluster -> !cluster.name().isEmpty());
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
        Random random = new Random(SEED);
        for (int step = 0; step < 3 * SERVERS; step++) {
            Member member = members.get(random.nextInt(SERVERS));
            if (manager.cluster(member.name).isPresent()) {
                leave(member.name);
            } else {
                join(member, member.name);
            }
            reconcileInGoodOnes("step-" + step);
        }
        members.stream()
                .map(Member::name)
                .filter(name -> manager.cluster(name).isPresent())
                .forEach(this::leave);
        assertNothingIsLeft(threads);
    }

    /** The broken ones never answer meanwhile, so what waited for one of them would not happen at all. */
    private void reconcileInGoodOnes(String object) {
        List<Member> good = members.stream()
                .filter(Member::isGood)
                .filter(member -> manager.cluster(member.name).isPresent())
                .toList();
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
