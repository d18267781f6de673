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
 * What happens depends on nothing but the code and its seeds.
 */
public final class Simulation {

    /** A thread that continues, or an action without a thread. */
    private record Event(
            long time, long order, Semaphore wake, @Nullable Runnable action) {}

    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::time).thenComparingLong(Event::order));
    private final Semaphore baton = new Semaphore(0);
    private final List<Thread> threads = new ArrayList<>();
    private final long end;
    private long now;
    private long order;
    private RuntimeException failure;

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
            baton.release();
        });
        threads.add(thread);
        thread.start();
    }

    /** Adds an action that does not sleep. */
    public void at(Duration delay, Runnable action) {
        schedule(delay.toNanos(), action);
    }

    private Event schedule(long delay, @Nullable Runnable action) {
        Event event = new Event(now + Math.max(0, delay), order++, new Semaphore(0), action);
        events.add(event);
        return event;
    }

    /** Lets the others run for that long. */
    public void sleep(long nanos) {
        Event event = schedule(nanos, null);
        baton.release();
        event.wake().acquireUninterruptibly();
        if (now >= end) {
            throw new Over();
        }
    }

    /** Runs until the end; the check is made after every turn of a thread. */
    public void run(Runnable check) throws InterruptedException {
        while (!events.isEmpty()) {
            Event next = events.remove();
            now = next.time();
            if (now < end && failure == null) {
                check.run();
            } else {
                now = Math.max(now, end);
            }
            Runnable action = next.action();
            if (action == null) {
                next.wake().release();
                baton.acquire();
            } else if (now < end && failure == null) {
                action.run();
            }
            if (now < end && failure == null) {
                check.run();
            }
        }
        for (Thread thread : threads) {
            thread.join();
        }
        if (failure != null) {
            throw failure;
        }
    }
}
