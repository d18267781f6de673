package io.github.reconciler4j.leaderelection.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.leaderelection.LeaderElectionOptions;
import io.github.reconciler4j.leaderelection.LeadershipListener;
import io.github.reconciler4j.leaderelection.LeaseStatus;
import io.github.reconciler4j.leaderelection.LeaseTiming;
import io.github.reconciler4j.leaderelection.internal.LeaderElector.Environment;
import io.github.reconciler4j.leaderelection.internal.LeaderElector.Settings;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.scheme.ObjectKey;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls that come twice, too late, or from the thread of the elector itself. */
class LeaderElectorLifecycleTests extends LeaderElectorFixture {

    private LeaderElector leader() {
        LeaderElector a = elector("a");
        a.start();
        await("a leads").until(() -> a.fence().isOpen());
        return a;
    }

    @Test
    void startWhenStartedAlreadyCreatesNoSecondThread() {
        LeaderElector a = leader();
        a.start();
        assertThat(threads()).hasSize(1);
    }

    @Test
    void startWhenClosedCreatesNoThread() {
        LeaderElector a = elector("a");
        a.close(false);
        a.start();
        assertThat(threads()).isEmpty();
        assertThat(store.timeouts).isEmpty();
    }

    @Test
    void statusNamesLeaseAndReplicaAndIsAliveUnlessTheThreadFailed() {
        LeaderElector a = elector(new Settings(
                "reports",
                store,
                OPTIONS,
                "a",
                new Environment(new LeadershipListener() {}, OperatorMetrics.NONE, () -> 0)));
        LeaseStatus before = a.status();
        assertThat(before.name()).isEqualTo("reports");
        assertThat(before.key()).isEqualTo(ObjectKey.of("test", "lease"));
        assertThat(before.identity()).isEqualTo("a");
        assertThat(before.replica().alive()).as("before the start").isTrue();
        assertThat(before.leading()).isFalse();
        a.start();
        await("a leads").until(() -> a.status().leading());
        a.close(false);
        assertThat(a.status().replica().alive()).as("after close").isTrue();
        assertThat(a.status().leading()).isFalse();
    }

    @Test
    void startWhenTheReplicaHoldsAnotherLeaseLetsOthersGoFirst() {
        LeaderElector a = elector(
                new Settings("", store, OPTIONS, "a", new Environment(recording("a"), OperatorMetrics.NONE, () -> 1)));
        a.start();
        await("a leads").until(() -> journal.contains("a elected"));
        assertThat(store.timeouts).as("read, read again, create").hasSizeGreaterThanOrEqualTo(3);
    }

    @Test
    void resignWhenClosingDoesNotKeepTheThread() throws Exception {
        CountDownLatch elected = new CountDownLatch(1);
        CountDownLatch resigned = new CountDownLatch(1);
        LeaderElector a = elector("a", new LeadershipListener() {
            @Override
            public void elected(String lease) {
                elected.countDown();
                try {
                    resigned.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        });
        a.start();
        elected.await();
        Thread closer = new Thread(() -> a.close(false));
        closer.start();
        await("close waits").until(() -> !a.fence().isOpen() && closer.getState() == Thread.State.TIMED_WAITING);
        a.resign();
        resigned.countDown();
        closer.join();
        await("the thread ends").until(() -> threads().isEmpty());
        assertThat(holder()).as("it must not be released").isEqualTo("a");
    }

    @Test
    void rejoinWhenResignedDoesNotCampaignAgainAfterALoss() {
        LeaderElector a = leader();
        a.resign();
        a.rejoin();
        steal();
        await("the thread ends").until(() -> threads().isEmpty());
        assertThat(journal).contains("a lost");
        assertThat(holder()).isEqualTo("thief");
    }

    @Test
    void closeWhenCalledByAListenerDoesNotWaitForItsOwnThread() {
        AtomicReference<LeaderElector> elector = new AtomicReference<>();
        LeaderElectionOptions slow = LeaderElectionOptions.named("test-lease")
                .withTiming(LeaseTiming.of(Duration.ofHours(2), Duration.ofHours(1), Duration.ofMillis(100)));
        LeadershipListener closing = new LeadershipListener() {
            @Override
            public void elected(String lease) {
                elector.get().close(true);
                journal.add("closed");
            }
        };
        elector.set(
                elector(new Settings("", store, slow, "a", new Environment(closing, OperatorMetrics.NONE, () -> 0))));
        elector.get().start();
        await("the listener returns").until(() -> journal.contains("closed"));
        await("the lease is released").until(() -> holder().isEmpty());
    }

    @Test
    void closeWhenItInterruptsARequestReleasesTheLeaseWithoutTheInterrupt() {
        LeaderElector a = leader();
        CountDownLatch hanging = new CountDownLatch(1);
        List<Boolean> interrupts = new CopyOnWriteArrayList<>();
        store.onRequest = () -> {
            if (hanging.getCount() == 0) {
                interrupts.add(Thread.currentThread().isInterrupted());
                return;
            }
            hanging.countDown();
            while (!Thread.currentThread().isInterrupted()) {
                LockSupport.parkNanos(1_000_000);
            }
        };
        await("a renews").until(() -> hanging.getCount() == 0);
        a.close(true);
        assertThat(interrupts).as("read and update").containsExactly(false, false);
        assertThat(holder()).isEmpty();
    }

    @Test
    void recordingWhenTheLeaseIsStolenHasTheAcquisitionAndTheLoss(@TempDir Path folder) throws IOException {
        try (Recording recording = new Recording()) {
            recording.enable("io.github.reconciler4j.Lease");
            recording.start();
            leader();
            steal();
            await("a has lost").until(() -> journal.contains("a lost"));
            recording.stop();
            Path file = folder.resolve("events.jfr");
            recording.dump(file);
            assertThat(RecordingFile.readAllEvents(file))
                    .extracting(event -> event.getString("lease") + " " + event.getBoolean("leading"))
                    .containsExactly("test/lease true", "test/lease false");
        }
    }
}
