package io.github.reconciler4j.test.faults;

import io.github.reconciler4j.test.request.ServerRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A rule at work. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class ActiveFault implements AutoCloseable {
    private final FaultRule rule;
    private final Faults faults;
    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by {@code lock}. */
    private final Random dice;
    /** Guarded by {@code lock}. */
    private final List<Runnable> stalled = new ArrayList<>();
    /** Guarded by {@code lock}. */
    private long matched;
    /** Guarded by {@code lock}. */
    private long happened;
    /** Guarded by {@code lock}. */
    private boolean removed;

    ActiveFault(FaultRule rule, Faults faults) {
        this.rule = rule;
        this.faults = faults;
        dice = new Random(rule.seed());
    }

    /** Returns the rule. */
    public FaultRule rule() {
        return rule;
    }

    /** Returns how many requests or events it matched so far. */
    public long matched() {
        lock.lock();
        try {
            return matched;
        } finally {
            lock.unlock();
        }
    }

    /** Returns how often the fault happened so far. */
    public long happened() {
        lock.lock();
        try {
            return happened;
        } finally {
            lock.unlock();
        }
    }

    boolean strikes(ServerRequest request) {
        if (!rule.match().test(request)) {
            return false;
        }
        lock.lock();
        try {
            matched++;
            long turn = matched - rule.skip();
            if (removed || turn < 1 || turn % rule.nth() != 0 || happened >= rule.times()) {
                return false;
            }
            boolean strikes = rule.probability() >= 1 || dice.nextDouble() < rule.probability();
            if (strikes) {
                happened++;
            }
            return strikes;
        } finally {
            lock.unlock();
        }
    }

    /** Runs the task when the rule is removed, or now if it is; the server calls it for requests that stall. */
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

    /** Removes the rule; requests that stalled because of it go on. Calling it again does nothing. */
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
        faults.forget(this);
        waiting.forEach(Runnable::run);
    }
}
