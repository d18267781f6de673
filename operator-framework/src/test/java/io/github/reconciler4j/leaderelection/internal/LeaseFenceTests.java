package io.github.reconciler4j.leaderelection.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.fixtures.ManualTimeSource;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LeaseFenceTests {

    private static final Duration DEADLINE = Duration.ofSeconds(10);

    private final ManualTimeSource time = new ManualTimeSource();
    private final LeaseFence fence = new LeaseFence(time, DEADLINE);

    private void open() {
        fence.extend(time.nanoTime(), time.instant());
        fence.grant();
    }

    @Test
    void isOpenWhenTheMonotonicClockReachesTheDeadlineAndTheWallClockWasSetBackIsFalse() {
        open();
        time.jumpWallClock(Duration.ofSeconds(-5));
        time.advance(DEADLINE.minusNanos(1));
        assertThat(fence.isOpen()).isTrue();
        assertThat(fence.remaining()).isEqualTo(Duration.ofNanos(1));
        time.advance(Duration.ofNanos(1));
        assertThat(fence.isOpen()).isFalse();
        assertThat(fence.remaining()).isZero();
    }

    @Test
    void hasExpiredWhenOnlyTimeHasPassedIsTrue() {
        assertThat(fence.hasExpired()).as("before it was granted").isFalse();
        open();
        assertThat(fence.hasExpired()).as("while it is open").isFalse();
        time.advance(DEADLINE);
        assertThat(fence.hasExpired()).isTrue();
        fence.close();
        assertThat(fence.hasExpired()).as("after it was closed").isFalse();
    }
}
