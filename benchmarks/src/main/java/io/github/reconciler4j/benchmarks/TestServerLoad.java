package io.github.reconciler4j.benchmarks;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.test.KubernetesServer;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * The test server under load, with its clients in the same JVM: fills it with ConfigMaps of about 2.3 KB, then changes them
 * at a fixed rate while watchers read every event. Arguments: objects (20000), writes per second (1000), watchers (20),
 * seconds (20).
 */
final class TestServerLoad {
    private static final int WRITERS = 8;
    private static final int NAMESPACES = 40;
    private static final double MILLIS = 1e6;
    private static final String MERGE_PATCH = "application/merge-patch+json";

    private final KubernetesServer server =
            KubernetesServer.builder().requestLogSize(1000).start();
    private final ApiConnection connection = ApiConnection.open(server.clientConfig());
    private final ObjectMapper mapper = new ObjectMapper();
    private final int objects;
    private final int rate;
    private final int seconds;
    private final List<WatchClient> watchers = new ArrayList<>();

    private TestServerLoad(int objects, int rate, int seconds) {
        this.objects = objects;
        this.rate = rate;
        this.seconds = seconds;
    }

    /** Runs it. */
    public static void main(String[] arguments) throws Exception {
        TestServerLoad load =
                new TestServerLoad(number(arguments, 0, 20_000), number(arguments, 1, 1000), number(arguments, 3, 20));
        load.fill();
        load.watch(number(arguments, 2, 20));
        load.change();
        load.connection.close();
        load.server.close();
    }

    private static int number(String[] arguments, int index, int otherwise) {
        return arguments.length > index ? Integer.parseInt(arguments[index]) : otherwise;
    }

    private void fill() throws InterruptedException {
        for (int i = 0; i < NAMESPACES; i++) {
            send("POST", "/api/v1/namespaces", ApiRequest.JSON, "{\"metadata\":{\"name\":\"team-" + i + "\"}}");
        }
        long heap = Heap.used();
        long start = System.nanoTime();
        inParallel(objects, this::create);
        double millis = (System.nanoTime() - start) / MILLIS;
        System.out.printf(
                "%d objects created in %.1f s, %.0f per second; %d bytes of heap each%n",
                objects, millis / 1000, objects / millis * 1000, (Heap.used() - heap) / objects);
    }

    private static void inParallel(int count, java.util.function.IntConsumer task) throws InterruptedException {
        AtomicInteger next = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            Thread thread = new Thread(() -> {
                for (int n = next.getAndIncrement(); n < count; n = next.getAndIncrement()) {
                    task.accept(n);
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private void create(int number) {
        try {
            ObjectNode object =
                    (ObjectNode) mapper.readTree(new SampleObjects(number).next(SampleObjects.Kind.CONFIG_MAP, number));
            ObjectNode metadata = (ObjectNode) object.get("metadata");
            metadata.remove(List.of("managedFields", "uid", "resourceVersion", "generation", "creationTimestamp"));
            metadata.put("name", "map-" + number).put("namespace", namespace(number));
            send("POST", maps(number), ApiRequest.JSON, mapper.writeValueAsString(object));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String namespace(int number) {
        return "team-" + number % NAMESPACES;
    }

    private static String maps(int number) {
        return "/api/v1/namespaces/" + namespace(number) + "/configmaps";
    }

    private void send(String method, String path, String type, String body) {
        connection.send(ApiRequest.of("write", method, path).withBody(type, body.getBytes(StandardCharsets.UTF_8)));
    }

    private void watch(int count) throws InterruptedException {
        CountDownLatch open = new CountDownLatch(count);
        for (int i = 0; i < count; i++) {
            watchers.add(WatchClient.start(
                    server,
                    "/api/v1/configmaps?watch=true&resourceVersion=" + server.resourceVersion(),
                    rate * seconds,
                    open));
        }
        open.await();
    }

    /** Each write has its time; one that is late does not move the others. */
    private void change() throws InterruptedException {
        int writes = rate * seconds;
        long[] took = new long[writes];
        long cpu = cpuNanos();
        long start = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(100);
        inParallel(writes, number -> {
            long due = start + number * TimeUnit.SECONDS.toNanos(1) / rate;
            for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            int object = (int) (number * 7919L % objects);
            send(
                    "PATCH",
                    maps(object) + "/map-" + object,
                    MERGE_PATCH,
                    "{\"data\":{\"" + WatchClient.FIELD + "\":\"" + due + "\"}}");
            took[number] = System.nanoTime() - due;
        });
        double written = (System.nanoTime() - start) / MILLIS;
        for (WatchClient watcher : watchers) {
            watcher.await();
        }
        double seen = (System.nanoTime() - start) / MILLIS;
        report(took, written, seen, (cpuNanos() - cpu) / MILLIS);
    }

    private void report(long[] took, double written, double seen, double cpu) {
        long[] events = watchers.stream()
                .flatMapToLong(watcher -> Arrays.stream(watcher.delays()))
                .sorted()
                .toArray();
        Arrays.sort(took);
        System.out.printf(
                "%d writes in %.1f s (%d per second wanted), all %d events of %d watchers %.0f ms later%n",
                took.length, written / 1000, rate, events.length, watchers.size(), seen - written);
        System.out.printf(
                "from when a write was due: answered after %.1f ms (median), %.1f (99 %%), %.1f (slowest)%n",
                at(took, 0.5), at(took, 0.99), at(took, 1));
        System.out.printf(
                "seen by watchers after %.1f ms (median), %.1f (99 %%), %.1f (slowest)%n",
                at(events, 0.5), at(events, 0.99), at(events, 1));
        System.out.printf("processor time of server and clients: %.2f ms for each write%n", cpu / took.length);
    }

    private static double at(long[] sorted, double part) {
        return sorted.length == 0
                ? 0
                : sorted[(int) Math.min(sorted.length - 1, (long) (part * sorted.length))] / MILLIS;
    }

    private static long cpuNanos() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }
}
