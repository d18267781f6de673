package io.github.reconciler4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ApiStream;
import io.github.reconciler4j.client.error.ApiException;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.client.error.ConnectionException.Problem;
import io.github.reconciler4j.fixtures.ScriptedServer;
import io.github.reconciler4j.fixtures.ScriptedServer.Script;
import io.github.reconciler4j.fixtures.TestCertificates;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Responses that violate HTTP or never end: each is a typed error, and its connection is not used again. */
@Timeout(120)
class HostileResponseTests {

    private static final ApiRequest GET = ApiRequest.of("get", "GET", "/api/v1/namespaces/default/configmaps/foo");
    private static final ApiRequest CREATE =
            ApiRequest.of("create", "POST", "/x").withBody(ApiRequest.JSON, new byte[2]);
    private static final byte[] OK = ScriptedServer.json(200, "{}");

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static Arguments response(String name, String cause, String bytes) {
        return Arguments.of(name, cause, (Script) (request, out) -> out.write(ascii(bytes)));
    }

    private static Arguments endless(String name, String cause, String start, String repeated) {
        return Arguments.of(name, cause, (Script) (request, out) -> {
            out.write(ascii(start));
            byte[] block = ascii(repeated.repeat(8192 / repeated.length() + 1));
            while (true) {
                out.write(block);
            }
        });
    }

