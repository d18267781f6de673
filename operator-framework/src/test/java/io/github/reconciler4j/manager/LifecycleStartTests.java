package io.github.reconciler4j.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.github.reconciler4j.manager.ComponentState.State;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** In which order components start, which of them lead, and what becomes of failures. */
class LifecycleStartTests extends LifecycleFixture {

    @Test
    void startWhenComponentsAreInAllGroupsStartsThemInOrderAndStopsThemInReverse() {
        for (StartGroup group :
                List.of(StartGroup.LEADER_ELECTED, StartGroup.CACHES, StartGroup.SERVERS, StartGroup.ALL_REPLICAS)) {
            added(group.name(), group);
        }
        added("WEBHOOKS", StartGroup.WEBHOOKS);
        lifecycle.start();
        awaitState("LEADER_ELECTED", State.RUNNING);
        lifecycle.stop();
        assertThat(journal)
                .containsExactly(
                        "+SERVERS",
                        "+WEBHOOKS",
                        "+CACHES",
                        "+ALL_REPLICAS",
                        "campaign",
                        "+LEADER_ELECTED",
                        "stopping",
                        "-LEADER_ELECTED",
                        "-ALL_REPLICAS",
                        "-CACHES",
                        "-WEBHOOKS",
                        "-SERVERS",
                        "stopped");
        assertThat(hooks.released).hasValue(true);
    }

    @Test
    void startWhenOneComponentOfAGroupIsSlowStartsTheOthersAndDelaysTheNextGroup() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        add(component("slow", StartGroup.CACHES).onStart(() -> {
            release.await();
            return null;
        }));
        added("fast", StartGroup.CACHES);
        added("next", StartGroup.ALL_REPLICAS);
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
    void startWhenThereIsAJitterDelaysComponentsButNotServersAndCaches() {
        lifecycle = lifecycle(LifecycleOptions.defaults().withStartJitter(Duration.ofDays(1)));
        added("cache", StartGroup.CACHES);
        added("worker", StartGroup.LEADER_ELECTED);
        lifecycle.start();
        awaitState("cache", State.RUNNING);
        awaitState("worker", State.STARTING);
        assertThat(journal).containsExactly("+cache", "campaign");
        await("the worker starts a day after its thread chose its delay").until(() -> {
            time.advance(Duration.ofDays(1));
            return status("worker").state() == State.RUNNING;
        });
    }

    @Test
    void startWhenCalledTwiceFails() {
        lifecycle.start();
        assertThatIllegalStateException()
                .isThrownBy(() -> lifecycle.start())
                .withMessageContaining("started or stopped before");
    }

    @Test
    void startWhenComponentsFailNamesAllOfThemAndStopsTheRest() {
        added("server", StartGroup.SERVERS);
        add(component("one", StartGroup.CACHES).failing(new IllegalStateException("port taken")));
        add(component("two", StartGroup.CACHES).failing(new IllegalArgumentException("no such thing")));
        added("never", StartGroup.ALL_REPLICAS);
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
        assertThat(lifecycle.statuses()).extracting(ComponentState::state).containsOnly(State.STOPPED);
    }

    @Test
    void startWhenElectedComponentFailsLaterStopsEverythingAndAwaitThrows() throws Exception {
        added("server", StartGroup.SERVERS);
        add(component("controller", StartGroup.LEADER_ELECTED).failing(new IllegalStateException("broken")));
        lifecycle.start();
        assertThatThrownBy(() -> lifecycle.await())
                .isInstanceOf(ManagerFailedException.class)
                .hasMessage("The manager has stopped: controller could not start: broken")
                .cause()
                .hasMessage("broken");
        assertThat(journal).contains("-server");
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
    void addWhenManagerStopsOrNameIsTakenIsRejected() {
        added("a", StartGroup.CACHES);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> added("a", StartGroup.SERVERS))
                .withMessageContaining("'a'");
        lifecycle.stop();
        assertThatIllegalStateException()
                .isThrownBy(() -> added("b", StartGroup.SERVERS))
                .withMessageContaining("Cannot add 'b'");
    }

    @Test
    void leadWhenNotCalledKeepsElectedComponentsOnStandby() {
        hooks.leadAtOnce = false;
        added("elected", StartGroup.LEADER_ELECTED);
        lifecycle.start();
        assertThat(status("elected").state()).isEqualTo(State.STANDBY);
        added("late", StartGroup.LEADER_ELECTED);
        assertThat(status("late").state()).isEqualTo(State.STANDBY);
        lifecycle.lead("");
        awaitState("elected", State.RUNNING);
        awaitState("late", State.RUNNING);
    }

    @Test
    void withdrawWhenLeaseIsLostStopsOnlyItsComponentsAndLeadStartsThemAgain() throws Exception {
        hooks.leadAtOnce = false;
        FakeComponent mine = added("mine", StartGroup.LEADER_ELECTED);
        add(component("other", StartGroup.LEADER_ELECTED).lease("other"));
        added("everywhere", StartGroup.ALL_REPLICAS);
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
}
