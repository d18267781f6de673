package io.github.reconciler4j.leaderelection.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.Semaphore;

/**
 * Threads in virtual time, one at a time: a thread runs until it sleeps, then the one whose sleep ends first continues.
 * What happens depends on nothing but the code and its seeds.
 */
final class Simulation {

    private record Event(long time, long order, Semaphore wake) {}

    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::time).thenComparingLong(Event::order));
    private final Semaphore baton = new Semaphore(0);
    private final List<Thread> threads = new ArrayList<>();
    private final long end;
    private long now;
    private long order;
    private RuntimeException failure;

    /** Thrown out of sleeps when the time is over. */
    static final class Over extends Error {
        private static final long serialVersionUID = 1L;
    }

    Simulation(Duration length) {
        end = length.toNanos();
    }

    long now() {
        return now;
    }

    /** Adds a thread that starts after the delay. */
    void spawn(Duration delay, Runnable body) {
        Event first = schedule(delay.toNanos());
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

    private Event schedule(long delay) {
        Event event = new Event(now + Math.max(0, delay), order++, new Semaphore(0));
        events.add(event);
        return event;
    }

    /** Lets the others run for that long. */
    void sleep(long nanos) {
        Event event = schedule(nanos);
        baton.release();
        event.wake().acquireUninterruptibly();
        if (now >= end) {
            throw new Over();
        }
    }

    /** Runs until the end; the check is made after every turn of a thread. */
    void run(Runnable check) throws InterruptedException {
        while (!events.isEmpty()) {
            Event next = events.remove();
            now = next.time();
            if (now < end && failure == null) {
                check.run();
            } else {
                now = Math.max(now, end);
            }
            next.wake().release();
            baton.acquire();
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
