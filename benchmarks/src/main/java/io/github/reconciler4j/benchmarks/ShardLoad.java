package io.github.reconciler4j.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ConnectionOptions;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * Runs replicas of {@code ShardProcess} and says what each costs: until it has reconciled all its objects, and while the WebApps
 * change. Arguments: a kubeconfig, how many WebApps there are, how many replicas, then the command that starts one. The script
 * {@code shards} runs it.
 */
final class ShardLoad {

    private static final String PATH = "/apis/apps.example.io/v1";
    private static final int RATE = Integer.getInteger("rate", 200);
    private static final int SECONDS = Integer.getInteger("seconds", 60);
    private static final boolean ELSEWHERE = Boolean.getBoolean("elsewhere");
    private static final String PAGE = "5000";
    private static final double EVEN_ENOUGH = 0.8;
    private static final int WARM_UP_SECONDS = 20;
    private static final int WRITERS = 8;
    private static final int QUIET_SECONDS = 4;
    private static final long TIME_LIMIT_SECONDS = 3600;

    private final ApiConnection connection;
    private final int objects;
    private final List<Process> processes = new ArrayList<>();
    private final List<Process> members = new ArrayList<>();
    private final long start = System.nanoTime();

    private ShardLoad(ApiConnection connection, int objects) {
        this.connection = connection;
        this.objects = objects;
    }

    /** Runs it. */
    public static void main(String[] arguments) throws Exception {
        Config config = Config.fromKubeconfig(new File(arguments[0]));
        try (ApiConnection connection = ApiConnection.open(config, ConnectionOptions.defaults())) {
            ShardLoad load = new ShardLoad(connection, Integer.parseInt(arguments[1]));
            try {
                load.run(Integer.parseInt(arguments[2]), List.of(arguments).subList(3, arguments.length));
            } finally {
                load.processes.forEach(Process::destroyForcibly);
                load.members.forEach(Process::destroyForcibly);
            }
        }
    }

    /** What the replicas have reported: figures by name, one map for each. */
    private record Reports(List<Map<String, Double>> replicas) {

        double sum(String name) {
            return replicas.stream()
                    .mapToDouble(replica -> replica.getOrDefault(name, 0.0))
                    .sum();
        }

        Reports since(Reports before) {
            List<Map<String, Double>> differences = new ArrayList<>();
            for (int i = 0; i < replicas.size(); i++) {
                Map<String, Double> difference = new HashMap<>();
                for (Map.Entry<String, Double> figure : replicas.get(i).entrySet()) {
                    difference.put(
                            figure.getKey(),
                            figure.getValue() - before.replicas.get(i).getOrDefault(figure.getKey(), 0.0));
                }
                differences.add(difference);
            }
            return new Reports(differences);
        }
    }

    private void run(int replicas, List<String> command) throws Exception {
        for (int i = 1; i < replicas && ELSEWHERE; i++) {
            List<String> member = new ArrayList<>(command);
            member.add(1, "-Dmember.only=true");
            members.add(start(member));
        }
        for (int i = 0; i < (ELSEWHERE ? 1 : replicas); i++) {
            processes.add(start(command));
        }
        double synced = awaitQuiet(objects); // each object is reconciled once, if only to find nothing to do
        Reports first = report("heap");
        print("start", synced, first, first);
        churn(Math.min(SECONDS, WARM_UP_SECONDS)); // the JVM compiles what it meets first
        awaitQuiet(0);
        Reports before = report("");
        double from = elapsed();
        long changed = churn(SECONDS);
        System.out.printf(Locale.ROOT, "RESULT changed=%d seconds=%d%n", changed, SECONDS);
        double quiet = awaitQuiet(0);
        Reports after = report("");
        print("churn", quiet - from, after.since(before), report("heap"));
        System.out.printf(
                Locale.ROOT,
                "RESULT replicas=%d notConverged=%d converged=%.0f/s%n",
                replicas,
                notConverged(),
                changed / (quiet - from));
        for (Process process : processes) {
            process.getOutputStream().close();
            process.waitFor();
        }
    }

