package io.github.reconciler4j.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.health.HealthCheck.Health;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.support.Threads;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentMatchers;
import org.mockito.MockedStatic;
import org.mockito.Mockito;

/** A thread of a controller that ends, which no known failure does to it, shows in the health of the controller. */
class ControllerDeadThreadTests extends ControllerLifecycleFixture {

    /** Start a controller whose threads of this name end at once. */
    private static Health healthWithout(String name, boolean worker) throws Exception {
        try (ControllerFixture fixture = new ControllerFixture((request, context) -> Result.done())) {
            Thread dead = new Thread(() -> {}, name);
            dead.setDaemon(true);
            try (MockedStatic<Threads> threads = Mockito.mockStatic(Threads.class, Mockito.CALLS_REAL_METHODS)) {
                if (worker) {
                    threads.when(() -> Threads.create(
                                    ArgumentMatchers.startsWith(name),
                                    ArgumentMatchers.any(),
                                    ArgumentMatchers.anyBoolean()))
                            .thenReturn(dead);
                } else {
                    threads.when(() -> Threads.daemon(ArgumentMatchers.eq(name), ArgumentMatchers.any()))
                            .thenReturn(dead);
                }
                fixture.started();
            }
            dead.join();
            return fixture.controller.healthChecks().get(0).check();
        }
    }

    @Test
    void healthWhenAWorkerHasEndedIsNotAlive() throws Exception {
        Health health = healthWithout("controller-test-worker", true);
        assertThat(health.alive()).isFalse();
        assertThat(health.details()).containsEntry("deadThreads", List.of("controller-test-worker"));
    }

    @Test
    void healthWhenTheWatchdogHasEndedIsNotAlive() throws Exception {
        Health health = healthWithout("controller-test-watchdog", false);
        assertThat(health.alive()).isFalse();
        assertThat(health.details()).containsEntry("deadThreads", List.of("watchdog"));
    }

    @Test
    void healthWhenAllThreadsRunShowsNoDeadThreads() throws Exception {
        Health health = healthWithout("no-such-thread", true);
        assertThat(health.alive()).isTrue();
        assertThat(health.details()).doesNotContainKey("deadThreads");
    }
}
