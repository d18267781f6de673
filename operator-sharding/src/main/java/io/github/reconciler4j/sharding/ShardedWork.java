package io.github.reconciler4j.sharding;

import io.github.reconciler4j.leaderelection.WriteScope;
import io.github.reconciler4j.manager.ManagedComponent;
import java.util.concurrent.CompletionStage;

/**
 * What a {@link ManagedComponent} does with the shards that the replica holds, if it implements this interface. It usually belongs to
 * the {@link io.github.reconciler4j.manager.StartGroup#ALL_REPLICAS components of all replicas}. The coordination calls it from several threads, for one shard one call at a time. The methods return soon. Thread-safe.
 *
 * @since 0.1.0
 */
public interface ShardedWork {

    /**
     * Accept work of a shard and keep it until {@link #open}. Does nothing if it was acquired with this permission before.
     *
     * @param scope the permission to write for the work of the shard
     */
    void acquire(int shard, WriteScope scope);

    /**
     * Start to work on a shard, because the cache has its objects. Can be called again. Does nothing unless the shard was
     * acquired with this permission and not closed since.
     *
     * @param scope the permission that it was acquired with
     * @return false to be called again later, because something is missing
     */
    boolean open(int shard, WriteScope scope);

    /**
     * Start no more work of a shard, and drop what waits.
     *
     * @param how whether to interrupt what runs
     * @return completes when nothing of the shard runs
     */
    CompletionStage<?> close(int shard, ShardHandler.Stop how);
}
