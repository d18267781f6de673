package io.github.reconciler4j.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.WatchOptions;
import io.github.reconciler4j.fixtures.ScriptedServer;
import io.github.reconciler4j.fixtures.ScriptedServer.Received;
import io.github.reconciler4j.manager.ComponentState;
import io.github.reconciler4j.manager.LifecycleOptions;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.test.KubernetesServer;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Many clusters join, most of which refuse, hang or break off, each at another request. They get few requests, do not delay the others,
 * and are used soon after they work. In real time, because they share the threads and the connections of one process.
 */
@Timeout(7200)
class ClusterStormTests {

    private static final int CASES = Integer.getInteger("storm.clusters.cases", 300);
    private static final int FIRST = Integer.getInteger("storm.clusters.seed", 0);
    private static final int AT_ONCE = 150;
    private static final Duration HOSTILE = Duration.ofSeconds(6);
    private static final Duration SHORTEST = Duration.ofMillis(800);
    private static final Duration LONGEST = Duration.ofSeconds(6);
    private static final double SECOND = 1e9;

    /** Much more than they take, for machines that do much else. */
    private static final Duration LATEST = Duration.ofSeconds(60);

    private static final List<String> VERBS =
            List.of("/readyz", "selfsubjectaccessreviews", "/api/v1?", "list", "watch");

    private enum Answer {
        UNAUTHORIZED,
        FORBIDDEN,
        TOO_MANY,
        INTERNAL,
        UNAVAILABLE,
        REDIRECT,
        HTML,
        EMPTY,
        CLOSED,
        BROKEN_OFF,
        HANGS
    }

    @Test
    void clustersWhateverTheyAnswerGetFewRequestsDelayNobodyAndRecover() {
        for (int seed = FIRST; seed < FIRST + CASES; seed += AT_ONCE) {
            round(seed, Math.min(AT_ONCE, FIRST + CASES - seed));
        }
    }

    private static void round(int seed, int count) {
        String story = "seed " + seed + " (-Dstorm.clusters.seed=" + seed + " -Dstorm.clusters.cases=" + count + ")";
        Servers servers = new Servers(seed, count);
        LifecycleOptions often = LifecycleOptions.defaults()
                .withRetryDelays(Duration.ofMillis(100), Duration.ofMillis(500))
                .withGracefulShutdown(Duration.ZERO);
        CacheOptions soon = CacheOptions.defaults()
                .withWatch(WatchOptions.defaults()
                        .withBackoff(SHORTEST, LONGEST)
                        .withListMode(WatchOptions.ListMode.PAGED));
        try (ScriptedServer server = ScriptedServer.start(servers::answer);
                KubernetesServer home = KubernetesServer.start();
                Manager manager = Manager.create(
                        home.clientConfig(),
                        ManagerOptions.defaults().withLifecycle(often).withCache(soon))) {
            Clusters.of(manager)
                    .addControllers(
                            ControllerBuilder.of(ConfigMap.class).reconciler((object, context) -> Result.done()),
                            cluster -> !cluster.name().isEmpty());
            manager.start();
            long start = System.nanoTime();
            for (int i = 0; i < count; i++) {
                join(manager, server, "c" + i);
            }
            join(manager, server, "good");
            await(story + ": the good one works", () -> runs(manager, "good"));
            Awaitility.await("the storm").atMost(LATEST).until(() -> System.nanoTime() - start > HOSTILE.toNanos());
            servers.assertFew(story);
            servers.healthy.countDown();
            await(story + ": all work", () -> IntStream.range(0, count).allMatch(i -> runs(manager, "c" + i)));
        }
    }

    private static void join(Manager manager, ScriptedServer server, String name) {
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl(server.address() + "/" + name)
                .build();
        Clusters.of(manager).add(name, config);
    }

    private static boolean runs(Manager manager, String cluster) {
        return manager.status().components().stream()
                .anyMatch(component -> component.name().equals("configmap@" + cluster)
                        && component.state() == ComponentState.State.RUNNING);
    }

    private static void await(String what, Callable<Boolean> condition) {
        Awaitility.await(what)
                .atMost(LATEST)
                .pollInterval(Duration.ofMillis(100))
                .until(condition);
    }

    /** What goes wrong at one cluster, and from which request of a kind on. */
    private record Fault(String verb, List<Answer> answers, int from) {}

    private static final class Servers {
        private final Map<String, Fault> faults = new ConcurrentHashMap<>();
        private final Map<String, List<Long>> times = new ConcurrentHashMap<>();
        private final Map<String, Integer> counts = new ConcurrentHashMap<>();

        /** Whether the connection of this thread has had a request. */
        private final ThreadLocal<Boolean> used = ThreadLocal.withInitial(() -> false);

        /** What is sent again at once: a kept connection that is reset looks as if it had been closed before the request. */
        private final Set<String> repeated = ConcurrentHashMap.newKeySet();

        private final CountDownLatch healthy = new CountDownLatch(1);

