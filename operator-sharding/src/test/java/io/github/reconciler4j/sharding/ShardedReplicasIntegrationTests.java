package io.github.reconciler4j.sharding;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.fixtures.ReplicaProcess;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.sharding.RunJournal.Run;
import io.github.reconciler4j.test.kubernetes.KubernetesComponent;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Replicas that share shards, as processes that are killed, halted, cut off, started and stopped, with an API server that restarts.
 * Reads from the server's history that only the holder of a shard writes to its objects, and from the journals of the processes that no
 * two reconcile an object at the same time.
 *
 * <p>Each fault comes once. {@code -Dsharded.replicas.minutes=10} adds random ones for ten minutes, {@code -Dsharded.replicas.seed} sets
 * their seed.
 */
@Timeout(1800)
@RealKubernetesTest(dedicated = true)
class ShardedReplicasIntegrationTests {

    private static final int NAMESPACES = 40;
    private static final Duration MORE = Duration.ofMinutes(Integer.getInteger("sharded.replicas.minutes", 0));
    private static final long SEED = Long.getLong("sharded.replicas.seed", 1);
    private static final Duration IDLE = ShardedReplica.TIMING.leaseDuration().plusSeconds(5);

    private final RealKubernetes kubernetes;
    private final String namespace;
    private final ApiConnection connection;
    private final Client client;
    private final List<ReplicaProcess> replicas = new ArrayList<>();
    private final Map<String, Long> ends = new HashMap<>();
    private final Map<String, List<long[]>> halts = new HashMap<>();
    private final Random random = new Random(SEED);
    private final List<String> report = new ArrayList<>();
    private ServedTime time;
    private ShardHistory history;
    private Thread ticker;
    private volatile boolean ticking = true;
    private int started;

    ShardedReplicasIntegrationTests(RealKubernetes kubernetes) {
        this.kubernetes = kubernetes;
        this.namespace = kubernetes.createNamespace("ring");
        this.connection = ApiConnection.open(kubernetes.config());
        this.client = Client.create(connection, Scheme.create(), ClientOptions.defaults());
    }

    @BeforeEach
    void start() throws IOException {
        for (int i = 0; i < NAMESPACES; i++) {
            client.create(new NamespaceBuilder()
                    .withNewMetadata()
                    .withName(key(i).namespace())
                    .endMetadata()
                    .build());
            client.create(new ConfigMapBuilder()
                    .withNewMetadata()
                    .withNamespace(key(i).namespace())
                    .withName(key(i).name())
                    .addToLabels(ShardedReplica.LABEL, "")
                    .endMetadata()
                    .addToData("tick", "0")
                    .build());
        }
        time = new ServedTime(connection);
        history = new ShardHistory(connection, namespace, time::nanoTime);
        ticker = new Thread(this::tick, "ticker");
        ticker.start();
    }

    @AfterEach
    void end() throws Exception {
        ticking = false;
        ticker.join();
        for (ReplicaProcess replica : replicas) {
            replica.close();
        }
        history.end();
        time.end();
        connection.close();
    }

    private ObjectKey key(int number) {
        return ObjectKey.of(namespace + "-" + number, "work");
    }

