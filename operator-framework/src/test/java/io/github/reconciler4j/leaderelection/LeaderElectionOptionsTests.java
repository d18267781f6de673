package io.github.reconciler4j.leaderelection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LeaderElectionOptionsTests {

    @Test
    void timingWhenDefaultIsClientGos() {
        LeaseTiming timing = LeaseTiming.defaults();
        assertThat(timing.leaseDuration()).isEqualTo(Duration.ofSeconds(15));
        assertThat(timing.renewDeadline()).isEqualTo(Duration.ofSeconds(10));
        assertThat(timing.retryPeriod()).isEqualTo(Duration.ofSeconds(2));
        assertThat(timing.requestTimeout()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void timingWhenTimesAreInconsistentIsRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> LeaseTiming.of(Duration.ofSeconds(15), Duration.ofMillis(2400), Duration.ofSeconds(2)))
                .withMessageContaining("'renewDeadline' must be more than 1.2 times 'retryPeriod'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseTiming.of(Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofSeconds(2)))
                .withMessageContaining("'leaseDuration' must be longer than 'renewDeadline'");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> LeaseTiming.of(Duration.ofMillis(15_500), Duration.ofSeconds(10), Duration.ofSeconds(2)))
                .withMessageContaining("whole seconds");
    }

    @Test
    void requestTimeoutWhenDeadlineIsShortIsASecond() {
        LeaseTiming timing = LeaseTiming.of(Duration.ofSeconds(2), Duration.ofSeconds(1), Duration.ofMillis(200));
        assertThat(timing.requestTimeout()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void leaseNameWhenBlankIsRejected() {
        assertThatIllegalArgumentException().isThrownBy(() -> LeaderElectionOptions.named(" "));
    }
}
