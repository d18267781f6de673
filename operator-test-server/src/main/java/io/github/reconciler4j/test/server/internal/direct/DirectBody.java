package io.github.reconciler4j.test.server.internal.direct;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The body of a response between the thread that writes it and the one that reads it. It ends as a connection does: in order, or
 * with an exception after the bytes that had been sent. Safe for use by multiple threads.
 */
public final class DirectBody extends InputStream {
    /** How much is kept for a reader that is slow, as in the buffer of a connection. */
    private static final int MAX_BUFFERED = 64 * 1024;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Runnable onRoom;
    private final Runnable onClose;

    @GuardedBy("lock")
    private final Deque<byte[]> chunks = new ArrayDeque<>();

    @GuardedBy("lock")
    private int start;

    @GuardedBy("lock")
    private int buffered;

    @GuardedBy("lock")
    private boolean ended;

    @GuardedBy("lock")
    private boolean closed;

    @GuardedBy("lock")
    private @Nullable String failure;

    @GuardedBy("lock")
    private Duration idleTimeout = Duration.ZERO;

    /**
     * Create an empty body.
     *
     * @param onRoom called after the reader has made room for more
     * @param onClose called when the reader closes it
     */
    DirectBody(Runnable onRoom, Runnable onClose) {
        this.onRoom = onRoom;
        this.onClose = onClose;
    }

    /** Create a body that is complete. */
    static DirectBody of(List<byte[]> parts) {
        DirectBody body = new DirectBody(() -> {}, () -> {});
        parts.forEach(body::add);
        body.end();
        return body;
    }

    /** Create a body that breaks off in the middle. */
    static DirectBody ofHalf(List<byte[]> parts) {
        DirectBody body = new DirectBody(() -> {}, () -> {});
        int length = parts.stream().mapToInt(part -> part.length).sum();
        int left = length / 2;
        for (byte[] part : parts) {
            body.add(Arrays.copyOf(part, Math.min(left, part.length)));
            left -= Math.min(left, part.length);
        }
        body.fail("The connection ended after " + length / 2 + " of " + length + " bytes of the response");
        return body;
    }

    void add(byte[] bytes) {
        lock.lock();
        try {
            if (bytes.length > 0 && !ended) {
                chunks.add(bytes);
                buffered += bytes.length;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    boolean hasRoom() {
        lock.lock();
        try {
            return !ended && buffered < MAX_BUFFERED;
        } finally {
            lock.unlock();
        }
    }

    /** End it after what has been added. */
    void end() {
        end(null);
    }

    /** Let the reader fail after what has been added. */
    void fail(String message) {
        end(message);
    }

    private void end(@Nullable String message) {
        lock.lock();
        try {
            if (!ended) {
                ended = true;
                failure = message;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Set how long one read may wait, zero for no limit. */
    public void idleTimeout(Duration timeout) {
        lock.lock();
        try {
            idleTimeout = timeout;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    /**
     * Read what is there.
     *
     * @throws SocketTimeoutException if nothing arrived in time
     * @throws InterruptedIOException if the thread is interrupted; its interrupt flag is set
     * @throws IOException if it was closed, or if the server cut the connection
     */
    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, to.length);
        if (length == 0) {
            return 0;
        }
        boolean hasRoomAgain;
        int count;
        lock.lock();
        try {
            await();
            if (chunks.isEmpty()) {
                return -1;
            }
            boolean wasFull = buffered >= MAX_BUFFERED;
            count = take(to, offset, length);
            hasRoomAgain = wasFull && buffered < MAX_BUFFERED;
        } finally {
            lock.unlock();
        }
        if (hasRoomAgain) {
            onRoom.run();
        }
        return count;
    }

    /** Wait for bytes or the end. */
    @GuardedBy("lock")
    private void await() throws IOException {
        long left = idleTimeout.isZero() ? Long.MAX_VALUE : idleTimeout.toNanos();
        while (!closed && chunks.isEmpty() && !ended) {
            try {
                left = changed.awaitNanos(left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("Interrupted while reading");
            }
            if (left <= 0 && chunks.isEmpty() && !ended) {
                throw new SocketTimeoutException("No byte in time");
            }
        }
        if (closed) {
            throw new SocketException("The response has been closed");
        }
        if (chunks.isEmpty() && failure != null) {
            throw new SocketException(failure);
        }
    }

    @GuardedBy("lock")
    private int take(byte[] to, int offset, int length) {
        byte[] first = chunks.element();
        int count = Math.min(length, first.length - start);
        System.arraycopy(first, start, to, offset, count);
        start += count;
        buffered -= count;
        if (start == first.length) {
            chunks.remove();
            start = 0;
        }
        return count;
    }

    @Override
    public int available() {
        lock.lock();
        try {
            return buffered;
        } finally {
            lock.unlock();
        }
    }

    /** End the response. Never blocks and never throws. */
    @Override
    public void close() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            ended = true;
            chunks.clear();
            buffered = 0;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        onClose.run();
    }
}
