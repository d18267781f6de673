package io.github.reconciler4j.installer;

import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;

/** Counts how often the migration looks at the time. */
final class CountingTime implements TimeSource {
    private final ManualTimeSource time = new ManualTimeSource();
    private final AtomicLong looks = new AtomicLong();

    @Override
    public long nanoTime() {
        if (Thread.currentThread().getName().endsWith("-storage-migration")) {
            looks.incrementAndGet();
        }
        return time.nanoTime();
    }

    @Override
    public Instant instant() {
        return time.instant();
    }

    void advance(Duration by) {
        time.advance(by);
    }

    void awaitTwoLooks() {
        long before = looks.get();
        Awaitility.await("looks").atMost(Duration.ofSeconds(60)).until(() -> looks.get() >= before + 2);
    }
}
