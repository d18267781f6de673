package io.github.reconciler4j.cache.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.cache.CacheSyncTimeoutException;
import io.github.reconciler4j.cache.ObjectListener;
import io.github.reconciler4j.cache.Subscription;
import io.github.reconciler4j.cache.internal.subscription.DefaultSubscription;
import io.github.reconciler4j.client.Discovery;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.RequestInterruptedException;
import io.github.reconciler4j.scheme.KindName;
import io.github.reconciler4j.support.Backoff;
import io.github.reconciler4j.support.LogLimiter;
import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.support.TimeSource;
import io.github.reconciler4j.support.internal.UserCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the API server serves an optional kind, and the subscriptions that follow that. While the kind is served, its watch
 * notices when that ends. Otherwise, the API server is asked periodically. One look after the other asks, carries out the changes and
 * notifies the listeners. Thread-safe.
 *
 * <p>{@code lock} is taken before the locks of {@link WatchedKind}. While it is held, subscriptions are started, which does not
 * wait, and none is closed, which does.
 */
final class KindPresence {

    private static final Logger LOG = LoggerFactory.getLogger(KindPresence.class);
    private static final Duration LONGEST_POLL = Duration.ofSeconds(10);

    /** How long listeners may take for the deletions of the objects of a kind that is not served any more. */
    private static final Duration DELIVERY = Duration.ofSeconds(10);

    private final WatchedKind watched;
    private final CacheContext context;
    private final Backoff backoff;
    private final TimedLooks looks;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private final List<Following<?>> following = new ArrayList<>();

    private volatile State state = State.UNKNOWN;
    private volatile boolean started;
    private volatile boolean closed;
    private volatile String problem = "";

    /** Since the last answer; for the thread that looks. */
    private int failures;

    /** Since the last notice that all listeners took; for the thread that looks. */
    private int refusals;

    private enum State {
        UNKNOWN,
        SERVED,
        ABSENT
    }

    KindPresence(WatchedKind watched, CacheContext context) {
        this.watched = watched;
        this.context = context;
        this.backoff = Backoff.of(
                        context.options().watch().backoffMin(),
                        context.options().watch().backoffMax())
                .withFullJitter();
        this.looks = new TimedLooks(
                context.timer(), "optional-" + watched.info().resource(), this::look, LONGEST_POLL, this::report);
    }

    /** Return whether the API server serves the kind; empty while that is not known. */
    Optional<Boolean> isServed() {
        State now = state;
        return now == State.UNKNOWN ? Optional.empty() : Optional.of(now == State.SERVED);
    }

    /** Return whether there is nothing to read: the kind is not served, or the cache was not started. */
    boolean isAbsent() {
        State now = state;
        return now == State.ABSENT || now == State.UNKNOWN && !started;
    }

    /** Start to ask whether the kind is served. Does nothing the second time. */
    void start() {
        lock.lock();
        try {
            if (started || closed) {
                return;
            }
            started = true;
        } finally {
            lock.unlock();
        }
        looks.lookAfter(Duration.ZERO);
    }

    /** Look soon if a watch has found that the kind is not served. Called by reflectors, under no lock. */
    void changed(KindStore store) {
        if (state == State.SERVED && !closed && KindReadiness.isMissing(store)) {
            looks.lookAfter(Duration.ZERO);
        }
    }

    private void report(Throwable failure) {
        context.log().log(
                LogLimiter.cause(failure),
                occurrence -> LOG.error(
                        "Could not follow whether the API server serves {}{}",
                        name(),
                        occurrence.suffix(failure),
                        occurrence.trace(failure)));
    }

