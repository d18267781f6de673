package io.github.reconciler4j.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reconciler4j.fixtures.FailingTimeSource;
import io.github.reconciler4j.fixtures.UnstartableThread;
import io.github.reconciler4j.manager.internal.lifecycle.Failure;
import io.github.reconciler4j.manager.internal.lifecycle.Lifecycle;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** An error within the lifecycle itself ends no start or stop without a trace. */
class LifecycleThreadTests extends LifecycleFixture {

    private final FailingTimeSource failing = new FailingTimeSource();

    private void createLifecycle(LifecycleOptions options) {
        lifecycle = new Lifecycle("test", options, failing, hooks);
    }

    @Test
    void stopWhenItsThreadFailsReportsItAndEnds() {
        createLifecycle(LifecycleOptions.defaults());
        added("server", StartGroup.SERVERS);
        lifecycle.start();
        failing.failOnceIn("test-stop");
        lifecycle.stop();
        assertThat(failing.hasFailed()).isTrue();
        assertThatThrownBy(() -> lifecycle.await())
                .isInstanceOf(ManagerFailedException.class)
                .hasRootCauseMessage("for a test");
        assertThat(lifecycle.isRunning()).isFalse();
    }

    @Test
    void startWhenTheThreadOfAComponentFailsStopsTheManager() {
        createLifecycle(LifecycleOptions.defaults().withStartJitter(Duration.ofMillis(2)));
        added("other", StartGroup.SERVERS);
        added("worker", StartGroup.ALL_REPLICAS);
        failing.failOnceIn("test-start-worker");
        assertThatThrownBy(() -> lifecycle.start())
                .isInstanceOf(ManagerStartException.class)
                .hasMessageContaining("worker could not start");
        assertThat(journal).contains("-other");
    }

    @Test
    void stopWhenTheThreadOfAComponentFailsStopsTheOthers() {
        createLifecycle(LifecycleOptions.defaults());
        added("other", StartGroup.SERVERS);
        added("worker", StartGroup.ALL_REPLICAS);
        lifecycle.start();
        failing.failOnceIn("test-stop-worker");
        lifecycle.stop();
        assertThat(journal).contains("-other");
        assertThatThrownBy(() -> lifecycle.await()).hasMessageContaining("worker could not stop cleanly");
    }

    @Test
    void stopWhenNoThreadCanBeCreatedEnds() {
        createLifecycle(LifecycleOptions.defaults());
        added("server", StartGroup.SERVERS);
        lifecycle.start();
        UnstartableThread.during("", lifecycle::stop);
        assertThat(lifecycle.isRunning()).isFalse();
        assertThat(journal).contains("-server");
    }

    @Test
    void failureWhenNoThreadCanBeCreatedStopsTheManager() {
        createLifecycle(LifecycleOptions.defaults());
        added("server", StartGroup.SERVERS);
        lifecycle.start();
        UnstartableThread.during("", () -> lifecycle.fail(new Failure("The test", "failed", null)));
        assertThatThrownBy(() -> lifecycle.await()).isInstanceOf(ManagerFailedException.class);
        assertThat(journal).contains("-server");
    }
}
