package io.github.reconciler4j.webhook.internal;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.support.internal.ConnectionListener;
import io.github.reconciler4j.webhook.ServerCertificate;
import io.github.reconciler4j.webhook.fixtures.TestCertificates;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/**
 * Requests of every method, target, type, body and framing, most of them hostile. The server must refuse each at once, or close
 * the connection, without a failure or content in the response, and answer the request after it. The build runs each value with
 * correct others, and a sample of the combinations; {@code -Dgrid.cells=all} runs each pair of values, {@code -Dgrid.seed=7} another
 * sample.
 */
@Timeout(3600)
class RequestGridTests {

    private static final boolean WHOLE =
            System.getProperty("grid.cells", "sample").equals("all");
    private static final long SEED = Long.getLong("grid.seed", 1);
    private static final int SAMPLE = 300;
    private static final int LIMIT_MILLIS = 20_000;
    private static final String SECRET = "c0nfidential";
    private static final byte[] GOOD = ("{\"content\":\"" + SECRET + "\"}").getBytes(UTF_8);

    private static final List<String> METHODS =
            List.of("POST", "GET", "PUT", "post", "P\u0000ST", "", "CONNECT", "OPTIONS");
    private static final List<String> TARGETS = List.of(
            "/review",
            "/review?timeout=10s",
            "/review?timeout=1ms",
            "/review?timeout=0s",
            "/review?timeout=9999s",
            "/review?timeout=99999999999999999999s",
            "/review?timeout=-1s",
            "/review?timeout=",
            "/review?",
            "/review#a",
            "/review/",
            "//review",
            "/%72eview",
            "/%zz",
            "/%00",
            "/../review",
            "*",
            "",
            "?",
            "http://other/review",
            "http://other",
            "http://[::1",
            "\u00e9",
            "/" + "a".repeat(10_000));
    private static final List<String> TYPES = List.of(
            "application/json",
            "application/json; charset=utf-8",
            "application/json; charset=utf-16",
            "application/json; charset=nonsense",
            "APPLICATION/JSON",
            "application/json, text/plain",
            "application/yaml",
            "text/plain",
            ";",
            "",
            "\u0001");

    /** How the length of the body is announced, and how it is sent. */
    private enum Framing {
        LENGTH,
        LENGTH_TWICE,
        TOO_LONG_THEN_END,
        TOO_SHORT,
        NEGATIVE,
        OVERFLOWING,
        BEYOND_LIMIT,
        NONE,
        CHUNKED,
        CHUNKS_OF_ONE,
        CHUNKED_WITH_LENGTH,
        NEGATIVE_CHUNK,
        CHUNKED_WITHOUT_END,
        UNKNOWN_CODING,
        EXPECT_CONTINUE,
        MANY_HEADERS,
        LONG_HEADER;

        byte[] frame(String head, byte[] body) {
            String chunk = Integer.toHexString(body.length) + "\r\n";
            return switch (this) {
                case LENGTH -> join(head + "Content-Length: " + body.length + "\r\n\r\n", body, "");
                case LENGTH_TWICE ->
                    join(head + "Content-Length: " + body.length + "\r\nContent-Length: 1\r\n\r\n", body, "");
                case TOO_LONG_THEN_END -> join(head + "Content-Length: " + (body.length + 10) + "\r\n\r\n", body, "");
                case TOO_SHORT -> join(head + "Content-Length: " + body.length / 2 + "\r\n\r\n", body, "");
                case NEGATIVE -> join(head + "Content-Length: -1\r\n\r\n", body, "");
                case OVERFLOWING -> join(head + "Content-Length: 99999999999999999999\r\n\r\n", body, "");
                case BEYOND_LIMIT -> join(head + "Content-Length: " + Long.MAX_VALUE + "\r\n\r\n", body, "");
                case NONE -> join(head + "\r\n", body, "");
                case CHUNKED -> join(head + "Transfer-Encoding: chunked\r\n\r\n" + chunk, body, "\r\n0\r\n\r\n");
                case CHUNKS_OF_ONE -> chunksOfOne(head + "Transfer-Encoding: chunked\r\n\r\n", body);
                case CHUNKED_WITH_LENGTH ->
                    join(
                            head + "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n" + chunk,
                            body,
                            "\r\n0\r\n\r\n");
                case NEGATIVE_CHUNK -> join(head + "Transfer-Encoding: chunked\r\n\r\n-5\r\n", body, "\r\n0\r\n\r\n");
                case CHUNKED_WITHOUT_END -> join(head + "Transfer-Encoding: chunked\r\n\r\n" + chunk, body, "\r\n");
                case UNKNOWN_CODING -> join(head + "Transfer-Encoding: gzip\r\n\r\n", body, "");
                case EXPECT_CONTINUE ->
                    join(head + "Expect: 100-continue\r\nContent-Length: " + body.length + "\r\n\r\n", body, "");
                case MANY_HEADERS ->
                    join(head + "X: y\r\n".repeat(200) + "Content-Length: " + body.length + "\r\n\r\n", body, "");
                case LONG_HEADER ->
                    join(
                            head + "X: " + "y".repeat(20_000) + "\r\nContent-Length: " + body.length + "\r\n\r\n",
                            body,
                            "");
            };
        }

