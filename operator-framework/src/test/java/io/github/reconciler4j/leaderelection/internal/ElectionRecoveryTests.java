package io.github.reconciler4j.leaderelection.internal;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.leaderelection.internal.Election.Step;
import io.github.reconciler4j.leaderelection.internal.Election.Step.Change;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How an election continues after failed requests, pauses and edits by other clients. */
class ElectionRecoveryTests extends ElectionFixture {

    private static final Duration RETRY = Duration.ofSeconds(2);
    private static final Duration DEADLINE = Duration.ofSeconds(10);

    private void failOneRenewal() {
        clock.advance(RETRY);
        store.down = true;
        assertThat(a.step().change()).isEqualTo(Change.NONE);
        store.down = false;
        clock.advance(RETRY);
    }

    private void assertLosesByAPauseWithoutAnEarlierFailure() {
        clock.advance(DEADLINE);
        Step step = a.step();
        assertThat(step.change()).isEqualTo(Change.LOST);
        assertThat(step.reason()).isEqualTo("it could not be renewed within 10 s");
    }

    @Test
    void reasonWhenARenewalSucceededAfterAFailureDoesNotNameTheFailure() {
        a.step();
        failOneRenewal();
        assertThat(a.step().change()).isEqualTo(Change.NONE);
        assertLosesByAPauseWithoutAnEarlierFailure();
    }

    @Test
    void reasonWhenAReadAndARenewalSucceededAfterAFailureDoesNotNameTheFailure() {
        a.step();
        failOneRenewal();
        store.overwrite(record().renewed("a", 15, clock.instant()));
        assertThat(a.step().change()).isEqualTo(Change.NONE);
        assertThat(a.slowPaths).isEqualTo(1);
        assertLosesByAPauseWithoutAnEarlierFailure();
    }

    @Test
    void reasonWhenTheLeaseWasCreatedAgainAfterAFailureDoesNotNameTheFailure() {
        a.step();
        failOneRenewal();
        store.delete();
        assertThat(a.step().change()).isEqualTo(Change.NONE);
        assertLosesByAPauseWithoutAnEarlierFailure();
    }

    /** The API server was away, and no other replica has led since. */
    @Test
    void stepWhenItsUnchangedLeaseWasLostAcquiresItAtOnce() {
        a.step();
        clock.advance(RETRY);
        a.step();
        LeaseRecord before = record();
        store.down = true;
        clock.advance(RETRY);
        a.step();
        clock.advance(DEADLINE);
        assertThat(a.step().change()).isEqualTo(Change.LOST);
        store.down = false;
        assertThat(a.step().change()).isEqualTo(Change.ACQUIRED);
        assertThat(record().term()).isEqualTo(before.term());
        assertThat(a.fence.isOpen()).isTrue();
    }

    /** A backup of the lease was restored: the other may still lead. */
    @Test
    void stepWhenItsLeaseWasLostAndHadAnotherHolderSinceWaits() {
        a.step();
        LeaseRecord before = record();
        failOneRenewal();
        clock.advance(DEADLINE);
        assertThat(a.step().change()).isEqualTo(Change.LOST);
        store.overwrite(before.acquired("b", 15, clock.instant()));
        assertThat(a.step().change()).isEqualTo(Change.NONE);
        clock.advance(RETRY);
        store.overwrite(before);
        assertThat(a.step().change()).isEqualTo(Change.NONE);
    }

    @Test
    void stepWhenLeaseIsDeletedCreatesItWithItsTermAndAcquireTime() {
        b.step();
        b.election.release();
        a.step();
        Instant acquired = record().acquireTime();
        store.delete();
        clock.advance(RETRY);
        a.step();
        assertThat(record().acquireTime()).isEqualTo(acquired);
        assertThat(record().term().transitions()).isEqualTo(1);
    }

    /** Others may have declared this replica dead, worked, and deleted the lease. Its monotonic clock does not know. */
    @Test
    void stepWhenLeaseIsDeletedWhileTheMachineIsSuspendedLoses() {
        a.step();
        a.fence.grant();
        clock.jumpWallClock(DEADLINE);
        store.delete();
        clock.advance(RETRY);

        Step step = a.step();
        assertThat(step.change()).isEqualTo(Change.LOST);
        assertThat(step.reason())
                .isEqualTo("it was deleted after it had expired by the wall clock, so another replica may have led");
        assertThat(a.fence.isOpen()).isFalse();
        clock.advance(RETRY);
        assertThat(a.step().change()).as("it campaigns again").isEqualTo(Change.NONE);
    }

