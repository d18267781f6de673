package io.github.reconciler4j.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.benchmarks.peer.WebApp;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.cache.KindStatus;
import io.github.reconciler4j.cache.Partition;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.OwnerReferences;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.sharding.ShardingOptions;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/**
 * One replica of an operator whose WebApps own a ConfigMap each with the host of the WebApp. Answers each line of its input with
 * what it has done and used so far, {@code heap} also with its live heap, and ends with its input. Arguments: a kubeconfig, the
 * number of shards, or 0 for an operator that is not divided. {@code ShardLoad} runs it.
 */
final class ShardProcess {

    private static final int WORKERS = 10;

    /** Whether an API server with shard selectors can select by namespace. */
    private static final boolean SERVER_NAMESPACES = Boolean.getBoolean("server.namespaces");

    /** Whether it takes its share of the shards and does nothing with it, as if it ran on a machine of its own. */
    private static final boolean MEMBER_ONLY = Boolean.getBoolean("member.only");

    private static final double MEBIBYTE = 1024.0 * 1024;

    private final LongAdder reconciles = new LongAdder();
    private final RequestCounts requests = new RequestCounts();
    private final Manager manager;

    private ShardProcess(Config config, int shards) {
        // the server has ConfigMaps of its own in each namespace
        KindCacheOptions children = KindCacheOptions.defaults().withLabelSelector("part-of=webapp");
        ManagerOptions options = ManagerOptions.defaults()
                .withMetrics(requests)
                .withCache(CacheOptions.defaults()
                        .withKind(ConfigMap.class, children)
                        .withPartition(Partition.all().withServerNamespaces(SERVER_NAMESPACES)));
        if (shards > 0) {
            options = options.withExtension(
                    ShardingOptions.named("shards").withShards(shards).withLeaseNamespace("default"));
        }
        manager = Manager.create(config, options);
        if (!MEMBER_ONLY) {
            ControllerBuilder.of(WebApp.class)
                    .owns(ConfigMap.class)
                    .options(ControllerOptions.defaults().withMaxConcurrentReconciles(WORKERS))
                    .reconciler((app, context) -> reconcile(app))
                    .addTo(manager);
        }
    }

    /** Runs it. */
    public static void main(String[] arguments) throws IOException {
        Config config = Config.fromKubeconfig(new File(arguments[0]));
        new ShardProcess(config, Integer.parseInt(arguments[1])).run();
    }

    private Result reconcile(WebApp app) {
        reconciles.increment();
        Client client = manager.client();
        String host = Objects.toString(app.getSpec().host, ""); // not all have one
        ObjectKey key =
                ObjectKey.of(app.getMetadata().getNamespace(), app.getMetadata().getName());
        ConfigMap child = client.get(ConfigMap.class, key).orElse(null);
        if (child == null) {
            client.create(child(app, key, host));
        } else if (!child.getData().equals(Map.of("host", host))) {
            child.setData(Map.of("host", host));
            client.update(child);
        }
        Long generation = app.getMetadata().getGeneration();
        if (app.getStatus() == null || !generation.equals(app.getStatus().observedGeneration)) {
            app.setStatus(new WebApp.Status());
            app.getStatus().observedGeneration = generation;
            client.status().update(app);
        }
        return Result.done();
    }

    private static ConfigMap child(WebApp app, ObjectKey key, String host) {
        ConfigMap child = new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(key.namespace())
                .withName(key.name())
                .addToLabels("part-of", "webapp")
                .endMetadata()
                .addToData("host", host)
                .build();
        OwnerReferences.setController(child, app);
        return child;
    }

    private void run() throws IOException {
        manager.start();
        try (BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII))) {
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                System.out.println(report(line.equals("heap")));
            }
        }
        manager.close();
    }

    /** The bytes that the process has read are those of its sockets, but for its jar and some files of the system. */
    private String report(boolean withHeap) throws IOException {
        double processor =
                ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime() / 1e9;
        long read = Files.readAllLines(Path.of("/proc/self/io")).stream()
                .filter(line -> line.startsWith("rchar:"))
                .mapToLong(line -> Long.parseLong(line.substring(7)))
                .sum();
        return String.format(
                Locale.ROOT,
                "REPORT synced=%b cached=%d reconciles=%d requests=%d conflicts=%d processor=%.2f readMB=%.1f heapMB=%.1f",
                manager.cache().kinds().size() == 2
                        && manager.cache().kinds().stream().allMatch(KindStatus::synced),
                manager.cache().kinds().stream().mapToInt(KindStatus::objects).sum(),
                reconciles.sum(),
                requests.all(),
                requests.withStatus(409),
                processor,
                read / MEBIBYTE,
                withHeap ? Heap.used() / MEBIBYTE : 0);
    }
}
