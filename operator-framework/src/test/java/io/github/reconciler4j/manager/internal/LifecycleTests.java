package io.github.reconciler4j.manager.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import ch.qos.logback.classic.Level;
import io.github.reconciler4j.cache.CacheSyncTimeoutException;
import io.github.reconciler4j.client.ApiException;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.manager.ComponentStatus;
import io.github.reconciler4j.manager.ComponentStatus.State;
import io.github.reconciler4j.manager.LifecycleOptions;
import io.github.reconciler4j.manager.ManagerFailedException;
import io.github.reconciler4j.manager.ManagerStartException;
import io.github.reconciler4j.manager.StartDeferredException;
import io.github.reconciler4j.manager.StartGroup;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class LifecycleTests {

    private final FakeTime time = new FakeTime();
    private final List<String> journal = new CopyOnWriteArrayList<>();
    private final RecordingHooks hooks = new RecordingHooks();
    private Lifecycle lifecycle = lifecycle(LifecycleOptions.defaults());

    private Lifecycle lifecycle(LifecycleOptions options) {
        return new Lifecycle("test", options, time, hooks);
    }

    private final class RecordingHooks implements LifecycleHooks {
        final AtomicReference<Boolean> released = new AtomicReference<>();
        boolean leadAtOnce = true;

        @Override
        public void standForElection() {
            journal.add("stand");
            if (leadAtOnce) {
                lifecycle.lead("");
            }
        }

        @Override
        public void stopping() {
            journal.add("stopping");
        }

        @Override
        public void stopped(boolean allEnded) {
            journal.add("stopped");
            released.set(allEnded);
        }
    }

    @AfterEach
    void stop() {
        lifecycle.stop();
    }

    private FakeComponent component(String name, StartGroup group) {
        return new FakeComponent(name, group, journal);
    }

    private void add(FakeComponent component) {
        lifecycle.add(component, Stage.of(component.group()));
    }

    private FakeComponent added(String name, StartGroup group) {
        FakeComponent component = component(name, group);
        add(component);
        return component;
    }

    private static ConditionFactory await(String what) {
        return Awaitility.await(what).atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(2));
    }

    private ComponentStatus status(String name) {
        return lifecycle.statuses().stream()
                .filter(status -> status.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private void awaitState(String name, State state) {
        await(name + " is " + state).until(() -> status(name).state() == state);
    }

    @Test
    void startWhenComponentsInAllGroupsStartsThemInOrderAndStopGoesBackwards() {
        for (StartGroup group :
                List.of(StartGroup.ELECTED, StartGroup.CACHES, StartGroup.SERVERS, StartGroup.EVERYWHERE)) {
            added(group.name(), group);
        }
        added("WEBHOOKS", StartGroup.WEBHOOKS);
        lifecycle.start();
        awaitState("ELECTED", State.RUNNING);
        lifecycle.stop();
        assertThat(journal)
                .containsExactly(
                        "+SERVERS",
                        "+WEBHOOKS",
                        "+CACHES",
                        "+EVERYWHERE",
                        "stand",
                        "+ELECTED",
                        "stopping",
                        "-ELECTED",
                        "-EVERYWHERE",
                        "-CACHES",
                        "-WEBHOOKS",
                        "-SERVERS",
                        "stopped");
        assertThat(hooks.released).hasValue(true);
    }

    @Test
    void startWhenOneComponentOfAGroupIsSlowStartsItsNeighboursAndHoldsBackTheNextGroup() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        add(component("slow", StartGroup.CACHES).onStart(() -> {
            release.await();
            return null;
        }));
        added("fast", StartGroup.CACHES);
        added("next", StartGroup.EVERYWHERE);
        Thread starter = new Thread(lifecycle::start);
        starter.start();
        awaitState("fast", State.RUNNING);
        assertThat(status("slow").state()).isEqualTo(State.STARTING);
        assertThat(status("next").state()).isEqualTo(State.NEW);
        release.countDown();
        awaitState("next", State.RUNNING);
        starter.join();
    }

    @Test
    void startWhenThereIsAJitterHoldsBackWorkButNotWhatItNeeds() {
        lifecycle = lifecycle(LifecycleOptions.defaults().withStartJitter(Duration.ofDays(1)));
        added("cache", StartGroup.CACHES);
        added("worker", StartGroup.ELECTED);
        lifecycle.start();
        awaitState("cache", State.RUNNING);
        awaitState("worker", State.STARTING);
        assertThat(journal).containsExactly("+cache", "stand");
        time.advance(Duration.ofDays(1));
        awaitState("worker", State.RUNNING);
    }

    @Test
    void stopWhenAComponentWaitsForItsJitterDoesNotStartIt() {
        lifecycle = lifecycle(LifecycleOptions.defaults().withStartJitter(Duration.ofDays(1)));
        added("worker", StartGroup.ELECTED);
        lifecycle.start();
        awaitState("worker", State.STARTING);
        lifecycle.stop();
        assertThat(journal).doesNotContain("+worker");
        assertThat(status("worker").state()).isEqualTo(State.STOPPED);
    }

    @Test
    void startWhenCalledTwiceFails() {
        lifecycle.start();
        assertThatIllegalStateException().isThrownBy(() -> lifecycle.start()).withMessageContaining("before");
    }

    @Test
    void startWhenComponentsFailNamesAllOfThemAndStopsTheRest() {
        added("server", StartGroup.SERVERS);
        add(component("one", StartGroup.CACHES).failing(new IllegalStateException("port taken")));
        add(component("two", StartGroup.CACHES).failing(new IllegalArgumentException("no such thing")));
        added("never", StartGroup.EVERYWHERE);
        Throwable failure = catchThrowable(() -> lifecycle.start());
        assertThat(failure)
                .isInstanceOf(ManagerStartException.class)
                .hasMessageContaining("one could not start: port taken")
                .hasMessageContaining("two could not start: no such thing");
        assertThat(List.of(failure.getCause(), failure.getSuppressed()[0]))
                .extracting(Throwable::getMessage)
                .containsExactlyInAnyOrder("port taken", "no such thing");
        assertThat(journal).contains("+server", "-server").doesNotContain("+never");
        assertThat(lifecycle.isRunning()).isFalse();
        assertThat(lifecycle.statuses()).extracting(ComponentStatus::state).containsOnly(State.STOPPED);
    }

    @Test
    void startWhenElectedComponentFailsLaterStopsEverythingAndAwaitTells() throws Exception {
        added("server", StartGroup.SERVERS);
        add(component("controller", StartGroup.ELECTED).failing(new IllegalStateException("broken")));
        lifecycle.start();
        assertThatThrownBy(() -> lifecycle.await())
                .isInstanceOf(ManagerFailedException.class)
                .hasMessage("The manager has ended: controller could not start: broken")
                .cause()
                .hasMessage("broken");
        assertThat(journal).contains("-server");
    }

    @Test
    void startWhenSomethingIsMissingRunsTheOthersAndTriesAgainUntilItIsThere() throws Exception {
        AtomicBoolean there = new AtomicBoolean();
        add(component("waiting", StartGroup.ELECTED).onStart(() -> {
            if (!there.get()) {
                throw new StartDeferredException("no CRD webapps");
            }
            return null;
        }));
        added("other", StartGroup.ELECTED);
        lifecycle.start();
        awaitState("other", State.RUNNING);
        awaitState("waiting", State.WAITING);
        assertThat(status("waiting").detail()).isEqualTo("no CRD webapps");
        assertThat(status("waiting").attempts()).isEqualTo(1);
        time.advance(Duration.ofMillis(1250));
        await("second attempt").until(() -> status("waiting").attempts() == 2);
        there.set(true);
        time.advance(Duration.ofMillis(500));
        assertThat(status("waiting").state()).as("the delay doubles").isEqualTo(State.WAITING);
        time.advance(Duration.ofSeconds(2));
        awaitState("waiting", State.RUNNING);
        assertThat(status("waiting").detail()).isEmpty();
        assertThat(lifecycle.isRunning()).isTrue();
    }

    @Test
    void startWhenComponentOfAnEarlyGroupWaitsDoesNotHoldUpTheNextGroup() {
        add(component("waiting", StartGroup.EVERYWHERE).failing(new StartDeferredException("no right")));
        added("elected", StartGroup.ELECTED);
        lifecycle.start();
        awaitState("elected", State.RUNNING);
        assertThat(status("waiting").state()).isEqualTo(State.WAITING);
    }

    @Test
    void deferralWhenCauseIsMissingKindOrRightOrUnsyncedCacheIsRecognizedAtAnyDepth() {
        assertThat(Deferral.isDeferred(new CacheSyncTimeoutException("x"))).isTrue();
        assertThat(Deferral.isDeferred(new IllegalStateException(new RuntimeException(api(404)))))
                .isTrue();
        assertThat(Deferral.isDeferred(api(403))).isTrue();
        assertThat(Deferral.isDeferred(api(500))).isFalse();
        assertThat(Deferral.isDeferred(new IllegalStateException("x"))).isFalse();
    }

    private static ApiException api(int code) {
        return new ApiException("api", code, "", List.of(), Optional.empty());
    }

    @Test
    void stopWhenComponentWaitsForItsNextAttemptEndsAtOnce() {
        add(component("waiting", StartGroup.ELECTED).failing(new StartDeferredException("no CRD")));
        lifecycle.start();
        awaitState("waiting", State.WAITING);
        lifecycle.stop();
        assertThat(status("waiting").state()).isEqualTo(State.STOPPED);
    }

    @Test
    void stopWhenStartIsUnderWayInterruptsItAndStartReturnsNormally() throws Exception {
        AtomicBoolean interrupted = new AtomicBoolean();
        add(component("slow", StartGroup.CACHES).onStart(() -> {
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
        awaitState("slow", State.STARTING);
        lifecycle.stop();
        starter.join();
        assertThat(interrupted).isTrue();
        assertThat(thrown.get()).isNull();
        assertThat(lifecycle.isRunning()).isFalse();
        lifecycle.await();
    }

    @Test
    void stopWhenItInterruptsAStartNeitherReportsNorLogsThat() throws Exception {
        add(component("slow", StartGroup.ELECTED).onStart(() -> {
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
    void startWhenCallerIsInterruptedStopsAndKeepsTheFlag() throws Exception {
        added("server", StartGroup.SERVERS);
        add(component("slow", StartGroup.CACHES).onStart(() -> {
            new CountDownLatch(1).await();
            return null;
        }));
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        AtomicBoolean flag = new AtomicBoolean();
        Thread starter = new Thread(() -> {
            thrown.set(catchThrowable(() -> lifecycle.start()));
            flag.set(Thread.currentThread().isInterrupted());
        });
        starter.start();
        awaitState("slow", State.STARTING);
        starter.interrupt();
        starter.join();
        assertThat(thrown.get()).isInstanceOf(ManagerStartException.class).hasMessageContaining("interrupted");
        assertThat(flag).isTrue();
        assertThat(journal).contains("-server", "stopped");
    }

    @Test
    void addWhenManagerRunsStartsTheComponentAndStopsItLater() {
        lifecycle.start();
        added("late", StartGroup.CACHES);
        awaitState("late", State.RUNNING);
        lifecycle.stop();
        assertThat(journal).contains("+late", "-late");
    }

    @Test
    void addWhenManagerStopsOrNameIsTakenIsRefused() {
        added("a", StartGroup.CACHES);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> added("a", StartGroup.SERVERS))
                .withMessageContaining("'a'");
        lifecycle.stop();
        assertThatIllegalStateException()
                .isThrownBy(() -> added("b", StartGroup.SERVERS))
                .withMessageContaining("Cannot add b");
    }

    @Test
    void stopWhenComponentsTakeTimeSharesOneGracePeriodAmongAllGroups() {
        FakeComponent elected =
                added("elected", StartGroup.ELECTED).onStop(grace -> time.advance(Duration.ofSeconds(12)));
        FakeComponent server = added("server", StartGroup.SERVERS);
        lifecycle.start();
        awaitState("elected", State.RUNNING);
        lifecycle.stop();
        assertThat(elected.graces).containsExactly(Duration.ofSeconds(30));
        assertThat(server.graces).containsExactly(Duration.ofSeconds(18));
    }

    @Test
    void stopWhenComponentDoesNotEndLeavesItBehindAndNamesThePeriod() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        lifecycle = lifecycle(LifecycleOptions.defaults().withGracefulShutdown(Duration.ofSeconds(7)));
        add(component("stuck", StartGroup.ELECTED).onStop(grace -> awaitQuietly(release)));
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
        assertThat(hooks.released).as("the lease must not be given back").hasValue(false);
        assertThatThrownBy(() -> lifecycle.await())
                .isInstanceOf(ManagerFailedException.class)
                .hasMessageContaining("stuck did not end within the grace period of 7 s");
        release.countDown();
        awaitState("stuck", State.STOPPED);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void stopWhenGraceIsNegativeWaitsWithoutEnd() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        lifecycle = lifecycle(LifecycleOptions.defaults().withGracefulShutdown(Duration.ofSeconds(-1)));
        FakeComponent slow = component("slow", StartGroup.ELECTED).onStop(grace -> awaitQuietly(release));
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
    void stopWhenGraceIsZeroPassesZero() {
        lifecycle = lifecycle(LifecycleOptions.defaults().withGracefulShutdown(Duration.ZERO));
        FakeComponent component = added("elected", StartGroup.ELECTED);
        lifecycle.start();
        awaitState("elected", State.RUNNING);
        lifecycle.stop();
        assertThat(component.graces).containsExactly(Duration.ZERO);
    }

    @Test
    void stopWhenComponentThrowsGoesOnAndAwaitTells() {
        add(component("bad", StartGroup.ELECTED).onStop(grace -> {
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
    void failWhenComponentAndStopFailReportsBoth() {
        add(component("bad", StartGroup.ELECTED).onStop(grace -> {
            throw new IllegalStateException("cannot close");
        }));
        lifecycle.start();
        awaitState("bad", State.RUNNING);
        lifecycle.fail("bad", "broke", new IllegalStateException("worker died"));
        assertThatThrownBy(() -> lifecycle.await())
                .hasMessageContaining("for 2 reasons")
                .hasMessageContaining("bad broke: worker died")
                .hasMessageContaining("bad could not stop cleanly: cannot close");
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
    void leadWhenNotCalledKeepsElectedComponentsStandingBy() {
        hooks.leadAtOnce = false;
        added("elected", StartGroup.ELECTED);
        lifecycle.start();
        assertThat(status("elected").state()).isEqualTo(State.STANDBY);
        added("late", StartGroup.ELECTED);
        assertThat(status("late").state()).isEqualTo(State.STANDBY);
        lifecycle.lead("");
        awaitState("elected", State.RUNNING);
        awaitState("late", State.RUNNING);
    }

    @Test
    void withdrawWhenLeaseIsLostStopsOnlyItsComponentsAtOnceAndLeadStartsThemAgain() throws Exception {
        hooks.leadAtOnce = false;
        FakeComponent mine = added("mine", StartGroup.ELECTED);
        add(component("other", StartGroup.ELECTED).lease("other"));
        added("everywhere", StartGroup.EVERYWHERE);
        lifecycle.start();
        lifecycle.lead("");
        lifecycle.lead("other");
        awaitState("mine", State.RUNNING);
        awaitState("other", State.RUNNING);
        lifecycle.withdraw("");
        assertThat(lifecycle.awaitWithdrawn("")).isTrue();
        assertThat(mine.graces).containsExactly(Duration.ZERO);
        assertThat(status("mine").state()).isEqualTo(State.STANDBY);
        assertThat(status("other").state()).isEqualTo(State.RUNNING);
        assertThat(status("everywhere").state()).isEqualTo(State.RUNNING);
        lifecycle.lead("");
        awaitState("mine", State.RUNNING);
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
}