    private static Process start(List<String> command) throws IOException {
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private void print(String phase, double seconds, Reports cost, Reports state) {
        for (int i = 0; i < processes.size(); i++) {
            Map<String, Double> replica = cost.replicas.get(i);
            System.out.printf(
                    Locale.ROOT,
                    "RESULT phase=%s replicas=%d replica=%d seconds=%.1f cached=%.0f heapMB=%.1f peakMB=%d processor=%.1f"
                            + " readMB=%.1f reconciles=%.0f requests=%.0f conflicts=%.0f%n",
                    phase,
                    processes.size(),
                    i,
                    seconds,
                    state.replicas.get(i).get("cached"),
                    state.replicas.get(i).get("heapMB"),
                    new ProcessCost(processes.get(i).pid()).peakMemory(),
                    replica.get("processor"),
                    replica.get("readMB"),
                    replica.get("reconciles"),
                    replica.get("requests"),
                    replica.get("conflicts"));
        }
    }

    private double elapsed() {
        return (System.nanoTime() - start) / 1e9;
    }

    /** Waits until all objects are in caches and nothing is reconciled any more, and returns when the last reconciliation was. */
    private double awaitQuiet(int reconciles) throws Exception {
        double share = members.isEmpty() ? 1 : EVEN_ENOUGH / (members.size() + 1);
        double last = elapsed();
        double count = -1;
        while (elapsed() < TIME_LIMIT_SECONDS) {
            Reports reports = report("");
            if (reports.sum("reconciles") != count
                    || count < share * reconciles
                    || reports.sum("cached") < share * 2 * objects) {
                count = reports.sum("reconciles");
                last = elapsed();
            } else if (elapsed() - last > QUIET_SECONDS && reports.sum("synced") == processes.size()) {
                return last;
            }
            TimeUnit.MILLISECONDS.sleep(500);
        }
        throw new TimeoutException("Not quiet: " + report("").replicas);
    }

    private Reports report(String line) throws IOException {
        List<Map<String, Double>> replicas = new ArrayList<>();
        for (Process process : processes) {
            Writer input = process.outputWriter(StandardCharsets.US_ASCII);
            input.write(line + "\n");
            input.flush();
            String answer = "";
            while (!answer.startsWith("REPORT ")) {
                answer = process.inputReader(StandardCharsets.UTF_8).readLine();
                if (answer == null) {
                    throw new IOException("A replica has ended");
                }
            }
            Map<String, Double> figures = new HashMap<>();
            for (String figure : answer.substring(7).split(" ")) {
                String[] parts = figure.split("=");
                figures.put(
                        parts[0],
                        switch (parts[1]) {
                            case "true" -> 1.0;
                            case "false" -> 0.0;
                            default -> Double.parseDouble(parts[1]);
                        });
            }
            replicas.add(figures);
        }
        return new Reports(replicas);
    }

    /** Changes WebApps at a steady rate, and returns how often. */
    private long churn(int seconds) throws Exception {
        List<String> keys = new ArrayList<>();
        forEach(item ->
                keys.add(PATH + "/namespaces/" + item.at("/metadata/namespace").asText() + "/webapps/"
                        + item.at("/metadata/name").asText()));
        LongAdder written = new LongAdder();
        ScheduledExecutorService writers = Executors.newScheduledThreadPool(WRITERS);
        for (int i = 0; i < WRITERS; i++) {
            Random random = new Random(i);
            writers.scheduleAtFixedRate(
                    () -> {
                        String body = "{\"spec\":{\"host\":\"at-" + System.nanoTime() + "\"}}";
                        connection.send(ApiRequest.of("patch", "PATCH", keys.get(random.nextInt(keys.size())))
                                .withBody("application/merge-patch+json", body.getBytes(StandardCharsets.US_ASCII)));
                        written.increment();
                    },
                    0,
                    TimeUnit.SECONDS.toNanos(1) * WRITERS / RATE,
                    TimeUnit.NANOSECONDS);
        }
        TimeUnit.SECONDS.sleep(seconds);
        writers.shutdown();
        writers.awaitTermination(1, TimeUnit.MINUTES);
        return written.sum();
    }

    /** Calls it with each WebApp; a single response with hundreds of thousands would be too long. */
    private void forEach(Consumer<JsonNode> reader) throws IOException {
        String next = "";
        do {
            JsonNode page = new ObjectMapper()
                    .readTree(connection
                            .send(ApiRequest.of("list", "GET", PATH + "/webapps")
                                    .withQuery(Map.of("limit", List.of(PAGE), "continue", List.of(next))))
                            .body());
            page.path("items").forEach(reader);
            next = page.at("/metadata/continue").asText("");
        } while (!next.isEmpty());
    }

    private int notConverged() throws IOException {
        LongAdder count = new LongAdder();
        forEach(item -> {
            if (item.at("/metadata/generation").asLong()
                    != item.at("/status/observedGeneration").asLong(-1)) {
                count.increment();
            }
        });
        return count.intValue();
    }
}
