package io.github.reconciler4j.leaderelection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.reconciler4j.leaderelection.LeaderElectionOptions.OnLost;
import io.github.reconciler4j.scheme.ObjectKey;
import java.time.Duration;
import java.util.Map;
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
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseTiming.of(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ZERO))
                .withMessage("'retryPeriod' must be positive, was PT0S");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> LeaseTiming.of(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(-2)))
                .withMessage("'retryPeriod' must be positive, was PT-2S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseTiming.of(
                        Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(Long.MAX_VALUE)))
                .withMessageContaining("'renewDeadline' must be more than 1.2 times 'retryPeriod'");
    }

    @Test
    void timingWhenTheLeaseLastsAYearIsTheLongest() {
        Duration year = Duration.ofDays(365);
        LeaseTiming longest = LeaseTiming.of(year, Duration.ofMillis(2401), Duration.ofSeconds(2));
        assertThat(longest.leaseDuration()).isEqualTo(year);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseTiming.of(year.plusSeconds(1), Duration.ofSeconds(10), Duration.ofSeconds(2)))
                .withMessage("'leaseDuration' must not be longer than PT8760H, was PT8760H1S");
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

    @Test
    void optionsWhenOnlyNamedHaveDefaults() {
        LeaderElectionOptions options = LeaderElectionOptions.named("lock");
        assertThat(options.leaseName()).isEqualTo("lock");
        assertThat(options.leaseNamespace()).isEmpty();
        assertThat(options.identity()).isEmpty();
        assertThat(options.labels()).isEmpty();
        assertThat(options.onLost()).isEqualTo(OnLost.SHUTDOWN);
        assertThat(options.releaseOnStop()).isTrue();
    }

    @Test
    void optionsWhenChangedKeepTheOtherValues() {
        LeaseTiming timing = LeaseTiming.of(Duration.ofSeconds(30), Duration.ofSeconds(20), Duration.ofSeconds(5));
        LeaderElectionOptions options = LeaderElectionOptions.named("lock")
                .withLabels(Map.of("team", "blue"))
                .withTiming(timing)
                .withOnLost(OnLost.REJOIN)
                .withReleaseOnStop(false)
                .withIdentity("me")
                .withLeaseNamespace("operators")
                .withLeaseName("other");
        assertThat(options.leaseName()).isEqualTo("other");
        assertThat(options.leaseNamespace()).isEqualTo("operators");
        assertThat(options.identity()).isEqualTo("me");
        assertThat(options.labels()).containsExactlyEntriesOf(Map.of("team", "blue"));
        assertThat(options.timing()).isSameAs(timing);
        assertThat(options.onLost()).isEqualTo(OnLost.REJOIN);
        assertThat(options.releaseOnStop()).isFalse();
        assertThat(options.toString()).contains("other", "operators", timing.toString());
        assertThat(timing.toString()).contains("PT30S", "PT20S", "PT5S");
    }

    @Test
    void statusWhenTimeRemainsIsLeading() {
        assertThat(status(Duration.ofSeconds(1)).leading()).isTrue();
        assertThat(status(Duration.ZERO).leading()).isFalse();
        assertThat(status(Duration.ZERO).identity()).isEqualTo("me");
    }

    private static LeaseStatus status(Duration remaining) {
        return new LeaseStatus(
                "", ObjectKey.of("operators", "lock"), "other", new LeaseStatus.Replica("me", remaining, true, ""));
    }
}
