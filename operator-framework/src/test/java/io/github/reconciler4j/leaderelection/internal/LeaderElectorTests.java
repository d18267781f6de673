package io.github.reconciler4j.leaderelection.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.fixtures.FailingTimeSource;
import io.github.reconciler4j.fixtures.RecordingMetrics;
import io.github.reconciler4j.leaderelection.LeadershipListener;
import io.github.reconciler4j.leaderelection.internal.LeaderElector.Environment;
import io.github.reconciler4j.leaderelection.internal.LeaderElector.Settings;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import org.junit.jupiter.api.Test;

class LeaderElectorTests extends LeaderElectorFixture {

    @Test
    void startWhenTwoCampaignElectsOneAndCloseHandsOver() {
        LeaderElector a = elector("a");
        LeaderElector b = elector("b");
        a.start();
        await("a leads").until(() -> a.fence().isOpen() && journal.contains("a elected"));
        b.start();
        await("b has looked").until(() -> journal.contains("b saw a"));
        assertThat(b.fence().isOpen()).isFalse();
        assertThat(b.status().holder()).isEqualTo("a");
        a.close(true);
        assertThat(a.fence().isOpen()).isFalse();
        await("b leads").until(() -> b.fence().isOpen() && journal.contains("b elected"));
        assertThat(journal).containsSubsequence("a saw a", "a elected", "b saw a", "b saw b", "b elected");
        assertThat(journal).doesNotContain("a lost");
    }

    @Test
    void closeWhenItMustNotReleaseKeepsTheLease() {
        LeaderElector a = elector("a");
        a.start();
        await("a leads").until(() -> a.fence().isOpen());
        a.close(false);
        assertThat(holder()).isEqualTo("a");
        assertThat(a.fence().isOpen()).isFalse();
    }

    @Test
    void resignWhenLeadingContinuesToRenew() {
        LeaderElector a = elector("a");
        a.start();
        await("a leads").until(() -> a.fence().isOpen());
        a.resign();
        LeaseRecord before = store.record().orElseThrow();
        await("a renews").until(() -> !store.record().orElseThrow().equals(before));
        assertThat(a.fence().isOpen()).isTrue();
    }