    /** Changes objects all the time, so that the replicas have something to write. */
    private void tick() {
        for (int tick = 1; ticking; tick++) {
            try {
                client.patch(
                        Kind.of(ConfigMap.class),
                        key(tick % NAMESPACES),
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
                .pollInterval(Duration.ofMillis(50))
                .until(condition::getAsBoolean);
    }

    private void startProcess(ReplicaProcess replica) throws IOException {
        String identity = "sharded-" + ++started;
        Files.deleteIfExists(ShardedReplica.journalOf(identity));
        replica.start(identity, kubernetes.kubeconfig("admin").toString(), namespace, identity);
    }

    private void scale(int count) throws Exception {
        while (replicas.size() < count) {
            ReplicaProcess replica = new ReplicaProcess(ShardedReplica.class, kubernetes.server());
            replicas.add(replica);
            startProcess(replica);
        }
        while (replicas.size() > count) {
            ReplicaProcess replica = replicas.remove(random.nextInt(replicas.size()));
            assertThat(replica.end(60)).as(replica.identity() + " stops").isTrue();
            ends.put(replica.identity(), System.nanoTime());
            replica.close();
        }
        awaitEven("scaled to " + count);
    }

    private Duration awaitEven(String after) {
        int lowest = ShardedReplica.SHARDS / replicas.size();
        int highest = (ShardedReplica.SHARDS + replicas.size() - 1) / replicas.size();
        await("the shards are even: " + after, () -> {
            Map<String, Integer> loads = history.loads();
            return replicas.stream()
                    .allMatch(replica -> loads.getOrDefault(replica.identity(), 0) >= lowest
                            && loads.getOrDefault(replica.identity(), 0) <= highest);
        });
        int before = history.writes();
        await("replicas write: " + after, () -> history.writes() > before + NAMESPACES);
        Duration waited = history.longestWait();
        report.add(after + ": " + waited.toMillis() + " ms");
        history.checkWriters();
        return waited;
    }

    private ReplicaProcess any() {
        return replicas.get(random.nextInt(replicas.size()));
    }

    private void kill() throws Exception {
        ReplicaProcess replica = any();
        replica.kill();
        ends.put(replica.identity(), System.nanoTime());
        startProcess(replica);
        awaitEvenSoon("killed");
    }

    private void halt() throws Exception {
        ReplicaProcess replica = any();
        String identity = replica.identity();
        replica.halt();
        long since = System.nanoTime();
        try {
            await("others hold its shards", () -> !history.loads().containsKey(identity));
        } finally {
            halts.computeIfAbsent(identity, key -> new ArrayList<>()).add(new long[] {since, System.nanoTime()});
            replica.resume();
        }
        awaitEvenSoon("halted");
    }

    private void cut() {
        ReplicaProcess replica = any();
        String identity = replica.identity();
        replica.cut();
        try {
            await("others hold its shards", () -> !history.loads().containsKey(identity));
        } finally {
            replica.restore();
        }
        awaitEvenSoon("cut off");
    }

    private void restartServer() {
        kubernetes.restart(KubernetesComponent.APISERVER);
        awaitEvenSoon("API server restarted");
    }

    /** The time in which no request is served does not count. */
    private void awaitEvenSoon(String after) {
        assertThat(awaitEven(after)).as("longest wait: " + after).isLessThan(IDLE);
    }

    private void randomFault() throws Exception {
        switch (random.nextInt(5)) {
            case 0 -> kill();
            case 1 -> halt();
            case 2 -> cut();
            case 3 -> restartServer();
            default -> scale(1 + random.nextInt(4));
        }
    }

    @Test
    void reconcileWhenReplicasAndServerFailRunsOnOneReplicaAtATime() throws Exception {
        scale(1);
        scale(4);
        kill();
        halt();
        cut();
        restartServer();
        scale(2);
        scale(3);
        for (long end = System.nanoTime() + MORE.toNanos(); System.nanoTime() < end; ) {
            if (replicas.size() == 1) {
                scale(2 + random.nextInt(3)); // all other faults need a replica that takes over
            } else {
                randomFault();
            }
        }
        ticking = false;
        ticker.join();
        await("nothing is lost", history::allDone);
        int checked = history.checkWriters();
        List<Run> runs = runs();
        assertThat(overlaps(runs)).isEmpty();
        assertThat(checked).isGreaterThan(history.writes() / 2);
        System.err.printf(
                "%d runs, %d writes (%d checked), %d moves; longest wait after each fault:%n  %s%n",
                runs.size(), history.writes(), checked, history.moves(), String.join("\n  ", report));
    }

    private List<Run> runs() throws IOException {
        List<Run> runs = new ArrayList<>();
        for (int i = 1; i <= started; i++) {
            String identity = "sharded-" + i;
            runs.addAll(RunJournal.read(
                    ShardedReplica.journalOf(identity), identity, ends.getOrDefault(identity, System.nanoTime())));
        }
        return runs;
    }

    /** Runs that were halted in the middle cannot notice that they have lost their shard. */
    private boolean wasHalted(Run run) {
        return halts.getOrDefault(run.process(), List.of()).stream()
                .anyMatch(halt -> run.start() < halt[0] && run.end() > halt[0]);
    }

    private List<String> overlaps(List<Run> runs) {
        List<String> overlaps = new ArrayList<>();
        Map<String, List<Run>> byKey = new HashMap<>();
        runs.stream()
                .filter(run -> !wasHalted(run))
                .sorted(Comparator.comparingLong(Run::start))
                .forEach(run -> byKey.computeIfAbsent(run.key(), key -> new ArrayList<>())
                        .add(run));
        for (List<Run> ofKey : byKey.values()) {
            for (int i = 0; i < ofKey.size(); i++) {
                for (int j = i + 1;
                        j < ofKey.size() && ofKey.get(j).start() < ofKey.get(i).end();
                        j++) {
                    overlaps.add(ofKey.get(i) + " and " + ofKey.get(j));
                }
            }
        }
        return overlaps;
    }
}
