package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiStream;
import io.github.reconciler4j.client.connection.ConnectionOptions;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.client.error.ConnectionException.Problem;
import io.github.reconciler4j.test.KubernetesServer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Watches over encrypted connections, and servers that never finish to encrypt one. */
@Timeout(120)
class TlsConnectionTests {

    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
    private static final ApiRequest GET = ApiRequest.of("get", "GET", "/api/v1/namespaces/default");
    private static final ApiRequest WATCH = ApiRequest.of("watch", "GET", CONFIG_MAPS)
            .withQuery(Map.of("watch", List.of("1"), "resourceVersion", List.of("0")));

    private final KubernetesServer server = KubernetesServer.start();
    private final ConnectionOptions options = ConnectionOptions.defaults();
    private final ApiConnection connection = ApiConnection.open(server.clientConfig(), options);

    @AfterEach
    void close() {
        connection.close();
        server.close();
    }

    private static boolean waits(Thread thread) {
        StackTraceElement[] stack = thread.getStackTrace();
        return stack.length > 0 && Set.of("park", "poll", "read0").contains(stack[0].getMethodName());
    }

    private void create(String name) {
        byte[] json = ("{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"" + name + "\"}}")
                .getBytes(StandardCharsets.UTF_8);
        connection.send(ApiRequest.of("create", "POST", CONFIG_MAPS).withBody(ApiRequest.JSON, json));
    }

    private static void readUntil(ApiStream stream, String text) throws IOException {
        StringBuilder seen = new StringBuilder();
        while (seen.indexOf(text) < 0) {
            int next = stream.read();
            assertThat(next).as("byte after %s", seen).isNotNegative();
            seen.append((char) next);
        }
    }

    private AtomicReference<Throwable> blockedRead(ApiStream stream, AtomicReference<Thread> reader) {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread thread = new Thread(() -> failure.set(catchThrowable(stream::readAllBytes)));
        reader.set(thread);
        thread.start();
        await("reader to block").atMost(Duration.ofSeconds(30)).until(() -> waits(thread));
        return failure;
    }

    @Test
    void streamWhenIdleForTooLongThrowsAndCanBeReadOn() throws Exception {
        try (ApiStream stream = connection.stream(WATCH)) {
            for (int i = 0; i < 3; i++) {
                stream.idleTimeout(Duration.ofMillis(50));
                assertThatThrownBy(() -> readUntil(stream, "nothing")).isInstanceOf(SocketTimeoutException.class);
                create("map-" + i);
                stream.idleTimeout(Duration.ofSeconds(30));
                readUntil(stream, "map-" + i);
            }
        }
    }

    @Test
    void streamWhenClosedByAnotherThreadEndsTheBlockedRead() throws Exception {
        ApiStream stream = connection.stream(WATCH);
        AtomicReference<Thread> reader = new AtomicReference<>();
        AtomicReference<Throwable> failure = blockedRead(stream, reader);
        stream.close();
        reader.get().join(30_000);
        assertThat(failure.get()).isInstanceOf(IOException.class).hasMessageContaining("closed");
    }

    @Test
    void streamWhenReaderIsInterruptedThrowsInterruptedIoException() throws Exception {
        try (ApiStream stream = connection.stream(WATCH)) {
            AtomicReference<Thread> reader = new AtomicReference<>();
            AtomicReference<Throwable> failure = blockedRead(stream, reader);
            reader.get().interrupt();
            reader.get().join(30_000);
            assertThat(failure.get()).isExactlyInstanceOf(InterruptedIOException.class);
        }
    }

    @Test
    void streamWhenServerGoesAwayThrowsInsteadOfEnding() throws Exception {
        try (ApiStream stream = connection.stream(WATCH)) {
            AtomicReference<Thread> reader = new AtomicReference<>();
            AtomicReference<Throwable> failure = blockedRead(stream, reader);
            server.stop();
            reader.get().join(30_000);
            assertThat(failure.get()).isInstanceOf(IOException.class);
        }
        server.resume();
        await("the server to answer again")
                .atMost(Duration.ofSeconds(30))
                .ignoreExceptions()
                .until(() -> connection.send(GET).code() == 200);
    }

    @Test
    void closeWhenConnectionIsStillBeingMadeEndsTheRequest() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            var config = server.clientConfig();
            config.setMasterUrl("https://127.0.0.1:" + silent.getLocalPort());
            config.setConnectionTimeout(100_000);
            ApiConnection hanging = ApiConnection.open(config, options);
            AtomicReference<Throwable> failure = new AtomicReference<>();
            Thread caller = new Thread(
                    () -> failure.set(catchThrowable(() -> hanging.send(GET.withTimeout(Duration.ofSeconds(100))))));
            caller.start();
            try (var accepted = silent.accept()) {
                assertThat(accepted.isConnected()).isTrue();
                await("caller to wait for the handshake")
                        .atMost(Duration.ofSeconds(30))
                        .until(() -> waits(caller));
                hanging.close();
                caller.join(30_000);
            }
            assertThat(failure.get()).isInstanceOf(ConnectionException.class);
            assertThat(((ConnectionException) failure.get()).problem()).isEqualTo(Problem.CLOSED);
        }
    }

    @Test
    void sendWhenHandshakeNeverEndsFailsAfterTheTimeLimit() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            var config = server.clientConfig();
            config.setMasterUrl("https://127.0.0.1:" + silent.getLocalPort());
            try (ApiConnection hanging = ApiConnection.open(config, options)) {
                Throwable failure = catchThrowable(() -> hanging.send(GET.withTimeout(Duration.ofMillis(300))));
                assertThat(failure).isInstanceOf(ConnectionException.class);
                assertThat(((ConnectionException) failure).problem()).isIn(Problem.TIMEOUT, Problem.CONNECT_TIMEOUT);
            }
        }
    }
}
