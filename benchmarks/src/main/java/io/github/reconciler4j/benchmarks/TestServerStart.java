package io.github.reconciler4j.benchmarks;

import io.github.reconciler4j.test.KubernetesServer;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;

/**
 * How long the test server takes from nothing to its first answer, the first time in a JVM and afterwards, and what many
 * of them take. Argument: how many (50).
 */
final class TestServerStart {
    private static final double NANOS = 1e6;

    private TestServerStart() {}

    /** Runs it. */
    public static void main(String[] arguments) throws Exception {
        int count = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 50;
        HttpClient client = HttpClient.newHttpClient();
        List<KubernetesServer> servers = new ArrayList<>();
        List<Double> times = new ArrayList<>();
        long sinceStart = ManagementFactory.getRuntimeMXBean().getUptime();
        servers.add(start(client, times));
        servers.add(start(client, times));
        long heap = Heap.used();
        int threads = Thread.activeCount();
        while (servers.size() < count) {
            servers.add(start(client, times));
        }
        List<Double> later = times.stream().skip(2).sorted().toList();
        int more = count - 2;
        System.out.printf("JVM was up %d ms; first %.0f ms, second %.0f ms%n", sinceStart, times.get(0), times.get(1));
        System.out.printf(
                "%d more: median %.1f ms, slowest %.1f ms; each %d KB of heap, %.1f threads%n",
                more,
                later.get(more / 2),
                later.get(more - 1),
                (Heap.used() - heap) / more / 1024,
                (double) (Thread.activeCount() - threads) / more);
        servers.forEach(KubernetesServer::close);
    }

    /** Without encryption, so that the client's share is small; encryption adds one certificate in a JVM. */
    private static KubernetesServer start(HttpClient client, List<Double> times) throws Exception {
        long start = System.nanoTime();
        KubernetesServer server = KubernetesServer.builder().https(false).start();
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.url() + "/api/v1/namespaces"))
                .build();
        if (client.send(request, HttpResponse.BodyHandlers.ofByteArray()).statusCode() != 200) {
            throw new IllegalStateException("no answer");
        }
        times.add((System.nanoTime() - start) / NANOS);
        return server;
    }
}
