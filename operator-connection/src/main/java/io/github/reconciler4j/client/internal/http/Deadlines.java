package io.github.reconciler4j.client.internal.http;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.support.Threads;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The exchanges under way. Expires those whose time is up, and aborts all of them at the end. A socket limits the wait for one
 * byte only; this limits a request as a whole, at every point where it may block: in a handshake, in a write, or in a response that arrives
 * byte by byte.
 *
 * <p>Checks run on the thread of {@link Threads#runLater}, on which no code of the application runs that could delay them. A check is
 * scheduled for the earliest deadline only, so a request usually schedules nothing: its deadline is later than that of one before it.
 */
final class Deadlines {

    private final Set<Exchange> active = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();

    /** The time of the earliest check that is scheduled. */
    private volatile long nextCheck = Exchange.NEVER;

    private volatile boolean closed;

    @GuardedBy("lock")
    private long scheduled = Exchange.NEVER;

    /** Add an exchange; aborts it if this has been closed. */
    void add(Exchange exchange) {
        active.add(exchange);
        if (closed) {
            exchange.abort();
        }
        if (isBefore(exchange.deadline(), nextCheck)) {
            schedule(exchange.deadline());
        }
    }

    /** Set until when an exchange must have opened a connection. */
    void limit(Exchange exchange, long connectDeadline) {
        exchange.connectUntil(connectDeadline);
        add(exchange);
    }

    void remove(Exchange exchange) {
        active.remove(exchange);
    }

    /** Abort all exchanges, and those to come. */
    void close() {
        closed = true;
        active.forEach(Exchange::abort);
    }

    private void schedule(long time) {
        lock.lock();
        try {
            if (!isBefore(time, scheduled)) {
                return;
            }
            scheduled = time;
            nextCheck = time;
        } finally {
            lock.unlock();
        }
        long delay = Math.max(0, time - TimeSource.system().nanoTime());
        boolean waits = false;
        try {
            Threads.runLater(() -> check(time), Duration.ofNanos(delay));
            waits = true;
        } finally {
            if (!waits) { // no thread can be created; the next exchange tries again
                unschedule(time);
            }
        }
    }

    private void unschedule(long time) {
        lock.lock();
        try {
            if (scheduled == time) {
                scheduled = Exchange.NEVER;
                nextCheck = Exchange.NEVER;
            }
        } finally {
            lock.unlock();
        }
    }

    private void check(long time) {
        unschedule(time);
        long now = TimeSource.system().nanoTime();
        long earliest = Exchange.NEVER;
        for (Exchange exchange : active) {
            long deadline = exchange.deadline();
            if (deadline != Exchange.NEVER && deadline - now <= 0) {
                exchange.expire(now);
            } else if (isBefore(deadline, earliest)) {
                earliest = deadline;
            }
        }
        if (earliest != Exchange.NEVER) {
            schedule(earliest);
        }
    }

    private static boolean isBefore(long time, long other) {
        return time != Exchange.NEVER && (other == Exchange.NEVER || time - other < 0);
    }
}
