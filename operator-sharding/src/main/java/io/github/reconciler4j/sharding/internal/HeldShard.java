package io.github.reconciler4j.sharding.internal;

import io.github.reconciler4j.client.error.WriteRefusedException;
import io.github.reconciler4j.leaderelection.WriteScope;
import io.github.reconciler4j.leaderelection.internal.LeaseFence;
import io.github.reconciler4j.sharding.internal.ShardStore.Version;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * One term of a shard at this replica, from its acquisition until nothing of it runs any more. Its fence is open while the fence
 * of the replica is, in the same session, and the shard was not given away. It never opens again after it has closed: a session
 * ends when the replica loses its Lease.
 *
 * <p>Any thread may ask the fence; everything else is confined to the thread of the ring.
 */
final class HeldShard {

    private final int shard;
    private final Session session;
    private volatile boolean closed;
    private State state = State.RUNNING;
    private Version lease;
    private CompletionStage<Void> end = CompletableFuture.completedStage(null);
    private long deadlineNanos;

    enum State {
        RUNNING,
        /** Its runs may finish until the deadline. */
        FINISHING,
        /** Its fence is closed. Its runs are interrupted and abandoned at the deadline. */
        ENDING
    }

    /** The time from an acquisition of the Lease of this replica to its loss. */
    static final class Session {
        private final LeaseFence fence;
        private final long startNanos;
        private volatile boolean over;

        Session(LeaseFence fence, long startNanos) {
            this.fence = fence;
            this.startNanos = startNanos;
        }

        boolean isOpen() {
            return !over && fence.isOpen();
        }

        boolean isOver() {
            return over;
        }

        void end() {
            over = true;
        }

        long startNanos() {
            return startNanos;
        }
    }

    HeldShard(int shard, Session session, Version lease) {
        this.shard = shard;
        this.session = session;
        this.lease = lease;
    }

    int shard() {
        return shard;
    }

    Session session() {
        return session;
    }

    Version lease() {
        return lease;
    }

    State state() {
        return state;
    }

    boolean isOpen() {
        return !closed && session.isOpen();
    }

    WriteScope scope() {
        return WriteScope.of(() -> {
            if (!isOpen()) {
                throw new WriteRefusedException("Write rejected: this replica does not hold shard " + shard);
            }
        });
    }

    /** Its runs may finish until the deadline. */
    void finish(CompletionStage<Void> finished, long untilNanos) {
        state = State.FINISHING;
        end = finished;
        deadlineNanos = untilNanos;
    }

    /** No run may write any more. */
    void close() {
        closed = true;
    }

    /** Its runs are interrupted, and abandoned at the deadline. */
    void end(CompletionStage<Void> ended, long untilNanos) {
        state = State.ENDING;
        end = ended;
        deadlineNanos = untilNanos;
    }

    boolean hasEnded() {
        CompletableFuture<Void> future = end.toCompletableFuture();
        return state != State.RUNNING && future.isDone() && !future.isCompletedExceptionally();
    }

    boolean isOverdue(long nowNanos) {
        return state != State.RUNNING && nowNanos - deadlineNanos >= 0;
    }
}
