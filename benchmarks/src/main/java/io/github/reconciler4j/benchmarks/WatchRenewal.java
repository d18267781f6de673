package io.github.reconciler4j.benchmarks;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.WatchOptions;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.ClientOptions;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.connection.ApiStream;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.test.KubernetesServer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the renewal of a watch costs: the time in which no watch is open, and the time from the start of a write to its event,
 * with watches that end every second and with a watch that does not end. Arguments: seconds per run.
 */
public final class WatchRenewal {

    private WatchRenewal() {}

    /** Run both and print a line for each. */
    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 30;
        try (KubernetesServer server = KubernetesServer.start()) {
            run(server, "warm-up", Duration.ofHours(1), seconds / 3);
            run(server, "no renewal", Duration.ofHours(1), seconds);
            run(server, "renewed every second", Duration.ofSeconds(1), seconds);
        }
    }

    private static void run(KubernetesServer server, String name, Duration lifetime, int seconds)
            throws InterruptedException {
        Scheme scheme = Scheme.create();
        CacheOptions options =
                CacheOptions.defaults().withWatch(WatchOptions.defaults().withLifetime(lifetime, lifetime));
        Map<String, Long> writtenAt = new ConcurrentHashMap<>();
        List<Long> latencies = new CopyOnWriteArrayList<>();
        try (ApiConnection writing = ApiConnection.open(server.clientConfig());
                Timed connection = new Timed(ApiConnection.open(server.clientConfig()));
                Cache cache = Cache.create(connection, scheme, options)) {
            Client client = Client.create(writing, scheme, ClientOptions.defaults());
            ObjectKey key = ObjectKey.of("default", "renewal-" + System.nanoTime());
            client.create(new ConfigMapBuilder()
                    .withNewMetadata()
                    .withNamespace(key.namespace())
                    .withName(key.name())
                    .endMetadata()
                    .build());
            cache.informer(ConfigMap.class).subscribe("latency", event -> {
                Long start = writtenAt.remove(event.snapshot().header().labels().getOrDefault("step", ""));
                if (start != null) {
                    latencies.add(System.nanoTime() - start);
                }
            });
            cache.start();
            cache.awaitSync(Duration.ofMinutes(1));
            long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
            for (int step = 0; System.nanoTime() < end; step++) {
                writtenAt.put(Integer.toString(step), System.nanoTime());
                client.patch(
                        Kind.of(ConfigMap.class),
                        key,
                        ObjectPatch.merge(Map.of("metadata", Map.of("labels", Map.of("step", Integer.toString(step))))),
                        WriteOptions.defaults());
                Thread.sleep(2);
            }
            System.out.println(
                    name + ": events " + percentiles(latencies) + "; without a watch " + percentiles(connection.gaps));
        }
    }

    private static String percentiles(List<Long> nanos) {
        List<Long> sorted = nanos.stream().sorted().toList();
        return sorted.size()
                + (sorted.isEmpty()
                        ? ""
                        : String.format(
                                ": median %.2f ms, 99th %.2f ms, 99.9th %.2f ms, max %.2f ms",
                                at(sorted, 0.5), at(sorted, 0.99), at(sorted, 0.999), at(sorted, 1)));
    }

    private static double at(List<Long> sorted, double part) {
        return sorted.get((int) Math.min(sorted.size() - 1, sorted.size() * part)) / 1e6;
    }

    /** Measures the time from the end of one stream to the start of the next. */
    private static final class Timed implements ApiConnection {

        private final ApiConnection original;
        private final AtomicLong endedAt = new AtomicLong();
        private final List<Long> gaps = new CopyOnWriteArrayList<>();

        Timed(ApiConnection original) {
            this.original = original;
        }

        @Override
        public String server() {
            return original.server();
        }

        @Override
        public ApiResponse send(ApiRequest request) {
            return original.send(request);
        }

        @Override
        public ApiStream stream(ApiRequest request) {
            ApiStream stream = original.stream(request);
            long ended = endedAt.getAndSet(0);
            if (ended != 0) {
                gaps.add(System.nanoTime() - ended);
            }
            return new TimedStream(stream);
        }

        @Override
        public void close() {
            original.close();
        }

        /** A stream that notes when it ended. */
        private final class TimedStream extends ApiStream {

            private final ApiStream original;

            TimedStream(ApiStream original) {
                this.original = original;
            }

            @Override
            public void idleTimeout(Duration timeout) {
                original.idleTimeout(timeout);
            }

            @Override
            public int read() throws IOException {
                return noted(original.read());
            }

            @Override
            public int read(byte[] to, int offset, int length) throws IOException {
                return noted(original.read(to, offset, length));
            }

            private int noted(int result) {
                if (result < 0) {
                    endedAt.compareAndSet(0, System.nanoTime());
                }
                return result;
            }

            @Override
            public void close() {
                original.close();
            }
        }
    }
}
