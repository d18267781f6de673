package io.github.reconciler4j.sharding;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.KindCacheOptions;
import io.github.reconciler4j.client.ObjectPatch;
import io.github.reconciler4j.client.WriteOptions;
import io.github.reconciler4j.fixtures.ReplicaProcess;
import io.github.reconciler4j.leaderelection.LeaseTiming;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.reconcile.ReconcileContext;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.Kind;
import io.github.reconciler4j.scheme.ObjectKey;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A sharded operator as a process of its own: whenever {@code data.tick} of a config map changes, it writes the tick, its own identity
 * and the number of the shard into annotations. Keeps a journal of its reconciliations, and stops when its standard input ends.
 */
final class ShardedReplica {

    static final String RING = "ring";
    static final int SHARDS = 16;
    static final String LABEL = "sharded-replica";

    /** Long enough for a busy machine, short enough for a test. */
    static final LeaseTiming TIMING =
            LeaseTiming.of(Duration.ofSeconds(6), Duration.ofSeconds(4), Duration.ofMillis(800));

    private static final long WORK_MILLIS = 20;

    private final String identity;
    private final RunJournal journal;
    private final Manager manager;

    private ShardedReplica(Config config, String namespace, String identity) throws IOException {
        this.identity = identity;
        this.journal = new RunJournal(journalOf(identity));
        manager = Manager.create(
                config,
                ManagerOptions.defaults()
                        .withName(identity)
                        .withCache(CacheOptions.defaults()
                                .withKind(
                                        ConfigMap.class,
                                        KindCacheOptions.defaults().withLabelSelector(LABEL)))
                        .withExtension(ShardingOptions.named(RING)
                                .withShards(SHARDS)
                                .withLeaseNamespace(namespace)
                                .withIdentity(identity)
                                .withTiming(TIMING)));
        ControllerBuilder.of(ConfigMap.class)
                .named("ticks")
                .customizeOptions(options -> options.withMaxConcurrentReconciles(4))
                .reconciler(this::reconcile)
                .addTo(manager);
    }

    static Path journalOf(String identity) {
        return Path.of("target", identity + ".journal");
    }

    /** Arguments: address of the API server, kubeconfig, namespace of the Leases, identity. */
    public static void main(String[] args) throws IOException {
        Config config = Config.fromKubeconfig(Path.of(args[1]).toFile());
        config.setMasterUrl(args[0]);
        ShardedReplica replica = new ShardedReplica(config, args[2], args[3]);
        replica.manager.start();
        ReplicaProcess.awaitEndOfInput();
        replica.manager.stop();
        replica.journal.close();
        Runtime.getRuntime().halt(0);
    }

    private Result reconcile(ConfigMap map, ReconcileContext context) throws IOException {
        ObjectKey key = context.request().key();
        journal.started(key.toString());
        try {
            String tick = map.getData().get("tick");
            Map<String, String> annotations = map.getMetadata().getAnnotations();
            if (!tick.equals(annotations == null ? null : annotations.get("done"))) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(WORK_MILLIS)); // longer than most overlaps
                write(key, tick);
            }
            return Result.done();
        } finally {
            journal.ended(key.toString());
        }
    }

    private void write(ObjectKey key, String tick) {
        String shard = Integer.toString(
                manager.cache().informer(ConfigMap.class).partOf(key).orElseThrow());
        Map<String, String> annotations = Map.of("done", tick, "writer", identity, "shard", shard);
        manager.client()
                .patch(
                        Kind.of(ConfigMap.class),
                        key,
                        ObjectPatch.merge(Map.of("metadata", Map.of("annotations", annotations))),
                        WriteOptions.defaults());
    }
}
