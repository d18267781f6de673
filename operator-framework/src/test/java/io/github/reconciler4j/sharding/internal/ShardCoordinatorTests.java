package io.github.reconciler4j.sharding.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;

import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.fixtures.UnstartableThread;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.sharding.ShardingOptions;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.Condition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The coordinator says whether its threads live, whatever was asked of it. */
@Timeout(60)
class ShardCoordinatorTests {

    private static ShardCoordinator coordinator(TimeSource time) {
        ApiConnection away = mock(ApiConnection.class, invocation -> {
            throw new ApiException("no server", ErrorDetails.none());
        });
        ShardingOptions options = ShardingOptions.named("shop").withLeaseNamespace("default");
        return new ShardCoordinator(
                new ShardCoordinator.Settings(away, "default", "me", options, "", OperatorMetrics.NONE), time);
    }

    @Test
    void isAliveWhenItRunsAndWhenItHasEnded() {
        ShardCoordinator coordinator = coordinator(TimeSource.system());
        assertThat(coordinator.isAlive()).isTrue();
        coordinator.start();
        assertThat(coordinator.isAlive()).isTrue();
        assertThat(coordinator.hasEnded()).isFalse();
        coordinator.stop();
        assertThat(coordinator.hasEnded()).isTrue();
        assertThat(coordinator.isAlive()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"leader-elector-", "shards-"})
    void startWhenAThreadCannotBeCreatedFailsAndCanBeStopped(String name) {
        ShardCoordinator coordinator = coordinator(TimeSource.system());
        assertThatThrownBy(() -> UnstartableThread.during(name, coordinator::start))
                .isInstanceOf(OutOfMemoryError.class);
        assertThat(coordinator.isAlive()).isFalse();
        coordinator.stop();
        assertThat(coordinator.hasEnded()).as("it holds nothing").isTrue();
    }

    /** As if a handler had left the interrupt flag set. */
    private static final class InterruptedTime implements TimeSource {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public Instant instant() {
            return Instant.now();
        }

        @Override
        public void await(Condition condition, long nanos) throws InterruptedException {
            if (Thread.currentThread().getName().startsWith("shards-")) {
                throw new InterruptedException("for a test");
            }
            condition.awaitNanos(nanos);
        }
    }

    @Test
    void isAliveWhenItsThreadDiedIsFalseAlsoAfterTheStop() {
        ShardCoordinator coordinator = coordinator(new InterruptedTime());
        coordinator.start();
        await("the end of the thread").atMost(Duration.ofSeconds(30)).until(() -> !coordinator.isAlive());
        coordinator.stop();
        assertThat(coordinator.hasEnded()).isFalse();
        assertThat(coordinator.isAlive()).isFalse();
    }
}
