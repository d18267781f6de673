package io.github.reconciler4j.sharding.internal.member;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.sharding.ShardHandler;
import io.github.reconciler4j.sharding.ShardingOptions;
import io.github.reconciler4j.sharding.ShardingStatus;
import io.github.reconciler4j.sharding.internal.ShardCoordinator;
import io.github.reconciler4j.support.Causes;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.support.Texts;
import io.github.reconciler4j.support.Threads;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes part in sharding. With borders of namespaces, it reads these every retry period. When they change, the coordinator gives all
 * shards away and ends, and another one with the new borders starts. The borders are part of what replicas must agree on, so none
 * works with new ones before all have ended their work with the former ones.
 *
 * <p>The lock guards the coordinator and its handlers. It is not held during requests.
 */
public final class ShardMembership {

    private static final Logger LOG = LoggerFactory.getLogger(ShardMembership.class);

    private final ShardingOptions options;
    private final @Nullable NamespaceBorders borders;
    private final Function<List<Long>, ShardCoordinator> coordinators;
    private final Consumer<List<Long>> divide;
    private final TimeSource time;
    private final LogLimiter failures;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private final List<ShardHandler> handlers = new ArrayList<>();

    @GuardedBy("lock")
    private @Nullable Thread thread;

    @GuardedBy("lock")
    private boolean stopped;

    /** Written under the lock. */
    private volatile @Nullable ShardCoordinator coordinator;

    /** Why this replica does not use the borders that all use, {@code ""} if it does. */
    private volatile String problem = "the borders of namespaces are not known yet";

    /** The moves of former coordinators; confined to the thread, and published with the coordinator. */
    private volatile ShardingStatus.Moves former = ShardingStatus.Moves.NONE;

    /** The borders that the coordinator has; confined to the thread. */
    private Optional<List<Long>> current = Optional.empty();

    /** Whether a coordinator was stopped that none replaces yet; confined to the thread. */
    private boolean changing;

    private long reviewedNanos;

    /**
     * Creates it; nothing happens before {@link #start}.
     *
     * @param borders the borders of namespaces; null if the replicas do not agree on any
     * @param coordinators creates a coordinator for the given borders
     * @param divide makes the cache use the given borders
     */
    public ShardMembership(
            ShardingOptions options,
            @Nullable NamespaceBorders borders,
            Function<List<Long>, ShardCoordinator> coordinators,
            Consumer<List<Long>> divide,
            TimeSource time) {
        this.options = options;
        this.borders = borders;
        this.coordinators = coordinators;
        this.divide = divide;
        this.time = time;
        this.failures = new LogLimiter(Duration.ofMinutes(1), time);
        if (borders == null) {
            coordinator = coordinators.apply(List.of());
            problem = "";
        }
    }

    public void add(ShardHandler handler) {
        lock.lock();
        try {
            handlers.add(handler);
            ShardCoordinator active = coordinator;
            if (active != null) {
                active.add(handler);
            }
        } finally {
            lock.unlock();
        }
    }

    public void remove(ShardHandler handler) {
        lock.lock();
        try {
            handlers.removeIf(each -> each == handler);
            ShardCoordinator active = coordinator;
            if (active != null) {
                active.remove(handler);
            }
        } finally {
            lock.unlock();
        }
    }

