package io.github.reconciler4j.sharding.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions;
import io.github.reconciler4j.leaderelection.LeadershipListener;
import io.github.reconciler4j.leaderelection.WriteScope;
import io.github.reconciler4j.leaderelection.internal.ApiLeaseStore;
import io.github.reconciler4j.leaderelection.internal.LeaderElector;
import io.github.reconciler4j.leaderelection.internal.LeaseFence;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.sharding.ShardHandler;
import io.github.reconciler4j.sharding.ShardingOptions;
import io.github.reconciler4j.sharding.ShardingStatus;
import io.github.reconciler4j.support.Causes;
import io.github.reconciler4j.support.Threads;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the {@link ShardRing} of this replica on a daemon thread, and a {@link LeaderElector} for the Lease of the replica on
 * another. Handlers are called on the thread of the ring.
 *
 * <p>The lock guards what others ask of the thread. It is not held during steps.
 *
 * <p>Thread-safe.
 *
 * @since 0.1.0
 */
public final class ShardCoordinator {

    private static final Logger LOG = LoggerFactory.getLogger(ShardCoordinator.class);

    /** Interrupted runs are abandoned, and each step may be waiting for a response. */
    private static final Duration STOP_MARGIN = Duration.ofSeconds(10);

    private static final Duration RETRY_AFTER_FAILURE = Duration.ofSeconds(1);

    private final Settings settings;
    private final TimeSource time;
    private final String leaseName;
    private final ApiShardStore store;
    private final LeaderElector elector;
    private final ShardRing ring;
    private final ShardMetrics metrics;
    private final Handlers handlers = new Handlers();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private Mode mode = Mode.NEW;

    @GuardedBy("lock")
    private @Nullable Thread thread;

    /** Whether something has happened that the next step must not wait for. */
    @GuardedBy("lock")
    private boolean woken;

    private volatile boolean empty = true;

    private enum Mode {
        NEW,
        ACTIVE,
        LEAVING
    }

    /**
     * What a coordinator needs.
     *
     * @param connection sends the requests for the Leases
     * @param namespace the namespace of the Leases
     * @param identity the identity of this replica
     * @param options the options
     * @param keys describes how objects are divided, besides the options; the same text in all replicas
     * @param metrics where to report measurements
     * @since 0.1.0
     */
    public record Settings(
            ApiConnection connection,
            String namespace,
            String identity,
            ShardingOptions options,
            String keys,
            OperatorMetrics metrics) {}

    /**
     * What surrounds a ring.
     *
     * @param store stores the Leases
     * @param fence the fence of this replica
     * @param handler works on the shards
     * @param random returns numbers from 0 to 1
     * @param listener is notified of moves
     */
    record Environment(
            ShardStore store, LeaseFence fence, ShardHandler handler, DoubleSupplier random, Listener listener) {}

    /** Notified on the thread of the ring. */
    interface Listener {

        /** This replica has acquired a shard on which no replica has worked for that long. */
        void acquired(int shard, Duration idle);

        /** This replica has given a shard away. */
        void released(int shard);

        /** This replica has lost a shard. */
        void lost(int shard);

        /** Nothing runs any more after the Lease of this replica was lost, so it may acquire it again. */
        void ended();
    }

    /** Create a coordinator. Nothing happens before {@link #start}. */
    public ShardCoordinator(Settings settings, TimeSource time) {
        this.settings = settings;
        this.time = time;
        ShardingOptions options = settings.options();
        RingNames names = new RingNames(options, settings.keys());
        leaseName = names.replica(settings.identity());
        store = new ApiShardStore(settings.connection(), settings.namespace(), names);
        LeaderElector.Settings election = new LeaderElector.Settings(
                leaseName,
                new ApiLeaseStore(
                        settings.connection(), ObjectKey.of(settings.namespace(), leaseName), names.labels(true)),
                LeaderElectionOptions.named(leaseName).withTiming(options.timing()),
                settings.identity(),
                new LeaderElector.Environment(new Membership(), settings.metrics(), () -> 0));
        elector = new LeaderElector(election, time);
        metrics = new ShardMetrics(settings.metrics(), settings.identity(), elector::rejoin);
        ring = new ShardRing(
                new Environment(
                        store,
                        elector.fence(),
                        handlers,
                        () -> ThreadLocalRandom.current().nextDouble(),
                        metrics),
                names,
                settings.identity(),
                time);
        metrics.registerGauges(ring);
    }

    /** Return the labels of the Lease with the borders of namespaces, which belongs to no shard and no replica. */
    public static Map<String, String> bordersLabels(ShardingOptions options) {
        return Map.of(RingNames.RING, options.name(), RingNames.ROLE, "borders");
    }

