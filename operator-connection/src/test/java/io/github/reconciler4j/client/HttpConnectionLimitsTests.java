package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.client.error.RequestInterruptedException;
import io.github.reconciler4j.fixtures.ScriptedServer;
import io.github.reconciler4j.test.KubernetesServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Proxies that ask who it is, IPv6, answers that come early or never, threads that are interrupted. */
@Timeout(120)
class HttpConnectionLimitsTests {

    private static final ApiRequest GET = ApiRequest.of("get", "GET", "/api/v1/namespaces/default");
    private static final byte[] OK = ScriptedServer.json(200, "{}");

    private ApiConnection open(Config config) {
        return ApiConnection.open(config);
    }

    private static ConnectionException.Problem problem(Throwable failure) {
        assertThat(failure).isInstanceOf(ConnectionException.class);
        return ((ConnectionException) failure).problem();
    }

    @Test
    void proxyWhenItRequiresCredentialsGetsThem() throws Exception {
        try (KubernetesServer server = KubernetesServer.start();
                ConnectProxy proxy = new ConnectProxy("200 OK")) {
            Config config = server.clientConfig();
            config.setHttpsProxy(proxy.address());
            config.setProxyUsername("aladdin");
            config.setProxyPassword("opensesame");
            try (ApiConnection connection = open(config)) {
                assertThat(connection.send(GET).code()).isEqualTo(200);
            }
            assertThat(proxy.heads.get(0)).contains("Proxy-Authorization: Basic YWxhZGRpbjpvcGVuc2VzYW1l\r\n");
        }
    }

    @Test
    void serverWithIpv6AddressIsReached() throws IOException {
        InetAddress loopback = InetAddress.getByName("::1");
        try (ServerSocket listener = listen(loopback)) {
            Assumptions.assumeTrue(listener != null, "no IPv6 here");
            AtomicReference<String> head = new AtomicReference<>();
            Thread server = new Thread(() -> answerOnce(listener, head, OK));
            server.start();
            Config config = new ConfigBuilder(Config.empty())
                    .withMasterUrl("http://[::1]:" + listener.getLocalPort())
                    .build();
            try (ApiConnection connection = open(config)) {
                assertThat(connection.send(GET).code()).isEqualTo(200);
            }
            assertThat(head.get()).containsIgnoringCase("Host: [::1]:" + listener.getLocalPort() + "\r\n");
        }
    }

    private static ServerSocket listen(InetAddress address) {
        try {
            return new ServerSocket(0, 50, address);
        } catch (IOException e) {
            return null;
        }
    }

    /** Reads the head of a request and no body, answers, and ends the connection as servers do that have read enough. */
    private static void answerOnce(ServerSocket listener, AtomicReference<String> head, byte[] answer) {
        try (Socket socket = listener.accept()) {
            InputStream in = socket.getInputStream();
            StringBuilder text = new StringBuilder();
            while (text.indexOf("\r\n\r\n") < 0) {
                text.append((char) in.read());
            }
            head.set(text.toString());
            socket.getOutputStream().write(answer);
            socket.shutdownOutput();
            Thread.sleep(500);
        } catch (IOException | InterruptedException e) {
            // The client has ended it.
        }
    }

    @Test
    void largeWriteThatIsRefusedEarlyShowsTheRefusal() throws Exception {
        byte[] refusal = ScriptedServer.json(413, "{\"kind\":\"Status\"}", "Connection: close");
        try (ServerSocket listener = listen(InetAddress.getLoopbackAddress())) {
            Thread server = new Thread(() -> answerOnce(listener, new AtomicReference<>(), refusal));
            server.start();
            Config config = new ConfigBuilder(Config.empty())
                    .withMasterUrl("http://127.0.0.1:" + listener.getLocalPort())
                    .build();
            byte[] large = "x".repeat(32 << 20).getBytes(StandardCharsets.US_ASCII);
            try (ApiConnection connection = open(config)) {
                Throwable failure = catchThrowable(() -> connection.send(ApiRequest.of("create", "POST", "/x")
                        .withBody(ApiRequest.JSON, large)
                        .withTimeout(Duration.ofSeconds(20))));
                assertThat(failure)
                        .isInstanceOfSatisfying(
                                ApiException.class, e -> assertThat(e.code()).isEqualTo(413));
            }
        }
    }

    @Test
    void requestOfInterruptedThreadLeavesConnectionsToOthers() {
        try (ScriptedServer server = ScriptedServer.start((request, out) -> out.write(OK));
                ApiConnection connection = open(server.config())) {
            connection.send(GET);
            Thread.currentThread().interrupt();
            assertThat(catchThrowable(() -> connection.send(GET)))
                    .isExactlyInstanceOf(RequestInterruptedException.class);
            assertThat(Thread.interrupted()).isTrue();
            connection.send(GET);
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    @Test
    void timeoutEndsOtherIdleConnectionsOfThatTime() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        CountDownLatch bothHere = new CountDownLatch(2);
        CountDownLatch end = new CountDownLatch(1);
        try (ScriptedServer server = ScriptedServer.start((request, out) -> {
                    int number = asked.incrementAndGet();
                    if (number <= 2) {
                        bothHere.countDown();
                        bothHere.await();
                    } else if (number == 3) {
                        end.await();
                    }
                    out.write(OK);
                });
                ApiConnection connection = open(server.config())) {
            Thread other = new Thread(() -> connection.send(GET));
            other.start();
            connection.send(GET);
            other.join();
            assertThat(server.connections()).isEqualTo(2);

            assertThat(problem(catchThrowable(() -> connection.send(GET.withTimeout(Duration.ofMillis(200))))))
                    .isEqualTo(ConnectionException.Problem.TIMEOUT);
            connection.send(GET);
            assertThat(server.connections()).isEqualTo(3);
            end.countDown();
        }
    }
}