    @Test
    void fenceWhenTheRenewalWasAppliedButAnsweredAsAConflictCountsFromThatRenewal() {
        a.step();
        clock.advance(RETRY);
        store.repeatsUpdate = true;
        int renewalAndRead = store.timeouts.size() + 2;
        store.onRequest = () -> store.down = store.timeouts.size() > renewalAndRead;
        assertThat(a.step().change()).isEqualTo(Change.NONE);
        assertThat(store.timeouts).hasSize(renewalAndRead + 1);
        assertThat(a.fence.remaining()).isEqualTo(DEADLINE);
    }

    @Test
    void fenceWhenReadFindsAnOlderRenewalDoesNotCountFromTheFailedOne() {
        a.step();
        clock.advance(RETRY);
        store.overwrite(record().renewed("a", 15, clock.instant().minusSeconds(1)));
        int renewalAndRead = store.timeouts.size() + 2;
        store.onRequest = () -> store.down = store.timeouts.size() > renewalAndRead;
        assertThat(a.step().change()).isEqualTo(Change.NONE);
        assertThat(a.fence.remaining()).isEqualTo(DEADLINE.minus(RETRY));
    }

    /** One request is refused, one reads, and one renews. */
    @Test
    void stepWhenAnotherClientHasEditedTheLeaseRenewsItAtOnce() {
        a.step();
        clock.advance(RETRY);
        store.overwrite(record());
        store.timeouts.clear();
        Step step = a.step();
        assertThat(step.change()).isEqualTo(Change.NONE);
        assertThat(step.pause()).isEqualTo(RETRY);
        assertThat(store.timeouts).hasSize(3);
        assertThat(record().renewTime()).isEqualTo(clock.instant());
        assertThat(a.fence.remaining()).isEqualTo(DEADLINE);
        clock.advance(RETRY);
        store.timeouts.clear();
        a.step();
        assertThat(store.timeouts).as("it knows the version").hasSize(1);
    }

    /** The election notices the deadline when it comes, and not a retry period later. */
    @Test
    void stepWhenEachRequestTakesTimeAndFailsLosesAtTheDeadline() {
        a.step();
        store.down = true;
        store.onRequest = () -> clock.advance(Duration.ofMillis(700));
        clock.advance(RETRY);
        Step step = a.stepFor(Duration.ofSeconds(30));
        assertThat(step.change()).isEqualTo(Change.LOST);
        assertThat(clock.nanoTime()).isEqualTo(DEADLINE.toNanos());
    }

    @Test
    void reasonWhenRenewalsConflictUntilTheDeadlineNamesTheConflict() {
        a.step();
        int[] requests = {0};
        store.onRequest = () -> {
            requests[0]++;
            store.overwrite(record());
        };
        clock.advance(RETRY);
        Step step = a.stepFor(Duration.ofSeconds(30));
        assertThat(step.change()).isEqualTo(Change.LOST);
        assertThat(step.reason()).isEqualTo("it could not be renewed within 10 s: conflict");
        assertThat(requests[0]).as("the bound").isLessThanOrEqualTo(5 + 4 + 5);
    }

    @Test
    void failureWhenTheLeaseIsLostAgainAndAgainSaysSo() {
        for (int times = 1; times <= 3; times++) {
            assertThat(a.stepFor(Duration.ofSeconds(20)).change()).isEqualTo(Change.ACQUIRED);
            clock.advance(RETRY);
            store.overwrite(record().released(clock.instant()));
            assertThat(a.stepFor(DEADLINE).change()).isEqualTo(Change.LOST);
        }
        assertThat(a.election.failure()).contains("the last: it was lost: another client released it");
    }

    @Test
    void stepWhenProcessWasPausedBeforeItSentTheRenewalLosesWithoutARequest() {
        PausingTime time = new PausingTime();
        Candidate paused = new Candidate("c", time);
        paused.step();
        store.timeouts.clear();
        time.pause = Duration.ofSeconds(12);
        assertThat(paused.step().change()).isEqualTo(Change.LOST);
        assertThat(store.timeouts).isEmpty();
    }

