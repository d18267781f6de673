package io.github.reconciler4j.controller.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.github.reconciler4j.source.RequestSource;
import io.github.reconciler4j.support.LogLimiter;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A source of one run of a controller. It can be closed while it starts, and then stops as soon as it has started. Once it
 * is closed its requests are ignored. Thread-safe.
 *
 * @param <R> the type of requests
 */
final class RunningSource<R> implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RunningSource.class);

    private final RequestSource<R> source;
    private final LogLimiter failures = new LogLimiter();
    private final SourceSink<R> sink;
    private final FutureTask<@Nullable Void> starting = new FutureTask<>(this::startOnce);
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private RequestSource.@Nullable Running running;

    /** Whether the source has enqueued what existed. */
    private volatile boolean synced;

    RunningSource(RequestSource<R> source, SourceSink<R> sink) {
        this.source = source;
        this.sink = sink;
    }

    RequestSource<R> source() {
        return source;
    }

    /** Start the source, or wait until another thread has; throw what the start threw. */
    void start() throws Exception {
        starting.run();
        try {
            starting.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Exception failure) {
                throw failure;
            }
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e;
        }
    }

    private @Nullable Void startOnce() throws Exception {
        RequestSource.Running started = source.start(sink);
        boolean tooLate;
        lock.lock();
        try {
            tooLate = !sink.isOpen();
            running = started;
        } finally {
            lock.unlock();
        }
        if (tooLate) {
            close(started);
        }
        return null;
    }

    /** Wait until the source, which has started, has enqueued what existed. */
    void awaitSync(Duration timeout) throws InterruptedException {
        RequestSource.Running started = running();
        if (started != null) {
            started.awaitSync(timeout);
        }
        synced = true;
    }

    boolean isSynced() {
        return synced;
    }

    /** Return what prevents the sync and requires action; {@code ""} if nothing does. */
    String notReadyReason() {
        RequestSource.Running started = running();
        return started == null || synced ? "" : ask(started::notReadyReason, "");
    }

    int undelivered() {
        RequestSource.Running started = running();
        return started == null ? 0 : ask(started::undelivered, 0);
    }

    boolean isAlive() {
        RequestSource.Running started = running();
        return started == null || ask(started::isAlive, true);
    }

    /** A source that cannot say how it is must not hide how the controller is. */
    private <T> T ask(Supplier<T> question, T otherwise) {
        try {
            return question.get();
        } catch (Throwable e) {
            failures.log(
                    LogLimiter.cause(e),
                    occurrence -> LOG.warn(
                            "Source {} could not report its state{}",
                            source.name(),
                            occurrence.suffix(e),
                            occurrence.trace(e)));
            return otherwise;
        }
    }

    private RequestSource.@Nullable Running running() {
        lock.lock();
        try {
            return running;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        RequestSource.Running started;
        lock.lock();
        try {
            sink.close();
            started = running;
        } finally {
            lock.unlock();
        }
        if (started != null) {
            close(started);
        }
    }

    /** A source that cannot close must keep neither the other sources nor the workers from ending. */
    private void close(RequestSource.Running started) {
        try {
            started.close();
        } catch (Throwable e) {
            failures.log(
                    LogLimiter.cause(e),
                    occurrence -> LOG.warn(
                            "Source {} could not close{}", source.name(), occurrence.suffix(e), occurrence.trace(e)));
        }
    }
}
