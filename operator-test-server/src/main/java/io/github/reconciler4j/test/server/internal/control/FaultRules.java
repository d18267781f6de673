package io.github.reconciler4j.test.server.internal.control;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.test.faults.ActiveFault;
import io.github.reconciler4j.test.faults.FaultRule;
import io.github.reconciler4j.test.faults.Faults;
import io.github.reconciler4j.test.request.ServerRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;

/** The fault rules of a server, and whether they apply to a request. Safe for use by multiple threads. */
public final class FaultRules implements Faults {
    private final List<Active> active = new CopyOnWriteArrayList<>();

    @Override
    public ActiveFault add(FaultRule rule) {
        Active added = new Active(rule);
        active.add(added);
        return added;
    }

    @Override
    public void clear() {
        List.copyOf(active).forEach(ActiveFault::close);
    }

    /** Return the rule that applies to a request, if any. Call it once for each request. */
    public Optional<Active> onRequest(ServerRequest request) {
        return first(request, false);
    }

    /** Return the rule that applies to an event of a watch, if any. Call it once for each event. */
    public Optional<Active> onEvent(ServerRequest watchOfObject) {
        return first(watchOfObject, true);
    }

    private Optional<Active> first(ServerRequest request, boolean event) {
        for (Active candidate : active) {
            if (candidate.rule.fault().isAboutEvents() == event && candidate.applies(request)) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }

    /** A rule that was added and not yet removed. Safe for use by multiple threads. */
    public final class Active implements ActiveFault {
        private final FaultRule rule;
        private final ReentrantLock lock = new ReentrantLock();

        @GuardedBy("lock")
        private final Random random;

        @GuardedBy("lock")
        private final List<Runnable> stalled = new ArrayList<>();

        @GuardedBy("lock")
        private long matched;

        @GuardedBy("lock")
        private long injected;

        @GuardedBy("lock")
        private boolean removed;

        private Active(FaultRule rule) {
            this.rule = rule;
            random = new Random(rule.seed());
        }

        @Override
        public FaultRule rule() {
            return rule;
        }

        @Override
        public long matched() {
            lock.lock();
            try {
                return matched;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public long injected() {
            lock.lock();
            try {
                return injected;
            } finally {
                lock.unlock();
            }
        }

        private boolean applies(ServerRequest request) {
            if (!rule.match().test(request)) {
                return false;
            }
            lock.lock();
            try {
                matched++;
                long turn = matched - rule.skip();
                if (removed || turn < 1 || turn % rule.nth() != 0 || injected >= rule.times()) {
                    return false;
                }
                boolean applies = rule.probability() >= 1 || random.nextDouble() < rule.probability();
                if (applies) {
                    injected++;
                }
                return applies;
            } finally {
                lock.unlock();
            }
        }

        /** Run the task when the rule is removed, or now if it has been removed. For requests that stall. */
        public void whenRemoved(Runnable task) {
            lock.lock();
            try {
                if (!removed) {
                    stalled.add(task);
                    return;
                }
            } finally {
                lock.unlock();
            }
            task.run();
        }

        @Override
        public void close() {
            List<Runnable> waiting;
            lock.lock();
            try {
                removed = true;
                waiting = List.copyOf(stalled);
                stalled.clear();
            } finally {
                lock.unlock();
            }
            active.remove(this);
            waiting.forEach(Runnable::run);
        }
    }
}
