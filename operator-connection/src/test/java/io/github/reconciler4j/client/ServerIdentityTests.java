package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.client.error.ConnectionException.Problem;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.fixtures.ScriptedServer;
import io.github.reconciler4j.fixtures.TestCertificates;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which name a server must prove, and what addresses and errors contain. */
@Timeout(120)
class ServerIdentityTests {

    private static final ApiRequest GET = ApiRequest.of("get", "GET", "/x");
    private static final byte[] OK = ScriptedServer.json(200, "{}");

    /** As in Go, the name is checked and sent if it is given, and the host of the address otherwise. */
    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "api.example, 127.0.0.1, api.example, true, api.example",
                "api.example, 127.0.0.1, api.example., true, api.example",
                "api.example, 127.0.0.1, -, false, ''",
                "api.example, 127.0.0.1, other.example, false, other.example",
                "127.0.0.1, 127.0.0.1, other.example, false, other.example",
                "127.0.0.1, 127.0.0.1, -, true, ''",
                "10.1.2.3, 127.0.0.1, 10.1.2.3, true, ''",
                "10.1.2.3, 127.0.0.1, 10.1.2.4, false, ''",
                "::1, 127.0.0.1, ::1, true, ''",
                "::1, 127.0.0.1, [::1], true, ''",
                "::1, 127.0.0.1, ::1%lo, true, ''",
                "localhost, localhost, -, true, localhost",
                "localhost, localhost, 127.0.0.1, false, ''",
            })
    void serverNameIsSentAndVerified(String certified, String host, String serverName, boolean accepted, String sent) {
        TestCertificates certificates = TestCertificates.create(certified);
        try (ScriptedServer server = ScriptedServer.startTls(certificates, false, (request, out) -> out.write(OK))) {
            Config config = certificates.config("https://" + host + ":" + server.port());
            config.setTlsServerName(serverName);
            try (ApiConnection connection = ApiConnection.open(config)) {
                if (accepted) {
                    assertThat(connection.send(GET).code()).isEqualTo(200);
                    assertThat(server.peers()).containsExactly(sent);
                } else {
                    assertThat(catchThrowable(() -> connection.send(GET)))
                            .isInstanceOfSatisfying(
                                    ConnectionException.class,
                                    e -> assertThat(e.problem()).isEqualTo(Problem.TLS));
                }
            }
        }
    }

    @Test
    void authorityOfTheClusterIsTheOnlyOneThatIsTrusted() {
        TestCertificates certificates = TestCertificates.create("127.0.0.1");
        TestCertificates others = TestCertificates.create("127.0.0.1");
        try (ScriptedServer server = ScriptedServer.startTls(others, false, (request, out) -> out.write(OK));
                ApiConnection connection =
                        ApiConnection.open(certificates.config("https://127.0.0.1:" + server.port()))) {
            assertThat(catchThrowable(() -> connection.send(GET)))
                    .isInstanceOfSatisfying(
                            ConnectionException.class,
                            e -> assertThat(e.problem()).isEqualTo(Problem.TLS));
        }
    }

    @Test
    void passwordInTheAddressAuthenticatesAndIsShownNowhere() throws IOException {
        try (CapturedLog log = CapturedLog.of("io.github.reconciler4j");
                CapturedLog library = CapturedLog.of("org.apache.hc");
                ScriptedServer server = ScriptedServer.start((request, out) -> {
                    if (request.target().equals("/x")) {
                        out.write(OK);
                    } else if (request.target().equals("/y")) {
                        out.write(ScriptedServer.status(403, "Forbidden", "no", "{}"));
                    } else {
                        throw new IOException("cut");
                    }
                })) {
            String address = server.address().replace("http://", "http://aladdin:open%20sesame@");
            Config config =
                    new ConfigBuilder(Config.empty()).withMasterUrl(address).build();
            StringWriter shown = new StringWriter();
            try (ApiConnection connection = ApiConnection.open(config)) {
                connection.send(GET);
                shown.append(connection.server());
                for (String path : new String[] {"/y", "/z"}) {
                    catchThrowable(() -> connection.send(ApiRequest.of("get", "GET", path)))
                            .printStackTrace(new PrintWriter(shown, true));
                }
            }
            config.setMasterUrl("http://aladdin:open%20sesame@127.0.0.1:1");
            try (ApiConnection connection = ApiConnection.open(config)) {
                catchThrowable(() -> connection.send(GET)).printStackTrace(new PrintWriter(shown, true));
            }
            assertThat(shown.toString() + log.events() + library.events()).doesNotContain("sesame", "aladdin");
            assertThat(server.requests().get(0).headers())
                    .containsEntry("host", "127.0.0.1:" + server.port())
                    .containsEntry("authorization", "Basic YWxhZGRpbjpvcGVuIHNlc2FtZQ==");
        }
    }

    @Test
    void plainAddressOfATlsServerSaysThatItExpectsTls() {
        // What the TLS library of Go answers.
        byte[] answer = "HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n".getBytes();
        try (ScriptedServer server = ScriptedServer.start((request, out) -> {
                    out.write(answer);
                    out.flush();
                    out.close();
                });
                ApiConnection connection = ApiConnection.open(server.config())) {
            assertThat(catchThrowable(() -> connection.send(GET)))
                    .hasMessageContaining("expects TLS: change its address to https://")
                    .isInstanceOfSatisfying(
                            ConnectionException.class,
                            e -> assertThat(e.problem()).isEqualTo(Problem.TLS));
        }
    }

    @Test
    void proxyWhenItSendsBytesAheadOfTheServerIsRefused() throws IOException {
        TestCertificates certificates = TestCertificates.create("127.0.0.1");
        try (ScriptedServer server = ScriptedServer.startTls(certificates, false, (request, out) -> out.write(OK));
                ConnectProxy proxy =
                        new ConnectProxy("200 OK\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil")) {
            Config config = certificates.config("https://127.0.0.1:" + server.port());
            config.setHttpsProxy(proxy.address());
            try (ApiConnection connection = ApiConnection.open(config)) {
                assertThat(catchThrowable(() -> connection.send(GET)))
                        .isInstanceOf(ConnectionException.class)
                        .hasMessageContaining("before the TLS handshake");
            }
        }
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_20)
    void handshakeInATunnelWhenServerRefusesTheGroupIsRepeatedWithAll() throws IOException {
        TestCertificates certificates = TestCertificates.create("127.0.0.1");
        try (ScriptedServer server =
                        ScriptedServer.startTlsWithGroup(certificates, "secp384r1", (request, out) -> out.write(OK));
                ConnectProxy proxy = new ConnectProxy("200 OK")) {
            Config config = certificates.config("https://127.0.0.1:" + server.port());
            config.setHttpsProxy(proxy.address());
            try (ApiConnection connection = ApiConnection.open(config)) {
                ApiRequest post = ApiRequest.of("create", "POST", "/x"); // is not sent again after it was sent

                assertThat(connection.send(post).code()).isEqualTo(200);
            }
            assertThat(proxy.heads).hasSize(2);
        }
    }

    @Test
    void handshakeThatArrivesByteByByteEndsAfterTheTimeLimit() throws Exception {
        try (ServerSocket slow = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread server = new Thread(() -> {
                try (var socket = slow.accept()) {
                    byte[] head = {22, 3, 3, 64, 0, 2, 0, 63, (byte) 252};
                    for (int i = 0; ; i++) {
                        socket.getOutputStream().write(i < head.length ? head[i] : 0);
                        Thread.sleep(20);
                    }
                } catch (IOException | InterruptedException e) {
                    // the client has ended it
                }
            });
            server.start();
            Config config = new ConfigBuilder(Config.empty())
                    .withMasterUrl("https://127.0.0.1:" + slow.getLocalPort())
                    .build();
            try (ApiConnection connection = ApiConnection.open(config)) {
                Throwable failure =
                        catchThrowable(() -> connection.send(GET.withTimeout(java.time.Duration.ofMillis(500))));
                assertThat(failure)
                        .isInstanceOfSatisfying(
                                ConnectionException.class,
                                e -> assertThat(e.problem()).isIn(Problem.TIMEOUT, Problem.CONNECT_TIMEOUT));
            }
            server.join(30_000);
            assertThat(server.isAlive()).isFalse();
        }
    }
}