        private static byte[] chunksOfOne(String head, byte[] body) {
            StringBuilder text = new StringBuilder(head);
            for (byte one : body) {
                text.append("1\r\n").append((char) (one & 0xFF)).append("\r\n");
            }
            return text.append("0\r\n\r\n").toString().getBytes(ISO_8859_1);
        }

        private static byte[] join(String head, byte[] body, String end) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            all.writeBytes(head.getBytes(ISO_8859_1));
            all.writeBytes(body);
            all.writeBytes(end.getBytes(ISO_8859_1));
            return all.toByteArray();
        }
    }

    private record Case(String method, String target, String type, Map.Entry<String, byte[]> body, Framing framing) {

        byte[] bytes() {
            return framing.frame(
                    method + " " + target + " HTTP/1.1\r\nHost: a\r\nContent-Type: " + type + "\r\n", body.getValue());
        }

        @Override
        public String toString() {
            String shown = target.length() > 30 ? target.substring(0, 30) + "..." : target;
            return method + " " + shown + " as " + type + ", " + body.getKey() + ", " + framing;
        }
    }

    private final List<Map.Entry<String, byte[]>> bodies = bodies();
    private final TestCertificates certificates = new TestCertificates();
    private final Logger log = (Logger) LoggerFactory.getLogger(ConnectionListener.class.getPackageName());
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private Dispatcher dispatcher;
    private ConnectionListener listener;

    private static List<Map.Entry<String, byte[]>> bodies() {
        String text = new String(GOOD, UTF_8);
        byte[] overlong = text.getBytes(UTF_8);
        overlong[4] = (byte) 0xC0;
        byte[] cut = ("{\"" + SECRET + "\":\"\u00e9").getBytes(UTF_8);
        cut[cut.length - 1] = '"';
        return List.of(
                Map.entry("correct", GOOD),
                Map.entry("empty", new byte[0]),
                Map.entry("invalid UTF-8", overlong),
                Map.entry("cut UTF-8", cut),
                Map.entry("UTF-16", text.getBytes(UTF_16LE)),
                Map.entry("BOM", ("\uFEFF" + text).getBytes(UTF_8)),
                Map.entry("NUL", new byte[100]),
                Map.entry("lone surrogate", text.replace("c0", "\\ud800").getBytes(UTF_8)),
                Map.entry("half", text.substring(0, text.length() - 5).getBytes(UTF_8)),
                Map.entry("followed", (text + SECRET).getBytes(UTF_8)),
                Map.entry("array", ("[" + text + "]").getBytes(UTF_8)),
                Map.entry("number", "1e999999999".getBytes(UTF_8)),
                Map.entry("big number", ("{\"a\":" + "9".repeat(5000) + "}").getBytes(UTF_8)),
                Map.entry("deep", "{\"a\":".repeat(50_000).getBytes(UTF_8)),
                Map.entry("same key twice", ("{\"a\":1,\"a\":\"" + SECRET + "\"}").getBytes(UTF_8)),
                Map.entry("long key", ("{\"" + SECRET + "x".repeat(100_000) + "\":1}").getBytes(UTF_8)),
                Map.entry("HTML", ("<html>" + SECRET + "</html>").getBytes(UTF_8)));
    }

    @BeforeEach
    void start() throws Exception {
        lines.start();
        log.addAppender(lines);
        dispatcher = new Dispatcher(List.of(new Answering()), OperatorMetrics.NONE, true);
        ServerCertificate certificate = certificates.certificate();
        listener = ConnectionListener.open(
                HttpExchange.settings(new InetSocketAddress("127.0.0.1", 0), 20, true),
                new HttpExchange(dispatcher, certificate::context),
                failure::set);
    }

    @AfterEach
    void stop() {
        log.detachAppender(lines);
        listener.close();
        dispatcher.close();
    }

    private List<Case> cases() {
        List<Case> all = new ArrayList<>();
        Case good = new Case("POST", "/review", "application/json", bodies.get(0), Framing.LENGTH);
        for (String method : METHODS) {
            for (String target : TARGETS) {
                for (String type : TYPES) {
                    for (Map.Entry<String, byte[]> body : bodies) {
                        for (Framing framing : Framing.values()) {
                            all.add(new Case(method, target, type, body, framing));
                        }
                    }
                }
            }
        }
        Random random = new Random(SEED);
        int most = WHOLE ? 2 : 1;
        List<Case> some = new ArrayList<>(
                all.stream().filter(one -> differences(one, good) <= most).toList());
        for (int i = 0; i < SAMPLE; i++) {
            some.add(all.get(random.nextInt(all.size())));
        }
        return some;
    }

    private static int differences(Case one, Case other) {
        return (one.method.equals(other.method) ? 0 : 1)
                + (one.target.equals(other.target) ? 0 : 1)
                + (one.type.equals(other.type) ? 0 : 1)
                + (one.body.equals(other.body) ? 0 : 1)
                + (one.framing == other.framing ? 0 : 1);
    }

    @Test
    void requestWhenHostileIsRefusedAndTheNextIsAnswered(TestReporter reporter) throws Exception {
        Map<String, String> violations = new TreeMap<>();
        List<Case> cases = cases();
        for (Case one : cases) {
            String problem = problem(one);
            if (!problem.isEmpty()) {
                violations.put(one.toString(), problem);
            }
        }
        String good =
                exchange(Framing.LENGTH.frame("POST /review HTTP/1.1\r\nContent-Type: application/json\r\n", GOOD));
        reporter.publishEntry("requests", cases.size() + ", with violations: " + violations.size());
        assertThat(violations).isEmpty();
        assertThat(good).startsWith("HTTP/1.1 200");
        assertThat(failure.get()).isNull();
        assertThat(lines.list)
                .filteredOn(line -> line.getLevel().isGreaterOrEqual(Level.WARN))
                .as("failures of the server")
                .isEmpty();
        assertThat(cases).hasSizeGreaterThan(SAMPLE);
    }

    /** Return what is wrong, empty for nothing. */
    private String problem(Case one) throws Exception {
        String response;
        try {
            response = exchange(one.bytes());
        } catch (SocketTimeoutException e) {
            return "no response within " + LIMIT_MILLIS + " ms";
        }
        String last = response.replaceFirst("^HTTP/1.1 100[^\r]*\r\n\r\n", "");
        boolean refused = last.isEmpty() || last.matches("(?s)HTTP/1.1 (400|404|405|413|415|504) .*");
        boolean answered = last.startsWith("HTTP/1.1 200") && last.contains("\"kind\":\"Answer\"");
        if (!refused && !answered) {
            return "the response " + last.substring(0, Math.min(200, last.length()));
        }
        return last.contains(SECRET) ? "content in " + last : "";
    }

    /** Send bytes and the end, and return what comes back until the end. */
    private String exchange(byte[] bytes) throws Exception {
        try (SSLSocket socket =
                (SSLSocket) certificates.trusting().getSocketFactory().createSocket("127.0.0.1", listener.port())) {
            socket.setSoTimeout(LIMIT_MILLIS);
            ByteArrayOutputStream response = new ByteArrayOutputStream();
            try {
                OutputStream out = socket.getOutputStream();
                out.write(bytes);
                out.flush();
                socket.shutdownOutput();
                socket.getInputStream().transferTo(response);
            } catch (SocketTimeoutException e) {
                throw e;
            } catch (IOException e) {
                // the server has closed the connection before it has read everything
            }
            return response.toString(ISO_8859_1);
        }
    }

    /** Answers everything, with nothing of it. */
    private static final class Answering implements Endpoint {

        @Override
        public String path() {
            return "/review";
        }

        @Override
        public boolean isConversion() {
            return false;
        }

        @Override
        public ObjectNode respond(ObjectNode review, CallWorkers work) {
            return Reviews.tree("{'kind':'Answer'}");
        }
    }
}
