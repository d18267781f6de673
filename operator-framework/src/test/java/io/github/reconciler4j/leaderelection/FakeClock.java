package io.github.reconciler4j.leaderelection;

import java.time.Duration;
import java.time.Instant;

/** Time that passes only when a test says so, and chance that is always the same. For one thread. */
final class FakeClock implements ElectionClock {

    private long nanos;
    private Duration wallOffset = Duration.ZERO;
    double chance = 0.5;

    void advance(Duration duration) {
        nanos += duration.toNanos();
    }

    void jumpWall(Duration jump) {
        wallOffset = wallOffset.plus(jump);
    }

    @Override
    public long nanoTime() {
        return nanos;
    }

    @Override
    public Instant instant() {
        return Instant.parse("2026-01-01T00:00:00Z").plusNanos(nanos).plus(wallOffset);
    }

    @Override
    public double random() {
        return chance;
    }
}
