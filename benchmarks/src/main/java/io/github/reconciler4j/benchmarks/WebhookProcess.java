package io.github.reconciler4j.benchmarks;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.webhook.Defaulter;
import io.github.reconciler4j.webhook.FileCertificates;
import io.github.reconciler4j.webhook.WebhookServer;
import io.github.reconciler4j.webhook.WebhookServerOptions;
import io.github.reconciler4j.webhook.Webhooks;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;

/** Serves a defaulter of ConfigMaps until its input ends, as the peer in Go does. */
final class WebhookProcess {
    private WebhookProcess() {}

    /** Arguments: PORT and the folder of tls.crt and tls.key. */
    public static void main(String[] arguments) throws Exception {
        int port = Integer.parseInt(arguments[0]);
        Latencies latencies = new Latencies();
        Defaulter<ConfigMap> defaulter =
                (map, request) -> map.getMetadata().getLabels().putIfAbsent("creator", "benchmark");
        try (KubernetesServer cluster = KubernetesServer.start();
                Manager manager = Manager.create(
                        cluster.clientConfig(),
                        ManagerOptions.defaults().withName("benchmark").withMetrics(latencies))) {
            WebhookServer.addTo(
                    manager,
                    Webhooks.builder().defaulter(ConfigMap.class, defaulter).build(),
                    FileCertificates.in(Path.of(arguments[1])),
                    WebhookServerOptions.defaults()
                            .withHost("127.0.0.1")
                            .withPort(port)
                            .withUrl(URI.create("https://127.0.0.1:" + port)));
            manager.start();
            System.out.println("ready");
            System.in.transferTo(OutputStream.nullOutputStream());
            System.out.println(latencies);
        }
    }

    /** The durations that the server reports as its metric, without those of the first ten seconds. */
    private static final class Latencies implements OperatorMetrics {
        private static final long WARM_UP = TimeUnit.SECONDS.toNanos(10);

        private final List<Double> millis = new ArrayList<>();
        private long first;

        private synchronized void record(double seconds) {
            long now = System.nanoTime();
            first = first == 0 ? now : first;
            if (now - first > WARM_UP) {
                millis.add(seconds * 1000);
            }
        }

        @Override
        public Counter counter(String name, String help, String... labels) {
            return amount -> {};
        }

        @Override
        public Histogram histogram(String name, String help, double[] buckets, String... labels) {
            return name.equals("controller_runtime_webhook_latency_seconds") ? this::record : value -> {};
        }

        @Override
        public Registration gauge(String name, String help, DoubleSupplier value, String... labels) {
            return () -> {};
        }

        @Override
        public synchronized String toString() {
            double[] sorted =
                    millis.stream().mapToDouble(Double::doubleValue).sorted().toArray();
            return String.format(
                    Locale.ROOT,
                    "of these in the server, from the review to its answer: p50 %.3f, p99 %.3f, p99.9 %.3f ms",
                    sorted[sorted.length / 2],
                    sorted[sorted.length * 99 / 100],
                    sorted[sorted.length * 999 / 1000]);
        }
    }
}
