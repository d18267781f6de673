package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.Kubeconfig;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.fixtures.ScriptedServer;
import io.github.reconciler4j.test.KubernetesServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Proxies, names in TLS, large bodies and connections that are used again. */
@Timeout(120)
class HttpConnectionTests {

    private static final ApiRequest GET = ApiRequest.of("get", "GET", "/api/v1/namespaces/default");
    private static final byte[] OK = ScriptedServer.json(200, "{}");

    private ApiConnection open(Config config) {
        return ApiConnection.open(config);
    }

    private static ConnectionException.Problem problem(Throwable failure) {
        assertThat(failure).isInstanceOf(ConnectionException.class);
        return ((ConnectionException) failure).problem();
    }

    @ParameterizedTest
    @ValueSource(strings = {"200 OK", "299 Other"})
    void encryptedRequestWhenProxyIsSetGoesThroughIt(String answer) throws Exception {
        try (KubernetesServer server = KubernetesServer.start();
                ConnectProxy proxy = new ConnectProxy(answer)) {
            Config config = server.clientConfig();
            config.setHttpsProxy(proxy.address());
            try (ApiConnection connection = open(config)) {
                assertThat(connection.send(GET).code()).isEqualTo(200);
                assertThat(connection.send(GET).code()).isEqualTo(200);
            }
            assertThat(proxy.heads)
                    .isNotEmpty()
                    .allSatisfy(head ->
                            assertThat(head).startsWith("CONNECT 127.0.0.1:" + server.port() + " HTTP/1.1\r\n"));
        }
    }

    @Test
    void encryptedRequestWhenHostNeedsNoProxyGoesDirectly() throws Exception {
        try (KubernetesServer server = KubernetesServer.start();
                ConnectProxy proxy = new ConnectProxy("200 OK")) {
            Config config = server.clientConfig();
            config.setHttpsProxy(proxy.address());
            config.setNoProxy(new String[] {"127.0.0.1"});
            try (ApiConnection connection = open(config)) {
                assertThat(connection.send(GET).code()).isEqualTo(200);
            }
            assertThat(proxy.heads).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"300 Other", "403 Forbidden"})
    void encryptedRequestWhenProxyRefusesFails(String answer) throws Exception {
        try (KubernetesServer server = KubernetesServer.start();
                ConnectProxy proxy = new ConnectProxy(answer)) {
            Config config = server.clientConfig();
            config.setHttpsProxy(proxy.address());
            try (ApiConnection connection = open(config)) {
                Throwable failure = catchThrowable(() -> connection.send(GET));
                assertThat(problem(failure)).isEqualTo(ConnectionException.Problem.REFUSED);
                assertThat(failure)
                        .hasMessageContaining("the proxy " + proxy.address() + " answered " + answer.substring(0, 3));
            }
        }
    }

    @Test
    void encryptedRequestWhenServerHasAnIpv6AddressNamesItInBrackets() throws Exception {
        try (ConnectProxy proxy = new ConnectProxy("403 Forbidden")) {
            Config config = Config.empty();
            config.setMasterUrl("https://[::1]:6443");
            config.setHttpsProxy(proxy.address());
            try (ApiConnection connection = open(config)) {
                assertThat(catchThrowable(() -> connection.send(GET))).isInstanceOf(ApiException.class);
            }
            assertThat(proxy.heads.get(0)).startsWith("CONNECT [::1]:6443 HTTP/1.1\r\n");
        }
    }

    @Test
    void plainRequestWhenProxyIsSetNamesTheServer() {
        try (ScriptedServer proxy = ScriptedServer.start((request, out) -> out.write(OK))) {
            Config config = Config.empty();
            config.setMasterUrl("http://server.test:8080/");
            config.setHttpProxy(proxy.address());
            try (ApiConnection connection = open(config)) {
                assertThat(connection.send(GET).code()).isEqualTo(200);
            }
            assertThat(proxy.requests()).singleElement().satisfies(request -> {
                assertThat(request.target()).isEqualTo("http://server.test:8080/api/v1/namespaces/default");
                assertThat(request.headers()).containsEntry("host", "server.test:8080");
            });
        }
    }

    /** Older versions of fabric8 have no field for the name, so it comes from a kubeconfig. */
    private static Config withServerName(KubernetesServer server, String name) {
        Config client = server.clientConfig();
        return Kubeconfig.embedded("The kubeconfig", """
                        current-context: c
                        clusters: [{name: c, cluster: {server: "%s", tls-server-name: "%s", certificate-authority-data: "%s"}}]
                        contexts: [{name: c, context: {cluster: c, user: u}}]
                        users: [{name: u, user: {token: "%s"}}]
                        """.formatted(
                                client.getMasterUrl(), name, client.getCaCertData(), client.getOauthToken()))
                .read();
    }

