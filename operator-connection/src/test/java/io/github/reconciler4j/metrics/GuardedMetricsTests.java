package io.github.reconciler4j.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.github.reconciler4j.fixtures.BrokenMetrics;
import io.github.reconciler4j.fixtures.CapturedLog;
import org.junit.jupiter.api.Test;

class GuardedMetricsTests {

    @Test
    void instrumentsWhenTheyThrowErrorsDoNotReachTheCaller() {
        BrokenMetrics broken = new BrokenMetrics();
        OperatorMetrics guarded = OperatorMetrics.guarded(broken);
        try (CapturedLog log = CapturedLog.of(GuardedMetrics.class.getPackageName())) {
            OperatorMetrics.Counter counter = guarded.counter("a_total", "help");
            for (int i = 0; i < 10; i++) {
                counter.increment();
            }
            guarded.histogram("b_seconds", "help", new double[] {1}).record(2);
            guarded.gauge("c", "help", () -> 3).close();
            assertThat(log.lines(Level.WARN)).as("one line for each metric").hasSize(3);
        }
        assertThat(broken.calls()).as("later calls still happen").isEqualTo(11);
    }

    @Test
    void guardedWhenNothingCanFailReturnsTheSame() {
        OperatorMetrics guarded = OperatorMetrics.guarded(new BrokenMetrics());
        assertThat(OperatorMetrics.guarded(OperatorMetrics.NONE)).isSameAs(OperatorMetrics.NONE);
        assertThat(OperatorMetrics.guarded(guarded)).isSameAs(guarded);
    }
}
