package io.github.reconciler4j.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.github.reconciler4j.builder.ControllerBuilder;
import io.github.reconciler4j.controller.Controller;
import io.github.reconciler4j.controller.ControllerOptions;
import io.github.reconciler4j.controller.ControllerState;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions;
import io.github.reconciler4j.leaderelection.LeaderElectionOptions.OnLost;
import io.github.reconciler4j.leaderelection.LeaseTiming;
import io.github.reconciler4j.manager.Manager;
import io.github.reconciler4j.manager.ManagerOptions;
import io.github.reconciler4j.reconcile.Request;
import io.github.reconciler4j.reconcile.Result;
import io.github.reconciler4j.scheme.ObjectKey;
import io.github.reconciler4j.test.KubernetesServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a channel has sent before, while and after the lease of its controller is lost and acquired again by the same process. */
@Timeout(180)
class ChannelLostLeaseTests {

    private static final LeaseTiming TIMING =
            LeaseTiming.of(Duration.ofSeconds(4), Duration.ofSeconds(3), Duration.ofMillis(200));

    private final KubernetesServer server = KubernetesServer.start();
    private final Manager manager = Manager.create(
            server.clientConfig(),
            ManagerOptions.defaults()
                    .withLeaderElection(LeaderElectionOptions.named("channel")
                            .withLeaseNamespace("default")
                            .withOnLost(OnLost.REJOIN)
                            .withTiming(TIMING)));
    private final ChannelSource<Request, Request> channel = ChannelSource.ofRequests("channel");
    private final List<String> runs = new CopyOnWriteArrayList<>();
    private final CountDownLatch never = new CountDownLatch(1);
    private volatile boolean again;
    private final Controller<Request> controller = ControllerBuilder.forRequests("channel", Request.class)
            .customizeOptions(ChannelLostLeaseTests::twoWorkers)
            .source(channel)
            .reconciler((request, context) -> {
                runs.add(request.name());
                return switch (again ? "done" : request.name()) {
                    case "running", "waiting" -> {
                        never.await();
                        yield Result.done();
                    }
                    case "failing" -> throw new IllegalStateException("for a test");
                    case "later" -> Result.requeueAfter(Duration.ofSeconds(2));
                    default -> Result.done();
                };
            })
            .addTo(manager);

    private static ControllerOptions twoWorkers(ControllerOptions options) {
        return options.withMaxConcurrentReconciles(2);
    }

    @AfterEach
    void stop() {
        manager.close();
        server.close();
    }

    private static void eventually(String what, Callable<Boolean> condition) {
        Awaitility.await(what)
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(10))
                .until(condition);
    }

    private boolean send(String name) {
        return channel.send(new Request("default", name));
    }

    private void hold(String holder) {
        manager.client().retryOnConflict(Lease.class, ObjectKey.of("default", "channel"), lease -> {
            lease.getSpec().setHolderIdentity(holder);
            lease.getSpec().setLeaseDurationSeconds(1);
            return manager.client().update(lease);
        });
    }

    @Test
    void requestsThatWereAcceptedAreDroppedWithTheLeaseAndThoseSentSinceAreKept() {
        manager.start();
        eventually("leads", () -> controller.state() == ControllerState.RUNNING);
        assertThat(send("failing")).isTrue();
        assertThat(send("later")).isTrue();
        eventually("both ran", () -> runs.contains("failing") && runs.contains("later"));
        assertThat(send("running")).isTrue();
        eventually("one runs", () -> runs.contains("running"));
        assertThat(send("waiting")).isTrue();
        assertThat(send("last")).isTrue();

        again = true;
        hold("thief");
        // A controller that is stopping still accepts requests, which it then drops with the others.
        eventually("lost", () -> controller.state() == ControllerState.STOPPED);
        runs.clear();
        assertThat(send("meanwhile")).isTrue();
        eventually("leads again", () -> controller.state() == ControllerState.RUNNING);
        assertThat(send("afterwards")).isTrue();
        eventually("both ran", () -> runs.containsAll(List.of("meanwhile", "afterwards")));
        eventually("nothing is left", () -> {
            var queue = controller.operations().queue().orElseThrow();
            return queue.running() == 0
                    && queue.delayed() == 0
                    && queue.depth().values().stream().allMatch(depth -> depth == 0);
        });
        assertThat(runs).containsExactlyInAnyOrder("meanwhile", "afterwards");
    }
}
