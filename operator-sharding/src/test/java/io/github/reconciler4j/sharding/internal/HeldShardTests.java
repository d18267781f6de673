package io.github.reconciler4j.sharding.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.reconciler4j.client.error.WriteRefusedException;
import io.github.reconciler4j.leaderelection.WriteScope;
import io.github.reconciler4j.leaderelection.internal.LeaseFence;
import io.github.reconciler4j.leaderelection.internal.LeaseRecord;
import io.github.reconciler4j.sharding.internal.HeldShard.Session;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class HeldShardTests {

    private final Clock clock = new Clock();
    private final LeaseFence fence = new LeaseFence(clock, Duration.ofSeconds(10));
    private final Session session = new Session(fence, 0);
    private final HeldShard shard = new HeldShard(
            3,
            session,
            new ShardStore.Version(
                    "ring-shard-03", LeaseRecord.first("r", 15, Instant.EPOCH), new ShardStore.Marks("", false), ""));

    private static final class Clock implements TimeSource {
        private long seconds = 100;

        @Override
        public long nanoTime() {
            return Duration.ofSeconds(seconds).toNanos();
        }

        @Override
        public Instant instant() {
            return Instant.ofEpochSecond(seconds);
        }
    }

    @Test
    void scopeWhenTheFenceOpensAgainInALaterSessionStaysClosed() {
        clock.seconds = 50; // before the end of what is valid
        fence.grant();
        WriteScope scope = shard.scope();
        scope.check();
        session.end();
        assertThat(fence.isOpen()).isTrue();
        assertThatThrownBy(scope::check)
                .isInstanceOf(WriteRefusedException.class)
                .hasMessageContaining("shard 3");
    }

    @Test
    void scopeWhenTheShardWasGivenAwayOrTheLeaseIsLostIsClosed() {
        clock.seconds = 50;
        fence.grant();
        WriteScope scope = shard.scope();
        fence.close();
        assertThatThrownBy(scope::check).isInstanceOf(WriteRefusedException.class);
        fence.grant();
        scope.check();
        shard.close();
        assertThatThrownBy(scope::check).isInstanceOf(WriteRefusedException.class);
    }
}
