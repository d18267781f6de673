package io.github.reconciler4j.leaderelection.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.fixtures.FailingTimeSource;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions;
import io.github.reconciler4j.leaderelection.LeadershipListener;
import io.github.reconciler4j.leaderelection.LeaseTiming;
import io.github.reconciler4j.leaderelection.internal.LeaderElector.Environment;
import io.github.reconciler4j.leaderelection.internal.LeaderElector.Settings;
import io.github.reconciler4j.metrics.OperatorMetrics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class LeaderElectorTests {

    private static final LeaderElectionOptions OPTIONS = LeaderElectionOptions.named("test-lease")
            .withTiming(LeaseTiming.of(Duration.ofSeconds(2), Duration.ofMillis(1500), Duration.ofMillis(100)));

    private final FakeStore store = new FakeStore();
    private final List<String> journal = new CopyOnWriteArrayList<>();
    private final List<LeaderElector> electors = new ArrayList<>();

    private LeaderElector elector(String identity, LeadershipListener listener) {
        LeaderElector elector = new LeaderElector(
                new Settings("", store, OPTIONS, identity, new Environment(listener, OperatorMetrics.NONE, () -> 0)));
        electors.add(elector);
        return elector;
    }

    private LeaderElector elector(String identity) {
        return elector(identity, new LeadershipListener() {
            @Override
            public void elected(String lease) {
                journal.add(identity + " elected");
            }

            @Override
            public void lost(String lease, String reason) {
                journal.add(identity + " lost");
            }

            @Override
            public void newLeader(String lease, String holder) {
                journal.add(identity + " saw " + holder);
            }
        });
    }

    private static ConditionFactory await(String what) {
        return Awaitility.await(what).atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(5));
    }

    @AfterEach
    void close() {
        electors.forEach(elector -> elector.close(false));
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().equals("leader-elector-test-lease"));
    }

    private String holder() {
        return store.record().map(LeaseRecord::holder).orElse("none");
    }

    @Test
    void startWhenTwoCampaignElectsOneAndCloseHandsOver() {
        LeaderElector a = elector("a");
        LeaderElector b = elector("b");
        a.start();
        await("a leads").until(() -> a.fence().isOpen());
        b.start();
        await("b has looked").until(() -> journal.contains("b saw a"));
        assertThat(b.fence().isOpen()).isFalse();
        assertThat(b.status().holder()).isEqualTo("a");
        a.close(true);
        assertThat(a.fence().isOpen()).isFalse();
        await("b leads").until(() -> b.fence().isOpen());
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
        store.overwrite(new LeaseRecord(
                "thief",
                new LeaseRecord.Term(1, 7),
                store.record().orElseThrow().acquireTime(),
                java.time.Instant.EPOCH));
        await("a has lost").until(() -> journal.contains("a lost"));
        assertThat(a.fence().isOpen()).isFalse();
        int requests = store.timeouts.size();
        a.rejoin();
        await("a stands again").until(() -> store.timeouts.size() > requests);
        await("a leads again").until(() -> a.fence().isOpen());
        assertThat(store.record().orElseThrow().term().transitions()).isEqualTo(8);
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
        store.onRequest = () -> {
            hanging.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                throw FakeStore.failure(0, "interrupted");
            }
        };
        LeaderElector a = elector("a");
        a.start();
        hanging.await();
        long start = System.nanoTime();
        a.close(false);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(4));
    }

    @Test
    void electorWhenItsThreadFailsLosesTheLeaseAndIsNotAlive() {
        FailingTimeSource time = new FailingTimeSource();
        LeaderElector elector = new LeaderElector(
                new Settings(
                        "",
                        store,
                        OPTIONS,
                        "a",
                        new Environment(
                                new LeadershipListener() {
                                    @Override
                                    public void lost(String lease, String reason) {
                                        journal.add(reason);
                                    }
                                },
                                OperatorMetrics.NONE,
                                () -> 0)),
                time,
                () -> 0.5);
        electors.add(elector);
        elector.start();
        await("it leads").until(() -> elector.fence().isOpen());
        // Within an attempt the error would only fail the attempt.
        await("its thread has failed").until(() -> {
            time.failOnceIn("leader-elector");
            return !elector.status().replica().alive();
        });
        assertThat(journal).singleElement().asString().contains("the elector failed");
        assertThat(elector.fence().isOpen()).isFalse();
    }
}
