package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.fixtures.ScriptedServer;
import io.github.reconciler4j.fixtures.TestCertificates;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The thread on which the JVM completes futures whose time is up runs callbacks of the application. One that blocks must not keep
 * requests from ending at their deadline.
 */
@Timeout(60)
class BlockedTimerTests {

    private static final ApiRequest GET =
            ApiRequest.of("get", "GET", "/api/v1/namespaces/default").withTimeout(Duration.ofMillis(500));

    private final CountDownLatch release = new CountDownLatch(1);

    /** Blocks the thread as an application does: in a callback of a future with a time limit. */
    @BeforeEach
    void blockTheTimerOfFutures() throws InterruptedException {
        CountDownLatch blocked = new CountDownLatch(1);
        CompletableFuture<Object> late = new CompletableFuture<>();
        CompletableFuture<Object> callback = late.exceptionally(timeout -> {
            blocked.countDown();
            await(release);
            return null;
        });
        late.orTimeout(1, TimeUnit.MILLISECONDS); // last: a callback of a future that is completed runs on this thread
        assertThat(blocked.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(callback).isNotDone();
    }

    @AfterEach
    void releaseTheTimer() {
        release.countDown();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void assertEndsAtItsDeadline(Config config) {
        try (ApiConnection connection = ApiConnection.open(config)) {
            assertThat(catchThrowable(() -> connection.send(GET)))
                    .isInstanceOfSatisfying(
                            ConnectionException.class,
                            e -> assertThat(e.problem()).isEqualTo(ConnectionException.Problem.TIMEOUT));
        }
    }

    @Test
    void requestWhenTheServerNeverAnswersEndsAtItsDeadline() {
        try (ScriptedServer server = ScriptedServer.start((request, out) -> ScriptedServer.stall())) {
            assertEndsAtItsDeadline(server.config());
        }
    }

    @Test
    void requestOverTlsWhenTheServerNeverAnswersEndsAtItsDeadline() {
        TestCertificates certificates = TestCertificates.create("127.0.0.1");
        try (ScriptedServer server =
                ScriptedServer.startTls(certificates, false, (request, out) -> ScriptedServer.stall())) {
            assertEndsAtItsDeadline(certificates.config("https://127.0.0.1:" + server.port()));
        }
    }
}
