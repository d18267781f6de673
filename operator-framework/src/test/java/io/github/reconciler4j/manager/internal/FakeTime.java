package io.github.reconciler4j.manager.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;

/** Time that passes only when a test says so. Waiting threads look every millisecond whether it has. */
final class FakeTime implements TimeSource {

    private final AtomicLong nanos = new AtomicLong();

    void advance(Duration duration) {
        nanos.addAndGet(duration.toNanos());
    }

    @Override
    public long nanoTime() {
        return nanos.get();
    }

    @Override
    public Instant now() {
        return Instant.EPOCH.plusNanos(nanos.get());
    }

    @Override
    public void await(Condition condition, long duration) throws InterruptedException {
        condition.await(Math.min(duration, TimeUnit.MILLISECONDS.toNanos(1)), TimeUnit.NANOSECONDS);
    }
}