    /** Does something once, when a request has been sent for the nth time from now. */
    private void duringRequest(int nth, Runnable action) {
        int at = store.timeouts.size() + nth;
        store.onRequest = () -> {
            if (store.timeouts.size() == at) {
                action.run();
            }
        };
    }

    @Test
    void stepWhenTheResponseToAnAcquisitionComesTooLateRepeatsIt() {
        for (Runnable pause : List.<Runnable>of(() -> clock.advance(DEADLINE), () -> clock.jumpWallClock(DEADLINE))) {
            Candidate paused = new Candidate("c", clock);
            store.delete();
            duringRequest(2, pause);

            assertThat(paused.step().change()).isEqualTo(Change.NONE);
            assertThat(record().holder()).as("the write arrived").isEqualTo("c");
            assertThat(paused.fence.isOpen()).isFalse();

            assertThat(paused.step().change()).isEqualTo(Change.ACQUIRED);
            assertThat(paused.fence.isOpen()).isTrue();
        }
    }

    @Test
    void stepWhenTheResponseToARenewalComesAfterTheDeadlineLosesAtOnce() {
        a.step();
        clock.advance(RETRY);
        duringRequest(1, () -> clock.advance(DEADLINE));

        Step step = a.step();

        assertThat(step.change()).isEqualTo(Change.LOST);
        assertThat(step.reason()).isEqualTo("it could not be renewed within 10 s");
        assertThat(a.fence.isOpen()).isFalse();
    }

    @Test
    void stepWhenTheMachineIsSuspendedDuringARenewalRenewsAgainAtOnce() {
        a.step();
        clock.advance(RETRY);
        duringRequest(1, () -> clock.jumpWallClock(DEADLINE));

        assertThat(a.step()).isEqualTo(new Step(Change.NONE, "", Duration.ZERO));
        assertThat(a.fence.isOpen()).isFalse();
        assertThat(a.step()).isEqualTo(new Step(Change.NONE, "", RETRY));
        assertThat(a.fence.isOpen()).isTrue();
    }

    /** Others may have led, released the lease and deleted it before the creation arrives. */
    @Test
    void stepWhenTheMachineIsSuspendedBeforeItCreatesADeletedLeaseAgainLoses() {
        a.step();
        store.delete();
        clock.advance(RETRY);
        duringRequest(3, () -> clock.jumpWallClock(DEADLINE));

        Step step = a.step();

        assertThat(record().holder()).as("the creation arrived").isEqualTo("a");
        assertThat(step.change()).isEqualTo(Change.LOST);
        assertThat(step.reason()).contains("another replica may have led");
        assertThat(a.fence.isOpen()).isFalse();
    }

    /** The version that the late write carries is not the current one any more. */
    @Test
    void stepWhenTheMachineIsSuspendedJustBeforeItSendsTheCreationSendsNothing() {
        int[] times = {0};
        Candidate suspended = new Candidate("c", new TimeSource() {
            @Override
            public long nanoTime() {
                return clock.nanoTime();
            }

            @Override
            public Instant instant() {
                if (--times[0] == 0) {
                    clock.jumpWallClock(DEADLINE);
                }
                return clock.instant();
            }
        });
        suspended.step();
        store.delete();
        clock.advance(RETRY);
        duringRequest(2, () -> times[0] = 2); // one check has passed by then

        Step step = suspended.step();

        assertThat(store.record()).isEmpty();
        assertThat(step.change()).isEqualTo(Change.LOST);
        assertThat(step.reason()).contains("another replica may have led");
    }

    @Test
    void stepWhenAnotherReplicaAcquiresWhileARenewalIsSentLoses() {
        a.step();
        clock.advance(RETRY);
        LeaseRecord other = new LeaseRecord("b", new LeaseRecord.Term(15, 1), clock.instant(), clock.instant());
        duringRequest(1, () -> {
            clock.advance(Duration.ofSeconds(20));
            store.overwrite(other);
        });

        assertThat(a.step().change()).isEqualTo(Change.LOST);
        assertThat(record()).isEqualTo(other);
        assertThat(a.fence.isOpen()).isFalse();
    }

