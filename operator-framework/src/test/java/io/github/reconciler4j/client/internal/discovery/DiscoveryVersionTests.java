package io.github.reconciler4j.client.internal.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import ch.qos.logback.classic.Level;
import io.github.reconciler4j.client.Discovery;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.fixtures.ScriptedServer;
import java.time.Duration;
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
    private final ManualTimeSource time = new ManualTimeSource();
    private final Discovery discovery = new DiscoveryCache(connection, time);

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
    void isKubernetesAtLeastOfItsOwnVersionIsTrueAndOfTheNextIsFalse(String minor, int number) {
        answer(200, "{\"major\": \"1\", \"minor\": \"" + minor + "\", \"gitVersion\": \"v1.99.0\"}");
        assertThat(discovery.isKubernetesAtLeast(number)).isTrue();
        assertThat(discovery.isKubernetesAtLeast(number + 1)).isFalse();
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
    void isKubernetesAtLeastWhenTheResponseHasNoVersionIsFalseAndAsksOnce(String body) {
        answer(200, body);
        assertThat(discovery.isKubernetesAtLeast(OLDEST)).isFalse();
        assertThat(discovery.isKubernetesAtLeast(OLDEST)).isFalse();
        assertThat(server.requests()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {403, 404})
    void isKubernetesAtLeastWhenTheVersionIsRefusedIsFalseAndAsksOnce(int status) {
        answer(status, "{}");
        assertThat(discovery.isKubernetesAtLeast(OLDEST)).isFalse();
        assertThat(discovery.isKubernetesAtLeast(OLDEST)).isFalse();
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
    void isKubernetesAtLeastWhenAnAttemptFailsIsFalseAndAsksAgain(byte[] failure) {
        answer = failure;
        assertThat(discovery.isKubernetesAtLeast(OLDEST)).isFalse();
        answer(200, "{\"major\": \"1\", \"minor\": \"37\"}");
        int requests = server.requests().size();
        time.advance(Duration.ofMillis(9_999));
        assertThat(discovery.isKubernetesAtLeast(OLDEST)).isFalse();
        assertThat(server.requests()).hasSize(requests);
        time.advance(Duration.ofMillis(1));
        assertThat(discovery.isKubernetesAtLeast(37)).isTrue();
    }

    @Test
    void isKubernetesAtLeastWhenForgottenAsksAgain() {
        answer(403, "{}");
        assertThat(discovery.isKubernetesAtLeast(OLDEST)).isFalse();
        answer(200, "{\"major\": \"1\", \"minor\": \"37\"}");
        discovery.forget();
        assertThat(discovery.isKubernetesAtLeast(37)).isTrue();
    }

    @Test
    void isKubernetesAtLeastWhenTheConnectionThrowsAnythingIsFalse() {
        ApiConnection broken = mock(ApiConnection.class);
        when(broken.send(any())).thenThrow(new UnsupportedOperationException());
        assertThat(Discovery.of(broken).isKubernetesAtLeast(OLDEST)).isFalse();
    }

    @Test
    void isKubernetesAtLeastWhenMinorIsNegativeFails() {
        assertThatThrownBy(() -> discovery.isKubernetesAtLeast(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'minor' must not be negative, was -1");
    }

    @Test
    void isKubernetesAtLeastWhenManyThreadsAskSendsOneRequest() throws Exception {
        answer(200, "{\"major\": \"1\", \"minor\": \"37\"}");
        answered = new CountDownLatch(1);
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            CountDownLatch asking = new CountDownLatch(8);
            Callable<Boolean> question = () -> {
                asking.countDown();
                return discovery.isKubernetesAtLeast(37);
            };
            List<Future<Boolean>> answers =
                    Stream.generate(() -> threads.submit(question)).limit(8).toList();
            asking.await();
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
    void isKubernetesAtLeastWhenInterruptedWhileAnotherThreadAsksKeepsTheInterrupt() throws Exception {
        answer(200, "{\"major\": \"1\", \"minor\": \"37\"}");
        answered = new CountDownLatch(1);
        FutureTask<Boolean> first = new FutureTask<>(() -> discovery.isKubernetesAtLeast(37));
        new Thread(first).start();
        asked.await();
        Thread.currentThread().interrupt();
        assertThat(discovery.isKubernetesAtLeast(37)).isFalse();
        assertThat(Thread.interrupted()).isTrue();
        answered.countDown();
        assertThat(first.get()).isTrue();
    }

    @Test
    void isKubernetesAtLeastWhenInterruptedItselfKeepsTheInterrupt() {
        answered = new CountDownLatch(1);
        Thread.currentThread().interrupt();
        assertThat(discovery.isKubernetesAtLeast(OLDEST)).isFalse();
        assertThat(Thread.interrupted()).isTrue();
        answered.countDown();
        answer(200, "{\"major\": \"1\", \"minor\": \"37\"}");
        time.advance(Duration.ofSeconds(10));
        assertThat(discovery.isKubernetesAtLeast(37)).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "30|selectable fields,lists as streams,pages from a snapshot,MutatingAdmissionPolicy,StorageVersionMigration",
                "31|lists as streams,pages from a snapshot,MutatingAdmissionPolicy,StorageVersionMigration",
                "32|pages from a snapshot,MutatingAdmissionPolicy,StorageVersionMigration",
                "33|lists as streams,pages from a snapshot,MutatingAdmissionPolicy,StorageVersionMigration",
                "34|MutatingAdmissionPolicy,StorageVersionMigration",
                "36|StorageVersionMigration"
            })
    void versionWhenItLacksFeaturesIsLoggedOnceWithThem(String minor, String features) {
        answer(200, "{\"major\": \"1\", \"minor\": \"" + minor + "\"}");
        try (CapturedLog log = CapturedLog.of(DiscoveryCache.class.getName())) {
            discovery.isKubernetesAtLeast(OLDEST);
            discovery.forget();
            discovery.isKubernetesAtLeast(OLDEST);

            assertThat(log.lines(Level.INFO)).singleElement().satisfies(line -> {
                assertThat(line).contains("Kubernetes 1." + minor + ", which lacks by default: ");
                assertThat(line.split(": ")[1].split(", "))
                        .hasSameSizeAs(features.split(","))
                        .allSatisfy(text -> assertThat(text).contains("(").endsWith(")"));
                assertThat(line).contains(features.split(","));
            });
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"37", "38", "unknown"})
    void versionWhenItLacksNothingOrIsUnknownIsNotLogged(String minor) {
        answer(200, "{\"major\": \"1\", \"minor\": \"" + minor + "\"}");
        try (CapturedLog log = CapturedLog.of(DiscoveryCache.class.getName())) {
            discovery.isKubernetesAtLeast(OLDEST);

            assertThat(log.lines(Level.INFO)).isEmpty();
        }
    }
}
