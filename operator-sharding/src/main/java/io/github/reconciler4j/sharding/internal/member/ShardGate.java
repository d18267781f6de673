package io.github.reconciler4j.sharding.internal.member;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.client.error.WriteRefusedException;
import io.github.reconciler4j.leaderelection.WriteScope;
import io.github.reconciler4j.sharding.ShardHandler;
import io.github.reconciler4j.sharding.ShardedWork;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.Texts;
import io.github.reconciler4j.support.internal.UserCall;
import io.github.reconciler4j.workqueue.RequestGate;
import io.github.reconciler4j.workqueue.WorkQueue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a controller reconcile the requests of the shards that this process holds, and no others.
 *
 * <h2>The life of a shard</h2>
 *
 * <ol>
 *   <li>{@link #acquire}: requests of the shard are accepted. Those that workers dequeue are parked, because the cache may not
 *       have the objects that their reconciliations read.
 *   <li>{@link #open}: the cache has the shard. What was parked is enqueued again, and runs. Every object that the cache listed
 *       for the shard is an event, so nothing has to be enqueued here: its request is in the queue, parked or running.
 *   <li>{@link #close}: no reconciliation starts. What waits in the queue is removed, and the returned stage completes when no
 *       reconciliation of the shard runs. A request that comes late is dropped when it is dequeued.
 * </ol>
 *
 * <p>A process that was halted for longer than its Lease lasts has lost its shards without a {@link #close} so far. So each
 * reconciliation also checks the scope of its shard before it starts, and is postponed if the scope refuses writes.
 *
 * <p>So each request runs in the process that has its shard only, after the cache has the shard, and the queue does not let two
 * equal requests run at the same time. None is forgotten: a process that drops one does not hold the shard, and the process that
 * acquires it lists all of its objects.
 *
 * <h2>The shard of a request</h2>
 *
 * <p>It is asked for when a request is enqueued, which keeps most others out, and again when it is dequeued, which decides. It
 * changes when namespaces get other borders, while no shard is held; so what was computed before an acquisition does not count. If
 * the namespace decides, a request always has a shard. If metadata decide, a request for an object that the cache does not have
 * belongs to no shard and is dropped: a root that was deleted is not reconciled any more, and a cleanup needs a finalizer.
 *
 * <h2>Locks</h2>
 *
 * <p>{@code lock} guards the shards and the running requests. Neither the queue nor the cache nor any code of users is called
 * under it; it is taken inside no other lock of a controller, and the lock of a worker is not taken inside it.
 *
 * @param <R> the type of requests
 * @since 0.1.0
 */
public final class ShardGate<R> implements RequestGate<R>, ShardedWork {

    private static final Logger LOG = LoggerFactory.getLogger(ShardGate.class);

    private final String controller;
    private final LogLimiter failures = new LogLimiter();
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<Integer, ShardHold<R>> held = new HashMap<>();

    @GuardedBy("lock")
    private final List<Permit> running = new ArrayList<>();

    /** How many shards were acquired; changed under the lock. */
    private final AtomicInteger acquisitions = new AtomicInteger();

    private final Function<? super R, OptionalInt> shardOf;
    private final BooleanSupplier ready;

    /** The queue of the current run; null before the first. */
    private volatile @Nullable Backlog<R> queue;

    /** A shard between acquire and close; guarded by the lock. */
    private static final class ShardHold<R> {
        private final WriteScope scope;
        /** Requests that were dequeued too early, with their priority. */
        private final Map<R, Integer> parked = new LinkedHashMap<>();

        private boolean open;

        ShardHold(WriteScope scope) {
            this.scope = scope;
        }
    }

    private final class Permit implements Pass {

        private final R request;
        private final int shard;
        private final WriteScope scope;
        private final Runnable interrupt;
        private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();
        private volatile boolean revoked;

        private Permit(R request, int shard, WriteScope scope, Runnable interrupt) {
            this.request = request;
            this.shard = shard;
            this.scope = scope;
            this.interrupt = interrupt;
        }

        @Override
        public boolean isRevoked() {
            return revoked;
        }

        /**
         * It may not start once the shard is lost. This process may not have noticed that yet: after a halt, workers can be faster
         * than the thread that closes the shard.
         */
        @Override
        public boolean mayStart() {
            try {
                scope.check();
                return true;
            } catch (WriteRefusedException e) {
                return false;
            }
        }

        @Override
        public void run(Runnable reconciliation) {
            scope.run(reconciliation);
        }

        @Override
        public void exit() {
            try {
                if (end(this)) {
                    removeUnlessHeld(request, shard);
                }
            } finally {
                ended.complete(null);
            }
        }
    }

    /**
     * Create a gate without shards.
     *
     * @param shardOf returns the shard of a request, empty if none is known
     * @param ready returns whether the cache has what the sources of the controller watch
     */
    public ShardGate(String controller, Function<? super R, OptionalInt> shardOf, BooleanSupplier ready) {
        this.controller = controller;
        this.shardOf = shardOf;
        this.ready = ready;
    }

    /** What is parked was in another queue, whose sources enqueue everything again. */
    @Override
    public void attach(Backlog<R> newQueue) {
        lock.lock();
        try {
            held.values().forEach(holding -> holding.parked.clear());
            queue = newQueue;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void acquire(int shard, WriteScope scope) {
        lock.lock();
        try {
            ShardHold<R> before = held.get(shard);
            if (before == null || before.scope != scope) {
                held.put(shard, new ShardHold<>(scope));
                acquisitions.incrementAndGet();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean open(int shard, WriteScope scope) {
        if (!ready.getAsBoolean()) {
            return false;
        }
        Map<R, Integer> parked = new LinkedHashMap<>();
        lock.lock();
        try {
            ShardHold<R> holding = held.get(shard);
            if (holding != null && holding.scope == scope) {
                holding.open = true;
                parked.putAll(holding.parked);
                holding.parked.clear();
            }
        } finally {
            lock.unlock();
        }
        Backlog<R> current = queue;
        if (current != null) {
            parked.forEach(current::add);
        }
        return true;
    }

    @Override
    public CompletionStage<?> close(int shard, ShardHandler.Stop how) {
        List<Permit> affected = new ArrayList<>();
        Map<R, Integer> parked = new LinkedHashMap<>();
        lock.lock();
        try {
            ShardHold<R> closed = held.remove(shard);
            if (closed != null) {
                parked.putAll(closed.parked);
            }
            running.stream().filter(permit -> permit.shard == shard).forEach(affected::add);
        } finally {
            lock.unlock();
        }
        Backlog<R> current = queue;
        if (current != null) {
            parked.keySet().forEach(current::remove);
            current.waiting().stream().filter(request -> isOf(shard, request)).forEach(current::remove);
        }
        if (how == ShardHandler.Stop.NOW) {
            for (Permit permit : affected) {
                permit.revoked = true; // before the worker is asked, so that one of the two notices
                permit.interrupt.run();
            }
        }
        return CompletableFuture.allOf(
                affected.stream().map(permit -> permit.ended).toArray(CompletableFuture[]::new));
    }

    /** Of a request whose shard is not known, it is asked for again when it is dequeued. */
    private boolean isOf(int shard, R request) {
        return shardOrNone(request) == shard;
    }

    private int shardOrNone(R request) {
        try {
            return shardOf(request).orElse(-1);
        } catch (Throwable e) { // the cache is closed, or code of the user has failed
            return -1;
        }
    }

    @Override
    public boolean admits(R request) {
        OptionalInt shard;
        try {
            shard = shardOf(request);
        } catch (RuntimeException e) {
            failures.log(
                    LogLimiter.cause(e),
                    occurrence -> LOG.warn(
                            "Controller '{}' cannot determine the shard of {} yet: {}{}",
                            controller,
                            Texts.of(request),
                            e.getClass().getName(),
                            occurrence.suffix()));
            return true;
        }
        if (shard.isEmpty()) {
            return true;
        }
        lock.lock();
        try {
            return held.containsKey(shard.getAsInt());
        } finally {
            lock.unlock();
        }
    }

    @Override
    public @Nullable Pass enter(R request, int priority, Runnable interrupt) {
        int before = acquisitions.get();
        OptionalInt shard = shardOf(request);
        boolean again;
        lock.lock();
        try {
            again = before != acquisitions.get(); // the shards may have other borders since
            ShardHold<R> holding = shard.isEmpty() || again ? null : held.get(shard.getAsInt());
            if (holding != null && !holding.open) {
                holding.parked.merge(request, priority, Math::max);
                return null;
            }
            if (holding != null) {
                Permit permit = new Permit(request, shard.getAsInt(), holding.scope, interrupt);
                running.add(permit);
                return permit;
            }
        } finally {
            lock.unlock();
        }
        if (again) {
            return enter(request, priority, interrupt);
        }
        Backlog<R> current = queue;
        if (current != null) {
            current.forget(request); // does not remove it: it may have been added since, for a shard acquired since
        }
        return null;
    }

    private boolean end(Permit permit) {
        lock.lock();
        try {
            running.remove(permit);
            return !held.containsKey(permit.shard);
        } finally {
            lock.unlock();
        }
    }

    /** Remove what a reconciliation has enqueued. If its shard was abandoned and acquired again meanwhile, it runs again. */
    private void removeUnlessHeld(R request, int shard) {
        Backlog<R> current = queue;
        if (current == null) {
            return;
        }
        current.remove(request);
        int now = shardOrNone(request); // with other borders of namespaces, another one
        boolean again;
        lock.lock();
        try {
            again = held.containsKey(shard) || held.containsKey(now);
        } finally {
            lock.unlock();
        }
        if (again) {
            current.add(request, WorkQueue.DEFAULT_PRIORITY);
        }
    }

    private OptionalInt shardOf(R request) {
        UserCall call = UserCall.enter(UserCall.Kind.PARTITION_KEY, "", request);
        try {
            return shardOf.apply(request);
        } finally {
            call.exit();
        }
    }
}
