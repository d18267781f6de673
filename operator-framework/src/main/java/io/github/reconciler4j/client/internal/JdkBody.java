package io.github.reconciler4j.client.internal;

import io.fabric8.kubernetes.client.http.AsyncBody;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The bridge from fabric8's pushed body to a stream that is read. Asks for the next piece only while fewer than
 * {@value #PREFETCH} wait, so a slow reader slows the server down and little is held in memory.
 */
final class JdkBody extends AnswerBody implements AsyncBody.Consumer<List<ByteBuffer>> {

    private static final int PREFETCH = 4;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    /** Guarded by lock: pieces that arrived and were not read. */
    private final ArrayDeque<ByteBuffer> arrived = new ArrayDeque<>();
    /** Guarded by lock: whether a piece was asked for and has not come. */
    private boolean asked;
    /** Guarded by lock: whether the whole body has arrived. */
    private boolean complete;
    /** Guarded by lock: whether {@link #close} was called. */
    private boolean closed;
    /** Guarded by lock: why the body ended early. */
    private @Nullable Throwable failure;
    /** Guarded by lock: set once the headers are there. */
    private @Nullable AsyncBody body;

    private final Runnable onEnd;
    private volatile Duration idleTimeout = Duration.ZERO;
    /** Used by the reading thread only. */
    private ByteBuffer current = ByteBuffer.allocate(0);

    /**
     * Creates it.
     *
     * @param onEnd is called, maybe several times, when the body has ended in whatever way
     */
    JdkBody(Runnable onEnd) {
        this.onEnd = onEnd;
    }

    /** Takes the body once the headers are there, and asks for its first piece. */
    void start(AsyncBody newBody) {
        boolean cancel;
        lock.lock();
        try {
            body = newBody;
            cancel = closed;
            asked = true;
        } finally {
            lock.unlock();
        }
        if (cancel) {
            newBody.cancel();
            return;
        }
        newBody.done().whenComplete((nothing, error) -> end(error));
        newBody.consume();
    }

    @Override
    public void consume(List<ByteBuffer> pieces, AsyncBody from) {
        boolean more;
        lock.lock();
        try {
            if (!closed) {
                arrived.addAll(pieces);
            }
            more = !closed && arrived.size() < PREFETCH;
            asked = more;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (more) {
            from.consume();
        }
    }

    private void end(@Nullable Throwable error) {
        lock.lock();
        try {
            complete = true;
            failure = error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        onEnd.run();
    }

    @Override
    public void idleTimeout(Duration timeout) {
        idleTimeout = timeout;
    }

    @Override
    public int read() throws IOException {
        return fill(deadline()) ? current.get() & 0xFF : -1;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, to.length);
        if (length == 0) {
            return 0;
        }
        if (!fill(deadline())) {
            return -1;
        }
        int read = Math.min(length, current.remaining());
        current.get(to, offset, read);
        return read;
    }

    @Override
    public int available() {
        return current.remaining();
    }

    @Override
    byte[] readAll(long deadline) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream(2048);
        while (fill(deadline)) {
            if (current.hasArray()) {
                all.write(current.array(), current.arrayOffset() + current.position(), current.remaining());
                current.position(current.limit());
            } else {
                byte[] copy = new byte[current.remaining()];
                current.get(copy);
                all.write(copy, 0, copy.length);
            }
        }
        return all.toByteArray();
    }

    private long deadline() {
        Duration idle = idleTimeout;
        return idle.isZero() ? Long.MAX_VALUE : System.nanoTime() + idle.toNanos();
    }

    /** Makes {@link #current} hold at least one byte; false at the end of the body. */
    private boolean fill(long deadline) throws IOException {
        while (!current.hasRemaining()) {
            ByteBuffer next = next(deadline);
            if (next == null) {
                return false;
            }
            current = next;
        }
        return true;
    }

    private @Nullable ByteBuffer next(long deadline) throws IOException {
        ByteBuffer next;
        AsyncBody askNow = null;
        lock.lock();
        try {
            awaitPiece(deadline);
            next = arrived.poll();
            if (!asked && !complete && arrived.size() < PREFETCH) {
                asked = true;
                askNow = body;
            }
        } finally {
            lock.unlock();
        }
        if (askNow != null) {
            askNow.consume();
        }
        return next;
    }

    /** Waits, with the lock held, until there is a piece or the end; throws for every end but the good one. */
    private void awaitPiece(long deadline) throws IOException {
        while (true) {
            if (closed) {
                throw new IOException("The stream was closed");
            }
            if (!arrived.isEmpty()) {
                return;
            }
            if (complete) {
                if (failure != null) {
                    throw new IOException("The connection ended before the answer did", failure);
                }
                return;
            }
            awaitChange(deadline);
        }
    }

    private void awaitChange(long deadline) throws IOException {
        try {
            if (deadline == Long.MAX_VALUE) {
                changed.await();
                return;
            }
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                throw new SocketTimeoutException("No byte arrived in time");
            }
            changed.awaitNanos(Math.min(left, TimeUnit.DAYS.toNanos(1)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted while waiting for the next byte");
        }
    }

    @Override
    public void close() {
        AsyncBody cancel;
        lock.lock();
        try {
            cancel = complete ? null : body;
            closed = true;
            arrived.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (cancel != null) {
            cancel.cancel();
        }
        onEnd.run();
    }
}
