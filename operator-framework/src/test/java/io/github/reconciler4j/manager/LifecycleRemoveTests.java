package io.github.reconciler4j.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.reconciler4j.manager.ComponentState.State;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Removing components while the manager runs. */
class LifecycleRemoveTests extends LifecycleFixture {

    @Test
    void removeWhenComponentRunsStopsItWithTheGracePeriodAndFreesItsName() throws Exception {
        FakeComponent first = added("worker", StartGroup.ALL_REPLICAS);
        added("other", StartGroup.ALL_REPLICAS);
        lifecycle.start();
        assertThat(lifecycle.remove(List.of(first))).isTrue();
        assertThat(first.graces).containsExactly(Duration.ofSeconds(30));
        assertThat(lifecycle.statuses()).extracting("name").containsExactly("other");
        added("worker", StartGroup.ALL_REPLICAS);
        awaitState("worker", State.RUNNING);
        lifecycle.stop();
        lifecycle.await();
        assertThat(first.graces).hasSize(1);
    }

    @Test
    void removeWhenComponentWaitsForItsRetryEndsTheRetries() {
        FakeComponent waiting = added("worker", StartGroup.ALL_REPLICAS);
        waiting.failing(new ComponentNotReadyException("not yet"));
        lifecycle.start();
        awaitState("worker", State.WAITING);
        assertThat(lifecycle.remove(List.of(waiting))).isTrue();
        time.advance(Duration.ofMinutes(5));
        assertThat(journal).doesNotContain("+worker");
        assertThat(lifecycle.statuses()).isEmpty();
    }

    @Test
    void removeWhenComponentHasNotStartedNeverStartsIt() {
        FakeComponent component = added("worker", StartGroup.ALL_REPLICAS);
        assertThat(lifecycle.remove(List.of(component))).isTrue();
        lifecycle.start();
        assertThat(journal).doesNotContain("+worker");
    }

    @Test
    void removeWhenComponentDoesNotEndAbandonsItAndKeepsItsNameUntilItEnds() throws Exception {
        lifecycle = lifecycle(LifecycleOptions.defaults().withGracefulShutdown(Duration.ofSeconds(2)));
        CountDownLatch release = new CountDownLatch(1);
        FakeComponent stuck = added("worker", StartGroup.ALL_REPLICAS).onStop(grace -> awaitQuietly(release));
        lifecycle.start();
        Thread clock = new Thread(() -> {
            awaitState("worker", State.STOPPING); // visible only when the removal has chosen its deadline
            time.advance(Duration.ofSeconds(9));
        });
        clock.start();
        assertThat(lifecycle.remove(List.of(stuck))).isFalse();
        clock.join();
        assertThatIllegalArgumentException().isThrownBy(() -> added("worker", StartGroup.ALL_REPLICAS));
        release.countDown();
        await("the name is free").until(() -> lifecycle.statuses().isEmpty());
        added("worker", StartGroup.ALL_REPLICAS);
        awaitState("worker", State.RUNNING);
    }

    @Test
    void removeWhenStopOfComponentFailsRemovesItAndKeepsTheOthersRunning() {
        FakeComponent broken = added("worker", StartGroup.ALL_REPLICAS).onStop(grace -> {
            throw new IllegalStateException("broken at stop");
        });
        added("other", StartGroup.ALL_REPLICAS);
        lifecycle.start();
        assertThat(lifecycle.remove(List.of(broken))).isTrue();
        assertThat(lifecycle.isRunning()).isTrue();
        assertThat(status("other").state()).isEqualTo(State.RUNNING);
    }

    @Test
    void removeWhenComponentsAreElectedAndTheLeaseIsAcquiredLaterDoesNotStartThem() {
        hooks.leadAtOnce = false;
        FakeComponent elected = added("elected", StartGroup.LEADER_ELECTED);
        lifecycle.start();
        assertThat(lifecycle.remove(List.of(elected))).isTrue();
        lifecycle.lead("");
        assertThat(lifecycle.statuses()).isEmpty();
        assertThat(journal).doesNotContain("+elected");
    }

    @Test
    void removeWhenManagerHasStoppedReturnsImmediately() {
        FakeComponent component = added("worker", StartGroup.ALL_REPLICAS);
        lifecycle.start();
        lifecycle.stop();
        assertThat(lifecycle.remove(List.of(component))).isTrue();
        assertThat(component.graces).hasSize(1);
    }
}
