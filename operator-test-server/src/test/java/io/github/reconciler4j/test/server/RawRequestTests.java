package io.github.reconciler4j.test.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.reconciler4j.test.KubernetesServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What comes over a connection that is no proper request: answered with the status of a real kube-apiserver (seen with
 * version 1.37), or the connection ends; nothing hangs, nothing of the server's inside gets out, and others are served.
 */
class RawRequestTests {
    private static final String HOST = "Host: x\r\n";
    private static final String POST = "POST /api/v1/namespaces/default/configmaps?dryRun=All HTTP/1.1\r\n" + HOST
            + "Content-Type: application/json\r\n";
    private static final String BODY = "{\"metadata\":{\"name\":\"a\"}}";
    private static final String MUCH = "a".repeat(2 << 20);

    private static KubernetesServer server;

    @BeforeAll
    static void start() {
        server = KubernetesServer.builder().https(false).start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @AfterEach
    void othersAreServed() throws IOException {
        assertThat(new HttpUser(server.url()).get("/api/v1/namespaces/default").status())
                .isEqualTo(200);
    }

    static Stream<Arguments> improper() {
        return Stream.of(
                Arguments.of("no version", "GET /version\r\n\r\n", 400),
                Arguments.of("a version of the future", "GET /version HTTP/3.0\r\n" + HOST + "\r\n", 505),
                Arguments.of("no host", "GET /version HTTP/1.1\r\n\r\n", 400),
                Arguments.of("two hosts", "GET /version HTTP/1.1\r\n" + HOST + HOST + "\r\n", 400),
                Arguments.of("no slash", "GET version HTTP/1.1\r\n" + HOST + "\r\n", 400),
                Arguments.of("a method that is no word", "G@T /version HTTP/1.1\r\n" + HOST + "\r\n", 400),
                Arguments.of("a header without a colon", "GET /version HTTP/1.1\r\n" + HOST + "no colon\r\n\r\n", 400),
                Arguments.of("a header with a space", "GET /version HTTP/1.1\r\n" + HOST + "a b: c\r\n\r\n", 400),
                Arguments.of("large headers", "GET /version HTTP/1.1\r\n" + HOST + "X: " + MUCH + "\r\n\r\n", 431),
                Arguments.of("a long line", "GET /" + MUCH + " HTTP/1.1\r\n" + HOST + "\r\n", 431),
                Arguments.of("a broken escape", "GET /api/v1/%zz HTTP/1.1\r\n" + HOST + "\r\n", 400),
                Arguments.of("a zero byte", "GET /api/v1/\0 HTTP/1.1\r\n" + HOST + "\r\n", 400),
                Arguments.of("a length that is no number", POST + "Content-Length: nope\r\n\r\n{}", 400),
                Arguments.of("a negative length", POST + "Content-Length: -1\r\n\r\n{}", 400),
                Arguments.of("two lengths", POST + "Content-Length: 3\r\nContent-Length: 4\r\n\r\n{} ", 400),
                Arguments.of("an unknown coding", POST + "Transfer-Encoding: gzip\r\n\r\n{}", 501),
                Arguments.of(
                        "rubbish as a chunk", POST + "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n", 400),
                Arguments.of(
                        "an endless chunk", POST + "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n{}", 400));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("improper")
    void requestWhenImproperIsRefusedAndTheConnectionEnds(String name, String request, int status) throws IOException {
        try (RawSocket socket = new RawSocket(server.port())) {
            String answer = socket.write(request).readAll();

            assertThat(RawSocket.statuses(answer)).containsExactly(status);
            assertThat(answer).containsIgnoringCase("connection: close").doesNotContain("Exception", "at io.", "java.");
        }
    }

    static Stream<Arguments> unusual() {
        return Stream.of(
                Arguments.of("HTTP 1.0", "GET /version HTTP/1.0\r\n\r\n", 200),
                Arguments.of(
                        "a whole address",
                        "GET http://x/version HTTP/1.1\r\nConnection: close\r\n" + HOST + "\r\n",
                        200),
                Arguments.of(
                        "an upgrade to a websocket",
                        "GET /version HTTP/1.1\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n"
                                + "Sec-WebSocket-Version: 13\r\n" + HOST + "\r\n",
                        200),
                Arguments.of(
                        "an upgrade to HTTP/2",
                        "GET /version HTTP/1.1\r\nConnection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\n"
                                + "HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n" + HOST + "\r\n",
                        200),
                Arguments.of(
                        "an unexpected body",
                        "GET /version HTTP/1.1\r\nConnection: close\r\nContent-Length: 2\r\n" + HOST + "\r\n{}",
                        200),
                Arguments.of(
                        "a chunk with an extension",
                        POST + "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n19;a=b\r\n" + BODY
                                + "\r\n0\r\n\r\n",
                        201),
                Arguments.of(
                        "a length that is too short",
                        POST + "Connection: close\r\nContent-Length: 5\r\n\r\n" + BODY,
                        400),
                Arguments.of(
                        "an unknown expectation",
                        POST + "Connection: close\r\nExpect: nope\r\nContent-Length: 2\r\n\r\n{}",
                        417));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("unusual")
    void requestWhenUnusualGetsTheAnswerOfItsContent(String name, String request, int status) throws IOException {
        try (RawSocket socket = new RawSocket(server.port())) {
            assertThat(RawSocket.statuses(socket.write(request).readAll())).containsExactly(status);
        }
    }

    @Test
    void requestsWhenSentAllAtOnceAreAnsweredInOrder() throws IOException {
        String last = "GET version HTTP/1.1\r\n" + HOST + "\r\n";
        String request = "GET /version HTTP/1.1\r\n" + HOST + "\r\n";
        try (RawSocket socket = new RawSocket(server.port())) {
            String answers = socket.write(request + request + last + request).readAll();

            assertThat(RawSocket.statuses(answers)).containsExactly(200, 200, 400);
        }
    }

    @Test
    void bodyWhenItComesSlowlyIsWaitedFor() throws IOException {
        try (RawSocket socket = new RawSocket(server.port())) {
            socket.write(POST + "Expect: 100-continue\r\nContent-Length: " + BODY.length() + "\r\n\r\n");
            assertThat(socket.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 100 ");
            for (int i = 0; i < BODY.length(); i++) {
                socket.write(BODY.substring(i, i + 1));
            }
            assertThat(socket.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 201 ");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "GET /api/v1/namesp",
                "GET /version HTTP/1.1\r\nHost",
                "POST /api/v1/namespaces HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{\"meta",
                "POST /api/v1/namespaces HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"m"
            })
    void connectionsWhenLeftOpenInTheMiddleDelayNoOtherRequest(String start) throws IOException {
        List<RawSocket> open = new ArrayList<>();
        try {
            for (int i = 0; i < 100; i++) {
                open.add(new RawSocket(server.port()).write(start));
            }
            assertThat(new HttpUser(server.url()).get("/version").status()).isEqualTo(200);
            for (RawSocket socket : open) {
                assertThat(RawSocket.statuses(socket.end().readAll())).doesNotContain(200, 201);
            }
        } finally {
            for (RawSocket socket : open) {
                socket.close();
            }
        }
    }
}
