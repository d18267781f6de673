package io.github.reconciler4j.controller.internal;

import io.github.reconciler4j.cache.CacheSyncTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Starts sources side by side, each on a thread of its own for the time of the start, so that one that hangs is found
 * out by name and does not hide what the others wait for.
 *
 * @param <R> what a request is
 */
final class SourceStarter<R> {

    /** How much longer than the timeout to wait for the sources' own explanation of why they are not ready. */
    private static final Duration EXPLANATION = Duration.ofSeconds(1);

    private final String controller;
    private final Duration timeout;
    private final BlockingQueue<Starting> ended = new LinkedBlockingQueue<>();

    SourceStarter(String controller, Duration timeout) {
        this.controller = controller;
        this.timeout = timeout;
    }

    /**
     * Starts all, as far as they have not started, and waits until all have told what was there.
     *
     * @throws CacheSyncTimeoutException after the timeout; the message names what is missing
     * @throws IllegalStateException if a source failed, which is the cause
     * @throws InterruptedException if the thread is interrupted
     */
    void startAndSync(List<ActiveSource<R>> sources) throws InterruptedException {
        startAll(sources, true);
    }

    /** Starts all as {@link #startAndSync} does, but does not wait for what they have to tell. */
    void start(List<ActiveSource<R>> sources) throws InterruptedException {
        startAll(sources, false);
    }

    private void startAll(List<ActiveSource<R>> sources, boolean sync) throws InterruptedException {
        long deadline = System.nanoTime() + Nanos.of(timeout);
        List<Starting> pending = new ArrayList<>();
        for (ActiveSource<R> source : sources) {
            pending.add(new Starting(source, deadline, sync));
        }
        try {
            pending.forEach(Starting::begin);
            awaitAll(pending, deadline);
        } finally {
            pending.forEach(Starting::abandon);
        }
    }

    private void awaitAll(List<Starting> pending, long deadline) throws InterruptedException {
        List<Starting> late = new ArrayList<>();
        while (!pending.isEmpty()) {
            long left = deadline + EXPLANATION.toNanos() - System.nanoTime();
            Starting source = ended.poll(Math.max(0, left), TimeUnit.NANOSECONDS);
            if (source == null) {
                break;
            }
            pending.remove(source);
            if (source.failure instanceof CacheSyncTimeoutException) {
                late.add(source);
            } else if (source.failure != null) {
                throw new IllegalStateException(
                        "Controller '" + controller + "' cannot start, source " + source.name() + " failed: "
                                + Failures.chain(source.failure),
                        source.failure);
            }
        }
        if (!late.isEmpty() || !pending.isEmpty()) {
            throw notReady(late, pending);
        }
    }

    private CacheSyncTimeoutException notReady(List<Starting> late, List<Starting> hanging) {
        List<String> missing = new ArrayList<>();
        CacheSyncTimeoutException first = null;
        for (Starting source : late) {
            missing.add(source.name() + " (" + (source.failure == null ? "" : source.failure.getMessage()) + ")");
            if (first == null && source.failure instanceof CacheSyncTimeoutException timedOut) {
                first = timedOut;
            }
        }
        hanging.forEach(source -> missing.add(source.name() + " (" + source.position() + ")"));
        CacheSyncTimeoutException notReady = new CacheSyncTimeoutException("Controller '" + controller
                + "' cannot start, after " + timeout + " it still waits for: " + String.join("; ", missing));
        if (first != null) {
            notReady.initCause(first);
        }
        return notReady;
    }

    /** One source being started. */
    private final class Starting {

        private final ActiveSource<R> source;
        private final long deadline;
        private final boolean sync;
        private final Thread thread;

        /** Written before this is put into the queue of those that ended, read after it was taken out. */
        private @Nullable Throwable failure;

        Starting(ActiveSource<R> source, long deadline, boolean sync) {
            this.source = source;
            this.deadline = deadline;
            this.sync = sync;
            this.thread = Threads.create("controller-" + controller + "-start-" + name(), this::run, false);
        }

        String name() {
            return source.source().name();
        }

        void begin() {
            thread.start();
        }

        private void run() {
            try {
                source.start();
                if (sync) {
                    source.awaitSync(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
                }
            } catch (Throwable e) {
                failure = e;
            } finally {
                ended.add(this);
            }
        }

        /** Where the source hangs, for a person to read. */
        String position() {
            StackTraceElement[] stack = thread.getStackTrace();
            return "its start does not return" + (stack.length == 0 ? "" : ", it is in " + stack[0]);
        }

        /** Ends the start if it is still going on. */
        void abandon() {
            thread.interrupt();
        }
    }
}
