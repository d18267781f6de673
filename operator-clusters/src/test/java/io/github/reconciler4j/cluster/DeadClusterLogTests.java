package io.github.reconciler4j.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.fixtures.ScriptedServer;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.test.KubernetesServer;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Each cluster that cannot be used is in the log once, and after that a few lines a minute say that many cannot. */
@Timeout(180)
class DeadClusterLogTests {

    private static final int CLUSTERS = 100;
    private static final int LINES_A_MINUTE = 10;

    private final FastTime time = new FastTime();

    /** A minute takes two seconds. */
    private record FastTime() implements TimeSource {

        private static final int FASTER = 30;

        @Override
        public long nanoTime() {
            return System.nanoTime() * FASTER;
        }

        @Override
        public Instant instant() {
            return Instant.EPOCH.plusNanos(nanoTime());
        }

        @Override
        public void await(Condition condition, long nanos) throws InterruptedException {
            condition.awaitNanos(nanos / FASTER);
        }

        @Override
        public <T> T poll(BlockingQueue<T> queue, long nanos) throws InterruptedException {
            return queue.poll(nanos / FASTER, TimeUnit.NANOSECONDS);
        }

        @Override
        public boolean await(CountDownLatch latch, long nanos) throws InterruptedException {
            return latch.await(nanos / FASTER, TimeUnit.NANOSECONDS);
        }

        @Override
        public void sleep(long nanos) throws InterruptedException {
            TimeUnit.NANOSECONDS.sleep(nanos / FASTER);
        }

        @Override
        public void park(Object blocker, long nanos) {
            LockSupport.parkNanos(blocker, nanos / FASTER);
        }
    }

    private void minutes(int count) {
        long end = time.nanoTime() + Duration.ofMinutes(count).toNanos();
        Awaitility.await("minutes").atMost(Duration.ofSeconds(60)).until(() -> time.nanoTime() - end > 0);
    }

    @Test
    void linesWhenAHundredClustersCannotBeUsedNameEachOnceAndAreFewAfterThat() {
        try (ScriptedServer server = ScriptedServer.start(
                        (request, out) -> out.write(ScriptedServer.status(503, "ServiceUnavailable", "down", "{}")));
                KubernetesServer home = KubernetesServer.start();
                Manager manager = Manager.create(
                        home.clientConfig(), ManagerOptions.defaults().withTimeSource(time));
                CapturedLog log = CapturedLog.of("io.github.reconciler4j.manager")) {
            Clusters.of(manager)
                    .addControllers(
                            ControllerBuilder.of(ConfigMap.class).reconciler((map, context) -> Result.done()),
                            cluster -> !cluster.name().isEmpty());
            manager.start();
            for (int i = 0; i < CLUSTERS; i++) {
                Clusters.of(manager).add("dead-" + i, server.config());
            }
            Awaitility.await("each is named")
                    .atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(named(log)).hasSize(CLUSTERS));
            int before = log.lines(Level.WARN).size();
            minutes(5);
            assertThat(log.lines(Level.WARN)).hasSizeBetween(before + 5, before + 6 * LINES_A_MINUTE);
            assertThat(log.lines(Level.WARN))
                    .anyMatch(line -> line.matches("(?s).*\\(\\d\\d more since the last message\\)"));
        }
    }

    private static Set<String> named(CapturedLog log) {
        return log.lines(Level.WARN).stream()
                .filter(line -> line.contains("cannot start yet"))
                .map(line -> line.replaceFirst("^.*?(dead-\\d+).*$", "$1"))
                .collect(Collectors.toSet());
    }
}
