package io.github.reconciler4j.sharding.internal.member;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.leaderelection.WriteScope;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.sharding.ShardHandler;
import io.github.reconciler4j.sharding.ShardedWork;
import io.github.reconciler4j.support.Causes;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.Threads;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the cache and the components of a manager work on the shards that the replica holds.
 *
 * <p>A shard that starts goes through three steps. The components accept its work, then the cache holds it with all others that
 * start, and when the cache has its objects, a thread lets the components start. While the cache lists, more shards can start, and
 * the thread waits for all of them at once. A shard that stops takes the opposite way: the components stop their work, and when
 * nothing runs any more, the cache drops its objects. At {@link Stop#NOW} it does not wait for runs that ignore their interrupt.
 *
 * <p>{@code lock} guards the shards. It is held while shards are acquired and the cache learns it, which return soon and call
 * nothing here, so that a component that is added meanwhile misses no shard. No other call to a component is made under it:
 * these determine the shards of requests, which can run code of users. A shard that is lost and acquired again while the thread
 * opens it has another scope then, and a component opens it only with the scope that it acquired it with.
 */
public final class ShardWork implements ShardHandler, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ShardWork.class);
    private static final Duration CHECK = Duration.ofMillis(200);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);

    private final Cache cache;
    private final List<ShardedWork> works = new CopyOnWriteArrayList<>();
    private final LogLimiter failures = new LogLimiter();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private final Map<Integer, WriteScope> held = new HashMap<>();

    /** Stopped shards whose objects stay in the cache until nothing runs. */
    @GuardedBy("lock")
    private final Set<Integer> draining = new TreeSet<>();

    /** Held shards that the cache does not hold yet. */
    @GuardedBy("lock")
    private final Set<Integer> starting = new TreeSet<>();

    /** Held shards that not all components work on yet. */
    @GuardedBy("lock")
    private final Set<Integer> opening = new TreeSet<>();

    @GuardedBy("lock")
    private @Nullable Thread thread;

    private volatile boolean closed;

    public ShardWork(Cache cache) {
        this.cache = cache;
    }

    /** Let the cache use these borders of namespaces. To be called while no shard is held. */
    public void divide(List<Long> borders) {
        lock.lock();
        try {
            hold(); // a stop that failed may not have got here
            cache.changePartition(cache.partition().withNamespaceBorders(borders));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void start(int shard, WriteScope scope) {
        lock.lock();
        try {
            held.put(shard, scope);
            draining.remove(shard);
            works.forEach(work -> work.acquire(shard, scope));
            starting.add(shard);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void started() {
        lock.lock();
        try {
            hold();
            open(starting);
            starting.clear();
        } finally {
            lock.unlock();
        }
    }

    /** Let a component work on the held shards. To be called before it starts, since it drops the work of others. */
    public void add(ManagedComponent component) {
        ShardedWork work = workOf(component);
        if (work == null) {
            return;
        }
        lock.lock();
        try {
            works.add(work);
            held.forEach(work::acquire);
            Set<Integer> cached = new TreeSet<>(held.keySet());
            cached.removeAll(starting);
            open(cached);
        } finally {
            lock.unlock();
        }
    }

    private static @Nullable ShardedWork workOf(ManagedComponent component) {
        if (component instanceof Controller<?> controller
                && controller.gate().orElse(null) instanceof ShardGate<?> gate) {
            return gate;
        }
        return component instanceof ShardedWork work ? work : null;
    }

    /** Let a component that has ended work on no shard any more. */
    public void remove(ManagedComponent component) {
        ShardedWork work = workOf(component);
        if (work == null) {
            return;
        }
        Set<Integer> closing;
        lock.lock();
        try {
            works.remove(work);
            closing = Set.copyOf(held.keySet());
        } finally {
            lock.unlock();
        }
        closing.forEach(shard -> work.close(shard, Stop.NOW));
    }

    @Override
    public CompletionStage<Void> stop(int shard, Stop how) {
        lock.lock();
        try {
            boolean first = held.remove(shard) != null;
            opening.remove(shard);
            starting.remove(shard);
            if (how == Stop.NOW) {
                draining.remove(shard);
            } else if (first) {
                draining.add(shard);
            }
        } finally {
            lock.unlock();
        }
        CompletableFuture<?>[] ended =
                works.stream().map(work -> close(work, shard, how)).toArray(CompletableFuture[]::new);
        changeCache();
        return CompletableFuture.allOf(ended).thenRun(() -> drained(shard));
    }

    /** A component that fails does not keep the others from being stopped. The end of its work is not known. */
    private static CompletableFuture<?> close(ShardedWork work, int shard, Stop how) {
        try {
            return work.close(shard, how).toCompletableFuture();
        } catch (Throwable e) {
            LOG.error("The work of a component on shard {} could not be stopped", shard, Causes.loggable(e));
            return new CompletableFuture<>();
        }
    }

    private void drained(int shard) {
        lock.lock();
        try {
            draining.remove(shard);
        } finally {
            lock.unlock();
        }
        changeCache();
    }

    private void changeCache() {
        lock.lock();
        try {
            hold();
        } finally {
            lock.unlock();
        }
    }

    /** Pass on to the cache what to hold. */
    @GuardedBy("lock")
    private void hold() {
        Set<Integer> cached = new TreeSet<>(held.keySet());
        cached.addAll(draining);
        cache.changePartition(cache.partition().withHeld(cached));
    }

    @GuardedBy("lock")
    private void open(Set<Integer> shards) {
        opening.addAll(shards);
        if (!closed && !opening.isEmpty() && (thread == null || !Threads.isAlive(thread))) {
            Thread starting = Threads.daemon("shards", this::openAll);
            thread = starting;
            starting.start();
        }
        changed.signalAll();
    }

    private void openAll() {
        Threads.repeat(
                this::openNext,
                failure -> failures.log(
                        LogLimiter.cause(failure),
                        occurrence -> LOG.error(
                                "The start of shards failed and is retried{}",
                                occurrence.suffix(failure),
                                occurrence.trace(failure))));
    }

    /** Open the shards that wait now as soon as the cache has them; false after the close. */
    private boolean openNext() throws InterruptedException {
        Map<Integer, WriteScope> next = awaitNext();
        if (cache.awaitPartition(CHECK) && !closed) {
            boolean all = open(next);
            if (!all) {
                pause();
            }
        }
        return !closed;
    }

    /** Wait for shards to open, and return them. */
    private Map<Integer, WriteScope> awaitNext() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (opening.isEmpty() && !closed) {
                TimeSource.system().await(changed);
            }
            Map<Integer, WriteScope> next = new HashMap<>(held);
            next.keySet().retainAll(opening);
            return next;
        } finally {
            lock.unlock();
        }
    }

    /** Open shards that the cache has, unless they were lost since; return whether all components work on them. */
    private boolean open(Map<Integer, WriteScope> shards) {
        boolean all = true;
        for (Map.Entry<Integer, WriteScope> shard : shards.entrySet()) {
            boolean opened = true;
            for (ShardedWork work : works) {
                opened &= work.open(shard.getKey(), shard.getValue());
            }
            if (opened) {
                opened(shard.getKey(), shard.getValue());
            }
            all &= opened;
        }
        return all;
    }

    private void opened(int shard, WriteScope scope) {
        lock.lock();
        try {
            if (held.get(shard) == scope) {
                opening.remove(shard);
            }
        } finally {
            lock.unlock();
        }
    }

    private void pause() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = CHECK.toNanos();
            while (left > 0 && !closed) {
                left = TimeSource.system().awaitNanos(changed, left);
            }
        } finally {
            lock.unlock();
        }
    }

    /** End the thread. The shards have been stopped before. */
    @Override
    public void close() {
        Thread ending;
        lock.lock();
        try {
            closed = true;
            ending = thread;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (ending != null && !Threads.join(ending, CLOSE_TIMEOUT)) {
            LOG.warn("The thread that starts shards is still running {} after it was stopped", CLOSE_TIMEOUT);
        }
    }
}