    /** Ask whether the kind is served, do what follows, and return when to ask again; empty if a watch notices. */
    private Optional<Duration> look() throws InterruptedException {
        boolean served;
        KindName kind = watched.info().kind();
        Discovery discovery = context.reflectors().discovery();
        try {
            if (state != State.SERVED) {
                discovery.forget(kind); // the timer decides when to ask
            }
            served = discovery.find(kind).isPresent();
        } catch (RequestInterruptedException e) {
            throw e;
        } catch (ApiException e) {
            problem = String.valueOf(e.getMessage());
            LOG.debug("It is not known whether the API server serves {}: {}", name(), problem);
            return Optional.of(backoff.delay(++failures));
        }
        failures = 0;
        State before = state;
        become(served ? State.SERVED : State.ABSENT);
        if (served) {
            note(before, "The API server serves {} now; it is watched");
            return notifyAllOwed();
        }
        letGo();
        note(
                before,
                before == State.UNKNOWN
                        ? "The API server does not serve {}, which is optional; it is watched as soon as it is served"
                        : "The API server no longer serves {}; it is not watched until it is served again");
        Duration poll = poll();
        return notifyAllOwed().filter(retry -> retry.compareTo(poll) < 0).or(() -> Optional.of(poll));
    }

    /** Return when to look for a kind that is not served, as a reflector does. */
    private Duration poll() {
        Duration longest = context.options().watch().backoffMax();
        long bound = Nanos.of(longest.compareTo(LONGEST_POLL) < 0 ? longest : LONGEST_POLL);
        return Duration.ofNanos(bound / 2 + ThreadLocalRandom.current().nextLong(bound / 2 + 1));
    }

    /** Who waits for the state finds the subscriptions started. */
    private void become(State now) {
        lock.lock();
        try {
            state = now;
            if (now == State.SERVED && !closed) {
                following.forEach(Following::open);
            }
        } finally {
            changed.signalAll();
            lock.unlock();
        }
    }

    /** End what is left of a kind that is not served: subscriptions, after they have delivered deletions, and the watch. */
    private void letGo() throws InterruptedException {
        List<DefaultSubscription<?>> open = new ArrayList<>();
        lock.lock();
        try {
            for (Following<?> each : following) {
                DefaultSubscription<?> inner = each.inner;
                if (inner != null && !inner.isClosed()) {
                    open.add(inner);
                }
            }
        } finally {
            lock.unlock();
        }
        KindStore ended = open.isEmpty() ? null : watched.detach();
        try {
            if (ended != null) {
                ended.watches().watch(List::of);
            }
            awaitDelivered(open);
        } finally {
            open.forEach(DefaultSubscription::close);
            if (ended != null) {
                ended.close();
            }
            watched.release();
        }
    }

    private static void awaitDelivered(List<DefaultSubscription<?>> subscriptions) throws InterruptedException {
        long end = TimeSource.system().nanoTime() + Nanos.of(DELIVERY);
        for (DefaultSubscription<?> subscription : subscriptions) {
            Duration left =
                    Duration.ofNanos(Math.max(0, end - TimeSource.system().nanoTime()));
            if (!subscription.awaitDelivered(left)) {
                LOG.warn("A listener did not handle all deletions of a kind that is not served within {}", DELIVERY);
            }
        }
    }

    private void note(State before, String line) {
        boolean served = state == State.SERVED;
        if (before == state || before == State.UNKNOWN && served) {
            return;
        }
        LOG.info(line, name());
        if (before != State.UNKNOWN) {
            all().forEach(each -> each.owed = served);
        }
    }

    /** Notify the listeners that do not know the last change, and return when to try again with those that fail. */
    private Optional<Duration> notifyAllOwed() {
        boolean missed = false;
        for (Following<?> each : all()) {
            missed |= !each.notifyOwed();
        }
        refusals = missed ? refusals + 1 : 0;
        return missed ? Optional.of(backoff.delay(refusals)) : Optional.empty();
    }

    private List<Following<?>> all() {
        lock.lock();
        try {
            return List.copyOf(following);
        } finally {
            lock.unlock();
        }
    }

    private String name() {
        String cluster = watched.cluster();
        return watched.info().resource() + (cluster.isEmpty() ? "" : " in cluster " + cluster);
    }