    @Test
    void stepWhenLeaseIsMissingForTheLeaseDurationAndObservedAtTheDeadlineAcquiresIt() {
        a.step();
        b.step();
        store.delete();
        assertThat(b.step().change()).isEqualTo(Change.NONE);
        clock.advance(DEADLINE);
        assertThat(b.step().change()).isEqualTo(Change.NONE);
        clock.advance(Duration.ofSeconds(5));
        assertThat(b.step().change()).isEqualTo(Change.ACQUIRED);
    }

    @Test
    void releaseWhenAnotherClientEditedTheLeaseOfTheLeaderReleasesIt() {
        a.step();
        store.overwrite(new LeaseRecord("a", new LeaseRecord.Term(15, 4), Instant.EPOCH, clock.instant()));
        a.election.release();
        assertThat(record().holder()).isEmpty();
    }

    @Test
    void releaseWhenAnotherClientPutInTheNameOfAStandbyKeepsTheLease() {
        b.step();
        store.overwrite(new LeaseRecord("a", new LeaseRecord.Term(15, 4), clock.instant(), clock.instant()));
        assertThat(b.step().change()).isEqualTo(Change.LOST);
        store.overwrite(new LeaseRecord("b", new LeaseRecord.Term(15, 5), clock.instant(), clock.instant()));
        b.election.release();
        assertThat(record().holder()).isEqualTo("b");
    }

    @Test
    void releaseWhenTheAnswerToTheAcquisitionWasLostReleasesTheLease() {
        store.onRequest = () -> store.losesAnswers = store.timeouts.size() == 2;
        assertThat(a.step().change()).isEqualTo(Change.NONE);
        assertThat(record().holder()).as("the write arrived").isEqualTo("a");
        a.election.release();
        assertThat(record().holder()).isEmpty();
    }

    @Test
    void releaseWhenNothingWasSentMakesNoRequest() {
        a.step();
        b.step();
        store.timeouts.clear();
        b.election.release();
        assertThat(store.timeouts).isEmpty();
    }

    @Test
    void logWhenTheFailureIsNotOfTheApiServerNamesItsClass() {
        try (CapturedLog log = CapturedLog.of(Election.class.getName())) {
            store.onRequest = () -> {
                throw new IllegalStateException("bug");
            };
            b.step();
            String start = "WARN Could not acquire lease test/lease (R4J-201): ";
            assertThat(log.lines(Level.WARN)).containsExactly(start + "java.lang.IllegalStateException: bug");
        }
    }

    @Test
    void logWhenAStandbyFailsAgainForTheSameReasonHasALineAMinute() {
        try (CapturedLog log = CapturedLog.of(Election.class.getName())) {
            store.down = true;
            b.step();
            b.step();
            assertThat(log.lines(Level.WARN))
                    .containsExactly("WARN Could not acquire lease test/lease (R4J-201): no answer");
            clock.advance(Duration.ofMinutes(1));
            b.step();
            assertThat(log.lines(Level.WARN)).hasSize(2);
            store.onRequest = () -> {
                throw FakeStore.failure(500, "broken");
            };
            b.step();
            assertThat(log.lines(Level.WARN)).hasSize(3);
        }
    }

    @Test
    void logWhenALeaderFailsAgainForTheSameReasonHasOneLine() {
        a.step();
        try (CapturedLog log = CapturedLog.of(Election.class.getName())) {
            store.down = true;
            a.step();
            a.step();
            String line = "WARN Could not renew lease test/lease (R4J-201): no answer";
            assertThat(log.lines(Level.WARN)).containsExactly(line);
        }
    }

    @Test
    void logWhenTheApiServerIsAwayForAnHourHasALineAMinutePerCause() {
        try (CapturedLog log = CapturedLog.of(Election.class.getName())) {
            int[] attempts = {0};
            store.onRequest = () -> {
                throw FakeStore.failure(500, attempts[0]++ % 2 == 0 ? "refused" : "reset");
            };
            b.stepFor(Duration.ofHours(1));
            assertThat(attempts[0]).isGreaterThan(1000);
            assertThat(log.lines(Level.WARN)).hasSizeBetween(2, 2 * 61);
        }
    }

    /** The time of the test; the process is paused once, when it asks for the time of day. */
    private final class PausingTime implements TimeSource {
        private Duration pause = Duration.ZERO;

        @Override
        public long nanoTime() {
            return clock.nanoTime();
        }

        @Override
        public Instant instant() {
            clock.advance(pause);
            pause = Duration.ZERO;
            return clock.instant();
        }
    }
}
