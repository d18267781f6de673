package io.github.reconciler4j.webhook.internal;

import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * What one call costs this module. Its algorithms count their steps here, and end soon after the call was interrupted, because its
 * time limit has passed. A call with a large review has a turn while this module works for it, but not while it waits for the code
 * of the operator, so that large reviews never take all processors. Used by the thread of the call.
 */
public final class CallWorkers implements AutoCloseable {

    /** A review with more bytes waits for a turn. */
    static final int LARGE = 64 * 1024;

    private static final int CHECK_INTERVAL = 1 << 12;

    private final @Nullable Semaphore turns;
    private boolean hasTurn;
    private long steps;
    private long nextCheck = CHECK_INTERVAL;

    private CallWorkers(@Nullable Semaphore turns) {
        this.turns = turns;
    }

    /** Create work that waits for no turn. */
    public static CallWorkers alone() {
        return new CallWorkers(null);
    }

    /**
     * Create work for a review, and wait for a turn if it is large.
     *
     * @param turns the turns of large reviews
     */
    static CallWorkers of(int bytes, Semaphore turns) throws InterruptedException {
        CallWorkers work = new CallWorkers(bytes > LARGE ? turns : null);
        work.takeTurn();
        return work;
    }

    /** The code of the operator, in a call. */
    @FunctionalInterface
    interface UserCode {
        void run() throws Exception;
    }

    /** Call code of the operator, which can wait for something. */
    void call(UserCode code) throws Exception {
        giveTurn();
        code.run();
        takeTurn();
    }

    /** Call code of the operator that returns something. */
    <T> T get(Callable<T> code) throws Exception {
        giveTurn();
        T result = code.call();
        takeTurn();
        return result;
    }

    private void takeTurn() throws InterruptedException {
        if (turns != null) {
            turns.acquire();
            hasTurn = true;
        }
    }

    private void giveTurn() {
        if (turns != null && hasTurn) {
            hasTurn = false;
            turns.release();
        }
    }

    /**
     * Count steps.
     *
     * @throws CancellationException if the thread was interrupted
     */
    void count(long number) {
        steps += number;
        if (steps >= nextCheck) {
            nextCheck = steps + CHECK_INTERVAL;
            if (Thread.currentThread().isInterrupted()) {
                throw new CancellationException("the time limit of the call has passed");
            }
        }
    }

    /** Return the number of steps so far. */
    long steps() {
        return steps;
    }

    /** Let the next large review have its turn. */
    @Override
    public void close() {
        giveTurn();
    }
}