        Servers(int seed, int count) {
            for (int i = 0; i < count; i++) {
                Random random = new Random(seed + i);
                List<Answer> answers = new ArrayList<>();
                for (int n = random.nextInt(3); n >= 0; n--) {
                    answers.add(Answer.values()[random.nextInt(Answer.values().length)]);
                }
                faults.put("c" + i, new Fault(VERBS.get(random.nextInt(VERBS.size())), answers, random.nextInt(3)));
            }
        }

        void answer(Received request, OutputStream out) throws Exception {
            boolean reused = used.get();
            used.set(true);
            String[] parts = request.target().split("/", 3);
            String path = "/" + parts[2];
            String verb = verb(path);
            int number = counts.merge(parts[1] + verb, 1, Integer::sum);
            Fault fault = faults.get(parts[1]);
            boolean asked = verb.equals("selfsubjectaccessreviews") && number <= 4;
            if (healthy.getCount() > 0 && !asked && !repeated.remove(parts[1] + verb)) {
                times.computeIfAbsent(parts[1] + " " + group(verb), key -> new CopyOnWriteArrayList<>())
                        .add(System.nanoTime());
            }
            if (healthy.getCount() > 0 && fault != null && fault.verb.equals(verb) && number > fault.from) {
                Answer answer = fault.answers.get(number % fault.answers.size());
                boolean reset = answer == Answer.CLOSED || answer == Answer.BROKEN_OFF;
                if (reset && reused && request.method().equals("GET")) {
                    repeated.add(parts[1] + verb);
                }
                refuse(answer, out);
            } else {
                work(verb, request, out);
            }
        }

        private static String verb(String path) {
            if (path.contains("configmaps")) {
                return path.contains("watch=") ? "watch" : "list";
            }
            return path.startsWith("/api/v1") ? "/api/v1?" : path.contains("selfsubject") ? VERBS.get(1) : path;
        }

        /** What one bound holds for: the start of a cluster, and a kind. */
        private static String group(String verb) {
            return verb.equals("/readyz") || verb.equals(VERBS.get(1)) ? "start" : "kind";
        }

        private static void work(String verb, Received request, OutputStream out) throws Exception {
            switch (verb) {
                case "selfsubjectaccessreviews" ->
                    out.write(ScriptedServer.json(
                            201, request.body().replaceFirst("\\{", "{\"status\":{\"allowed\":true},")));
                case "/api/v1?" ->
                    out.write(
                            ScriptedServer.json(
                                    200,
                                    "{\"kind\":\"APIResourceList\",\"groupVersion\":\"v1\",\"resources\":[{\"name\":\"configmaps\","
                                            + "\"kind\":\"ConfigMap\",\"namespaced\":true,\"verbs\":[\"list\",\"watch\",\"get\"]}]}"));
                case "list" ->
                    out.write(ScriptedServer.json(
                            200,
                            "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"5\"},"
                                    + "\"items\":[]}"));
                case "watch" -> {
                    out.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
                            .getBytes(StandardCharsets.UTF_8));
                    out.flush();
                    ScriptedServer.stall();
                }
                case "/version" -> out.write(ScriptedServer.json(200, "{\"major\":\"1\",\"minor\":\"33\"}"));
                default -> out.write(ScriptedServer.json(200, "ok"));
            }
        }

        private void refuse(Answer answer, OutputStream out) throws Exception {
            switch (answer) {
                case UNAUTHORIZED -> out.write(ScriptedServer.status(401, "Unauthorized", "no", "{}"));
                case FORBIDDEN -> out.write(ScriptedServer.status(403, "Forbidden", "no", "{}"));
                case TOO_MANY -> out.write(ScriptedServer.status(429, "TooManyRequests", "no", "{}"));
                case INTERNAL -> out.write(ScriptedServer.status(500, "InternalError", "no", "{}"));
                case UNAVAILABLE -> out.write(ScriptedServer.json(503, "<html>", "Retry-After: 0"));
                case REDIRECT -> out.write(ScriptedServer.json(302, "", "Location: http://127.0.0.1:1/"));
                case HTML -> out.write(ScriptedServer.json(200, "<html>sign in</html>"));
                case EMPTY -> out.write(ScriptedServer.json(200, "{}"));
                case CLOSED -> ScriptedServer.reset();
                case BROKEN_OFF -> {
                    out.write(Arrays.copyOf(ScriptedServer.json(200, "{\"kind\":\"Status\"}"), 60));
                    ScriptedServer.reset();
                }
                case HANGS -> {
                    healthy.await();
                    ScriptedServer.reset();
                }
            }
        }

        void assertFew(String story) {
            times.forEach((cluster, at) -> {
                List<Long> all = List.copyOf(at);
                int healthy = cluster.endsWith("start") ? 1 : 5;
                for (int from = 0; from < all.size(); from++) {
                    for (int to = from + 10; to < all.size(); to++) {
                        double seconds = (all.get(to) - all.get(from)) / SECOND;
                        assertThat(to - from + 1.0)
                                .as(() -> story + ": requests to " + cluster + " in " + seconds + " s, "
                                        + faults.get(cluster.split(" ")[0]))
                                .isLessThanOrEqualTo(10 + healthy + Math.max(0, seconds - 10));
                    }
                }
            });
        }
    }
}
