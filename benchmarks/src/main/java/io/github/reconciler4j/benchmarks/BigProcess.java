package io.github.reconciler4j.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.benchmarks.peer.WebApp;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.cache.KindStatus;
import io.github.reconciler4j.client.Client;
import io.github.reconciler4j.client.OwnerReferences;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.ObjectKey;
import java.io.File;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.BitSet;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * A whole operator with 10 workers whose WebApps own two ConfigMaps each. The first process of a server creates them and the
 * statuses, the next one finds everything as it should be. Says what it costs until each WebApp was reconciled, and a line every
 * ten seconds. Arguments: a kubeconfig, how many WebApps there are. The script {@code big} runs it.
 */
final class BigProcess {

    private static final int WORKERS = 10;
    private static final int OWNED = 2;
    private static final int STEP_SECONDS = 10;
    private static final int QUIET_SECONDS = 3;
    private static final double MEBIBYTE = 1024.0 * 1024;

    private final RequestCounts requests = new RequestCounts();
    private final LongAdder reconciles = new LongAdder();
    private final BitSet done = new BitSet(); // a set of keys would take more memory than what is measured
    private final CountDownLatch left;
    private final int objects;
    private final Manager manager;
    private double synced;

    private BigProcess(Config config, int objects) {
        this.objects = objects;
        left = new CountDownLatch(objects);
        manager = Manager.create(config, ManagerOptions.defaults().withMetrics(requests));
        ControllerBuilder.of(WebApp.class)
                .owns(ConfigMap.class)
                .options(ControllerOptions.defaults().withMaxConcurrentReconciles(WORKERS))
                .reconciler((app, context) -> reconcile(app))
                .addTo(manager);
    }

    /** Runs it. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Config config = Config.fromKubeconfig(new File(arguments[0]));
        new BigProcess(config, Integer.parseInt(arguments[1])).run();
    }

    private Result reconcile(WebApp app) {
        reconciles.increment();
        Client client = manager.client();
        String name = app.getMetadata().getName();
        for (int i = 0; i < OWNED; i++) {
            String owned = name + "-" + i;
            if (client.get(ConfigMap.class, ObjectKey.of(app.getMetadata().getNamespace(), owned))
                    .isEmpty()) {
                client.create(configMap(app, owned));
            }
        }
        Long generation = app.getMetadata().getGeneration();
        if (app.getStatus() == null || !generation.equals(app.getStatus().observedGeneration)) {
            app.setStatus(new WebApp.Status());
            app.getStatus().observedGeneration = generation;
            client.status().update(app);
        }
        reconciled(Integer.parseInt(name.substring(name.lastIndexOf('-') + 1)));
        return Result.done();
    }

    private void reconciled(int number) {
        synchronized (done) {
            if (!done.get(number)) {
                done.set(number);
                left.countDown();
            }
        }
    }

    private static ConfigMap configMap(WebApp app, String name) {
        ConfigMap map = new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(app.getMetadata().getNamespace())
                .withName(name)
                .withLabels(app.getMetadata().getLabels())
                .endMetadata()
                .withData(app.getSpec().files)
                .addToData("environment", app.getSpec().env.toString())
                .build();
        OwnerReferences.setController(map, app);
        return map;
    }

    private void run() throws IOException, InterruptedException {
        manager.start();
        while (!left.await(synced == 0 ? 1 : STEP_SECONDS, TimeUnit.SECONDS)) {
            report();
        }
        double seconds = uptime();
        long before = -1;
        while (before != reconciles.sum()) { // the events of own writes belong to the work
            before = reconciles.sum();
            TimeUnit.SECONDS.sleep(QUIET_SECONDS);
        }
        result(seconds);
        manager.close();
    }

    private void report() {
        boolean all = !manager.cache().kinds().isEmpty()
                && manager.cache().kinds().stream().allMatch(KindStatus::synced);
        if (all && synced == 0) {
            synced = uptime();
        }
        System.out.printf(
                Locale.ROOT,
                "%4.0f s  cached %d  reconciled %d  heap %.0f MB  requests %d%n",
                uptime(),
                cached(),
                objects - left.getCount(),
                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / MEBIBYTE,
                requests.all());
    }

    private int cached() {
        return manager.cache().kinds().stream().mapToInt(KindStatus::objects).sum();
    }

    private void result(double seconds) throws IOException {
        long collecting = ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .sum();
        double processor =
                ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime() / 1e9;
        long peak = new ProcessCost(ProcessHandle.current().pid()).peakMemory();
        System.out.printf(
                Locale.ROOT,
                "RESULT work=big objects=%d cached=%d synced=%.1f seconds=%.1f processor=%.1f collecting=%.1f peakMB=%d"
                        + " heapMB=%.1f reconciles=%d requests=%d writes=%d conflicts=%d%n",
                objects,
                cached(),
                synced,
                seconds,
                processor,
                collecting / 1e3,
                peak,
                Heap.used() / MEBIBYTE,
                reconciles.sum(),
                requests.all(),
                requests.writes(),
                requests.withStatus(409));
        System.out.println(requests);
        if (Boolean.getBoolean("histogram")) {
            Heap.reportClasses();
        }
    }

    private static double uptime() {
        return ManagementFactory.getRuntimeMXBean().getUptime() / 1e3;
    }
}
