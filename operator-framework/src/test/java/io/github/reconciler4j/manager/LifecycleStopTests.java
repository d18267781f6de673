package io.github.reconciler4j.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import ch.qos.logback.classic.Level;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.manager.ComponentState.State;
import io.github.reconciler4j.manager.internal.lifecycle.Failure;
import io.github.reconciler4j.manager.internal.lifecycle.Lifecycle;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Stopping: in order, within the grace period, once. */
class LifecycleStopTests extends LifecycleFixture {

    @Test
    void stopWhenAComponentWaitsForItsJitterDoesNotStartIt() {
        lifecycle = lifecycle(LifecycleOptions.defaults().withStartJitter(Duration.ofDays(1)));
        added("worker", StartGroup.LEADER_ELECTED);
        lifecycle.start();
        awaitState("worker", State.STARTING);
        lifecycle.stop();
        assertThat(journal).doesNotContain("+worker");
        assertThat(status("worker").state()).isEqualTo(State.STOPPED);
    }

    @Test
    void stopWhenStartIsUnderWayInterruptsItAndStartReturnsNormally() throws Exception {
        AtomicBoolean interrupted = new AtomicBoolean();
        CountDownLatch starting = new CountDownLatch(1);
        add(component("slow", StartGroup.CACHES).onStart(() -> {
            starting.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.set(true);
                throw e;
            }
            return null;
        }));
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread starter = new Thread(() -> thrown.set(catchThrowable(() -> lifecycle.start())));
        starter.start();
        starting.await();
        lifecycle.stop();
        starter.join();
        assertThat(interrupted).isTrue();
        assertThat(thrown.get()).isNull();
        assertThat(lifecycle.isRunning()).isFalse();
        lifecycle.await();
    }

    @Test
    void stopWhenItInterruptsAStartNeitherReportsNorLogsThat() throws Exception {
        add(component("slow", StartGroup.LEADER_ELECTED).onStart(() -> {
            new CountDownLatch(1).await();
            return null;
        }));
        lifecycle.start();
        awaitState("slow", State.STARTING);
        try (CapturedLog log = CapturedLog.of(Lifecycle.class.getPackageName())) {
            lifecycle.stop();
            assertThat(log.lines(Level.INFO)).isEmpty();
        }
        lifecycle.await();
    }

    @Test
    void stopWhenComponentsTakeTimeSharesOneGracePeriodAmongAllGroups() {
        FakeComponent elected =
                added("elected", StartGroup.LEADER_ELECTED).onStop(grace -> time.advance(Duration.ofSeconds(12)));
        FakeComponent server = added("server", StartGroup.SERVERS);
        lifecycle.start();
        awaitState("elected", State.RUNNING);
        lifecycle.stop();
        assertThat(elected.graces).containsExactly(Duration.ofSeconds(30));
        assertThat(server.graces).containsExactly(Duration.ofSeconds(18));
    }

    @Test
    void stopWhenComponentDoesNotEndAbandonsItAndNamesThePeriod() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        lifecycle = lifecycle(LifecycleOptions.defaults().withGracefulShutdown(Duration.ofSeconds(7)));
        add(component("stuck", StartGroup.LEADER_ELECTED).onStop(grace -> awaitQuietly(release)));
        added("server", StartGroup.SERVERS);
        lifecycle.start();
        awaitState("stuck", State.RUNNING);
        Thread stopper = new Thread(lifecycle::stop);
        stopper.start();
        awaitState("stuck", State.STOPPING);
        time.advance(Duration.ofSeconds(7));
        assertThat(status("server").state()).isEqualTo(State.RUNNING);
        time.advance(Lifecycle.INTERRUPT_ALLOWANCE);
        stopper.join();
        assertThat(journal).contains("-server").doesNotContain("-stuck");
        assertThat(hooks.released).as("the lease must not be released").hasValue(false);
        assertThatThrownBy(() -> lifecycle.await())
                .isInstanceOf(ManagerFailedException.class)
                .hasMessageContaining("stuck did not end within the grace period of 7 s");
        release.countDown();
        awaitState("stuck", State.STOPPED);
    }

    @Test
    void stopWhenGraceIsNegativeWaitsWithoutLimit() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        lifecycle = lifecycle(LifecycleOptions.defaults().withGracefulShutdown(Duration.ofSeconds(-1)));
        FakeComponent slow = component("slow", StartGroup.LEADER_ELECTED).onStop(grace -> awaitQuietly(release));
        add(slow);
        lifecycle.start();
        awaitState("slow", State.RUNNING);
        Thread stopper = new Thread(lifecycle::stop);
        stopper.start();
        awaitState("slow", State.STOPPING);
        time.advance(Duration.ofDays(1));
        stopper.join(50);
        assertThat(stopper.isAlive()).isTrue();
        release.countDown();
        stopper.join();
        assertThat(slow.graces).singleElement().matches(Duration::isNegative);
        lifecycle.await();
    }

    @Test
    void stopWhenGraceIsZeroWaitsSevenSecondsForWhatWasInterrupted() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        lifecycle = lifecycle(LifecycleOptions.defaults().withGracefulShutdown(Duration.ZERO));
        add(component("stuck", StartGroup.LEADER_ELECTED).onStop(grace -> awaitQuietly(release)));
        added("server", StartGroup.SERVERS);
        lifecycle.start();
        awaitState("stuck", State.RUNNING);
        Thread stopper = new Thread(lifecycle::stop);
        stopper.start();
        awaitState("stuck", State.STOPPING);
        time.advance(Duration.ofMillis(6_990));
        stopper.join(50);
        assertThat(status("server").state()).as("before the 7 s are over").isEqualTo(State.RUNNING);
        time.advance(Duration.ofMillis(20));
        stopper.join();
        assertThat(status("server").state()).isEqualTo(State.STOPPED);
        assertThatThrownBy(() -> lifecycle.await())
                .hasMessageContaining("stuck did not end within the grace period of 0 s and 7 s after its interrupt");
        release.countDown();
        awaitState("stuck", State.STOPPED);
    }

    @Test
    void stopWhenGraceIsZeroPassesZero() {
        lifecycle = lifecycle(LifecycleOptions.defaults().withGracefulShutdown(Duration.ZERO));
        FakeComponent component = added("elected", StartGroup.LEADER_ELECTED);
        lifecycle.start();
        awaitState("elected", State.RUNNING);
        lifecycle.stop();
        assertThat(component.graces).containsExactly(Duration.ZERO);
    }

    @Test
    void stopWhenComponentThrowsContinuesAndAwaitThrows() {
        add(component("bad", StartGroup.LEADER_ELECTED).onStop(grace -> {
            throw new IllegalStateException("cannot close");
        }));
        added("server", StartGroup.SERVERS);
        lifecycle.start();
        awaitState("bad", State.RUNNING);
        lifecycle.stop();
        assertThat(journal).contains("-server");
        assertThatThrownBy(() -> lifecycle.await()).hasMessageContaining("bad could not stop cleanly: cannot close");
    }

    @Test
    void stopWhenNeverStartedStopsComponentsAndLeavesNoThread() {
        added("a", StartGroup.CACHES);
        lifecycle.stop();
        assertThat(journal).containsExactly("stopping", "-a", "stopped");
        await("no thread is left")
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().startsWith("test-")));
    }

    @Test
    void stopWhenCalledFromManyThreadsStopsOnce() throws Exception {
        AtomicInteger stops = new AtomicInteger();
        add(component("a", StartGroup.CACHES).onStop(grace -> stops.incrementAndGet()));
        lifecycle.start();
        List<Thread> threads = java.util.stream.Stream.generate(() -> new Thread(lifecycle::stop))
                .limit(8)
                .toList();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(stops).hasValue(1);
        assertThat(journal.stream().filter("stopped"::equals)).hasSize(1);
    }

    @Test
    void failWhenComponentAndStopFailReportsBoth() {
        add(component("bad", StartGroup.LEADER_ELECTED).onStop(grace -> {
            throw new IllegalStateException("cannot close");
        }));
        lifecycle.start();
        awaitState("bad", State.RUNNING);
        lifecycle.fail(new Failure("bad", "broke", new IllegalStateException("worker died")));
        assertThatThrownBy(() -> lifecycle.await())
                .hasMessageContaining("for 2 reasons")
                .hasMessageContaining("bad broke: worker died")
                .hasMessageContaining("bad could not stop cleanly: cannot close");
    }
}
