package io.github.reconciler4j.benchmarks;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ConnectionOptions;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Writes the time into the WebApps, each in its turn at a steady rate, while a bare watch looks how late that arrives. */
final class EventLoad {

    private static final int RATE = Integer.getInteger("rate", 100);
    private static final int EACH = 100;
    private static final int WRITERS = Math.max(1, RATE / EACH);
    private static final int WRITES = Integer.getInteger("writes", 6_000);
    private static final Pattern TIME = Pattern.compile("\"host\":\"at-(\\d+)\"");
    private static final String PATH = "/apis/apps.example.io/v1";
    private static final Duration LATE = Duration.ofSeconds(3);

    private final long[] latencies = new long[WRITES];
    private int seen;

    private EventLoad() {}

    /** How late the events arrived, in microseconds, and how many writes a second there were. */
    record Latencies(int count, long median, long percentile99, double rate) {}

    /** Write, and return what the bare watch has seen three seconds after the last write. */
    static Latencies run(String kubeconfig, int objects) throws IOException, InterruptedException {
        Process watch = new ProcessBuilder(
                        System.getenv("KUBECTL"),
                        "get",
                        "--raw",
                        PATH + "/webapps?watch=1&resourceVersion=" + version())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        EventLoad load = new EventLoad();
        Thread reader = new Thread(() -> load.read(watch), "watch");
        reader.start();
        double seconds;
        try (ApiConnection connection =
                ApiConnection.open(Config.fromKubeconfig(new File(kubeconfig)), ConnectionOptions.defaults())) {
            seconds = write(connection, keys(objects));
            TimeUnit.NANOSECONDS.sleep(LATE.toNanos());
        } finally {
            watch.destroy();
            reader.join();
        }
        long[] sorted = Arrays.copyOf(load.latencies, load.seen);
        Arrays.sort(sorted);
        return new Latencies(load.seen, sorted[load.seen / 2], sorted[(int) (load.seen * 0.99)], WRITES / seconds);
    }

    /** Write with as many threads as it takes, and return the seconds. */
    private static double write(ApiConnection connection, List<String> keys) throws InterruptedException {
        long start = System.nanoTime();
        List<Thread> writers = new ArrayList<>();
        for (int number = 0; number < WRITERS; number++) {
            int first = number;
            Thread writer = new Thread(() -> write(connection, keys, start, first), "writer");
            writer.start();
            writers.add(writer);
        }
        for (Thread writer : writers) {
            writer.join();
        }
        return (System.nanoTime() - start) / 1e9;
    }

    private static void write(ApiConnection connection, List<String> keys, long start, int first) {
        Random random = new Random(first);
        for (int i = first; i < WRITES; i += WRITERS) {
            LockSupport.parkNanos(start + i * TimeUnit.SECONDS.toNanos(1) / RATE - System.nanoTime());
            String path = keys.get(i % keys.size());
            String body = "{\"spec\":{\"host\":\"at-" + now() + "\",\"replicas\":" + random.nextInt(9) + "}}";
            connection.send(ApiRequest.of("patch", "PATCH", path)
                    .withBody("application/merge-patch+json", body.getBytes(StandardCharsets.US_ASCII)));
        }
    }

    private void read(Process watch) {
        try (BufferedReader events = watch.inputReader(StandardCharsets.UTF_8)) {
            for (String line = events.readLine(); line != null; line = events.readLine()) {
                Matcher time = TIME.matcher(line);
                if (seen < latencies.length && time.find()) {
                    latencies[seen++] = now() - Long.parseLong(time.group(1));
                }
            }
        } catch (IOException e) {
            if (watch.isAlive()) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static long now() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    /** The paths of the WebApps. */
    private static List<String> keys(int objects) throws IOException {
        String names = kubectl(
                "get",
                "webapps",
                "-A",
                "-o",
                "jsonpath={range .items[*]}" + PATH
                        + "/namespaces/{.metadata.namespace}/webapps/{.metadata.name}{\"\\n\"}{end}");
        List<String> keys = names.lines().limit(objects).toList();
        if (keys.size() < objects) {
            throw new IllegalStateException("There are only " + keys.size() + " WebApps");
        }
        return keys;
    }

    /** The version of the list, which follows those of its items. */
    private static String version() throws IOException {
        String list = kubectl("get", "--raw", PATH + "/webapps?limit=1");
        Matcher version = Pattern.compile("\"resourceVersion\":\"(\\d+)\"").matcher(list);
        String last = "";
        while (version.find()) {
            last = version.group(1);
        }
        if (last.isEmpty()) {
            throw new IllegalStateException("The list has no version");
        }
        return last;
    }

    private static String kubectl(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(arguments));
        command.add(0, System.getenv("KUBECTL"));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
