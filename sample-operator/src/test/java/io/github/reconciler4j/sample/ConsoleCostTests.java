package io.github.reconciler4j.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.management.ThreadMXBean;
import io.fabric8.kubernetes.api.model.Condition;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.cluster.TestCluster;
import io.github.reconciler4j.test.faults.Fault;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.request.RequestMatch;
import io.github.reconciler4j.test.spring.OperatorTest;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;

/**
 * The processor time of the threads that serve the console to a browser: without work, and while 500 objects converge and some fail.
 * The profile {@code nightly} names the browser.
 */
@EnabledIfSystemProperty(
        named = "console.browser",
        matches = ".+",
        disabledReason = "needs -Dconsole.browser=chromium (Debian package chromium)")
@OperatorTest(
        cluster = {"deployment", "replicaset"},
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "management.endpoints.web.exposure.include=health,prometheus,reconciler4j,reconciler4jconsole",
            "management.endpoint.reconciler4j.access=unrestricted"
        })
class ConsoleCostTests {

    private static final int OBJECTS = 500;
    private static final int FAILING = 5;
    private static final int REFRESHES = 7;
    private static final Duration PAUSE = Duration.ofMillis(40);
    private static final String SERVING = "http-nio-.*";

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @Autowired
    private TestCluster cluster;

    @Autowired
    private MeterRegistry meters;

    @Value("${local.server.port}")
    private int port;

    /** What the threads that serve pages have used so far, by their ids. */
    private record Usage(long at, long refreshes, Map<Long, Long> nanos, Map<Long, Long> bytes) {

        /** Return the sum of what was added for each thread; threads that have ended meanwhile are missing. */
        static long added(Map<Long, Long> before, Map<Long, Long> after) {
            return after.entrySet().stream()
                    .mapToLong(thread -> thread.getValue() - before.getOrDefault(thread.getKey(), 0L))
                    .sum();
        }
    }

    /** What the threads that serve pages used in one phase. */
    private record Cost(String phase, double seconds, long refreshes, double millis, double kilobytes) {

        double percent() {
            return millis / seconds / 10;
        }

        String row() {
            String each = refreshes == 0
                    ? ""
                    : String.format(Locale.ROOT, "%.1f ms, %.0f kB", millis / refreshes, kilobytes / refreshes);
            return String.format(
                    Locale.ROOT,
                    "| %s | %.0f s | %d | %.0f ms | %.3f %% | %s |",
                    phase,
                    seconds,
                    refreshes,
                    millis,
                    percent(),
                    each);
        }
    }

    private interface Phase {
        void run() throws Exception;
    }

    private long refreshes() {
        return meters.find("http.server.requests").tag("uri", "/actuator/reconciler4j").timers().stream()
                .mapToLong(Timer::count)
                .sum();
    }

    private Usage usage() {
        Map<Long, Long> nanos = new HashMap<>();
        Map<Long, Long> bytes = new HashMap<>();
        Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
                .filter(Objects::nonNull)
                .filter(thread -> thread.getThreadName().matches(SERVING))
                .mapToLong(thread -> thread.getThreadId())
                .forEach(id -> {
                    nanos.put(id, threads.getThreadCpuTime(id));
                    bytes.put(id, threads.getThreadAllocatedBytes(id));
                });
        assertThat(nanos).as("threads that serve pages").isNotEmpty();
        return new Usage(System.nanoTime(), refreshes(), nanos, bytes);
    }

    private Cost measure(String name, Phase phase) throws Exception {
        Usage before = usage();
        phase.run();
        Usage after = usage();
        Cost cost = new Cost(
                name,
                (after.at() - before.at()) / 1e9,
                after.refreshes() - before.refreshes(),
                Usage.added(before.nanos(), after.nanos()) / 1e6,
                Usage.added(before.bytes(), after.bytes()) / 1e3);
        System.out.println(cost.row());
        return cost;
    }

    private void create(String namespace, int number) {
        cluster.client()
                .resource(cluster.client()
                        .getKubernetesSerialization()
                        .unmarshal(WebApps.yaml("app-" + number, "replicas: 1"), WebApp.class))
                .inNamespace(namespace)
                .create();
    }

