package io.github.reconciler4j.benchmarks;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.test.KubernetesServer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Changes one ConfigMap at a steady rate and prints how often a controller with {@code minInterval} of a second reconciles it, and
 * whether it sees the last state. Uses the API server in the JVM, since a real one takes fewer writes of one object. Arguments: seconds, changes a second.
 */
public final class NoisyObject {

    private static final ObjectKey KEY = ObjectKey.of("default", "noisy");
    private static final String LAST = "last";
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final int WRITERS = 8;

    private NoisyObject() {}

    /** Run it and print one line. */
    public static void main(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 60;
        int rate = args.length > 1 ? Integer.parseInt(args[1]) : 1_000;
        Runs runs = new Runs();
        try (KubernetesServer server = KubernetesServer.start();
                Manager manager = Manager.create(server.clientConfig())) {
            AtomicInteger events = new AtomicInteger();
            ControllerBuilder.of(ConfigMap.class)
                    .named(LAST)
                    .customizeOptions(options -> options.withMinInterval(INTERVAL))
                    .reconciler((map, context) -> {
                        if (ObjectKey.of(map).equals(KEY)) {
                            runs.add(map.getData().getOrDefault("value", ""));
                        }
                        return Result.done();
                    })
                    .addTo(manager);
            manager.cache().informer(Kind.of(ConfigMap.class)).subscribe("events", event -> events.incrementAndGet());
            manager.start();
            manager.client()
                    .create(new ConfigMapBuilder()
                            .withNewMetadata()
                            .withNamespace(KEY.namespace())
                            .withName(KEY.name())
                            .endMetadata()
                            .addToData("value", "first")
                            .build());
            int before = events.get();
            write(manager, seconds, rate);
            boolean seen = runs.last.await(30, TimeUnit.SECONDS);
            System.out.printf(
                    "%d s: %d events, %d reconciliations, the closest two %.3f s apart, last state seen: %s%n",
                    seconds, events.get() - before, runs.count.get(), runs.closest.get() / 1e9, seen);
        }
    }

    private static void write(Manager manager, int seconds, int rate) throws InterruptedException {
        ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
        long start = System.nanoTime();
        long changes = (long) seconds * rate;
        for (int writer = 0; writer < WRITERS; writer++) {
            int first = writer;
            writers.execute(() -> {
                for (long i = first; i < changes; i += WRITERS) {
                    LockSupport.parkNanos(start + i * TimeUnit.SECONDS.toNanos(1) / rate - System.nanoTime());
                    set(manager, Long.toString(i));
                }
            });
        }
        writers.shutdown();
        if (!writers.awaitTermination(10L * seconds, TimeUnit.SECONDS)) {
            throw new IllegalStateException("The API server does not take " + rate + " changes a second");
        }
        System.out.printf("%d changes in %.1f s%n", changes, (System.nanoTime() - start) / 1e9);
        set(manager, LAST);
    }

    private static void set(Manager manager, String value) {
        ObjectPatch patch = ObjectPatch.merge(Map.of("data", Map.of("value", value)));
        manager.client().patch(Kind.of(ConfigMap.class), KEY, patch, WriteOptions.defaults());
    }

    /** The reconciliations of the object. Thread-safe. */
    private static final class Runs {

        private final AtomicInteger count = new AtomicInteger();
        private final AtomicLong previous = new AtomicLong();
        private final AtomicLong closest = new AtomicLong(Long.MAX_VALUE);
        private final CountDownLatch last = new CountDownLatch(1);

        void add(String value) {
            long now = System.nanoTime();
            if (count.getAndIncrement() > 0) {
                closest.accumulateAndGet(now - previous.get(), Math::min);
            }
            previous.set(now);
            if (value.equals(LAST)) {
                last.countDown();
            }
        }
    }
}
