package io.github.reconciler4j.grid;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.leaderelection.LeaseTiming;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.sharding.ShardingOptions;
import io.github.reconciler4j.sharding.internal.member.ShardGate;
import io.github.reconciler4j.test.KubernetesServer;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rows of the grid of callbacks for the function that returns the shard of a request. */
@Timeout(300)
class ShardCallbacksTests {

    private final KubernetesServer server = KubernetesServer.start();

    @AfterEach
    void stop() {
        server.close();
    }

    static List<CallbackRow> rows() {
        return List.of(
                shards("shard of an event's request", "reflector", "subscription"),
                shards("shard of a dequeued request", "worker"));
    }

    /** The failure hits the threads with one of these names; the change that led to it must arrive as well. */
    private static CallbackRow shards(String name, String... threads) {
        return new CallbackRow(name, "WorkDivision#gate(Function)")
                .options((options, thrower) -> options.withExtension(ShardingOptions.named("grid")
                        .withShards(2)
                        .withLeaseNamespace(options.name())
                        .withTiming(LeaseTiming.of(
                                Duration.ofSeconds(40), Duration.ofSeconds(30), Duration.ofMillis(200)))))
                .setup((operator, thrower) -> {
                    Controller<Request> controller = operator.controller()
                            .reconciler((object, context) -> operator.seen(object))
                            .build(operator.manager);
                    controller.divide(new ShardGate<>(
                            controller.name(),
                            request -> {
                                String thread = Thread.currentThread().getName();
                                return Stream.of(threads).anyMatch(thread::contains)
                                        ? thrower.call(OptionalInt.of(0))
                                        : OptionalInt.of(0);
                            },
                            () -> true));
                    operator.manager.add(controller);
                })
                .trigger((operator, thrower) -> operator.changeAndAwait("a"));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void callbackWhenItThrowsAnythingDelaysOnlyItself(CallbackRow row) throws Exception {
        assertThat(row.run(server, "row")).isEmpty();
    }
}
