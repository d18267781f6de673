package io.github.reconciler4j.sharding.internal.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.withSettings;

import io.github.reconciler4j.cache.Cache;
import io.github.reconciler4j.cache.CacheOptions;
import io.github.reconciler4j.cache.Partition;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.leaderelection.WriteScope;
import io.github.reconciler4j.manager.ManagedComponent;
import io.github.reconciler4j.scheme.Scheme;
import io.github.reconciler4j.sharding.ShardHandler.Stop;
import io.github.reconciler4j.sharding.ShardedWork;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mockito.AdditionalAnswers;

/** A component or a cache that fails while a shard stops does not keep the replica from other borders. */
@Timeout(60)
class ShardingWorkTests {

    private static final List<Long> BORDERS = List.of(1L, 2L, 3L);

    private final Cache real = Cache.create(
            mock(ApiConnection.class),
            Scheme.create(),
            CacheOptions.defaults().withPartition(Partition.of(4, Set.of()).withServerNamespaces(true)));
    private final Cache cache = mock(Cache.class, AdditionalAnswers.delegatesTo(real));
    private final ShardWork work = new ShardWork(cache);
    private final AtomicBoolean failing = new AtomicBoolean();

    @BeforeEach
    void letTheCacheFail() {
        doAnswer(call -> {
                    if (failing.getAndSet(false)) {
                        throw new StackOverflowError("for a test");
                    }
                    real.changePartition(call.getArgument(0));
                    return null;
                })
                .when(cache)
                .changePartition(any());
    }

    @AfterEach
    void close() {
        work.close();
        real.close();
    }

    private ShardedWork added() {
        ShardedWork sharded = mock(ShardedWork.class, withSettings().extraInterfaces(ManagedComponent.class));
        doAnswer(call -> CompletableFuture.completedFuture(null)).when(sharded).close(anyInt(), any());
        work.add((ManagedComponent) sharded);
        return sharded;
    }

    @Test
    void divideWhenAComponentCouldNotStopTheLastShardUsesTheBorders() {
        ShardedWork broken = added();
        ShardedWork other = added();
        doThrow(new StackOverflowError("for a test")).when(broken).close(anyInt(), any());
        work.start(1, WriteScope.of(() -> {}));
        work.started();

        CompletionStage<Void> end = work.stop(1, Stop.FINISH);
        assertThat(end.toCompletableFuture()).isNotDone();
        assertThat(real.partition().held()).as("it may still run").containsExactly(1);
        work.stop(1, Stop.NOW);
        assertThat(real.partition().held()).isEmpty();
        verify(other).close(1, Stop.FINISH);
        verify(other).close(1, Stop.NOW);
        work.divide(BORDERS);
        assertThat(real.partition().namespaceBorders()).isEqualTo(BORDERS);
    }

    @Test
    void divideWhenTheCacheDidNotDropTheLastShardDropsItFirst() {
        work.start(1, WriteScope.of(() -> {}));
        work.started();
        failing.set(true);
        assertThatThrownBy(() -> work.stop(1, Stop.NOW)).isInstanceOf(StackOverflowError.class);
        assertThat(real.partition().held()).containsExactly(1);
        work.divide(BORDERS);
        assertThat(real.partition().held()).isEmpty();
        assertThat(real.partition().namespaceBorders()).isEqualTo(BORDERS);
    }
}