    /**
     * Wait until it is known whether the kind is served; does not wait if the cache is not started or closed.
     *
     * @throws CacheSyncTimeoutException after the timeout
     */
    void awaitKnown(Duration timeout) {
        try {
            if (!isKnownWithin(timeout)) {
                throw unknown(timeout);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RequestInterruptedException("Interrupted while waiting for the cache of " + name());
        }
    }

    private CacheSyncTimeoutException unknown(Duration timeout) {
        return new CacheSyncTimeoutException("It is not known after " + timeout + " whether the API server serves "
                + name() + (problem.isEmpty() ? "" : ": " + problem));
    }

    private boolean isKnownWithin(Duration timeout) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = Nanos.of(timeout);
            while (state == State.UNKNOWN && started && !closed) {
                if (left <= 0) {
                    return false;
                }
                left = TimeSource.system().awaitNanos(changed, left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Start a subscription that lasts, whether the kind is served or not. */
    <T> Subscription subscribe(DefaultSubscription.View<T> view, String name, ObjectListener<T> listener) {
        Following<T> added = new Following<>(view, name, listener);
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("The cache is closed");
            }
            following.add(added);
            if (state == State.SERVED) {
                added.open();
            }
        } finally {
            lock.unlock();
        }
        return added;
    }

    /** Change nothing any more, and wake everybody who waits. */
    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        looks.close();
    }

    /** A subscription for as long as its user wants, with a real one inside while the kind is served. */
    private final class Following<T> implements Subscription {

        private final DefaultSubscription.View<T> view;
        private final String name;
        private final ObjectListener<T> listener;

        /** The last one; closed while the kind is not served. Written under the lock. */
        private volatile @Nullable DefaultSubscription<T> inner;

        private volatile boolean ended;

        /** Whether the kind is served, if the listener was not notified of that; null otherwise. */
        private @Nullable Boolean owed;

        Following(DefaultSubscription.View<T> view, String name, ObjectListener<T> listener) {
            this.view = view;
            this.name = name;
            this.listener = listener;
        }

        /** Called under the lock. */
        void open() {
            DefaultSubscription<T> last = inner;
            if (last == null || last.isClosed()) {
                inner = watched.subscribe(view, name, listener, false).subscription();
            }
        }

        /** Notify the listener if it is owed a notice, and return false if it fails. */
        boolean notifyOwed() {
            Boolean served = owed;
            if (served == null || ended || closed) {
                return true;
            }
            UserCall call = UserCall.enter(UserCall.Kind.LISTENER, name, watched.info());
            try {
                listener.onServedChange(served);
                owed = null;
                return true;
            } catch (Throwable e) {
                context.log().log(
                        name + " " + LogLimiter.cause(e),
                        occurrence -> LOG.error(
                                "Listener '{}' failed when it was notified that {} is {}, and is notified again{}",
                                name,
                                name(),
                                served ? "served" : "not served",
                                occurrence.suffix(e),
                                occurrence.trace(e)));
                return false;
            } finally {
                call.exit();
            }
        }

        @Override
        public boolean hasDeliveredInitial() {
            DefaultSubscription<T> open = inner;
            return isAbsent() || open != null && open.hasDeliveredInitial();
        }

        @Override
        public void awaitInitial(Duration timeout) throws InterruptedException {
            long end = TimeSource.system().nanoTime() + Nanos.of(timeout);
            if (!isKnownWithin(timeout)) {
                throw unknown(timeout);
            }
            DefaultSubscription<T> open = inner;
            if (open != null) {
                awaitInitial(
                        open,
                        Duration.ofNanos(Math.max(0, end - TimeSource.system().nanoTime())));
            }
            if (ended || closed) {
                throw new IllegalStateException("Subscription '" + name + "' is closed");
            }
        }

        private void awaitInitial(DefaultSubscription<T> open, Duration timeout) throws InterruptedException {
            try {
                open.awaitInitial(timeout);
            } catch (IllegalStateException e) {
                if (!open.isClosed()) {
                    throw e;
                }
                LOG.debug("{} is not served any more, so there is nothing to wait for", name());
            }
        }

        @Override
        public boolean isAlive() {
            DefaultSubscription<T> open = inner;
            return open == null || open.isAlive();
        }

        @Override
        public void close() {
            DefaultSubscription<T> open;
            lock.lock();
            try {
                ended = true;
                following.remove(this);
                open = inner;
            } finally {
                lock.unlock();
            }
            if (open != null) {
                open.close();
            }
        }
    }
}
