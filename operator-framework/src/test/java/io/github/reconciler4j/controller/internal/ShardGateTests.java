package io.github.reconciler4j.controller.internal;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.leaderelection.WriteScope;
import io.github.reconciler4j.sharding.ShardHandler;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What a gate admits, before a worker has dequeued it. */
class ShardGateTests {

    private final ShardGate<String> gate = new ShardGate<>("test");
    private final WriteScope scope = WriteScope.of(() -> {});

    private void divide(Function<String, OptionalInt> shardOf) {
        gate.divide(shardOf, List::of, "");
    }

    @Test
    void admitsWhenTheControllerIsNotDividedIsTrue() {
        assertThat(gate.isDivided()).isFalse();
        assertThat(gate.admits("a")).isTrue();
    }

    @Test
    void admitsWhenTheShardIsNotHeldIsFalse() {
        divide(request -> OptionalInt.of(1));
        assertThat(gate.admits("a")).isFalse();
        gate.acquire(1, scope);
        assertThat(gate.admits("a")).isTrue();
        gate.close(1, ShardHandler.Stop.FINISH);
        assertThat(gate.admits("a")).isFalse();
    }

    @Test
    void admitsWhenTheShardIsNotKnownIsTrue() {
        divide(request -> OptionalInt.empty());
        assertThat(gate.admits("a")).isTrue();
    }

    @Test
    void admitsWhenTheShardCannotBeDeterminedIsTrueAndIsLogged() {
        divide(request -> {
            throw new IllegalStateException("closed");
        });
        try (CapturedLog log = CapturedLog.of(ShardGate.class.getName())) {
            assertThat(gate.admits("a")).isTrue();
            assertThat(log.lines(Level.WARN))
                    .singleElement()
                    .asString()
                    .contains("Controller 'test' cannot determine the shard of a yet: java.lang.IllegalStateException");
        }
    }
}