    static Stream<Arguments> malformed() {
        String head = "HTTP/1.1 200 OK\r\n";
        String chunked = head + "Transfer-Encoding: chunked\r\n\r\n";
        return Stream.of(
                response("negative length", "Negative content length", head + "Content-Length: -5\r\n\r\n"),
                response(
                        "overflowing length",
                        "Invalid content length",
                        head + "Content-Length: 9223372036854775808\r\n\r\n"),
                response("length is no number", "Invalid content length", head + "Content-Length: 0x10\r\n\r\n"),
                response(
                        "two lengths",
                        "Multiple Content-Length",
                        head + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}"),
                response("list of lengths", "Invalid content length", head + "Content-Length: 2, 2\r\n\r\n{}"),
                response(
                        "length and chunks",
                        "Both Content-Length and Transfer-Encoding",
                        head + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"),
                response("unknown coding", "Unsupported transfer encoding", head + "Transfer-Encoding: br\r\n\r\n{}"),
                response(
                        "two codings",
                        "Unsupported transfer encoding",
                        head + "Transfer-Encoding: gzip, chunked\r\n\r\n"),
                response("negative chunk", "Negative chunk size", chunked + "-5\r\n{}\r\n"),
                response("overflowing chunk", "Bad chunk header", chunked + "ffffffffffffffffff\r\n{}"),
                response("chunk is no number", "Bad chunk header", chunked + "zz\r\n{}\r\n"),
                response("chunk longer than announced", "end of chunk", chunked + "2\r\n{}{}\r\n0\r\n\r\n"),
                response("length beyond all limits", "longer than", head + "Content-Length: 107374182400\r\n\r\n{"),
                response("no status", "cannot be parsed", "HTTP/1.1 OK\r\n\r\n"),
                response("other protocol", "cannot be parsed", "ICY 200 OK\r\n\r\n"),
                response("HTTP/2", "HTTP/2", "HTTP/2.0 200 OK\r\n\r\n"),
                response("header without colon", "cannot be parsed", head + "Content-Length\r\n\r\n"),
                response(
                        "protocol switch that was not requested",
                        "switched protocols",
                        "HTTP/1.1 101 Switching\r\n\r\n"));
    }

    static Stream<Arguments> withoutEnd() {
        String head = "HTTP/1.1 200 OK\r\n";
        String chunked = head + "Transfer-Encoding: chunked\r\n\r\n";
        return Stream.of(
                endless("interim responses", "interim responses", "", "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"),
                endless("headers", "header count", head, "X-Header: value\r\n"),
                endless("header line", "line length", head + "X-Header: ", "v"),
                endless("status line", "line length", "HTTP/1.1 200 ", "K"),
                endless("empty lines", "line limit", "", "\r\n"),
                endless("body", "longer than", head + "Connection: close\r\n\r\n", "x"),
                endless("chunks", "longer than", chunked, "1000\r\n" + "x".repeat(4096) + "\r\n"),
                endless("chunk line", "line length", chunked, "0"),
                endless("trailers", "header count", chunked + "0\r\n", "X-Trailer: value\r\n"),
                endless("error body", "longer than", "HTTP/1.1 500 X\r\nConnection: close\r\n\r\n", "x"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource({"malformed", "withoutEnd"})
    void sendWhenResponseIsMalformedThrowsTheCauseAndDropsTheConnection(String name, String cause, Script script) {
        AtomicInteger asked = new AtomicInteger();
        try (ScriptedServer server = ScriptedServer.start((request, out) -> {
                    if (asked.incrementAndGet() == 1) {
                        script.answer(request, out);
                    } else {
                        out.write(OK);
                    }
                });
                ApiConnection connection = ApiConnection.open(server.config())) {
            Throwable failure = catchThrowable(() -> connection.send(GET));

            assertThat(failure).isInstanceOf(ConnectionException.class).hasMessageContaining(cause);
            assertThat(((ConnectionException) failure).problem()).isEqualTo(Problem.MALFORMED_RESPONSE);
            assertThat(connection.send(CREATE).code()).isEqualTo(200);
            assertThat(server.connections()).isEqualTo(2);
        }
    }

    /** The limits leave room for what servers and proxies add. */
    @Test
    void sendWhenTheHeadIsLongButWithinTheLimitsIsAnswered() {
        byte[] response = ascii("HTTP/1.1 103 Early Hints\r\n\r\n".repeat(30) + "\r\n".repeat(3)
                + "HTTP/1.1 200 OK\r\nX-Long: " + "v".repeat(60_000) + "\r\n" + "X-Many: value\r\n".repeat(990)
                + "Content-Length: 2\r\n\r\n{}");
        try (ScriptedServer server = ScriptedServer.start((request, out) -> out.write(response));
                ApiConnection connection = ApiConnection.open(server.config())) {
            assertThat(connection.send(GET).code()).isEqualTo(200);
        }
    }

    /** Lists may be eight times as long as objects. */
    @ParameterizedTest
    @CsvSource({"get, 33554432, false", "get, 33554433, true", "list, 268435456, false", "list, 268435457, true"})
    void sendWhenTheAnnouncedBodyIsBeyondTheLimitOfItsVerbDoesNotReadIt(String verb, long length, boolean tooLong) {
        byte[] response = ascii("HTTP/1.1 200 OK\r\nContent-Length: " + length + "\r\nConnection: close\r\n\r\n{");
        try (ScriptedServer server = ScriptedServer.start((request, out) -> {
                    out.write(response);
                    out.close();
                });
                ApiConnection connection = ApiConnection.open(server.config())) {
            Throwable failure = catchThrowable(() -> connection.send(ApiRequest.of(verb, "GET", "/api/v1/configmaps")));

            assertThat(failure).isInstanceOf(ConnectionException.class);
            assertThat(((ConnectionException) failure).problem() == Problem.MALFORMED_RESPONSE)
                    .isEqualTo(tooLong);
        }
    }

    @Test
    void sendWhenBodyArrivesByteByByteEndsAfterItsTimeout() {
        try (ScriptedServer server = ScriptedServer.start((request, out) -> {
                    out.write(ascii("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"));
                    while (true) {
                        out.write('x');
                        Thread.sleep(10);
                    }
                });
                ApiConnection connection = ApiConnection.open(server.config())) {
            Throwable failure = catchThrowable(() -> connection.send(GET.withTimeout(Duration.ofMillis(300))));
            assertThat(failure)
                    .isInstanceOfSatisfying(
                            ConnectionException.class,
                            e -> assertThat(e.problem()).isEqualTo(Problem.TIMEOUT));
        }
    }

    static Stream<Arguments> unexpectedBytes() {
        String evil = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n\"evil\"";
        return Stream.of(
                Arguments.of("at once", "", evil), Arguments.of("later", evil, ""), Arguments.of("one byte", "", "\n"));
    }

    /** The second request must not take the bytes for its response. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("unexpectedBytes")
    void sendWhenBytesFollowedThePreviousResponseUsesANewConnection(String name, String later, String atOnce)
            throws InterruptedException {
        Semaphore written = new Semaphore(0);
        Script script = (request, out) -> {
            out.write(ascii(new String(OK, StandardCharsets.ISO_8859_1) + atOnce));
            out.flush();
            out.write(ascii(later));
            out.flush();
            written.release();
        };
        TestCertificates certificates = TestCertificates.create("127.0.0.1");
        try (ScriptedServer plain = ScriptedServer.start(script);
                ScriptedServer encrypted = ScriptedServer.startTls(certificates, false, script)) {
            checkNotReused(plain, plain.config(), written);
            checkNotReused(encrypted, certificates.config("https://127.0.0.1:" + encrypted.port()), written);
        }
    }

    private static void checkNotReused(ScriptedServer server, Config config, Semaphore written)
            throws InterruptedException {
        try (ApiConnection connection = ApiConnection.open(config)) {
            for (int i = 1; i <= 3; i++) {
                assertThat(new String(connection.send(CREATE).body(), StandardCharsets.UTF_8))
                        .isEqualTo("{}");
                assertThat(written.tryAcquire(30, TimeUnit.SECONDS)).isTrue(); // all bytes are on their way
                assertThat(server.connections()).isEqualTo(i);
            }
        }
    }

    @Test
    void sendWhenRedirectedSendsNoCredentialsElsewhere() {
        try (ScriptedServer elsewhere = ScriptedServer.start((request, out) -> out.write(OK));
                ScriptedServer server = ScriptedServer.start((request, out) ->
                        out.write(ScriptedServer.json(307, "{}", "Location: " + elsewhere.address() + "/x")))) {
            Config config = server.config();
            config.setOauthToken("hunter2");
            try (ApiConnection connection = ApiConnection.open(config)) {
                assertThatThrownBy(() -> connection.send(GET))
                        .isInstanceOfSatisfying(
                                ApiException.class, e -> assertThat(e.code()).isEqualTo(307));
            }
            assertThat(elsewhere.connections()).isZero();
            assertThat(server.requests()).hasSize(1);
        }
    }

    private static byte[] gzip(int length) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(packed)) {
            byte[] zeros = new byte[1 << 20];
            for (int i = 0; i < length; i += zeros.length) {
                out.write(zeros, 0, Math.min(zeros.length, length - i));
            }
        }
        return packed.toByteArray();
    }

    private static long read(byte[] compressed) throws IOException {
        byte[] head =
                ascii("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: " + compressed.length + "\r\n\r\n");
        try (ScriptedServer server = ScriptedServer.start((request, out) -> {
                    out.write(head);
                    out.write(compressed);
                });
                ApiConnection connection = ApiConnection.open(server.config());
                ApiStream stream =
                        connection.stream(ApiRequest.of("list", "GET", "/x").withGzip(true))) {
            long count = 0;
            byte[] buffer = new byte[8192];
            for (int read = stream.read(buffer); read >= 0; read = stream.read(buffer)) {
                count += read;
            }
            return count;
        }
    }

    @Test
    void streamWhenCompressedBodyExplodesKeepsNothingOfIt() throws IOException {
        int size = 1 << 28;
        assertThat(read(gzip(size))).isEqualTo(size);
    }

    @Test
    void streamWhenCompressedBodyIsCorruptThrows() throws IOException {
        byte[] whole = gzip(10_000);
        byte[] wrongSum = whole.clone();
        wrongSum[whole.length - 6] ^= 1;
        byte[] wrongData = whole.clone();
        wrongData[whole.length / 2] ^= (byte) 0xFF;
        byte[] more = Arrays.copyOf(whole, whole.length + 3);
        byte[] muchMore = Arrays.copyOf(whole, whole.length + 100_000);

        assertThat(read(whole)).isEqualTo(10_000);
        assertThatThrownBy(() -> read(Arrays.copyOf(whole, whole.length - 9))).isInstanceOf(EOFException.class);
        assertThatThrownBy(() -> read(wrongSum)).isInstanceOf(IOException.class).hasMessageContaining("corrupt");
        assertThatThrownBy(() -> read(wrongData)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> read(more)).isInstanceOf(IOException.class).hasMessageContaining("follow the end");
        assertThatThrownBy(() -> read(muchMore)).isInstanceOf(IOException.class).hasMessageContaining("follow the end");
        assertThatThrownBy(() -> read(ascii("no gzip at all, nothing of it"))).isInstanceOf(IOException.class);
    }

    @Test
    void streamWhenInterruptedInTheMiddleOfCompressedDataThrows() throws IOException {
        byte[] half = Arrays.copyOf(gzip(1 << 20), 100);
        try (ScriptedServer server = ScriptedServer.start((request, out) -> {
                    out.write(ascii("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5000\r\n\r\n"));
                    out.write(half);
                    out.flush();
                    ScriptedServer.stall();
                });
                ApiConnection connection = ApiConnection.open(server.config());
                ApiStream stream =
                        connection.stream(ApiRequest.of("list", "GET", "/x").withGzip(true))) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(stream::readAllBytes).isInstanceOf(InterruptedIOException.class);
            assertThat(Thread.interrupted()).isTrue();
        }
    }
}
