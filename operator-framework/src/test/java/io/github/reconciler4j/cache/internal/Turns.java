package io.github.reconciler4j.cache.internal;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Lets a thread of the code under test run when the thread of a test says so, and only one of the two at a time: the other one
 * waits. So a test with threads does the same each time.
 */
final class Turns {

    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    private final Semaphore test = new Semaphore(0);
    private final Semaphore other = new Semaphore(0);
    private volatile Place place = Place.NEW;
    private volatile boolean over;

    /** Where the other thread is. */
    enum Place {
        NEW,
        RUNNING,
        /** It has read which parts to select. */
        SELECTING,
        /** It has sent a request, or waits for the response. */
        REQUEST,
        /** It is reading a response, and nothing has arrived. */
        READING,
        /** It is writing into the store. */
        STORING,
        /** It sleeps until it is woken. */
        ASLEEP
    }

    Place place() {
        return place;
    }

    /** Wait at a place until it is the turn of the caller, which is the other thread. */
    void await(Place at) {
        if (over) {
            throw new IllegalStateException("The history has ended");
        }
        place = at;
        test.release();
        other.acquireUninterruptibly();
        if (over) {
            throw new IllegalStateException("The history has ended");
        }
    }

    /** Let the test continue because the other thread, which calls this, is about to sleep. */
    void asleep() {
        place = Place.ASLEEP;
        test.release();
    }

    /** Let the other thread run until it waits or sleeps. */
    void resume() {
        place = Place.RUNNING;
        other.release();
        awaitOther();
    }

    /** Run something that starts or wakes the other thread, and wait until that waits or sleeps. */
    void wake(Runnable action) {
        place = Place.RUNNING;
        action.run();
        awaitOther();
    }

    private void awaitOther() {
        try {
            if (!test.tryAcquire(TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError("the other thread did not come to a place where it waits");
            }
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    /** Let the other thread run without waiting any more; each place where it would have waited throws an exception. */
    void end() {
        over = true;
        other.release(1000);
    }
}
