package io.github.reconciler4j.manager;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.Selection;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.fixtures.ReplicaProcess;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions.OnLost;
import io.github.reconciler4j.leaderelection.LeaseTiming;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.kubernetes.KubernetesComponent;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Three replicas as processes of their own, with everything going wrong that happens to processes, servers, networks and
 * leases. Reads from the server's own history that never two of them wrote in one term of the lease.
 *
 * <p>{@code -Dreplicas.long=true} does so with the default timing, ten kills and a store that is away for a minute, which
 * takes six minutes; {@code -Dreplicas.kills} and {@code -Dreplicas.count} change the number of kills and
 * replicas.
 */
@Timeout(1800)
@RealKubernetesTest(dedicated = true, components = KubernetesComponent.CONTROLLER_MANAGER)
class ReplicasIntegrationTests {

    private static final int OBJECTS = 10;
    private static final boolean LONG = Boolean.getBoolean("replicas.long");
    private static final LeaseTiming TIMING = LONG ? LeaseTiming.defaults() : LeaderReplica.QUICK;
    private static final int KILLS = Integer.getInteger("replicas.kills", LONG ? 10 : 2);
    private static final int REPLICAS = Integer.getInteger("replicas.count", 3);
    private static final Duration OUTAGE = LONG ? Duration.ofMinutes(1) : Duration.ZERO;

    private final RealKubernetes kubernetes;
    private final String namespace;
    private final ApiConnection connection;
    private final Client client;
    private final List<Replica> replicas = new ArrayList<>();
    private ServerHistory history;
    private Thread ticker;
    private volatile boolean ticking = true;
    private int started;

    ReplicasIntegrationTests(RealKubernetes kubernetes) {
        this.kubernetes = kubernetes;
        this.namespace = kubernetes.createNamespace("replicas");
        this.connection = ApiConnection.open(kubernetes.config());
        this.client = Client.create(connection, Scheme.create(), ClientOptions.defaults());
    }

    private final class Replica {
        private final OnLost onLost;
        private final ReplicaProcess process;

        Replica(OnLost onLost) throws IOException {
            this.onLost = onLost;
            this.process = new ReplicaProcess(LeaderReplica.class, kubernetes.server());
            start();
        }

        /** Starts a new process, as Kubernetes does with a pod whose process has ended. */
        void start() throws IOException {
            process.start(
                    "replica-" + ++started,
                    kubernetes.kubeconfig("admin").toString(),
                    namespace,
                    "replica-" + started,
                    onLost.name(),
                    Boolean.toString(LONG));
        }

        String identity() {
            return process.identity();
        }

        void startAgainIfEnded() throws IOException {
            if (!process.isAlive()) {
                assertThat(process.exitValue())
                        .as("why " + identity() + " ended")
                        .isIn(LeaderReplica.LOST, ReplicaProcess.KILLED);
                start();
            }
        }