    /** Take part. Further calls do nothing. */
    public void start() {
        lock.lock();
        try {
            if (mode == Mode.NEW) {
                mode = Mode.ACTIVE;
                elector.start();
                Thread coordinator =
                        Threads.daemon("shards-" + settings.options().name(), this::run);
                coordinator.start();
                thread = coordinator;
                empty = false; // it needs the lock to end
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Give all shards away, and return when nothing of them runs any more and their Leases are released: at most after the drain
     * timeout and the time for a few requests. Then the Lease of this replica is deleted.
     *
     * @param again whether another coordinator with the same identity starts at once
     */
    public void stop(boolean again) {
        Thread running;
        lock.lock();
        try {
            mode = Mode.LEAVING;
            ring.leave(again);
            wake();
            running = thread;
        } finally {
            lock.unlock();
        }
        if (running != null && running != Thread.currentThread()) {
            Duration timeout = settings.options()
                    .drainTimeout()
                    .plus(settings.options().timing().requestTimeout().multipliedBy(2))
                    .plus(STOP_MARGIN);
            Threads.join(running, timeout);
        }
        boolean ended = empty;
        elector.close(ended);
        if (ended && running != null) {
            deleteLease();
        }
        metrics.close();
    }

    /** Return whether all shards were given away after {@link #stop}. */
    public boolean hasEnded() {
        return empty;
    }

    /** Others would delete it, but later. It shows that shards which still name this replica are free. */
    private void deleteLease() {
        try {
            Duration timeout = settings.options().timing().requestTimeout();
            ShardStore.Version lease = store.find(leaseName, timeout);
            boolean named = store.shards(timeout).stream()
                    .anyMatch(shard -> shard.record().holder().equals(settings.identity()));
            if (lease != null && lease.record().isReleased() && !named) {
                store.delete(lease, timeout);
            }
        } catch (Throwable e) {
            LOG.debug("Lease {} could not be deleted", leaseName, Causes.loggable(e));
        }
    }

    /** Return the shards as this replica sees them. */
    public ShardingStatus status() {
        ShardingStatus seen = ring.status();
        String failure = elector.status().failure();
        String problem =
                seen.problem().isEmpty() || failure.isEmpty() ? seen.problem() : seen.problem() + ": " + failure;
        return new ShardingStatus(seen.identity(), seen.count(), seen.shards(), seen.ring(), metrics.moves(), problem);
    }

    /** Return whether the threads of the coordinator are running, or were not started, or have ended because they were asked to. */
    public boolean isAlive() {
        lock.lock();
        try {
            boolean running = thread != null && thread.isAlive();
            return switch (mode) {
                case NEW -> true;
                case ACTIVE -> running && elector.status().replica().alive();
                case LEAVING -> running || empty;
            };
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        try {
            boolean last = false;
            while (!last || !ring.isEmpty()) {
                last = isLeaving();
                pause(step());
            }
            empty = true;
        } catch (InterruptedException e) {
            LOG.debug("The coordination of shards ended by an interrupt", e);
        }
    }

    /** Notify a handler of the shards that this replica holds now, and from now on. */
    public void add(ShardHandler handler) {
        handlers.changes.add(() -> handlers.join(handler));
        wake();
    }

    /** Notify a handler no more. */
    public void remove(ShardHandler handler) {
        handlers.changes.add(() -> handlers.members.removeIf(member -> member == handler));
        wake();
    }

    private Duration step() {
        try {
            for (Runnable change = handlers.changes.poll(); change != null; change = handlers.changes.poll()) {
                change.run();
            }
            return ring.step();
        } catch (Throwable e) {
            LOG.error("A step of the coordination of shards failed and is repeated", Causes.loggable(e));
            return RETRY_AFTER_FAILURE;
        }
    }

    private boolean isLeaving() {
        lock.lock();
        try {
            return mode == Mode.LEAVING;
        } finally {
            lock.unlock();
        }
    }

    private void pause(Duration pause) throws InterruptedException {
        long end = time.nanoTime() + pause.toNanos();
        lock.lockInterruptibly();
        try {
            for (long left = pause.toNanos(); left > 0 && !woken; left = end - time.nanoTime()) {
                time.await(changed, left);
            }
            woken = false;
        } finally {
            lock.unlock();
        }
    }

    private void wake() {
        lock.lock();
        try {
            woken = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Called on the thread of the elector. */
    private final class Membership implements LeadershipListener {
        @Override
        public void elected(String lease) {
            ring.elected();
            wake();
        }

        @Override
        public void lost(String lease, String reason) {
            ring.lost();
            store.cancel(); // the runs are to be interrupted now
            wake();
        }
    }

    /** All handlers as one. Confined to the thread of the ring, except for the changes. */
    static final class Handlers implements ShardHandler {
        private final Queue<Runnable> changes = new ConcurrentLinkedQueue<>();

        /** In the order in which they were added: the first lets components accept the work of a shard. */
        private final List<ShardHandler> members = new ArrayList<>();

        /** The shards that were started and not stopped. */
        private final Map<Integer, WriteScope> started = new TreeMap<>();

        void join(ShardHandler handler) {
            if (members.stream().noneMatch(member -> member == handler)) {
                members.add(handler);
                started.forEach(handler::start);
                if (!started.isEmpty()) {
                    handler.started();
                }
            }
        }

        @Override
        public void start(int shard, WriteScope scope) {
            started.put(shard, scope);
            members.forEach(member -> member.start(shard, scope));
        }

        @Override
        public void started() {
            members.forEach(ShardHandler::started);
        }

        @Override
        public CompletionStage<Void> stop(int shard, Stop how) {
            started.remove(shard);
            List<CompletableFuture<Void>> ends = new ArrayList<>();
            for (ShardHandler member : members) {
                ends.add(stop(member, shard, how));
            }
            return CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new));
        }

        /** One handler that fails does not keep the others from being stopped. */
        private static CompletableFuture<Void> stop(ShardHandler member, int shard, Stop how) {
            try {
                return member.stop(shard, how).toCompletableFuture();
            } catch (Throwable e) {
                LOG.error("Shard {} could not be stopped", shard, Causes.loggable(e));
                return new CompletableFuture<>();
            }
        }
    }
}
