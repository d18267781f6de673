package io.github.reconciler4j.leaderelection.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Threads in virtual time, one at a time: a thread runs until it sleeps, then the one whose sleep ends first continues.
 * What happens depends on nothing but the code and its seeds. The thread that sleeps lets the next one continue, and runs the actions
 * before it, because a third thread between them would take longer than all that they compute.
 */
public final class Simulation {

    /** A thread that continues, or an action without a thread. */
    private record Event(
            long time,
            long order,
            @Nullable Semaphore wake,
            @Nullable Runnable action) {}

    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::time).thenComparingLong(Event::order));
    private final Semaphore over = new Semaphore(0);
    private final List<Thread> threads = new ArrayList<>();
    private final long end;
    private long now;
    private long order;
    private Runnable check = () -> {};
    private @Nullable Throwable failure;

    /** Thrown out of sleeps when the time is over. */
    public static final class Over extends Error {
        private static final long serialVersionUID = 1L;
    }

    /** Creates it for a length of virtual time. */
    public Simulation(Duration length) {
        end = length.toNanos();
    }

    /** The virtual time in nanoseconds. */
    public long now() {
        return now;
    }

    /** Adds a thread that starts after the delay. */
    public void spawn(Duration delay, Runnable body) {
        Event first = schedule(delay.toNanos(), null);
        Thread thread = new Thread(() -> {
            first.wake().acquireUninterruptibly();
            try {
                if (now < end) {
                    body.run();
                }
            } catch (Over e) {
                // The simulation has ended.
            } catch (RuntimeException | AssertionError e) {
                failure = new IllegalStateException("at " + Duration.ofNanos(now), e);
            }
            check();
            pass(null);
        });
        threads.add(thread);
        thread.start();
    }

    /** Adds an action that does not sleep. */
    public void at(Duration delay, Runnable action) {
        schedule(delay.toNanos(), action);
    }

    private Event schedule(long delay, @Nullable Runnable action) {
        Event event = new Event(now + Math.max(0, delay), order++, action == null ? new Semaphore(0) : null, action);
        events.add(event);
        return event;
    }

    /** Lets the others run for that long. */
    public void sleep(long nanos) {
        Event mine = schedule(nanos, null);
        check();
        if (!pass(mine)) {
            mine.wake().acquireUninterruptibly();
        }
        if (now >= end) {
            throw new Over();
        }
    }

    /** Runs until the end; the check is made before and after every turn of a thread. */
    public void run(Runnable check) throws InterruptedException {
        this.check = check;
        pass(null);
        over.acquire();
        for (Thread thread : threads) {
            thread.join();
        }
        if (failure instanceof RuntimeException exception) {
            throw exception;
        }
        if (failure instanceof Error error) {
            throw error;
        }
    }

    /** Runs actions until it is the turn of a thread, which continues. Returns whether it is the thread that calls. */
    private boolean pass(@Nullable Event mine) {
        while (!events.isEmpty()) {
            Event next = events.remove();
            now = next.time();
            check();
            if (next.action() == null) {
                if (next != mine) {
                    next.wake().release();
                }
                return next == mine;
            }
            attempt(next.action());
            check();
        }
        over.release();
        return false;
    }

    private void check() {
        attempt(check);
    }

    /** Not after a failure, which ends the simulation. */
    private void attempt(Runnable action) {
        if (failure != null) {
            now = Math.max(now, end);
        }
        if (now < end) {
            try {
                action.run();
            } catch (RuntimeException | Error e) {
                failure = e;
            }
        }
    }
}
