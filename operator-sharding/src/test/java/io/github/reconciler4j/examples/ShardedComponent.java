package io.github.reconciler4j.examples;

import io.github.reconciler4j.leaderelection.WriteScope;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.StartGroup;
import io.github.reconciler4j.sharding.ShardHandler;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** Knows in which scope it may write for a shard. */
final class ShardedComponent implements ManagedComponent, ShardHandler {

    private final Map<Integer, WriteScope> scopes = new ConcurrentHashMap<>();

    @Override
    public String name() {
        return "sharded";
    }

    @Override
    public StartGroup group() {
        return StartGroup.ALL_REPLICAS;
    }

    @Override
    public void start(int shard, WriteScope scope) {
        scopes.put(shard, scope);
    }

    @Override
    public CompletionStage<Void> stop(int shard, Stop mode) {
        scopes.remove(shard);
        return CompletableFuture.completedStage(null); // nothing runs for this shard
    }

    void write(int shard, Runnable write) {
        WriteScope scope = scopes.get(shard);
        if (scope != null) {
            scope.run(write);
        }
    }

    @Override
    public void start() {}

    @Override
    public void stop(Duration timeout) {}
}
