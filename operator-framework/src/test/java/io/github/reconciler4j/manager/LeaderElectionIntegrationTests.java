package io.github.reconciler4j.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.WriteRefusedException;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions.OnLost;
import io.github.reconciler4j.leaderelection.LeadershipListener;
import io.github.reconciler4j.leaderelection.LeadershipLostException;
import io.github.reconciler4j.leaderelection.LeaseTiming;
import io.github.reconciler4j.leaderelection.WriteScope;
import io.github.reconciler4j.manager.ComponentState.State;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.test.kubernetes.KubernetesComponent;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several replicas and one Lease on a real API server that is halted, and whose Lease people spoil. */
@Timeout(300)
@RealKubernetesTest(dedicated = true, components = KubernetesComponent.CONTROLLER_MANAGER)
class LeaderElectionIntegrationTests {

    private static final LeaseTiming FAST =
            LeaseTiming.of(Duration.ofSeconds(4), Duration.ofSeconds(3), Duration.ofMillis(500));

    /** Waits of these tests end before the lease does. */
    private static final LeaseTiming LONG =
            LeaseTiming.of(Duration.ofMinutes(5), Duration.ofMinutes(4), Duration.ofMillis(500));

    private static final String THIEF = "{\"holderIdentity\":\"thief\"}";

    private final RealKubernetes kubernetes;
    private final String namespace;
    private final List<Replica> replicas = new ArrayList<>();

    LeaderElectionIntegrationTests(RealKubernetes kubernetes) {
        this.kubernetes = kubernetes;
        this.namespace = kubernetes.createNamespace("leader");
        kubernetes.kubectl("-n", namespace, "create", "configmap", "target");
    }

    @AfterEach
    void stop() {
        replicas.forEach(replica -> replica.manager.stop());
    }

