package io.github.reconciler4j.sharding.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;

import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ErrorDetails;
import io.github.reconciler4j.fixtures.UnstartableThread;
import io.github.reconciler4j.leaderelection.WriteScope;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.sharding.ShardHandler;
import io.github.reconciler4j.sharding.ShardingOptions;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Condition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The coordinator says whether its threads live, whatever was asked of it, and which shards it holds to handlers that join. */
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
        coordinator.stop(false);
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
        coordinator.stop(false);
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
        coordinator.stop(false);
        assertThat(coordinator.hasEnded()).isFalse();
        assertThat(coordinator.isAlive()).isFalse();
    }

    /** Notes what it is asked for. */
    private static final class Handler implements ShardHandler {

        private final List<String> calls = new ArrayList<>();

        @Override
        public void start(int shard, WriteScope scope) {
            calls.add("start " + shard);
        }

        @Override
        public void started() {
            calls.add("started");
        }

        @Override
        public CompletionStage<Void> stop(int shard, Stop how) {
            calls.add("stop " + shard + " " + how);
            return CompletableFuture.completedFuture(null);
        }
    }

    @Test
    void handlerThatJoinsLearnsOfTheShardsThatAreHeldIfThereAreAny() {
        WriteScope scope = WriteScope.of(() -> {});
        ShardCoordinator.Handlers handlers = new ShardCoordinator.Handlers();
        Handler first = new Handler();
        handlers.join(first);
        assertThat(first.calls).as("no shard is held").isEmpty();
        handlers.start(1, scope);
        handlers.start(2, scope);
        handlers.started();
        Handler second = new Handler();
        handlers.join(second);
        handlers.join(second);
        assertThat(second.calls).containsExactly("start 1", "start 2", "started");
        assertThat(first.calls).as("once").isEqualTo(second.calls);
        handlers.stop(1, ShardHandler.Stop.NOW);
        handlers.stop(2, ShardHandler.Stop.FINISH);
        assertThat(first.calls).endsWith("started", "stop 1 NOW", "stop 2 FINISH");
        Handler third = new Handler();
        handlers.join(third);
        assertThat(third.calls).as("all shards were given away").isEmpty();
    }
}
