package io.github.reconciler4j.client.internal.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.client.Discovery;
import io.github.reconciler4j.client.ScriptedServer;
import io.github.reconciler4j.client.connection.ApiConnection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class DiscoveryVersionTests {

    private static final int OLDEST = 0;

    private volatile byte[] answer = {};
    private final CountDownLatch asked = new CountDownLatch(1);
    private volatile CountDownLatch answered = new CountDownLatch(0);
    private final ScriptedServer server = ScriptedServer.start((request, out) -> {
        asked.countDown();
        answered.await();
        out.write(answer);
    });
    private final ApiConnection connection = ApiConnection.open(server.config());
    private final Discovery discovery = Discovery.of(connection);

    @AfterEach
    void close() {
        connection.close();
        server.close();
    }

    private void answer(int status, String body) {
        answer = ScriptedServer.json(status, body);
    }

    @ParameterizedTest
    @CsvSource({"34,34", "37,37", "9,9", "28+,28", "0,0"})
    void isServerAtLeastOfItsOwnVersionIsTrueAndOfTheNextIsFalse(String minor, int number) {
        answer(200, "{\"major\": \"1\", \"minor\": \"" + minor + "\", \"gitVersion\": \"v1.99.0\"}");
        assertThat(discovery.isServerAtLeast(number)).isTrue();
        assertThat(discovery.isServerAtLeast(number + 1)).isFalse();
        assertThat(server.requests()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"major\": \"2\", \"minor\": \"40\"}",
                "{\"major\": \"1\", \"minor\": \"\"}",
                "{\"major\": \"1\", \"minor\": \"-40\"}",
                "{\"major\": \"1\", \"minor\": \"99999999999\"}",
                "{\"major\": \"1\", \"minor\": null}",
                "{\"major\": \"1\", \"minor\": {\"a\": [1]}}",
                "{\"kind\": \"Status\", \"code\": 200}"
            })
    void isServerAtLeastWhenTheResponseHasNoVersionIsFalseAndAsksOnce(String body) {
        answer(200, body);
        assertThat(discovery.isServerAtLeast(OLDEST)).isFalse();
        assertThat(discovery.isServerAtLeast(OLDEST)).isFalse();
        assertThat(server.requests()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {403, 404})
    void isServerAtLeastWhenTheVersionIsRefusedIsFalseAndAsksOnce(int status) {
        answer(status, "{}");
        assertThat(discovery.isServerAtLeast(OLDEST)).isFalse();
        assertThat(discovery.isServerAtLeast(OLDEST)).isFalse();
        assertThat(server.requests()).hasSize(1);
    }

    static Stream<byte[]> passing() {
        return Stream.of(
                ScriptedServer.json(401, "{}"),
                ScriptedServer.json(400, "{}"),
                ScriptedServer.json(500, "{}"),
                ScriptedServer.json(200, ""),
                ScriptedServer.json(200, "<html>"),
                ScriptedServer.json(200, "[1]"),
                ScriptedServer.json(200, "{\"major\":"));
    }

    @ParameterizedTest
    @MethodSource("passing")
    void isServerAtLeastWhenAnAttemptFailsIsFalseAndAsksAgain(byte[] failure) {
        answer = failure;
        assertThat(discovery.isServerAtLeast(OLDEST)).isFalse();
        answer(200, "{\"major\": \"1\", \"minor\": \"37\"}");
        assertThat(discovery.isServerAtLeast(37)).isTrue();
    }

    @Test
    void isServerAtLeastWhenManyThreadsAskSendsOneRequest() throws Exception {
        answer(200, "{\"major\": \"1\", \"minor\": \"37\"}");
        answered = new CountDownLatch(1);
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            Callable<Boolean> question = () -> discovery.isServerAtLeast(37);
            List<Future<Boolean>> answers =
                    Stream.generate(() -> threads.submit(question)).limit(8).toList();
            asked.await();
            answered.countDown();
            for (Future<Boolean> each : answers) {
                assertThat(each.get()).isTrue();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void isServerAtLeastWhenInterruptedWhileAnotherThreadAsksKeepsTheInterrupt() throws Exception {
        answer(200, "{\"major\": \"1\", \"minor\": \"37\"}");
        answered = new CountDownLatch(1);
        FutureTask<Boolean> first = new FutureTask<>(() -> discovery.isServerAtLeast(37));
        new Thread(first).start();
        asked.await();
        Thread.currentThread().interrupt();
        assertThat(discovery.isServerAtLeast(37)).isFalse();
        assertThat(Thread.interrupted()).isTrue();
        answered.countDown();
        assertThat(first.get()).isTrue();
    }

    @Test
    void isServerAtLeastWhenInterruptedItselfKeepsTheInterrupt() {
        answered = new CountDownLatch(1);
        Thread.currentThread().interrupt();
        assertThat(discovery.isServerAtLeast(OLDEST)).isFalse();
        assertThat(Thread.interrupted()).isTrue();
        answered.countDown();
        answer(200, "{\"major\": \"1\", \"minor\": \"37\"}");
        assertThat(discovery.isServerAtLeast(37)).isTrue();
    }
}