    private static ConditionFactory await(String what) {
        return Awaitility.await(what).atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(50));
    }

    /** A manager with a component that writes its identity all the time while it leads. */
    private final class Replica implements ManagedComponent, LeadershipListener {
        final String identity;
        final Manager manager;
        final List<String> journal = new CopyOnWriteArrayList<>();
        final AtomicInteger accepted = new AtomicInteger();
        final AtomicInteger refused = new AtomicInteger();
        private Thread thread;

        Replica(String identity, OnLost onLost) {
            this(identity, onLost, FAST);
        }

        Replica(String identity, OnLost onLost, LeaseTiming timing) {
            this.identity = identity;
            manager = Manager.create(
                    kubernetes.config(),
                    ManagerOptions.defaults()
                            .withName(identity)
                            .withLeaderElection(LeaderElectionOptions.named("lock")
                                    .withLeaseNamespace(namespace)
                                    .withIdentity(identity)
                                    .withLabels(Map.of("app", "test"))
                                    .withTiming(timing)
                                    .withOnLost(onLost)));
            manager.add(this);
            manager.addLeadershipListener(this);
            replicas.add(this);
            manager.start();
        }

        @Override
        public String name() {
            return "writer";
        }

        @Override
        public void start() {
            thread = new Thread(WriteScope.inherit(this::write), "writer-" + identity);
            thread.start();
        }

        private void write() {
            Client client = manager.client();
            ObjectPatch patch = ObjectPatch.merge(Map.of("data", Map.of("holder", identity)));
            while (!Thread.currentThread().isInterrupted()) {
                try {
                    client.patch(
                            Kind.of(ConfigMap.class),
                            ObjectKey.of(namespace, "target"),
                            patch,
                            WriteOptions.defaults());
                    accepted.incrementAndGet();
                    TimeUnit.MILLISECONDS.sleep(20);
                } catch (WriteRefusedException e) {
                    refused.incrementAndGet();
                } catch (ApiException e) {
                    // The server is unavailable; the interrupt flag says whether to end.
                } catch (InterruptedException e) {
                    return;
                }
            }
        }

        @Override
        public void stop(Duration grace) {
            if (thread != null) {
                thread.interrupt();
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        @Override
        public void elected(String lease) {
            journal.add("elected");
        }

        @Override
        public void lost(String lease, String reason) {
            journal.add("lost");
        }

        State state() {
            return manager.status().components().stream()
                    .filter(status -> status.name().equals("writer"))
                    .findFirst()
                    .orElseThrow()
                    .state();
        }
    }

    private String lease(String path) {
        return kubernetes.kubectl("-n", namespace, "get", "lease", "lock", "-o", "jsonpath={" + path + "}");
    }

    private void overwriteLease(String spec) {
        kubernetes.kubectl("-n", namespace, "patch", "lease", "lock", "--type=merge", "-p", "{\"spec\":" + spec + "}");
    }

    @Test
    void startWhenTwoReplicasCampaignRunsOneAndHandsOverAtStop() throws Exception {
        Replica first = new Replica("first", OnLost.SHUTDOWN, LONG);
        await("the first works").until(() -> first.accepted.get() > 0);
        Replica second = new Replica("second", OnLost.SHUTDOWN, LONG);
        await("the second has seen the first")
                .until(() -> second.manager.status().leases().get(0).holder().equals("first"));
        assertThat(second.state()).isEqualTo(State.STANDBY);
        assertThat(second.manager.status().leader()).isFalse();
        assertThat(first.manager.status().leader()).isTrue();
        assertThat(lease(".spec.holderIdentity")).isEqualTo("first");
        assertThat(lease(".spec.leaseTransitions")).isEqualTo("0");
        assertThat(lease(".metadata.labels.app")).isEqualTo("test");

        first.manager.stop();
        first.manager.await();
        await("the second works, because the first has released the lease").until(() -> second.accepted.get() > 0);
        assertThat(lease(".spec.holderIdentity")).isEqualTo("second");
        assertThat(lease(".spec.leaseTransitions")).isEqualTo("1");
        assertThat(first.journal).containsExactly("elected");
        await("there are events of both leaders")
                .untilAsserted(() -> assertThat(kubernetes.kubectl(
                                "-n", namespace, "get", "events.events.k8s.io", "-o", "jsonpath={.items[*].note}"))
                        .contains("first became leader", "second became leader"));
    }

    @Test
    void awaitWhenLeaseIsStolenThrowsAndEverythingHasStopped() {
        Replica replica = new Replica("robbed", OnLost.SHUTDOWN, LONG);
        await("it works").until(() -> replica.accepted.get() > 0);
        overwriteLease(THIEF);
        assertThatThrownBy(replica.manager::await)
                .isInstanceOf(ManagerFailedException.class)
                .hasMessageContaining("Lease " + namespace + "/lock was lost")
                .hasMessageContaining("thief")
                .hasCauseInstanceOf(LeadershipLostException.class);
        assertThat(replica.state()).isEqualTo(State.STOPPED);
        assertThat(lease(".spec.holderIdentity")).as("held by another").isEqualTo("thief");
    }

    @Test
    void startWhenLeaseIsStolenAndReplicaRejoinsWorksAgainLater() {
        Replica replica = new Replica("patient", OnLost.REJOIN, LONG);
        await("it works").until(() -> replica.accepted.get() > 0);
        overwriteLease(THIEF);
        await("it has lost").until(() -> replica.journal.contains("lost"));
        await("it stands by").until(() -> replica.state() == State.STANDBY);
        int before = replica.accepted.get();
        overwriteLease("{\"holderIdentity\":\"\",\"leaseDurationSeconds\":1}");
        await("it works again").until(() -> replica.accepted.get() > before);
        assertThat(replica.journal).containsExactly("elected", "lost", "elected");
        assertThat(replica.manager.status().running()).isTrue();
    }

    @Test
    void startWhenApiServerIsHaltedBeyondTheDeadlineStopsWritingAndComesBack() {
        Replica first = new Replica("first", OnLost.REJOIN);
        Replica second = new Replica("second", OnLost.REJOIN);
        await("one works").until(() -> first.accepted.get() + second.accepted.get() > 0);
        kubernetes.pause(KubernetesComponent.APISERVER);
        try {
            await("the leader has lost").until(() -> first.journal.contains("lost") || second.journal.contains("lost"));
            await("no replica works").until(() -> first.state() == State.STANDBY && second.state() == State.STANDBY);
            assertThatThrownBy(() -> (first.journal.contains("lost") ? first : second)
                            .manager
                            .client()
                            .patch(
                                    Kind.of(ConfigMap.class),
                                    ObjectKey.of(namespace, "target"),
                                    ObjectPatch.merge(Map.of()),
                                    WriteOptions.defaults()))
                    .as("a thread of no component may not write either")
                    .isInstanceOf(WriteRefusedException.class);
        } finally {
            kubernetes.resume(KubernetesComponent.APISERVER);
        }
        int before = first.accepted.get() + second.accepted.get();
        await("one works again").until(() -> first.accepted.get() + second.accepted.get() > before + 5);
        assertThat(first.manager.status().leader() && second.manager.status().leader())
                .isFalse();
    }
}
