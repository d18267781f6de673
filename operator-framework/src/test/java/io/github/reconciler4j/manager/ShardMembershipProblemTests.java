package io.github.reconciler4j.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.sharding.internal.ShardCoordinator;
import io.github.reconciler4j.support.TimeSource;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A replica follows the borders of namespaces, and says why it cannot. */
@Timeout(60)
class ShardMembershipProblemTests {

    private final BordersServer server = new BordersServer();
    private final ShardMembership membership = new ShardMembership(
            BordersServer.SHARDING,
            server.borders(),
            borders -> new ShardCoordinator(server.settings(), TimeSource.system()),
            borders -> {},
            TimeSource.system());

    @Test
    void stopWhileNamespacesAreListedEndsTheListWithoutAReport() throws InterruptedException {
        CountDownLatch listing = new CountDownLatch(1);
        CountDownLatch answered = new CountDownLatch(1);
        server.namespaces = request -> {
            listing.countDown();
            await("the stop").until(() -> answered.getCount() == 0);
            return BordersServer.page("next");
        };
        try (CapturedLog log = CapturedLog.of(ShardMembership.class.getName())) {
            membership.start();
            listing.await();
            Thread stop = new Thread(membership::stop);
            stop.start();
            await("it waits for the list").until(() -> stop.getState() == Thread.State.TIMED_WAITING);
            answered.countDown();
            stop.join();
            assertThat(server.requests).containsExactly("get", "list");
            assertThat(log.lines(Level.DEBUG)).isEmpty();
        }
    }
}
