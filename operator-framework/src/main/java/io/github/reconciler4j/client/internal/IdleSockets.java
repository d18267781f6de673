package io.github.reconciler4j.client.internal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Connections that wait for their next request, the one used last first. At most {@value #MOST}, none longer than 60
 * seconds. Safe for use by many threads.
 */
final class IdleSockets {

    /** An API server ends a connection that was idle for 90 seconds. */
    static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(60);

    private static final int MOST = 64;

    private final LongSupplier nanoTime;
    private final Executor later;
    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by lock. */
    private final ArrayDeque<HttpSocket> idle = new ArrayDeque<>();

    /** Guarded by lock: whether {@link #sweep} is going to run. */
    private boolean sweeping;

    /** Guarded by lock. */
    private boolean closed;

    IdleSockets() {
        this(System::nanoTime, CompletableFuture.delayedExecutor(LONGEST_NANOS, TimeUnit.NANOSECONDS, Runnable::run));
    }

    /**
     * Creates it.
     *
     * @param later runs a task after {@link #LONGEST_NANOS}
     */
    IdleSockets(LongSupplier nanoTime, Executor later) {
        this.nanoTime = nanoTime;
        this.later = later;
    }

    /** A connection that can be used, null for none. */
    @Nullable
    HttpSocket take() {
        while (true) {
            HttpSocket socket;
            lock.lock();
            try {
                socket = idle.pollFirst();
            } finally {
                lock.unlock();
            }
            if (socket == null) {
                return null;
            }
            if (nanoTime.getAsLong() - socket.idleSince() < LONGEST_NANOS && socket.isUsable()) {
                return socket;
            }
            socket.cut();
        }
    }

    /** Keeps a connection for later, or ends it. */
    void give(HttpSocket socket) {
        HttpSocket tooMuch = null;
        boolean begin = false;
        socket.idleSince(nanoTime.getAsLong());
        lock.lock();
        try {
            if (closed) {
                tooMuch = socket;
            } else {
                idle.addFirst(socket);
                tooMuch = idle.size() > MOST ? idle.pollLast() : null;
                begin = !sweeping;
                sweeping = true;
            }
        } finally {
            lock.unlock();
        }
        if (tooMuch != null) {
            tooMuch.cut();
        }
        if (begin) {
            later.execute(this::sweep);
        }
    }

    /** Ends those that waited for too long; a server that ends them leaves our half open. */
    private void sweep() {
        endOlderThan(nanoTime.getAsLong() - LONGEST_NANOS + 1);
        boolean again;
        lock.lock();
        try {
            again = !idle.isEmpty();
            sweeping = again;
        } finally {
            lock.unlock();
        }
        if (again) {
            later.execute(this::sweep);
        }
    }

    /** Ends those that were given back before a point in time. */
    void endOlderThan(long nanos) {
        List<HttpSocket> old = new ArrayList<>();
        lock.lock();
        try {
            HttpSocket oldest = idle.peekLast();
            while (oldest != null && oldest.idleSince() - nanos < 0) {
                old.add(idle.removeLast());
                oldest = idle.peekLast();
            }
        } finally {
            lock.unlock();
        }
        old.forEach(HttpSocket::cut);
    }

    /** Ends all of them, and those that are given back from now on. */
    void close() {
        List<HttpSocket> all;
        lock.lock();
        try {
            closed = true;
            all = new ArrayList<>(idle);
            idle.clear();
        } finally {
            lock.unlock();
        }
        all.forEach(HttpSocket::cut);
    }
}
