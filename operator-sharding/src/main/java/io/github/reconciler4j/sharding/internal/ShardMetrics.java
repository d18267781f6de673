package io.github.reconciler4j.sharding.internal;

import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.sharding.ShardingStatus;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts and logs the moves of shards of one replica. Notified on the thread of the ring. */
final class ShardMetrics implements ShardCoordinator.Listener {

    private static final Logger LOG = LoggerFactory.getLogger(ShardCoordinator.class);
    private static final double[] BUCKETS = {0.1, 0.5, 1, 2, 5, 10, 15, 20, 30, 60, 120};

    private final OperatorMetrics metrics;
    private final String identity;
    private final Runnable rejoin;
    private final OperatorMetrics.Histogram idle;
    private final OperatorMetrics.Counter acquired;
    private final OperatorMetrics.Counter released;
    private final OperatorMetrics.Counter lost;
    private final AtomicLong[] moves = {new AtomicLong(), new AtomicLong(), new AtomicLong()};
    private OperatorMetrics.Registration[] gauges = {};

    /**
     * Create the metrics.
     *
     * @param rejoin lets this replica acquire its Lease again
     */
    ShardMetrics(OperatorMetrics metrics, String identity, Runnable rejoin) {
        this.metrics = metrics;
        this.identity = identity;
        this.rejoin = rejoin;
        acquired = moves(metrics, "acquired");
        released = moves(metrics, "released");
        lost = moves(metrics, "lost");
        idle = metrics.histogram(
                "reconciler4j_shard_idle_seconds",
                "How long no replica has held a shard before this one acquired it.",
                BUCKETS);
    }

    ShardingStatus.Moves moves() {
        return new ShardingStatus.Moves(moves[0].get(), moves[1].get(), moves[2].get());
    }

    void registerGauges(ShardRing ring) {
        gauges = new OperatorMetrics.Registration[] {
            metrics.gauge(
                    "reconciler4j_shards_held",
                    "Number of shards that this replica holds.",
                    () -> ring.status().shards().size()),
            metrics.gauge(
                    "reconciler4j_shards_unheld",
                    "Number of shards that no replica holds, as this replica sees it.",
                    () -> ring.status().ring().unheld()),
            metrics.gauge(
                    "reconciler4j_shard_replicas",
                    "Number of replicas that share the shards, as this replica sees it.",
                    () -> ring.status().ring().replicas()),
            metrics.gauge(
                    "reconciler4j_shard_imbalance",
                    "How many shards the replica with most has more than the one with fewest.",
                    () -> ring.status().ring().imbalance())
        };
    }

    void close() {
        for (OperatorMetrics.Registration gauge : gauges) {
            gauge.close();
        }
    }

    private static OperatorMetrics.Counter moves(OperatorMetrics metrics, String direction) {
        return metrics.counter(
                "reconciler4j_shard_moves_total",
                "Total number of shards that this replica has acquired, released or lost.",
                "direction",
                direction);
    }

    @Override
    public void acquired(int shard, Duration idleTime) {
        LOG.info("This replica, {}, has acquired shard {}", identity, shard);
        idle.record(idleTime.toNanos() / 1e9);
        acquired.increment();
        moves[0].incrementAndGet();
    }

    @Override
    public void released(int shard) {
        LOG.info("This replica, {}, has released shard {}", identity, shard);
        released.increment();
        moves[1].incrementAndGet();
    }

    @Override
    public void lost(int shard) {
        LOG.warn("This replica, {}, has lost shard {}", identity, shard);
        lost.increment();
        moves[2].incrementAndGet();
    }

    @Override
    public void ended() {
        rejoin.run();
    }
}
