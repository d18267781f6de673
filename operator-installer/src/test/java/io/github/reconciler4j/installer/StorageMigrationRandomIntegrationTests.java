package io.github.reconciler4j.installer;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.github.reconciler4j.installer.RealMigrationWorld.Cause;
import io.github.reconciler4j.test.kubernetes.RealKubernetes;
import io.github.reconciler4j.test.kubernetes.RealKubernetesTest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Drawn histories of an operator that drops versions, see {@link MigrationHistory}, on a real API server, with a look into etcd at
 * each step. More: {@code -Dmigration.runs=300}, one: {@code -Dmigration.seed=17 -Dmigration.runs=1}; with operators that are
 * processes of their own and are killed: {@code -Dmigration.kills=300}.
 */
@RealKubernetesTest(
        dedicated = true,
        components = {})
class StorageMigrationRandomIntegrationTests {

    private static final int RUNS = Integer.getInteger("migration.runs", 6);
    private static final int FIRST = Integer.getInteger("migration.seed", 0);
    private static final int KILLS = Integer.getInteger("migration.kills", 3);
    private static final int THREADS = 4;

    private final RealKubernetes kubernetes;
    private final KubernetesClient admin;
    private final RefusingWebhooks webhooks = new RefusingWebhooks();
    private final List<Throwable> failures = new ArrayList<>();
    private final Map<Cause, int[]> seen = new EnumMap<>(Cause.class);

    StorageMigrationRandomIntegrationTests(RealKubernetes kubernetes) throws Exception {
        this.kubernetes = kubernetes;
        Config config = kubernetes.config();
        config.setRequestRetryBackoffLimit(0);
        admin = new KubernetesClientBuilder().withConfig(config).build();
    }

    @AfterEach
    void stop() {
        admin.close();
        webhooks.close();
    }

    @Test
    void objectsWhateverHappensStayReadable() throws Exception {
        runAll(RUNS, false);
    }

    @Test
    void objectsWhenProcessesAreKilledStayReadable() throws Exception {
        runAll(KILLS, true);
    }

    private void runAll(int runs, boolean processes) throws Exception {
        List<Integer> seeds = IntStream.range(FIRST, FIRST + runs).boxed().toList();
        run(seeds.stream().filter(seed -> cause(seed) != Cause.QUOTA).toList(), THREADS, processes);
        // this refuses all writes of the cluster
        run(seeds.stream().filter(seed -> cause(seed) == Cause.QUOTA).toList(), 1, processes);

        seen.forEach(
                (cause, counts) -> System.err.println(cause + ": runs, refusals, kills " + Arrays.toString(counts)));
        assertThat(failures).isEmpty();
        assertThat(seen.values().stream().mapToInt(counts -> counts[0]).sum()).isEqualTo(runs);
    }

    private static Cause cause(int seed) {
        return Cause.values()[Math.floorMod(seed, Cause.values().length)];
    }

    private void run(List<Integer> seeds, int threads, boolean processes) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> runs = new ArrayList<>();
            seeds.forEach(seed -> runs.add(pool.submit(() -> run(seed, processes))));
            for (Future<?> run : runs) {
                try {
                    run.get();
                } catch (ExecutionException e) {
                    failures.add(e.getCause());
                }
            }
        } finally {
            pool.shutdownNow();
        }
    }

    private void run(int seed, boolean processes) {
        String group = (processes ? "k" : "r") + seed + ".example.com";
        Cause cause = cause(seed);
        try (RealMigrationWorld world = new RealMigrationWorld(kubernetes, admin, webhooks, group, cause)) {
            MigrationHistory history = processes
                    ? new MigrationHistory(seed, world, group, new MigrationProcesses(kubernetes, world.user()))
                    : new MigrationHistory(seed, world, group);
            try {
                history.run();
            } catch (AssertionError e) {
                throw new AssertionError("-Dmigration.seed=" + seed + ", " + cause + ": " + e.getMessage(), e);
            } finally {
                world.allow();
            }
            synchronized (seen) {
                int[] counts = seen.computeIfAbsent(cause, key -> new int[3]);
                counts[0]++;
                counts[1] += history.refusals();
                counts[2] += history.kills();
            }
            MigrationEdit.delete(world.admin(), "widgets." + group);
        }
    }
}
