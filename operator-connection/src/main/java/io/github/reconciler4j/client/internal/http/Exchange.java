package io.github.reconciler4j.client.internal.http;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.support.Threads;
import io.github.reconciler4j.support.TimeSource;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A request under way and the means to end it. The calling thread does all the work; any thread may end it by closing the
 * channel, which ends every blocking operation on it.
 */
final class Exchange {

    /** The deadline of an exchange that may take any time. */
    static final long NEVER = Long.MAX_VALUE;

    private volatile long deadline;
    private volatile long connectDeadline = NEVER;
    private volatile @Nullable SocketChannel channel;
    private volatile boolean expired;
    private volatile boolean connectExpired;
    private volatile boolean aborted;

    /**
     * Create an exchange.
     *
     * @param deadline when to end it, in {@link System#nanoTime}; {@link #NEVER} for no limit
     */
    Exchange(long deadline) {
        this.deadline = deadline;
    }

    /** Return the next point in time at which the exchange must be ended. */
    long deadline() {
        long connecting = connectDeadline;
        return connecting == NEVER || deadline != NEVER && deadline - connecting < 0 ? deadline : connecting;
    }

    /** Remove the time limit. */
    void removeDeadline() {
        deadline = NEVER;
    }

    /** Set until when a connection must be open. */
    void connectUntil(long newDeadline) {
        connectDeadline = newDeadline;
    }

    /** Remove the time limit of opening a connection. */
    void connected() {
        connectDeadline = NEVER;
    }

    boolean isConnectExpired() {
        return connectExpired;
    }

    /** Set the channel that the exchange uses from now on. An exchange that has ended closes it at once. */
    void use(SocketChannel newChannel) {
        channel = newChannel;
        if (expired || connectExpired || aborted) {
            close(newChannel);
        }
    }

    /** End the exchange if its time is up. */
    void expire(long now) {
        long limit = deadline;
        if (limit != NEVER && limit - now <= 0) {
            expired = true;
        } else if (connectDeadline != NEVER) {
            connectExpired = true;
        } else {
            return; // the limit has been removed meanwhile
        }
        closeChannel();
    }

    /** End the exchange because its response is not needed anymore. */
    void abort() {
        aborted = true;
        closeChannel();
    }

    boolean isAborted() {
        return aborted;
    }

    /**
     * Throw the reason why the exchange ended, if it did.
     *
     * @throws SocketTimeoutException if its time is up
     * @throws InterruptedIOException if the thread is interrupted; an interrupt closes the channel too
     */
    void check() throws IOException {
        if (expired) {
            throw new SocketTimeoutException("The time limit of the request has passed");
        }
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException("Interrupted while waiting for the server");
        }
    }

    private void closeChannel() {
        SocketChannel current = channel;
        if (current != null) {
            close(current);
        }
    }

    /** Close a channel; never blocks. */
    static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            // It is closed nevertheless.
        }
    }

    /**
     * The exchanges under way. Expires those whose time is up, and aborts all of them at the end. A socket limits the wait for one
     * byte only; this limits a request as a whole, at every point where it may block: in a handshake, in a write, or in a response that arrives
     * byte by byte.
     *
     * <p>Checks run on the thread of {@link Threads#runLater}, on which no code of the application runs that could delay them. A check is
     * scheduled for the earliest deadline only, so a request usually schedules nothing: its deadline is later than that of one before it.
     */
    static final class Deadlines {

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
}