        boolean hasLost() {
            try {
                return Files.readString(process.log()).contains("has lost lease");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @BeforeEach
    void start() throws IOException {
        for (int i = 0; i < OBJECTS; i++) {
            kubernetes.kubectl("-n", namespace, "create", "configmap", "work-" + i, "--from-literal=tick=0");
        }
        history = new ServerHistory(connection, namespace);
        ticker = new Thread(this::tick, "ticker");
        ticker.start();
        replicas.add(new Replica(OnLost.SHUTDOWN));
        while (replicas.size() < REPLICAS) {
            replicas.add(new Replica(OnLost.REJOIN));
        }
        awaitProgress("the first leader works");
    }

    @AfterEach
    void end() throws Exception {
        ticking = false;
        ticker.join();
        for (Replica replica : replicas) {
            replica.process.close();
        }
        history.end();
        connection.close();
    }

    /** Changes objects all the time, so that the leader has something to write. */
    private void tick() {
        for (int tick = 1; ticking; tick++) {
            try {
                client.patch(
                        Kind.of(ConfigMap.class),
                        ObjectKey.of(namespace, "work-" + tick % OBJECTS),
                        ObjectPatch.merge(Map.of("data", Map.of("tick", Integer.toString(tick)))),
                        WriteOptions.defaults());
                TimeUnit.MILLISECONDS.sleep(20);
            } catch (ApiException | InterruptedException e) {
                // The server is away; the next tick may find it.
            }
        }
    }

    private static void await(String what, BooleanSupplier condition) {
        Awaitility.await(what)
                .atMost(Duration.ofMinutes(3))
                .pollInterval(Duration.ofMillis(20))
                .until(condition::getAsBoolean);
    }

    private void awaitProgress(String what) {
        int before = history.writes();
        await(what, () -> history.writes() > before + 20);
    }

    private Replica leader() {
        await("a replica leads", () -> find(history.lastWriter()) != null);
        return find(history.lastWriter());
    }

    private Replica find(String identity) {
        return replicas.stream()
                .filter(replica -> replica.identity().equals(identity))
                .findFirst()
                .orElse(null);
    }

    private void healAndCheck() throws Exception {
        for (Replica replica : replicas) {
            replica.startAgainIfEnded();
        }
        awaitProgress("a replica works again");
        history.checkTerms();
    }

    private Duration takeover(String former, long since) {
        await("another leads", () -> !history.lastWriter().equals(former));
        return Duration.ofNanos(System.nanoTime() - since);
    }

    @Test
    void writesWhenFaultsAreRandomNeverComeFromTwoReplicasInOneTerm() throws Exception {
        List<String> report = new ArrayList<>();
        killTheLeader(report);
        haltTheLeader(report);
        cutTheLeaderOff(report);
        spoilTheLease(report);
        stopTheServer(report);
        stopTheStore(report);
        ticking = false;
        ticker.join();
        await("nothing is lost", this::allDone);
        history.checkTerms();
        System.err.println("take-over times:\n  " + String.join("\n  ", report));
    }

    private boolean allDone() {
        return client.live().list(Kind.of(ConfigMap.class), Selection.inNamespace(namespace)).stream()
                .filter(map -> map.getMetadata().getName().startsWith("work-"))
                .allMatch(map -> map.getMetadata().getAnnotations() != null
                        && map.getData()
                                .get("tick")
                                .equals(map.getMetadata().getAnnotations().get("done")));
    }

    private void killTheLeader(List<String> report) throws Exception {
        List<Duration> times = new ArrayList<>();
        for (int round = 0; round < KILLS; round++) {
            Replica leader = leader();
            String former = leader.identity();
            long since = System.nanoTime();
            leader.process.kill();
            Duration took = takeover(former, since);
            times.add(took);
            assertThat(took)
                    .isLessThan(TIMING.leaseDuration().plusMinutes(1)); // the wait, and what a busy machine adds
            healAndCheck();
        }
        times.sort(null);
        report.add("killed: median " + times.get(times.size() / 2).toMillis() + " ms, worst "
                + times.get(times.size() - 1).toMillis() + " ms of " + times.size());
    }

    private void haltTheLeader(List<String> report) throws Exception {
        Replica leader = leader();
        String former = leader.identity();
        long since = System.nanoTime();
        leader.process.halt();
        report.add("halted: " + takeover(former, since).toMillis() + " ms");
        awaitProgress("the new leader works");
        leader.process.resume();
        healAndCheck();
    }

    private void cutTheLeaderOff(List<String> report) throws Exception {
        Replica leader = leader();
        String former = leader.identity();
        long since = System.nanoTime();
        leader.process.cut();
        report.add("cut off: " + takeover(former, since).toMillis() + " ms");
        awaitProgress("the new leader works");
        leader.process.restore();
        healAndCheck();
    }

    private void spoilTheLease(List<String> report) throws Exception {
        kubernetes.kubectl("-n", namespace, "delete", "lease", "lock");
        await("the lease is there again", () -> !history.holder().isEmpty());
        healAndCheck();
        overwrite("no-replica");
        await("the lease is acquired again", () -> !history.holder().equals("no-replica"));
        healAndCheck();
        String former = history.holder();
        Replica other = replicas.stream()
                .filter(replica -> !replica.identity().equals(former))
                .findFirst()
                .orElseThrow();
        int transitions = transitions();
        long since = System.nanoTime();
        overwrite(other.identity());
        await("the lease has gone over in due form", () -> transitions() > transitions);
        awaitProgress("a replica works after that");
        report.add("handed over by hand: "
                + Duration.ofNanos(System.nanoTime() - since).toMillis() + " ms");
        healAndCheck();
    }

    private int transitions() {
        return Integer.parseInt(
                kubernetes.kubectl("-n", namespace, "get", "lease", "lock", "-o", "jsonpath={.spec.leaseTransitions}"));
    }

    private void overwrite(String identity) {
        String patch = "{\"spec\":{\"holderIdentity\":\"" + identity + "\"}}";
        kubernetes.kubectl("-n", namespace, "patch", "lease", "lock", "--type=merge", "-p", patch);
    }

    private void stopTheServer(List<String> report) throws Exception {
        long since = System.nanoTime();
        kubernetes.restart(KubernetesComponent.APISERVER);
        awaitProgress("a replica works after the restart of the API server");
        report.add("API server restarted: "
                + Duration.ofNanos(System.nanoTime() - since).toMillis() + " ms");
        healAndCheck();
    }

    private void stopTheStore(List<String> report) throws Exception {
        Replica leader = leader();
        long paused = System.nanoTime();
        kubernetes.pause(KubernetesComponent.ETCD);
        try {
            await("the leader has lost the lease", leader::hasLost);
            await("the store was away long enough", () -> System.nanoTime() - paused > OUTAGE.toNanos());
        } finally {
            kubernetes.resume(KubernetesComponent.ETCD);
        }
        long since = System.nanoTime();
        healAndCheck();
        report.add("store back after " + OUTAGE.toSeconds() + " s or more: "
                + Duration.ofNanos(System.nanoTime() - since).toMillis() + " ms");
    }
}
