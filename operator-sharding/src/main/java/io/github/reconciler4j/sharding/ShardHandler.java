package io.github.reconciler4j.sharding;

import io.github.reconciler4j.leaderelection.WriteScope;
import java.util.concurrent.CompletionStage;

/**
 * Works on the objects of the shards that this replica holds. The coordination calls it when the replica acquires a shard, gives
 * it away or loses it.
 *
 * <p>For one shard, the calls are {@code start}, {@code started}, {@code stop(FINISH)} at most once, {@code stop(NOW)} at most once, and
 * {@code start} again only after a returned stage has completed or the coordination has abandoned the shard. The calls come from
 * several threads, but those for one shard one at a time. They return soon: what takes time happens on threads of the handler.
 *
 * <!-- snippet: ShardedComponent -->
 * <pre>{@code
 * public void start(int shard, WriteScope scope) {
 *     scopes.put(shard, scope);
 * }
 *
 * @Override
 * public CompletionStage<Void> stop(int shard, Stop mode) {
 *     scopes.remove(shard);
 *     return CompletableFuture.completedStage(null); // nothing runs for this shard
 * }
 * }</pre>
 *
 * @since 0.1.0
 */
public interface ShardHandler {

    /**
     * How a shard ends.
     *
     * @since 0.1.0
     */
    enum Stop {
        /**
         * The replica still holds the shard and gives it away. Start no new reconciliation of the shard and let those that run
         * finish; they may write.
         */
        FINISH,
        /**
         * The replica must not work on the shard any more: it lost its lease, or the time to finish is over. The scope of the
         * shard already refuses writes. Start nothing, and interrupt what runs. May follow {@link #FINISH}.
         */
        NOW
    }

    /**
     * This replica holds the shard from now on: watch its objects, and reconcile them once they are in the cache.
     *
     * @param shard the number of the shard, from 0
     * @param scope the permission to write for reconciliations of this shard. It refuses writes as soon as the replica no longer
     *     holds the shard, also if nothing has been called yet. Each start has a scope of its own, which never opens again.
     */
    void start(int shard, WriteScope scope);

    /**
     * All shards that start at the same time have been started. What has to be done for all of them, such as a list of their objects,
     * can be done once here. An exception ends all of them. Does nothing by default.
     */
    default void started() {}

    /**
     * Stop working on the shard and forget its objects. An exception counts as a stage that never completes.
     *
     * @return completes when no reconciliation of the shard runs any more. If it does not complete in time after
     *     {@link Stop#NOW}, the coordination abandons the shard: its runs can no longer write, and another replica acquires it.
     */
    CompletionStage<Void> stop(int shard, Stop how);
}
