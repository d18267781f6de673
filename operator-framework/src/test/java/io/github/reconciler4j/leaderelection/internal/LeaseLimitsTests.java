package io.github.reconciler4j.leaderelection.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions;
import io.github.reconciler4j.leaderelection.LeaseTiming;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Leases whose numbers are as large as a server accepts. */
class LeaseLimitsTests {

    private static final LeaseTiming TIMING = LeaseTiming.defaults();

    private final ManualTimeSource clock = new ManualTimeSource();
    private final FakeStore store = new FakeStore();
    private final LeaseFence fence = new LeaseFence(clock, TIMING.renewDeadline());
    private final Election election = new Election(
            store, LeaderElectionOptions.named("lease"), "me", clock, () -> 0.5, fence, new Election.Listener() {
                @Override
                public void slowPath() {}

                @Override
                public void newHolder(String holder) {}

                @Override
                public int otherLeases() {
                    return 0;
                }
            });

    /** Returns how long it takes to lead. */
    private Duration lead() {
        long start = clock.nanoTime();
        while (!fence.isOpen()) {
            Election.Step step = election.step();
            if (step.change() == Election.Step.Change.ACQUIRED) {
                fence.grant();
            } else {
                clock.advance(step.pause());
            }
            assertThat(clock.nanoTime() - start).isLessThan(Duration.ofHours(2).toNanos());
        }
        return Duration.ofNanos(clock.nanoTime() - start);
    }

    private void hold(String holder, int seconds, int transitions) {
        Instant now = clock.instant();
        store.overwrite(new LeaseRecord(holder, new LeaseRecord.Term(seconds, transitions), now, now));
    }

    @ParameterizedTest
    @CsvSource({"2147483646, 2147483647", "2147483647, 0", "-1, 0", "-2147483648, -2147483647"})
    void acquisitionWhenTransitionsAreAtALimitStoresANumberThatTheServerAccepts(int before, int after) {
        hold("", 1, before);
        lead();
        assertThat(store.record().orElseThrow().term().transitions()).isEqualTo(after);
        assertThat(store.record().orElseThrow().holder()).isEqualTo("me");
    }

    @ParameterizedTest
    @CsvSource({"2147483647", "2147483646", "3601"})
    void acquisitionWhenADeadHolderStatesDecadesWaitsForTheOwnDuration(int seconds) {
        hold("dead", seconds, 1);
        assertThat(lead())
                .isBetween(TIMING.leaseDuration(), TIMING.leaseDuration().multipliedBy(2));
    }

    @Test
    void acquisitionWhenADeadHolderStatesAnHourWaitsForIt() {
        hold("dead", 3600, 1);
        assertThat(lead()).isBetween(Duration.ofHours(1), Duration.ofHours(1).plus(TIMING.leaseDuration()));
    }

    @Test
    void leaseWhenItsDurationIsReplacedByDecadesIsKept() {
        hold("", 1, 1);
        lead();
        LeaseRecord mine = store.record().orElseThrow();
        hold("me", Integer.MAX_VALUE, Integer.MAX_VALUE);
        for (int i = 0; i < 20; i++) {
            assertThat(election.step().change()).isEqualTo(Election.Step.Change.NONE);
            clock.advance(TIMING.retryPeriod());
        }
        assertThat(fence.isOpen()).isTrue();
        assertThat(store.record().orElseThrow().term().seconds())
                .isEqualTo(mine.term().seconds());
    }
}
