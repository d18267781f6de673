package io.github.reconciler4j.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.OwnerReferences;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.ObjectKey;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/**
 * A whole operator with 10 workers that gives each WebApp an owned ConfigMap and a status with the observed generation,
 * and says what that cost from the start of the process. Arguments: a kubeconfig, how many there are.
 */
final class ConvergeProcess {

    private static final int WORKERS = 10;
    private static final Duration QUIET = Duration.ofSeconds(2);

    private final RequestCounts requests = new RequestCounts();
    private final Set<ObjectKey> done = ConcurrentHashMap.newKeySet();
    private final CountDownLatch left;
    private final Manager manager;

    private ConvergeProcess(Config config, int objects) {
        left = new CountDownLatch(objects);
        manager = Manager.create(config, ManagerOptions.defaults().withMetrics(requests));
        ControllerBuilder.forType(WebApp.class)
                .owns(ConfigMap.class)
                .options(ControllerOptions.defaults().withMaxConcurrentReconciles(WORKERS))
                .reconciler((app, context) -> reconcile(app))
                .addTo(manager);
    }

    /** Runs it. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Config config = CacheProcess.config(Path.of(arguments[0]));
        new ConvergeProcess(config, Integer.parseInt(arguments[1])).run();
    }

    private Result reconcile(WebApp app) {
        Client client = manager.client();
        ObjectKey key =
                ObjectKey.of(app.getMetadata().getNamespace(), app.getMetadata().getName());
        if (client.get(ConfigMap.class, key).isEmpty()) {
            client.create(configMap(app));
        }
        Long generation = app.getMetadata().getGeneration();
        if (app.getStatus() == null || !generation.equals(app.getStatus().observedGeneration)) {
            app.setStatus(new WebApp.Status());
            app.getStatus().observedGeneration = generation;
            client.status().update(app);
        }
        if (done.add(key)) {
            left.countDown();
        }
        return Result.done();
    }

    private static ConfigMap configMap(WebApp app) {
        ConfigMap map = new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(app.getMetadata().getNamespace())
                .withName(app.getMetadata().getName())
                .endMetadata()
                .withData(app.getSpec().files)
                .build();
        OwnerReferences.setController(map, app);
        return map;
    }

    private void run() throws IOException, InterruptedException {
        manager.start();
        left.await();
        double seconds = (System.currentTimeMillis()
                        - ManagementFactory.getRuntimeMXBean().getStartTime())
                / 1e3;
        awaitQuiet();
        double processor =
                ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime() / 1e9;
        System.out.printf(
                Locale.ROOT,
                "RESULT work=converge peer=reconciler4j variant=default objects=%d seconds=%.2f processor=%.2f peakMB=%d"
                        + " requests=%d writes=%d conflicts=%d%n",
                done.size(),
                seconds,
                processor,
                peak(),
                requests.all(),
                requests.writes(),
                requests.withStatus(409));
        System.out.println(requests);
        manager.close();
    }

    /** What comes after the last object belongs to the work, too: events of own writes, retries. */
    private void awaitQuiet() throws InterruptedException {
        long before = -1;
        while (before != requests.all()) {
            before = requests.all();
            Thread.sleep(QUIET.toMillis());
        }
    }

    private static long peak() throws IOException {
        String line = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(status -> status.startsWith("VmHWM"))
                .findFirst()
                .orElse("0");
        return Long.parseLong(line.replaceAll("\\D", "")) / 1024;
    }
}
