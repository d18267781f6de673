package io.github.reconciler4j.manager;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.fixtures.ReplicaProcess;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions.OnLost;
import io.github.reconciler4j.leaderelection.LeaseTiming;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/**
 * An operator as a process of its own, for tests that stop and kill it: whenever {@code data.tick} of a config map
 * changes, it writes the tick and its own identity into annotations. Ends when its standard input does.
 */
final class LeaderReplica {

    /** Long enough for a busy machine, short enough for a test. */
    static final LeaseTiming QUICK =
            LeaseTiming.of(Duration.ofSeconds(6), Duration.ofSeconds(4), Duration.ofMillis(800));

    /** The exit status of a process that has lost the lease. */
    static final int LOST = 3;

    private LeaderReplica() {}

    /**
     * Arguments: address of the API server, kubeconfig, namespace, identity, what to do when the lease is lost, whether to
     * use the default timing.
     */
    public static void main(String[] args) throws InterruptedException {
        Config config = Config.fromKubeconfig(Path.of(args[1]).toFile());
        config.setMasterUrl(args[0]);
        String namespace = args[2];
        String identity = args[3];
        endWithInput();
        LeaderElectionOptions election = LeaderElectionOptions.named("lock")
                .withLeaseNamespace(namespace)
                .withIdentity(identity)
                .withTiming(Boolean.parseBoolean(args[5]) ? LeaseTiming.defaults() : QUICK)
                .withOnLost(OnLost.valueOf(args[4]));
        CacheOptions cache = CacheOptions.defaults()
                .withKindDefaults(KindCacheOptions.defaults().withNamespaces(Set.of(namespace)));
        Manager manager = Manager.create(
                config,
                ManagerOptions.defaults().withName(identity).withCache(cache).withLeaderElection(election));
        addTicks(manager, identity);
        manager.start();
        try {
            manager.await();
        } catch (ManagerFailedException e) {
            System.err.println(identity + " ends: " + e.getMessage());
            Runtime.getRuntime().halt(LOST);
        }
    }

    /** Notes on every ConfigMap that has a new tick that it was seen, and by whom. */
    private static void addTicks(Manager manager, String identity) {
        ControllerBuilder.of(ConfigMap.class)
                .named("ticks")
                .customizeOptions(options -> options.withMaxConcurrentReconciles(4))
                .reconciler((map, context) -> {
                    String tick = map.getData() == null ? null : map.getData().get("tick");
                    Map<String, String> annotations = map.getMetadata().getAnnotations();
                    if (tick != null && !tick.equals(annotations == null ? null : annotations.get("done"))) {
                        manager.client()
                                .patch(
                                        Kind.of(ConfigMap.class),
                                        context.request().key(),
                                        ObjectPatch.merge(Map.of(
                                                "metadata",
                                                Map.of("annotations", Map.of("done", tick, "writer", identity)))),
                                        WriteOptions.defaults());
                    }
                    return Result.done();
                })
                .addTo(manager);
    }

    private static void endWithInput() {
        Thread thread = new Thread(
                () -> {
                    ReplicaProcess.awaitEndOfInput();
                    Runtime.getRuntime().halt(0);
                },
                "parent");
        thread.setDaemon(true);
        thread.start();
    }
}
