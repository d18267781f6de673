package io.github.reconciler4j.controller.internal;

import io.github.reconciler4j.cache.CacheSyncTimeoutException;
import io.github.reconciler4j.source.RequestSource;
import io.github.reconciler4j.support.Nanos;
import io.github.reconciler4j.support.Threads;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Starts sources concurrently, each on its own thread until it has started, so that one that hangs is known by name and
 * does not hide what the others wait for.
 *
 * @param <R> the type of requests
 */
final class SourceStarter<R> {

    /** How much longer than the timeout to wait, so that sources can report themselves why they are not ready. */
    private static final Duration REPORT = Duration.ofSeconds(1);

    private final String controller;
    private final String cluster;
    private final Duration timeout;
    private final BlockingQueue<Starting> ended = new LinkedBlockingQueue<>();

    SourceStarter(String controller, String cluster, Duration timeout) {
        this.controller = controller;
        this.cluster = cluster;
        this.timeout = timeout;
    }

    /**
     * Start all sources that have not started, and wait until all have enqueued what existed. Those of other clusters are not
     * waited for, so that a cluster that is away does not affect the others.
     *
     * @throws CacheSyncTimeoutException after the timeout; the message names what is missing
     * @throws IllegalStateException if a source failed, which is the cause
     * @throws InterruptedException if the thread is interrupted
     */
    void startAndSync(List<RunningSource<R>> sources) throws InterruptedException {
        startAll(sources, true);
    }

    /** Start all sources as {@link #startAndSync} does, but do not wait for their sync. */
    void start(List<RunningSource<R>> sources) throws InterruptedException {
        startAll(sources, false);
    }

    private void startAll(List<RunningSource<R>> sources, boolean sync) throws InterruptedException {
        long deadline = TimeSource.system().nanoTime() + Nanos.of(timeout);
        List<Starting> pending = new ArrayList<>();
        for (RunningSource<R> source : sources) {
            pending.add(new Starting(source, deadline, sync && isAwaited(source.source())));
        }
        try {
            pending.forEach(Starting::start);
            awaitAll(pending, deadline);
        } finally {
            pending.forEach(Starting::abandon);
        }
    }

    private boolean isAwaited(RequestSource<R> source) {
        return source.cluster().isEmpty() || source.cluster().equals(cluster);
    }

    private void awaitAll(List<Starting> pending, long deadline) throws InterruptedException {
        List<String> missing = new ArrayList<>();
        CacheSyncTimeoutException first = null;
        while (!pending.isEmpty()) {
            long left = deadline + REPORT.toNanos() - TimeSource.system().nanoTime();
            Starting source = TimeSource.system().poll(ended, Math.max(0, left));
            if (source == null) {
                break;
            }
            pending.remove(source);
            if (source.failure instanceof CacheSyncTimeoutException late) {
                missing.add(source.name() + " (" + late.getMessage() + ")");
                first = first == null ? late : first;
            } else if (source.failure != null) {
                throw new IllegalStateException(
                        "Controller '" + controller + "' cannot start: source " + source.name() + " failed: "
                                + Failures.chain(source.failure),
                        source.failure);
            }
        }
        pending.forEach(source -> missing.add(source.name() + " (" + source.position() + ")"));
        if (!missing.isEmpty()) {
            throw notReady(missing, first);
        }
    }

    private CacheSyncTimeoutException notReady(List<String> missing, @Nullable CacheSyncTimeoutException first) {
        CacheSyncTimeoutException notReady = new CacheSyncTimeoutException("Controller '" + controller
                + "' cannot start: after " + timeout + " it still waits for " + String.join("; ", missing));
        if (first != null) {
            notReady.initCause(first);
        }
        return notReady;
    }

    /** One source being started. */
    private final class Starting {

        private final RunningSource<R> source;
        private final long deadline;
        private final boolean sync;
        private final Thread thread;

        /** Written before this is added to the queue of ended starts, read after it was taken from it. */
        private @Nullable Throwable failure;

        Starting(RunningSource<R> source, long deadline, boolean sync) {
            this.source = source;
            this.deadline = deadline;
            this.sync = sync;
            this.thread = Threads.daemon("controller-" + controller + "-start-" + name(), this::run, this::died);
        }

        String name() {
            return source.source().name();
        }

        void start() {
            thread.start();
        }

        private void run() {
            try {
                source.start();
                if (sync) {
                    source.awaitSync(Duration.ofNanos(
                            Math.max(0, deadline - TimeSource.system().nanoTime())));
                }
            } catch (Throwable e) {
                failure = e;
            } finally {
                ended.add(this);
            }
        }

        private void died(Throwable e) {
            failure = e;
            ended.add(this);
        }

        /** Return where the source hangs. */
        String position() {
            StackTraceElement[] stack = thread.getStackTrace();
            return "its start does not return" + (stack.length == 0 ? "" : ", it is in " + stack[0]);
        }

        /** Interrupt the start if it is still in progress. */
        void abandon() {
            thread.interrupt();
        }
    }
}