    @Test
    void resignWhenAcquiringTheLeaseReleasesItAndDoesNotLead() throws Exception {
        CountDownLatch requested = new CountDownLatch(2);
        CountDownLatch withdrawn = new CountDownLatch(1);
        store.onRequest = () -> {
            requested.countDown();
            if (requested.getCount() == 0) {
                try {
                    withdrawn.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        };
        LeaderElector a = elector("a");
        a.start();
        requested.await();
        a.resign();
        withdrawn.countDown();
        await("the lease is released").until(() -> holder().isEmpty());
        assertThat(journal).containsOnly("a saw a");
        assertThat(a.fence().isOpen()).isFalse();
    }

    @Test
    void rejoinWhenLeaseWasStolenLeadsAgainOnlyAfterTheCall() {
        LeaderElector a = elector("a");
        a.start();
        await("a leads").until(() -> a.fence().isOpen());
        steal();
        await("a has lost").until(() -> journal.contains("a lost"));
        assertThat(a.fence().isOpen()).isFalse();
        await("a waits without a time limit").until(() -> thread().getState() == Thread.State.WAITING);
        int requests = store.timeouts.size();
        a.rejoin();
        await("a campaigns again").until(() -> store.timeouts.size() > requests);
        await("a leads again").until(() -> a.fence().isOpen());
        assertThat(store.record().orElseThrow().term().transitions()).isEqualTo(8);
    }

    @Test
    void resignWhenTheLeaseWasLostEndsTheThread() {
        LeaderElector a = elector("a");
        a.start();
        await("a leads").until(() -> a.fence().isOpen());
        steal();
        await("a waits").until(() -> journal.contains("a lost") && thread().getState() == Thread.State.WAITING);
        a.resign();
        await("the thread ends").until(() -> threads().isEmpty());
        assertThat(a.status().replica().alive()).as("it was asked to end").isTrue();
    }

    @Test
    void closeWhenTheLeaseWasLostEndsTheThread() {
        LeaderElector a = elector("a");
        a.start();
        await("a leads").until(() -> a.fence().isOpen());
        steal();
        await("a waits").until(() -> journal.contains("a lost") && thread().getState() == Thread.State.WAITING);
        a.close(true);
        assertThat(threads()).isEmpty();
        assertThat(holder()).isEqualTo("thief");
    }

    @Test
    void closeWhenAListenerRunsDoesNotInterruptIt() throws Exception {
        CountDownLatch notified = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        LeaderElector a = elector("a", new LeadershipListener() {
            @Override
            public void elected(String lease) {
                notified.countDown();
                try {
                    finish.await();
                } catch (InterruptedException e) {
                    journal.add("interrupted");
                }
            }
        });
        a.start();
        notified.await();
        Thread closer = new Thread(() -> a.close(true));
        closer.start();
        await("close waits").until(() -> !a.fence().isOpen() && closer.getState() == Thread.State.TIMED_WAITING);
        finish.countDown();
        closer.join();
        assertThat(journal).isEmpty();
        assertThat(holder()).as("the lease is released").isEmpty();
    }

    @Test
    void standbyWhenTheLeaseIsHeldWaitsBetweenItsRequests() {
        LeaderElector a = elector("a");
        LeaderElector b = elector("b");
        a.start();
        await("a leads").until(() -> a.fence().isOpen());
        long start = System.nanoTime();
        int before = store.timeouts.size();
        b.start();
        await("a renews several times").until(() -> store.timeouts.size() > before + 10);
        int requests = store.timeouts.size() - before; // before the time, which passes between the two
        long periods = Duration.ofNanos(System.nanoTime() - start).dividedBy(Duration.ofMillis(100));
        assertThat(requests).isLessThanOrEqualTo((int) (2 * periods) + 4);
    }

    @Test
    void metricsWhenTheElectorRunsReportTheLeaseUntilItIsClosed() {
        RecordingMetrics metrics = new RecordingMetrics();
        LeaderElector a = elector(
                new Settings("", store, OPTIONS, "a", new Environment(new LeadershipListener() {}, metrics, () -> 0)));
        assertThat(metrics.gauge("leader_election_master_status{name=test-lease}"))
                .isZero();
        a.start();
        await("a leads").until(() -> a.fence().isOpen());
        assertThat(metrics.gauge("leader_election_master_status{name=test-lease}"))
                .isEqualTo(1);
        assertThat(metrics.gauge("reconciler4j_lease_remaining_seconds{name=test-lease}"))
                .isBetween(0.0, 30.0)
                .isNotZero();
        steal();
        await("a reads the lease").until(() -> metrics.count("leader_election_slowpath_total{name=test-lease}") == 1);
        a.close(false);
        assertThat(metrics.gaugeNames()).isEmpty();
    }

    @Test
    void standbyWhenItsThreadFailsReportsNoLoss() {
        FailingTimeSource time = new FailingTimeSource();
        store.overwrite(new LeaseRecord("other", new LeaseRecord.Term(15, 1), Instant.now(), Instant.now()));
        LeaderElector a = elector("a", time);
        a.start();
        time.failAlwaysIn("leader-elector");
        await("its thread has failed").until(() -> !a.status().replica().alive());
        assertThat(journal).doesNotContain("a lost");
    }

    @Test
    void startWhenListenerThrowsContinues() {
        LeaderElector a = elector("a", new LeadershipListener() {
            @Override
            public void elected(String lease) {
                throw new IllegalStateException("listener");
            }
        });
        a.start();
        await("a leads").until(() -> a.fence().isOpen());
        LeaseRecord before = store.record().orElseThrow();
        await("a renews").until(() -> !store.record().orElseThrow().equals(before));
        assertThat(a.status().replica().alive()).isTrue();
    }

    @Test
    void closeWhenRequestHangsInterruptsIt() throws Exception {
        CountDownLatch hanging = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        store.onRequest = () -> {
            hanging.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.countDown();
                throw FakeStore.failure(0, "interrupted");
            }
        };
        LeaderElector a = elector("a");
        a.start();
        hanging.await();
        a.close(false);
        assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void electorWhenItsThreadFailsLosesTheLeaseAndIsNotAlive() {
        FailingTimeSource time = new FailingTimeSource();
        LeaderElector elector = elector("a", time);
        elector.start();
        await("it leads").until(() -> elector.fence().isOpen());
        // Once would not be enough: within an attempt an error fails only this attempt.
        time.failAlwaysIn("leader-elector");
        await("its thread has failed").until(() -> !elector.status().replica().alive());
        assertThat(reasons).singleElement().asString().contains("the elector failed");
        assertThat(elector.fence().isOpen()).isFalse();
    }

    @Test
    void leaderWhenItIsWokenEarlyRenewsOnlyOnceItIsTime() {
        AtomicInteger waits = new AtomicInteger();
        TimeSource early = new TimeSource() {
            @Override
            public long nanoTime() {
                return 0;
            }

            @Override
            public Instant instant() {
                return Instant.EPOCH;
            }

            @Override
            public void await(Condition condition, long nanos) throws InterruptedException {
                waits.incrementAndGet();
                condition.awaitNanos(1_000_000);
            }
        };
        LeaderElector a = elector("a", early);
        a.start();
        await("a is woken several times").until(() -> waits.get() > 4);
        assertThat(store.timeouts).as("read and create").hasSize(2);
    }
}
