package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.client.error.ConnectionException.Problem;
import io.github.reconciler4j.client.error.RequestInterruptedException;
import io.github.reconciler4j.client.error.ServerUnavailableException;
import io.github.reconciler4j.fixtures.ScriptedServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that get no answer, half of one, or are given up. */
class ApiConnectionFailureTests extends ApiConnectionFixture {

    @Test
    void sendWhenNoServerListensNamesAddressAndFix() throws IOException {
        try (Socket holder = new Socket()) { // holds a port without listening, so that no other process gets it
            holder.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            String address = "http://127.0.0.1:" + holder.getLocalPort();
            Config config =
                    new ConfigBuilder(Config.empty()).withMasterUrl(address).build();
            try (ApiConnection connection = open(config)) {
                ConnectionException failure = (ConnectionException) catchThrowable(() -> connection.send(GET));
                assertThat(failure.problem()).isEqualTo(Problem.REFUSED);
                assertThat(failure).hasMessageContaining(address).hasMessageContaining("is the API server running");
            }
        }
    }

    @Test
    void sendWhenHostIsUnknownSaysSo() {
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl("https://api.server.invalid:6443")
                .build();
        try (ApiConnection connection = open(config)) {
            ConnectionException failure = (ConnectionException) catchThrowable(() -> connection.send(GET));
            assertThat(failure.problem()).isEqualTo(Problem.UNKNOWN_HOST);
        }
    }

    @Test
    void sendWhenOtherSideSpeaksNoTlsSaysSo() throws IOException {
        try (ServerSocket plain = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                ApiConnection connection = open(new ConfigBuilder(Config.empty())
                        .withMasterUrl("https://127.0.0.1:" + plain.getLocalPort())
                        .build())) {
            Thread answers = new Thread(() -> refuseInPlainText(plain), "plain");
            answers.setDaemon(true);
            answers.start();
            ConnectionException failure = (ConnectionException) catchThrowable(() -> connection.send(GET));
            assertThat(failure.problem()).isEqualTo(Problem.TLS);
        }
    }

    /** Answer as a web server without encryption does. */
    private static void refuseInPlainText(ServerSocket plain) {
        while (!plain.isClosed()) {
            try (Socket socket = plain.accept()) {
                InputStream in = socket.getInputStream();
                in.read();
                socket.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.UTF_8));
                in.transferTo(OutputStream.nullOutputStream()); // until the client ends it
            } catch (IOException e) {
                // the client or the test has ended
            }
        }
    }

    @Test
    void sendWhenNoAnswerComesEndsAfterItsTimeoutAndDropsTheConnection() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        try (ScriptedServer server = ScriptedServer.start((request, out) -> {
                    try {
                        while (true) {
                            Thread.sleep(20);
                            // Fails once the client has closed its end.
                            out.write("HTTP/1.1 100 Continue\r\n".getBytes(), 0, 0);
                            out.write(' ');
                        }
                    } finally {
                        ended.countDown();
                    }
                });
                ApiConnection connection = open(server.config())) {
            ConnectionException failure = (ConnectionException)
                    catchThrowable(() -> connection.send(GET.withTimeout(Duration.ofMillis(300))));
            assertThat(failure.problem()).isEqualTo(Problem.TIMEOUT);
            assertThat(failure).hasMessageContaining("within 300 ms");
            assertThat(ended.await(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void sendWhenBodyStallsEndsAfterItsTimeout() {
        try (ScriptedServer server = ScriptedServer.start((request, out) -> {
                    out.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc".getBytes());
                    out.flush();
                    ScriptedServer.stall();
                });
                ApiConnection connection = open(server.config())) {
            ConnectionException failure = (ConnectionException)
                    catchThrowable(() -> connection.send(GET.withTimeout(Duration.ofMillis(300))));
            assertThat(failure.problem()).isEqualTo(Problem.TIMEOUT);
        }
    }

    @Test
    void sendWhenThreadIsInterruptedEndsAndKeepsTheFlag() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        try (ScriptedServer server = ScriptedServer.start((request, out) -> {
                    asked.countDown();
                    ScriptedServer.stall();
                });
                ApiConnection connection = open(server.config())) {
            AtomicReference<Throwable> failure = new AtomicReference<>();
            AtomicReference<Boolean> flag = new AtomicReference<>();
            Thread caller = new Thread(() -> {
                failure.set(catchThrowable(() -> connection.send(GET)));
                flag.set(Thread.currentThread().isInterrupted());
            });
            caller.start();
            assertThat(asked.await(30, TimeUnit.SECONDS)).isTrue();
            caller.interrupt();
            caller.join(30_000);
            assertThat(failure.get()).isExactlyInstanceOf(RequestInterruptedException.class);
            assertThat(flag.get()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "PUT", "POST", "PATCH", "DELETE"})
    void sendWhenConnectionIsCutAnywhereNeverSucceedsWrongly(String method) {
        byte[] whole = ScriptedServer.json(200, "{\"kind\":\"ConfigMap\"}");
        AtomicLong cut = new AtomicLong();
        try (ScriptedServer server = ScriptedServer.start((request, out) -> {
                    out.write(Arrays.copyOf(whole, (int) cut.get()));
                    out.flush();
                    throw new IOException("cut");
                });
                ApiConnection connection = open(server.config())) {
            ApiRequest request = ApiRequest.of("any", method, CONFIG_MAP);
            for (int position = 0; position < whole.length; position++) {
                cut.set(position);
                Throwable failure = catchThrowable(() -> connection.send(request));
                assertThat(failure).as("cut at byte %s", position).isInstanceOf(ConnectionException.class);
                assertThat(((ConnectionException) failure).problem()).isEqualTo(Problem.CONNECTION_RESET);
            }
            cut.set(whole.length);
            assertThat(connection.send(request).code()).isEqualTo(200);
        }
    }

    @Test
    void sendWhenServerFailsIsNotRepeated() {
        try (ScriptedServer server = ScriptedServer.start(
                        (request, out) -> out.write(ScriptedServer.status(503, "ServiceUnavailable", "later", "{}")));
                ApiConnection connection = open(server.config())) {
            assertThatThrownBy(() -> connection.send(GET)).isInstanceOf(ServerUnavailableException.class);
            assertThat(server.requests()).hasSize(1);
        }
    }

    @Test
    void closeWhenRequestsAreUnderWayEndsThem() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        try (ScriptedServer server = ScriptedServer.start((request, out) -> {
            asked.countDown();
            ScriptedServer.stall();
        })) {
            ApiConnection connection = open(server.config());
            AtomicReference<Throwable> failure = new AtomicReference<>();
            Thread caller = new Thread(() -> failure.set(catchThrowable(() -> connection.send(GET))));
            caller.start();
            assertThat(asked.await(30, TimeUnit.SECONDS)).isTrue();
            connection.close();
            caller.join(30_000);
            assertThat(failure.get()).isInstanceOf(ConnectionException.class);
            assertThat(((ConnectionException) failure.get()).problem()).isEqualTo(Problem.CLOSED);
            assertThatThrownBy(() -> connection.send(GET)).isInstanceOf(ConnectionException.class);
        }
    }
}