    private long ready(String namespace) {
        return cluster.client().resources(WebApp.class).inNamespace(namespace).list().getItems().stream()
                .filter(app -> app.getStatus() != null)
                .filter(app -> app.getStatus().getConditions().stream().anyMatch(ConsoleCostTests::isReady))
                .count();
    }

    private static boolean isReady(Condition condition) {
        return condition.getType().equals("Ready") && condition.getStatus().equals("True");
    }

    /** Create the objects one after the other, so that they converge while the page is refreshed, and wait until all are ready. */
    private void converge(String namespace) throws Exception {
        ScheduledExecutorService creator = Executors.newSingleThreadScheduledExecutor();
        try {
            AtomicInteger next = new AtomicInteger();
            ScheduledFuture<?> creating = creator.scheduleAtFixedRate(
                    () -> {
                        if (next.get() < OBJECTS) {
                            create(namespace, next.getAndIncrement());
                        }
                    },
                    0,
                    PAUSE.toMillis(),
                    TimeUnit.MILLISECONDS);
            await("all objects are ready")
                    .atMost(Duration.ofMinutes(5))
                    .pollInterval(Duration.ofSeconds(1))
                    .failFast("the creation failed", () -> creating.isDone())
                    .until(() -> ready(namespace) == OBJECTS);
        } finally {
            creator.shutdownNow();
            assertThat(creator.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        }
    }

    private void awaitRefreshes() {
        long before = refreshes();
        await("refreshes of the page")
                .atMost(Duration.ofMinutes(3))
                .pollInterval(Duration.ofMillis(500))
                .until(() -> refreshes() >= before + REFRESHES);
    }

    private void awaitNone() {
        long before = refreshes();
        Duration time = Duration.ofSeconds(15);
        await("no reader of the page")
                .atMost(time.multipliedBy(2))
                .pollInterval(Duration.ofSeconds(1))
                .during(time)
                .until(() -> refreshes() == before);
    }

    private static void isCheap(Cost cost) {
        assertThat(cost.refreshes()).as(cost.phase()).isGreaterThanOrEqualTo(REFRESHES);
        assertThat(cost.percent())
                .as("percent of one processor: " + cost.row())
                .isPositive()
                .isLessThan(1);
    }

    @Test
    void pageWhenOpenCostsLessThanOnePercentOfOneProcessor(KubernetesServer server) throws Exception {
        String console = "http://localhost:" + port + "/actuator/reconciler4jconsole";
        String failing = cluster.createNamespace("failing");
        server.faults()
                .add(FaultRule.of(RequestMatch.writes().kind("Deployment").namespace(failing), Fault.unavailable()));
        for (int i = 0; i < FAILING; i++) {
            create(failing, i);
        }
        System.out.println("| phase | time | refreshes | processor time | of one processor | each refresh |");
        String first = cluster.createNamespace("closed");
        measure("page closed, objects converge", () -> converge(first));
        measure("page closed, no changes", this::awaitNone);
        try (Chromium browser = Chromium.open(console)) {
            measure("page just opened", this::awaitRefreshes);
            isCheap(measure("page open, no changes", this::awaitRefreshes));
            String second = cluster.createNamespace("open");
            isCheap(measure("page open, objects converge", () -> converge(second)));
            isQuiet(browser);
        }
        try (Chromium browser = Chromium.open(console + "#webapp")) {
            measure("list of objects just opened", this::awaitRefreshes);
            isCheap(measure("list of 1,005 objects open, no changes", this::awaitRefreshes));
            isQuiet(browser);
        }
        try (Chromium browser = Chromium.open(console + "#webapp/" + first + "/app-0")) {
            measure("page of one object just opened", this::awaitRefreshes);
            isCheap(measure("page of one object open, no changes", this::awaitRefreshes));
            isQuiet(browser);
        }
        assertThat(ready(failing)).as("failing objects that are ready").isZero();
    }

    private static void isQuiet(Chromium browser) throws Exception {
        assertThat(browser.log()).doesNotContain("CONSOLE", "Content Security Policy of your site blocks");
    }
}