    @Test
    void encryptedRequestWhenServerNameIsGivenExpectsItInTheCertificate() {
        try (KubernetesServer server = KubernetesServer.start()) {
            try (ApiConnection connection = open(withServerName(server, "localhost"))) {
                assertThat(connection.send(GET).code()).isEqualTo(200);
            }
            try (ApiConnection connection = open(withServerName(server, "other.test"))) {
                assertThat(problem(catchThrowable(() -> connection.send(GET))))
                        .isEqualTo(ConnectionException.Problem.TLS);
            }
            Config wrongHost = server.clientConfig();
            wrongHost.setMasterUrl("https://localhost.localdomain.invalid:" + server.port());
            try (ApiConnection connection = open(wrongHost)) {
                assertThat(problem(catchThrowable(() -> connection.send(GET))))
                        .isEqualTo(ConnectionException.Problem.UNKNOWN_HOST);
            }
        }
    }

    @Test
    void encryptedRequestWhenServerGoesAwayDuringTheHandshakeIsCutAndNoMatterOfCertificates() throws Exception {
        ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread leaving = new Thread(() -> readAndLeave(listener), "leaving");
        leaving.start();
        Config config = Config.empty();
        config.setMasterUrl("https://127.0.0.1:" + listener.getLocalPort());
        try (ApiConnection connection = open(config)) {
            Throwable failure = catchThrowable(() -> connection.send(GET));
            assertThat(problem(failure)).isEqualTo(ConnectionException.Problem.CONNECTION_RESET);
            assertThat(failure).hasMessageNotContaining("certificate");
        } finally {
            listener.close();
            leaving.join();
        }
    }

    private static void readAndLeave(ServerSocket listener) {
        while (!listener.isClosed()) {
            try (Socket socket = listener.accept()) {
                socket.getInputStream().readNBytes(50); // a part of the greeting, so that closing resets it
            } catch (IOException e) {
                continue; // the end, or the client was quicker
            }
        }
    }

    @Test
    void largeBodiesArriveWholeInBothDirections() {
        String text = "0123456789abcdef".repeat(512 * 1024);
        AtomicInteger length = new AtomicInteger();
        try (ScriptedServer server = ScriptedServer.start((request, out) -> {
                    length.set(request.body().length());
                    out.write(ScriptedServer.json(200, request.body()));
                });
                ApiConnection connection = open(server.config())) {
            ApiRequest write = ApiRequest.of("update", "PUT", "/x")
                    .withBody(ApiRequest.JSON, text.getBytes(StandardCharsets.UTF_8))
                    .withTimeout(Duration.ofSeconds(60));

            byte[] answer = connection.send(write).body();

            assertThat(length.get()).isEqualTo(text.length());
            assertThat(answer).isEqualTo(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void connectionsAreUsedAgain() {
        try (ScriptedServer server = ScriptedServer.start((request, out) -> out.write(OK));
                ApiConnection connection = open(server.config())) {
            for (int i = 0; i < 20; i++) {
                connection.send(GET);
            }
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    @Test
    void requestWhenServerAnnouncedTheEndTakesANewConnection() {
        byte[] last = ScriptedServer.json(200, "{}", "Connection: close");
        try (ScriptedServer server = ScriptedServer.start((request, out) -> {
                    out.write(last);
                    out.flush();
                    out.close();
                });
                ApiConnection connection = open(server.config())) {
            ApiRequest create = ApiRequest.of("create", "POST", "/x").withBody(ApiRequest.JSON, new byte[] {'{', '}'});
            for (int i = 0; i < 20; i++) {
                assertThat(connection.send(create).code()).isEqualTo(200);
            }
            assertThat(server.requests()).hasSize(20);
            assertThat(server.connections()).isEqualTo(20);
        }
    }

    /** A server or proxy closes idle connections without a word, so a connection is checked before each request. */
    @Test
    void writeWhenServerHasClosedTheIdleConnectionIsSentExactlyOnce() throws Exception {
        Semaphore closed = new Semaphore(0);
        int failures = 0;
        try (ScriptedServer server = ScriptedServer.start((request, out) -> {
                    out.write(OK);
                    out.flush();
                    out.close();
                    closed.release();
                });
                ApiConnection connection = open(server.config())) {
            ApiRequest create = ApiRequest.of("create", "POST", "/x").withBody(ApiRequest.JSON, new byte[] {'{', '}'});
            for (int i = 0; i < 20; i++) {
                Throwable failure = catchThrowable(() -> connection.send(create));
                if (failure == null) {
                    closed.acquire();
                } else {
                    assertThat(problem(failure)).isEqualTo(ConnectionException.Problem.CONNECTION_RESET);
                    failures++;
                }
            }
            assertThat(server.requests()).hasSize(20 - failures);
        }
        assertThat(failures).isZero();
    }
}
