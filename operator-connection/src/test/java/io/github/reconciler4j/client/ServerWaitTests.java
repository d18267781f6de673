package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.client.error.ServerNotReadyException;
import io.github.reconciler4j.client.error.UnauthorizedException;
import io.github.reconciler4j.client.internal.http.ServerWait;
import io.github.reconciler4j.fixtures.ScriptedServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

@Timeout(120)
class ServerWaitTests {

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void listen() {
        log.start();
        Logger logger = (Logger) LoggerFactory.getLogger(ServerWait.class);
        logger.setLevel(Level.INFO);
        logger.addAppender(log);
    }

    @AfterEach
    void stopListening() {
        ((Logger) LoggerFactory.getLogger(ServerWait.class)).detachAppender(log);
    }

    @Test
    void awaitServerWhenItBecomesReadyReturnsAndSaysSo() {
        AtomicInteger asked = new AtomicInteger();
        try (ScriptedServer server = ScriptedServer.start((request, out) -> out.write(
                        asked.incrementAndGet() < 3
                                ? ScriptedServer.status(500, "InternalError", "starting", "{}")
                                : ScriptedServer.json(200, "ok")));
                ApiConnection connection = ApiConnection.open(server.config())) {
            assertThatCode(() -> connection.awaitServer(Duration.ofSeconds(60))).doesNotThrowAnyException();
            assertThat(log.list)
                    .extracting(ILoggingEvent::getFormattedMessage)
                    .satisfiesExactly(
                            first -> assertThat(first)
                                    .contains(server.address(), "starting")
                                    .containsPattern("\\d+ s so far, giving up in \\d+ s"),
                            last -> assertThat(last).contains("is ready after"));
        }
    }

    @Test
    void awaitServerWhenNoServerListensFailsAfterTheTimeoutAndNamesTheFix() throws IOException {
        try (Socket bound = new Socket()) {
            bound.bind(
                    new InetSocketAddress("127.0.0.1", 0)); // keeps the port from other processes, without a listener
            String address = "http://127.0.0.1:" + bound.getLocalPort();
            ApiConnection connection = ApiConnection.open(
                    new ConfigBuilder(Config.empty()).withMasterUrl(address).build());
            Throwable failure = catchThrowable(() -> connection.awaitServer(Duration.ofSeconds(1)));
            assertThat(failure)
                    .isInstanceOf(ServerNotReadyException.class)
                    .hasMessageContaining(address)
                    .hasMessageContaining("within 1 s")
                    .hasMessageContaining("connection was refused")
                    .hasCauseInstanceOf(ConnectionException.class);
            connection.close();
        }
    }

    @Test
    void awaitServerWhenTheTokenIsInvalidGivesUpEarly() {
        try (ScriptedServer server = ScriptedServer.start(
                        (request, out) -> out.write(ScriptedServer.status(401, "Unauthorized", "Unauthorized", "{}")));
                ApiConnection connection = ApiConnection.open(server.config())) {
            Throwable failure = catchThrowable(() -> connection.awaitServer(Duration.ofSeconds(60)));
            assertThat(failure)
                    .isInstanceOf(ServerNotReadyException.class)
                    .hasMessageContaining(": 401 Unauthorized: check the token")
                    .hasCauseInstanceOf(UnauthorizedException.class);
            assertThat(server.requests()).hasSize(3);
        }
    }

    @Test
    void awaitServerWhenTheServerAnswersWithoutThatPathIsReady() {
        try (ScriptedServer server = ScriptedServer.start((request, out) -> out.write(ScriptedServer.json(404, "no")));
                ApiConnection connection = ApiConnection.open(server.config())) {
            assertThatCode(() -> connection.awaitServer(Duration.ofSeconds(60))).doesNotThrowAnyException();
        }
    }

    @Test
    void awaitServerWhenInterruptedSaysSo() throws Exception {
        try (ScriptedServer server = ScriptedServer.start((request, out) -> ScriptedServer.stall());
                ApiConnection connection = ApiConnection.open(server.config())) {
            AtomicReference<Throwable> failure = new AtomicReference<>();
            Thread waiter =
                    new Thread(() -> failure.set(catchThrowable(() -> connection.awaitServer(Duration.ofSeconds(60)))));
            waiter.start();
            org.awaitility.Awaitility.await("request")
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> !server.requests().isEmpty());
            waiter.interrupt();
            waiter.join(30_000);
            assertThat(failure.get()).isInstanceOf(InterruptedException.class);
        }
    }
}
