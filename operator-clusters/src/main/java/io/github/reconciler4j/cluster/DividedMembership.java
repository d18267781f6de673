package io.github.reconciler4j.cluster;

import io.github.reconciler4j.leaderelection.WriteScope;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.manager.StartGroup;
import io.github.reconciler4j.sharding.ShardHandler;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * Passes the shards that this replica holds on to the membership of a provider. The only class that needs the module for sharding, so
 * it is loaded with sharding only.
 *
 * @param name the name of the provider
 * @param membership what lets the clusters join and leave
 */
record DividedMembership(String name, ClusterMembership membership) implements ShardHandler, ManagedComponent {

    @Override
    public String name() {
        return "clusters-" + name + "-shards";
    }

    @Override
    public StartGroup group() {
        return StartGroup.ALL_REPLICAS;
    }

    @Override
    public void start(int shard, WriteScope scope) {
        membership.start(shard, scope);
    }

    @Override
    public CompletionStage<Void> stop(int shard, Stop how) {
        return membership.stop(shard);
    }

    @Override
    public void start() {
        // The calls for shards come from the coordination.
    }

    @Override
    public void stop(Duration grace) {
        membership.stop();
    }
}
