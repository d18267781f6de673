package io.github.reconciler4j.sharding.internal.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.fixtures.UnstartableThread;
import io.github.reconciler4j.sharding.internal.ShardCoordinator;
import io.github.reconciler4j.support.Threads;
import io.github.reconciler4j.support.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mockito.MockedStatic;

/** A replica follows the borders of namespaces, and says why it cannot. */
@Timeout(180)
class ShardMembershipProblemTests {

    private static final String NO_LEASE = "this replica does not hold its Lease shop-replica-me";

    private static final Duration LONG = Duration.ofSeconds(60);

    private final BordersServer server = new BordersServer();
    private final ShardMembership membership = new ShardMembership(
            BordersServer.SHARDING, server.borders(), this::coordinator, borders -> {}, TimeSource.system());
    private final AtomicInteger coordinators = new AtomicInteger();
    private volatile Runnable creating = () -> {};

    private ShardCoordinator coordinator(List<Long> borders) {
        coordinators.incrementAndGet();
        creating.run();
        return new ShardCoordinator(server.settings(), TimeSource.system());
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void stopWhileNamespacesAreListedEndsTheListWithoutAReport() throws InterruptedException {
        CountDownLatch listing = new CountDownLatch(1);
        CountDownLatch answered = new CountDownLatch(1);
        server.namespaces = request -> {
            listing.countDown();
            awaitQuietly(answered);
            return BordersServer.page("next");
        };
        try (CapturedLog log = CapturedLog.of(ShardMembership.class.getName())) {
            membership.start();
            listing.await();
            Thread stop = new Thread(membership::stop);
            stop.start();
            await("it waits for the list").atMost(LONG).until(() -> stop.getState() == Thread.State.TIMED_WAITING);
            answered.countDown();
            stop.join();
            assertThat(server.requests).containsExactly("get", "list");
            assertThat(log.lines(Level.DEBUG)).isEmpty();
        }
    }

    @Test
    void startWhenTheThreadOfTheCoordinatorCannotBeCreatedIsRepeated() {
        creating = () -> {
            MockedStatic<Threads> threads = UnstartableThread.named("shards-");
            creating = threads::close; // by the same thread
        };
        membership.start();
        await("another coordinator").atMost(LONG).until(() -> coordinators.get() == 2);
        membership.stop();
        assertThat(membership.isAlive()).isTrue();
    }

    private String problem() {
        return membership.status("me").problem();
    }

    @Test
    void statusWhenTheBordersCannotBeReadSaysSoUntilTheyCan() {
        assertThat(problem()).isEqualTo("the borders of namespaces are not known yet");
        membership.start();
        await("the borders").atMost(LONG).until(() -> problem().equals(NO_LEASE));
        server.lease = request -> "{}";
        await("a failure")
                .atMost(LONG)
                .until(() -> problem().contains("cannot follow the borders of namespaces: The response"));
        assertThat(problem()).endsWith("; " + NO_LEASE);
        server.lease = request -> BordersServer.LEASE;
        await("the borders").atMost(LONG).until(() -> problem().equals(NO_LEASE));
        membership.stop();
    }
}