    public void start() {
        lock.lock();
        try {
            if (borders == null) {
                Objects.requireNonNull(coordinator).start();
            } else if (thread == null && !stopped) {
                NamespaceBorders agreed = borders;
                Thread looking =
                        Threads.daemon("shard-borders", () -> Threads.repeat(() -> look(agreed), this::failed));
                looking.start();
                thread = looking;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Gives all shards away, see {@link ShardCoordinator#stop}. */
    public void stop() {
        Thread looking;
        ShardCoordinator active;
        lock.lock();
        try {
            stopped = true;
            changed.signalAll();
            looking = thread;
            active = coordinator;
        } finally {
            lock.unlock();
        }
        if (borders != null) {
            borders.close();
        }
        if (active != null) {
            active.stop(false); // the thread may be stopping it already
        }
        if (looking != null
                && !Threads.join(looking, options.timing().requestTimeout().multipliedBy(4))) {
            LOG.warn("The thread that reads the borders of namespaces is still running");
        }
    }

    public boolean isAlive() {
        ShardCoordinator active = coordinator;
        lock.lock();
        try {
            boolean alive = thread == null || stopped || thread.isAlive();
            return alive && (active == null || active.isAlive());
        } finally {
            lock.unlock();
        }
    }

    public ShardingStatus status(String identity) {
        ShardCoordinator active = coordinator;
        if (active == null) {
            ShardingStatus.Ring nothing = new ShardingStatus.Ring(0, options.shards(), 0);
            return new ShardingStatus(
                    identity, options.shards(), Set.of(), nothing, ShardingStatus.Moves.NONE, problem);
        }
        ShardingStatus seen = active.status();
        String problems = Stream.of(problem, seen.problem())
                .filter(each -> !each.isEmpty())
                .collect(Collectors.joining("; "));
        return new ShardingStatus(
                seen.identity(), seen.count(), seen.shards(), seen.ring(), sum(former, seen.moves()), problems);
    }

    private static ShardingStatus.Moves sum(ShardingStatus.Moves one, ShardingStatus.Moves other) {
        return new ShardingStatus.Moves(
                one.acquired() + other.acquired(), one.released() + other.released(), one.lost() + other.lost());
    }

    /** Uses the borders that all replicas use; false after the stop. */
    private boolean look(NamespaceBorders store) throws InterruptedException {
        if (!isStopped()) {
            List<Long> agreed = store.agree(current);
            if (changing || !current.equals(Optional.of(agreed))) {
                use(agreed);
            } else if (isReviewDue()) {
                reviewedNanos = time.nanoTime();
                store.review(agreed);
            }
            problem = "";
        }
        return pause();
    }

    private boolean isStopped() {
        lock.lock();
        try {
            return stopped;
        } finally {
            lock.unlock();
        }
    }

    /** One replica reviews the borders. */
    private boolean isReviewDue() {
        ShardCoordinator active = coordinator;
        return time.nanoTime() - reviewedNanos >= Nanos.of(options.namespaceReview())
                && active != null
                && active.status().shards().contains(0);
    }

    private void use(List<Long> agreed) {
        ShardCoordinator before = coordinator;
        if (before != null) {
            if (!changing) {
                LOG.info(
                        "The borders of namespaces have changed; this replica gives its shards away and acquires others");
            }
            changing = true;
            problem = "the borders of namespaces have changed, and this replica gives its shards away";
            before.stop(true);
            if (!before.hasEnded()) {
                throw new IllegalStateException("the shards of the former ones are still being given away");
            }
        }
        divide.accept(agreed); // fails while a shard is held, and is repeated
        ShardCoordinator next = coordinators.apply(agreed);
        if (start(next, before)) {
            current = Optional.of(agreed);
            changing = false;
            reviewedNanos = time.nanoTime();
        } else {
            next.stop(false);
        }
    }

    /** Makes a coordinator the active one; false after the stop. */
    private boolean start(ShardCoordinator next, @Nullable ShardCoordinator before) {
        lock.lock();
        try {
            if (stopped) {
                return false;
            }
            handlers.forEach(next::add);
            former = before == null ? former : sum(former, before.status().moves());
            coordinator = next;
            next.start();
            return true;
        } finally {
            lock.unlock();
        }
    }

    private boolean pause() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long pause = Nanos.of(options.timing().retryPeriod());
            long end = time.nanoTime() + pause;
            for (long left = pause; left > 0 && !stopped; left = end - time.nanoTime()) {
                time.await(changed, left);
            }
            return !stopped;
        } finally {
            lock.unlock();
        }
    }

    private void failed(Throwable failure) {
        if (isStopped()) {
            return; // the stop ends what is in progress
        }
        boolean known = failure instanceof ApiException || failure instanceof IllegalStateException;
        String message = known ? Causes.message(failure) : Texts.of(failure);
        problem = "this replica cannot follow the borders of namespaces: " + message;
        failures.log(
                LogLimiter.cause(failure),
                occurrence -> LOG.warn("Sharding {}: {}{}", options.name(), problem, occurrence.suffix()));
        Thread.interrupted();
        try {
            pause();
        } catch (InterruptedException e) {
            LOG.debug("The wait for the borders of namespaces was interrupted", e);
        }
    }
}
