package io.github.reconciler4j.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.benchmarks.peer.WebApp;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.KindStatus;
import io.github.reconciler4j.cache.WatchOptions;
import io.github.reconciler4j.cache.WatchOptions.ListMode;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiResponse;
import io.github.reconciler4j.client.connection.ApiStream;
import io.github.reconciler4j.scheme.Scheme;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;

/**
 * Fills a cache in one way, several times in one JVM: the first time from the start of the process. Prints a line for each with what
 * it has cost the process and the API server. Arguments: a kubeconfig, {@code CUSTOM} or {@code CONFIG_MAP}, then {@code streamed},
 * {@code all} or a page size, then {@code plain} or {@code gzip}. The environment names the process of the API server ({@code
 * API_SERVER}). The script {@code lists} runs it.
 */
final class ListProcess {

    private static final int ROUNDS = 3;
    private static final Duration TIME_LIMIT = Duration.ofMinutes(5);
    private static final double NANOS = 1e9;
    private static final double MEBIBYTE = 1024.0 * 1024;

    private final Config config;
    private final Class<? extends HasMetadata> type;
    private final CacheOptions options;
    private final boolean gzip;
    private final ProcessCost server = new ProcessCost(Long.parseLong(System.getenv("API_SERVER")));

    private ListProcess(Config config, Class<? extends HasMetadata> type, String way, boolean gzip) {
        this.config = config;
        this.type = type;
        WatchOptions watch = WatchOptions.defaults().withGzipLists(gzip);
        this.gzip = gzip;
        this.options = CacheOptions.defaults()
                .withSyncTimeout(TIME_LIMIT)
                .withWatch(
                        switch (way) {
                            case "default" -> watch;
                            case "streamed" -> watch.withListMode(ListMode.STREAMED);
                            case "all" -> watch.withListMode(ListMode.WHOLE);
                            default -> watch.withListMode(ListMode.PAGED).withPageSize(Integer.parseInt(way));
                        });
    }

    /** The framework asks for compressed lists itself, and never for compressed watches. */
    private record CompressedWatches(ApiConnection connection) implements ApiConnection {

        @Override
        public String server() {
            return connection.server();
        }

        @Override
        public ApiResponse send(ApiRequest request) {
            return connection.send(request);
        }

        @Override
        public ApiStream stream(ApiRequest request) {
            return connection.stream(request.withGzip(true));
        }

        @Override
        public void close() {
            connection.close();
        }
    }

    /** Runs it. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Config config = Config.fromKubeconfig(new File(arguments[0]));
        Class<? extends HasMetadata> type = arguments[1].equals("CUSTOM") ? WebApp.class : ConfigMap.class;
        ListProcess process = new ListProcess(config, type, arguments[2], arguments[3].equals("gzip"));
        for (int round = 1; round <= ROUNDS; round++) {
            String costs = process.fill(round == 1);
            System.out.printf(
                    "RESULT kind=%s way=%s form=%s round=%d %s%n",
                    arguments[1], arguments[2], arguments[3], round, costs);
        }
    }

    private String fill(boolean isFirst) throws IOException, InterruptedException {
        double serverBefore = server.processorSeconds();
        long memoryBefore = server.memory();
        server.forgetPeak();
        long processorBefore = isFirst ? 0 : processorNanos();
        long readBefore = bytesRead();
        long start = System.nanoTime();
        ApiConnection opened = ApiConnection.open(config);
        try (ApiConnection connection = gzip ? new CompressedWatches(opened) : opened;
                Cache cache = Cache.create(connection, Scheme.create(), options)) {
            cache.informer(type);
            cache.start();
            cache.awaitSync(TIME_LIMIT);
            return String.format(
                    Locale.ROOT,
                    "objects=%d seconds=%.2f processor=%.2f server=%.2f MB=%.1f serverMB=%d",
                    cache.kinds().stream().mapToInt(KindStatus::objects).sum(),
                    (System.nanoTime() - start) / NANOS,
                    (processorNanos() - processorBefore) / NANOS,
                    server.processorSeconds() - serverBefore,
                    (bytesRead() - readBefore) / MEBIBYTE,
                    server.peakMemory() - memoryBefore);
        }
    }

    private static long processorNanos() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    /** What the process has read is what came from its sockets, but for jars and files of the system in the first round. */
    private static long bytesRead() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/io")).stream()
                .filter(line -> line.startsWith("rchar:"))
                .mapToLong(
                        line -> Long.parseLong(line.substring("rchar:".length()).trim()))
                .sum();
    }
}
