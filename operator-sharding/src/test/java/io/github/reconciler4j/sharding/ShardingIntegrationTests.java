package io.github.reconciler4j.sharding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.client.error.WriteRefusedException;
import io.github.reconciler4j.health.HealthCheck;
import io.github.reconciler4j.leaderelection.LeaseTiming;
import io.github.reconciler4j.leaderelection.WriteScope;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.manager.StartGroup;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.test.kubernetes.KubernetesComponent;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several replicas that share shards through the Leases of a real API server, which is halted meanwhile. */
@Timeout(300)
@RealKubernetesTest(dedicated = true, components = KubernetesComponent.CONTROLLER_MANAGER)
class ShardingIntegrationTests {

    private static final LeaseTiming FAST =
            LeaseTiming.of(Duration.ofSeconds(6), Duration.ofSeconds(4), Duration.ofMillis(500));

    /** No replica loses its leases; all that moves is handed over. */
    private static final LeaseTiming LONG =
            LeaseTiming.of(Duration.ofSeconds(60), Duration.ofSeconds(40), Duration.ofMillis(500));

    private final RealKubernetes kubernetes;
    private final String namespace;
    private final List<Replica> replicas = new ArrayList<>();

    ShardingIntegrationTests(RealKubernetes kubernetes) {
        this.kubernetes = kubernetes;
        this.namespace = kubernetes.createNamespace("shards");
        kubernetes.kubectl("-n", namespace, "create", "configmap", "target");
    }

    @AfterEach
    void stop() {
        replicas.forEach(replica -> replica.manager.stop());
    }

    private static ConditionFactory await(String what) {
        return Awaitility.await(what).atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(100));
    }

    /** A manager with a component that works on shards. */
    private final class Replica implements ManagedComponent, ShardHandler {
        final Manager manager;
        final Map<Integer, WriteScope> scopes = new ConcurrentHashMap<>();

        Replica(String identity, LeaseTiming timing) {
            manager = Manager.create(
                    kubernetes.config(),
                    ManagerOptions.defaults()
                            .withName(identity)
                            .withExtension(ShardingOptions.named("shop")
                                    .withShards(8)
                                    .withLeaseNamespace(namespace)
                                    .withIdentity(identity)
                                    .withTiming(timing)));
            manager.add(this);
            replicas.add(this);
            manager.start();
        }

        @Override
        public String name() {
            return "worker";
        }

        @Override
        public StartGroup group() {
            return StartGroup.ALL_REPLICAS;
        }

        @Override
        public void start() {}

        @Override
        public void stop(Duration grace) {}

        @Override
        public void start(int shard, WriteScope scope) {
            scopes.put(shard, scope);
        }

        @Override
        public CompletionStage<Void> stop(int shard, Stop how) {
            scopes.remove(shard);
            return CompletableFuture.completedStage(null);
        }

        boolean mayWrite(WriteScope scope) {
            try {
                ObjectPatch patch = ObjectPatch.merge(
                        Map.of("data", Map.of("holder", manager.options().name())));
                scope.call(() -> manager.client()
                        .patch(
                                Kind.of(ConfigMap.class),
                                ObjectKey.of(namespace, "target"),
                                patch,
                                WriteOptions.defaults()));
                return true;
            } catch (WriteRefusedException e) {
                return false;
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }

        Map<String, Object> health() {
            return manager.healthChecks().stream()
                    .filter(check -> check.name().equals("sharding"))
                    .map(HealthCheck::check)
                    .findFirst()
                    .orElseThrow()
                    .details();
        }
    }

    private void awaitLoads(Integer... loads) {
        await("replicas hold " + Arrays.toString(loads) + " shards").until(() -> {
            List<Integer> sizes = replicas.stream()
                    .map(replica -> replica.scopes.size())
                    .sorted()
                    .toList();
            Set<Integer> held = new TreeSet<>();
            replicas.forEach(replica -> held.addAll(replica.scopes.keySet()));
            return sizes.equals(List.of(loads)) && held.size() == 8;
        });
    }

    private String leases(String label, String column) {
        return kubernetes.kubectl(
                "-n", namespace, "get", "leases", "-l", label, "-o", "jsonpath={.items[*]" + column + "}");
    }

    @Test
    void replicasWhenTheyJoinAndLeaveShareTheShards() {
        Replica first = new Replica("a", LONG);
        awaitLoads(8);
        WriteScope moved = first.scopes.get(0);
        assertThat(first.mayWrite(moved)).isTrue();
        kubernetes.kubectl(
                "-n", namespace, "annotate", "leases", "-l", "reconciler4j.io/sharding-role=shard", "owner=team");
        Replica second = new Replica("b", LONG);
        awaitLoads(4, 4);
        new Replica("c", LONG);
        new Replica("d", LONG);
        awaitLoads(2, 2, 2, 2);
        await("the health of a replica shows the others")
                .untilAsserted(() -> assertThat(second.health())
                        .containsEntry("replicas", 4)
                        .containsEntry("unheld", 0)
                        .containsEntry("imbalance", 0));
        first.manager.stop();
        assertThat(first.scopes).isEmpty();
        assertThatThrownBy(moved::check).isInstanceOf(WriteRefusedException.class);
        awaitLoads(0, 2, 3, 3);
        assertThat(leases("reconciler4j.io/sharding-role=replica", ".metadata.name"))
                .isEqualTo("shop-replica-b shop-replica-c shop-replica-d");
        assertThat(leases("reconciler4j.io/sharding-role=shard", ".metadata.name")
                        .split(" "))
                .hasSize(8);
        assertThat(leases("reconciler4j.io/sharding-role=shard", ".metadata.managedFields[*].manager"))
                .as("the field managers of the Leases after their moves")
                .matches("(.*kubectl-annotate){8}.*");
    }

    @Test
    void replicasWhenTheApiServerIsHaltedStopAndContinue() {
        Replica first = new Replica("a", FAST);
        new Replica("b", FAST);
        awaitLoads(4, 4);
        WriteScope old = first.scopes.values().iterator().next();
        kubernetes.pause(KubernetesComponent.APISERVER);
        try {
            await("all shards have stopped").until(() -> replicas.stream().allMatch(each -> each.scopes.isEmpty()));
        } finally {
            kubernetes.resume(KubernetesComponent.APISERVER);
        }
        awaitLoads(4, 4);
        assertThat(first.mayWrite(old)).as("a scope of the former term").isFalse();
    }
}
