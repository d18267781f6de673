package io.github.reconciler4j.leaderelection.internal;

import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions;
import io.github.reconciler4j.leaderelection.LeaseTiming;
import io.github.reconciler4j.leaderelection.internal.Election.Step;
import io.github.reconciler4j.leaderelection.internal.Election.Step.Change;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Two candidates for one lease in memory, on a clock that the test advances. */
abstract class ElectionFixture {

    final ManualTimeSource clock = new ManualTimeSource();
    final FakeStore store = new FakeStore();
    final Candidate a = new Candidate("a", clock);
    final Candidate b = new Candidate("b", clock);

    final class Candidate implements Election.Listener {
        final LeaseFence fence;
        final Election election;
        final List<String> holders = new ArrayList<>();
        int slowPaths;
        int otherLeases;

        Candidate(String identity, TimeSource time) {
            fence = new LeaseFence(time, LeaseTiming.defaults().renewDeadline());
            election =
                    new Election(store, LeaderElectionOptions.named("lease"), identity, time, () -> 0.5, fence, this);
        }

        Step step() {
            Step step = election.step();
            if (step.change() == Change.ACQUIRED) {
                fence.grant();
            }
            return step;
        }

        /** Makes steps for as long as given, as the thread of the elector does. */
        Step stepFor(Duration duration) {
            Duration left = duration;
            Step step = step();
            while (step.change() == Change.NONE && left.compareTo(step.pause()) >= 0) {
                clock.advance(step.pause());
                left = left.minus(step.pause());
                step = step();
            }
            return step;
        }

        @Override
        public void slowPath() {
            slowPaths++;
        }

        @Override
        public void newHolder(String holder) {
            holders.add(holder);
        }

        @Override
        public int otherLeases() {
            return otherLeases;
        }
    }

    LeaseRecord record() {
        return store.record().orElseThrow();
    }
}
