package io.github.reconciler4j.leaderelection.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.leaderelection.internal.Election.Step;
import io.github.reconciler4j.leaderelection.internal.Election.Step.Change;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ElectionTests extends ElectionFixture {

    private static final Duration RETRY = Duration.ofSeconds(2);

    @Test
    void stepWhenThereIsNoLeaseCreatesItAndLeads() {
        Step step = a.step();
        assertThat(step.change()).isEqualTo(Change.ACQUIRED);
        assertThat(step.pause()).isEqualTo(RETRY);
        assertThat(record())
                .isEqualTo(new LeaseRecord("a", new LeaseRecord.Term(15, 0), clock.instant(), clock.instant()));
        assertThat(a.fence.isOpen()).isTrue();
        assertThat(a.fence.remaining()).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void stepWhenLeadingRenewsWithoutReading() {
        a.step();
        clock.advance(RETRY);
        store.timeouts.clear();
        assertThat(a.step().change()).isEqualTo(Change.NONE);
        assertThat(store.timeouts).containsExactly(Duration.ofSeconds(5));
        assertThat(record().renewTime()).isEqualTo(clock.instant());
        assertThat(record().acquireTime()).isEqualTo(clock.instant().minus(RETRY));
        assertThat(a.fence.remaining()).isEqualTo(Duration.ofSeconds(10));
        assertThat(a.slowPaths).isZero();
    }

    @Test
    void stepWhenAnotherHoldsTheLeaseWaitsUntilItsTimeHasRunOutSinceItWasSeen() {
        a.step();
        clock.advance(Duration.ofSeconds(7));
        Step step = b.step();
        assertThat(step.change()).isEqualTo(Change.NONE);
        assertThat(step.pause()).isEqualTo(Duration.ofMillis(3200));
        clock.advance(Duration.ofMillis(14_999));
        assertThat(b.step().change()).isEqualTo(Change.NONE);
        clock.advance(Duration.ofMillis(1));
        assertThat(b.step().change()).isEqualTo(Change.ACQUIRED);
        assertThat(record().holder()).isEqualTo("b");
        assertThat(record().term().transitions()).isEqualTo(1);
        assertThat(b.holders).containsExactly("a", "b");
        assertThat(a.fence.isOpen()).isFalse();
    }

    @Test
    void pauseWhenTheLeaseExpiresSoonEndsShortlyAfter() {
        a.step();
        b.step();
        clock.advance(Duration.ofSeconds(14));
        assertThat(b.step().pause()).isEqualTo(Duration.ofMillis(1100));
    }

    @Test
    void stepWhenServerClockOrHolderClockIsWrongUsesItsOwnObservation() {
        a.step();
        b.step();
        store.overwrite(new LeaseRecord(
                "a",
                new LeaseRecord.Term(15, 0),
                clock.instant(),
                clock.instant().minusSeconds(9_999)));
        assertThat(b.step().change()).isEqualTo(Change.NONE);
        clock.advance(Duration.ofSeconds(14));
        assertThat(b.step().change()).isEqualTo(Change.NONE);
    }

    @Test
    void stepWhenLeaseIsReleasedAcquiresItImmediately() {
        a.step();
        b.step();
        a.election.release();
        assertThat(record().holder()).isEmpty();
        assertThat(record().seconds()).isEqualTo(1);
        assertThat(a.fence.isOpen()).isFalse();
        assertThat(b.step().change()).isEqualTo(Change.ACQUIRED);
        assertThat(record().term().transitions()).isEqualTo(1);
    }

    @Test
    void releaseWhenAnotherHoldsTheLeaseLeavesIt() {
        a.step();
        clock.advance(Duration.ofSeconds(20));
        b.step();
        clock.advance(Duration.ofSeconds(15));
        b.step();
        a.election.release();
        assertThat(record().holder()).isEqualTo("b");
    }

    @Test
    void stepWhenServerIsUnavailableUntilTheDeadlineLosesWithoutAnotherRequest() {
        a.step();
        store.down = true;
        clock.advance(RETRY);
        Step step = a.stepFor(Duration.ofSeconds(30));
        assertThat(step.change()).isEqualTo(Change.LOST);
        assertThat(step.reason()).isEqualTo("it could not be renewed within 10 s: no answer");
        assertThat(clock.nanoTime()).isEqualTo(Duration.ofSeconds(10).toNanos());
        assertThat(store.timeouts).endsWith(Duration.ofSeconds(4), Duration.ofSeconds(2));
    }

    @Test
    void fenceWhenNotRenewedCloses() {
        a.step();
        clock.advance(Duration.ofMillis(9_999));
        assertThat(a.fence.isOpen()).isTrue();
        clock.advance(Duration.ofMillis(1));
        assertThat(a.fence.isOpen()).isFalse();
    }

    @Test
    void fenceWhenOnlyTheTimeOfDayHasPassedIsClosedUntilTheNextRenewal() {
        a.step();
        clock.jumpWallClock(Duration.ofSeconds(11));
        assertThat(a.fence.isOpen()).as("the machine may have been suspended").isFalse();
        assertThat(a.step().change()).isEqualTo(Change.NONE);
        assertThat(a.fence.isOpen()).isTrue();
    }

    @Test
    void fenceWhenRequestWasSlowCountsFromItsStart() {
        a.step();
        store.onRequest = () -> clock.advance(Duration.ofSeconds(3));
        a.step();
        assertThat(a.fence.remaining()).isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    void stepWhenProcessWasPausedBeyondTheDeadlineLosesBeforeItWritesAnything() {
        a.step();
        clock.advance(Duration.ofSeconds(12));
        store.timeouts.clear();
        assertThat(a.step().change()).isEqualTo(Change.LOST);
        assertThat(store.timeouts).isEmpty();
        assertThat(a.fence.isOpen()).isFalse();
    }

    @Test
    void stepWhenLeaseIsStolenLosesAtTheNextRenewal() {
        a.step();
        store.overwrite(new LeaseRecord("thief", new LeaseRecord.Term(15, 5), clock.instant(), clock.instant()));
        clock.advance(RETRY);
        Step step = a.step();
        assertThat(step.change()).isEqualTo(Change.LOST);
        assertThat(step.reason()).isEqualTo("it is held by thief now");
        assertThat(a.fence.isOpen()).isFalse();
        assertThat(a.slowPaths).isEqualTo(1);
    }

    @Test
    void stepWhenLeaseWasHandedOverByHandWaitsForTheFormerHolder() {
        a.step();
        b.step();
        store.overwrite(new LeaseRecord("b", new LeaseRecord.Term(15, 5), clock.instant(), clock.instant()));
        assertThat(b.step().change()).isEqualTo(Change.NONE);
        clock.advance(Duration.ofSeconds(15));
        assertThat(a.fence.isOpen()).isFalse();
        assertThat(b.step().change()).isEqualTo(Change.ACQUIRED);
    }

    @Test
    void stepWhenLeaseIsDeletedLetsTheLeaderCreateItAgainAndOthersWait() {
        a.step();
        b.step();
        store.delete();
        assertThat(b.step().change()).isEqualTo(Change.NONE);
        assertThat(store.record()).isEmpty();
        clock.advance(RETRY);
        assertThat(a.step().change()).isEqualTo(Change.NONE);
        assertThat(record().holder()).isEqualTo("a");
        assertThat(a.fence.isOpen()).isTrue();
    }

    @Test
    void stepWhenLeaseIsDeletedAndTheLeaderIsGoneTakesItAfterItsTime() {
        a.step();
        b.step();
        store.delete();
        clock.advance(Duration.ofSeconds(9));
        long deleted = clock.nanoTime();
        assertThat(b.stepFor(Duration.ofSeconds(30)).change()).isEqualTo(Change.ACQUIRED);
        assertThat(clock.nanoTime() - deleted)
                .as("the leader may create it again")
                .isBetween(
                        Duration.ofSeconds(15).toNanos(), Duration.ofSeconds(19).toNanos());
    }

    @Test
    void stepWhenLeaseIsMissingAgainAfterAPauseWaitsAgain() {
        a.step();
        b.step();
        store.delete();
        b.step();
        clock.advance(Duration.ofSeconds(40));
        assertThat(b.step().change()).isEqualTo(Change.NONE);
    }

    @Test
    void stepWhenLeaseWasEmptiedByHandWaitsForTheFormerHolder() {
        a.step();
        b.step();
        store.overwrite(new LeaseRecord("", new LeaseRecord.Term(15, 0), clock.instant(), clock.instant()));
        assertThat(b.step().change()).isEqualTo(Change.NONE);
        assertThat(a.step().reason()).isEqualTo("another client released it");
        clock.advance(Duration.ofSeconds(15));
        assertThat(b.step().change()).isEqualTo(Change.ACQUIRED);
    }

    @Test
    void stepWhenProcessWasPausedWithinTheStepDoesNotReopenTheFence() {
        a.step();
        store.delete();
        clock.advance(RETRY);
        store.onRequest = () -> clock.advance(Duration.ofSeconds(4));
        assertThat(a.step().change()).as("update, read, no create").isEqualTo(Change.LOST);
        assertThat(store.record()).isEmpty();
        assertThat(a.fence.isOpen()).isFalse();
    }

    @Test
    void stepWhenAnswerToTheTakeoverWasLostRecognizesItsOwnRecord() {
        store.losesAnswers = true;
        Step step = a.step();
        assertThat(step.change()).isEqualTo(Change.NONE);
        store.overwrite(new LeaseRecord("", new LeaseRecord.Term(1, 3), clock.instant(), clock.instant()));
        store.losesAnswers = false;
        store.onRequest = () -> store.losesAnswers = store.timeouts.size() == 3;
        assertThat(a.step().change()).isEqualTo(Change.NONE);
        assertThat(record().holder()).as("the write arrived").isEqualTo("a");
        store.losesAnswers = false;
        store.onRequest = () -> {};
        clock.advance(RETRY);
        assertThat(a.step().change()).isEqualTo(Change.ACQUIRED);
        assertThat(record().term().transitions()).isEqualTo(4);
    }

    @Test
    void stepWhenResponseToARenewalWasLostContinuesToLead() {
        a.step();
        clock.advance(RETRY);
        store.losesAnswers = true;
        a.step();
        store.losesAnswers = false;
        clock.advance(RETRY);
        assertThat(a.step().change()).isEqualTo(Change.NONE);
        assertThat(record().renewTime()).isEqualTo(clock.instant());
        assertThat(a.slowPaths).isEqualTo(1);
        assertThat(a.fence.remaining()).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void stepWhenHoldingOtherLeasesLetsOthersGoFirst() {
        a.otherLeases = 1;
        assertThat(a.step().change()).isEqualTo(Change.NONE);
        assertThat(b.step().change()).isEqualTo(Change.ACQUIRED);
        assertThat(a.step().change()).isEqualTo(Change.NONE);
        b.election.release();
        assertThat(a.step().change()).as("one turn for others").isEqualTo(Change.NONE);
        assertThat(a.step().change()).isEqualTo(Change.ACQUIRED);
    }

    @Test
    void stepWhenStoreThrowsAnUnexpectedExceptionContinues() {
        store.onRequest = () -> {
            throw new IllegalStateException("bug");
        };
        assertThat(a.step().change()).isEqualTo(Change.NONE);
        store.onRequest = () -> {};
        assertThat(a.step().change()).isEqualTo(Change.ACQUIRED);
    }
}
