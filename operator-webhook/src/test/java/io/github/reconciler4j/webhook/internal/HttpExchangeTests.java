package io.github.reconciler4j.webhook.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.support.internal.ConnectionListener;
import io.github.reconciler4j.webhook.ServerCertificate;
import io.github.reconciler4j.webhook.fixtures.TestCertificates;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

@Timeout(60)
class HttpExchangeTests {

    private static final int MAX_CONNECTIONS = 20;
    private static final String REVIEW = "{\"hello\":1}";

    private final TestCertificates certificates = new TestCertificates();
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final CountDownLatch interrupted = new CountDownLatch(1);
    private final List<Socket> sockets = new ArrayList<>();
    private volatile ServerCertificate certificate;
    private Dispatcher dispatcher;
    private ConnectionListener listener;
    private HttpClient client;

    @BeforeEach
    void start() throws Exception {
        certificate = certificates.certificate();
        dispatcher = new Dispatcher(
                List.of(new Echo("/echo"), new Echo("/wait"), new Echo("/fail"), new Echo("/bad"), new Echo("/large")),
                OperatorMetrics.NONE,
                true);
        listener = listen(MAX_CONNECTIONS);
        client = client();
    }

    private ConnectionListener listen(int maxConnections) throws Exception {
        return ConnectionListener.open(
                HttpExchange.settings(new InetSocketAddress("127.0.0.1", 0), maxConnections, true),
                new HttpExchange(dispatcher, () -> certificate.context()),
                e -> {});
    }

    @AfterEach
    void stop() throws Exception {
        released.countDown();
        for (Socket socket : sockets) {
            socket.close();
        }
        listener.close();
        dispatcher.close();
    }

    private HttpClient client() throws Exception {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(certificates.trusting())
                .connectTimeout(Duration.ofSeconds(20))
                .build();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("https://localhost:" + listener.port() + path))
                .header("Content-Type", "application/json; charset=utf-8");
    }

    private HttpResponse<String> post(String path, String body) throws Exception {
        return client.send(request(path).POST(BodyPublishers.ofString(body)).build(), BodyHandlers.ofString());
    }

    private Socket connect() throws Exception {
        Socket socket = new Socket("127.0.0.1", listener.port());
        sockets.add(socket);
        return socket;
    }

    private SSLSocket connectSecurely() throws Exception {
        SSLSocket socket =
                (SSLSocket) certificates.trusting().getSocketFactory().createSocket("127.0.0.1", listener.port());
        sockets.add(socket);
        socket.startHandshake();
        return socket;
    }

    @Test
    void reviewWhenPostedIsAnsweredOnOneConnection() throws Exception {
        for (int i = 0; i < 5; i++) {
            HttpResponse<String> response = post("/echo?timeout=10s", REVIEW);
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.body()).isEqualTo(REVIEW);
            assertThat(response.headers().firstValue("content-type"))
                    .hasValueSatisfying(type -> assertThat(type).startsWith("application/json"));
        }
        assertThat(listener.connections()).isEqualTo(1);
    }

    @Test
    void requestWhenNotAReviewIsRefused() throws Exception {
        assertThat(post("/other", REVIEW).statusCode()).isEqualTo(404);
        assertThat(post("/echo", "{").statusCode()).isEqualTo(400);
        assertThat(post("/bad", REVIEW).statusCode()).isEqualTo(400);
        assertThat(client.send(request("/echo").GET().build(), BodyHandlers.ofString())
                        .statusCode())
                .isEqualTo(405);
        HttpRequest text = request("/echo")
                .setHeader("Content-Type", "text/plain")
                .POST(BodyPublishers.ofString(REVIEW))
                .build();
        assertThat(client.send(text, BodyHandlers.ofString()).statusCode()).isEqualTo(415);
    }

    @Test
    void bodyWhenTooLargeIsRefusedAndOneBelowTheLimitIsNot() throws Exception {
        String large = "{\"a\":\"" + "x".repeat(HttpExchange.MAX_BODY - 100) + "\"}";
        assertThat(post("/echo", large).statusCode()).isEqualTo(200);
        SSLSocket socket = connectSecurely();
        socket.getOutputStream()
                .write(("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: "
                                + (HttpExchange.MAX_BODY + 1) + "\r\n\r\n")
                        .getBytes(UTF_8));
        assertThat(new String(socket.getInputStream().readNBytes(12), UTF_8)).isEqualTo("HTTP/1.1 413");
    }

    /** Sends everything before it looks for the answer, and nothing may be lost by then. */
    private String answerTo(String header, byte[] body) throws Exception {
        SSLSocket socket = connectSecurely();
        OutputStream out = socket.getOutputStream();
        out.write((header + "\r\nHost: a\r\nContent-Length: " + body.length + "\r\n\r\n").getBytes(UTF_8));
        out.write(body);
        out.flush();
        return new String(socket.getInputStream().readAllBytes(), UTF_8);
    }

    @Test
    void bodyWhenRefusedIsReadToItsEndSoThatTheClientGetsTheAnswer() throws Exception {
        byte[] large = new byte[3 * HttpExchange.MAX_BODY];

        assertThat(answerTo("POST /echo HTTP/1.1\r\nContent-Type: application/json", large))
                .startsWith("HTTP/1.1 413")
                .endsWith("the review has more than 7 MiB (7340032 bytes), which the operator does not accept: make the"
                        + " object smaller");
        assertThat(answerTo("PUT /echo HTTP/1.1\r\nContent-Type: application/json", large))
                .startsWith("HTTP/1.1 405");
        assertThat(answerTo("POST /echo HTTP/1.1\r\nContent-Type: text/plain", large))
                .startsWith("HTTP/1.1 415");
    }

    @Test
    void bodyInChunksWhenTooLargeIsReadToItsEnd() throws Exception {
        SSLSocket socket = connectSecurely();
        OutputStream out = socket.getOutputStream();
        out.write(
                "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
                        .getBytes(UTF_8));
        byte[] chunk = ("100000\r\n" + "x".repeat(0x100000) + "\r\n").getBytes(UTF_8);
        for (int i = 0; i < 20; i++) {
            out.write(chunk);
        }
        out.write("0\r\n\r\n".getBytes(UTF_8));

        assertThat(new String(socket.getInputStream().readAllBytes(), UTF_8)).startsWith("HTTP/1.1 413");
    }

    @Test
    void failureWhenThrownIsAnErrorWithAnIdAndWithoutItsMessage() throws Exception {
        HttpResponse<String> response = post("/fail", REVIEW);

        assertThat(response.statusCode()).isEqualTo(500);
        assertThat(response.body()).matches("internal error [0-9a-f]{8}, see the log of the operator");
    }

    @Test
    void callWhenTooSlowIsAnsweredInTimeAndInterrupted() throws Exception {
        await("the interrupt of a call that started in time")
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> {
                    HttpResponse<String> response = post("/wait?timeout=1s", REVIEW);
                    assertThat(response.statusCode()).isEqualTo(504);
                    assertThat(response.body()).isEqualTo("the operator did not finish within 800 ms");
                    assertThat(interrupted.await(1, TimeUnit.SECONDS)).isTrue();
                });
        assertThat(post("/wait?timeout=100ms", REVIEW).body()).isEqualTo("the operator did not finish within 50 ms");
    }

    @Test
    void silentAndSlowClientsWhenManyDoNotPreventAnswers() throws Exception {
        for (int i = 0; i < 3 * MAX_CONNECTIONS; i++) {
            connect(); // no handshake
        }
        for (int i = 0; i < 5; i++) {
            connectSecurely().getOutputStream().write("POST /echo HTTP/1.1\r\nHost".getBytes(UTF_8));
        }

        for (int i = 0; i < 20; i++) {
            assertThat(post("/echo", REVIEW).statusCode()).isEqualTo(200);
        }
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(listener.connections()).isLessThanOrEqualTo(MAX_CONNECTIONS));
    }

    @Test
    void clientsWhenTheySendHalfABodyDoNotPreventAnswers() throws Exception {
        for (int i = 0; i < 2 * MAX_CONNECTIONS; i++) {
            connectSecurely()
                    .getOutputStream()
                    .write(("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: "
                                    + REVIEW.length() + "\r\n\r\n{")
                            .getBytes(UTF_8));
        }

        await("the end of the server waits for requests")
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .atMost(Duration.ofSeconds(30))
                .until(listener::isBusy);
        assertAnswered();
    }

    @Test
    void clientsWhenTheyDoNotReadTheirResponsesDoNotPreventAnswers() throws Exception {
        listener.close();
        int few = 3; // so that all of them are at it within the time limit of the server
        listener = listen(few);
        byte[] request = ("POST /large HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: "
                        + REVIEW.length() + "\r\n\r\n" + REVIEW)
                .getBytes(UTF_8);
        for (int i = 0; i < few; i++) {
            Socket small = new Socket();
            small.setReceiveBufferSize(4096);
            small.connect(new InetSocketAddress("127.0.0.1", listener.port()));
            sockets.add(small);
            Socket secure =
                    certificates.trusting().getSocketFactory().createSocket(small, "127.0.0.1", listener.port(), true);
            secure.getOutputStream().write(request);
            assertThat(secure.getInputStream().read())
                    .as("the start of the response")
                    .isEqualTo('H');
        }

        assertAnswered();
    }

    private void assertAnswered() throws Exception {
        for (int i = 0; i < 20; i++) {
            HttpRequest good = request("/echo")
                    .timeout(Duration.ofSeconds(10))
                    .POST(BodyPublishers.ofString(REVIEW))
                    .build();
            assertThat(client().send(good, BodyHandlers.ofString()).statusCode())
                    .isEqualTo(200);
        }
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(listener.connections()).isLessThanOrEqualTo(MAX_CONNECTIONS));
    }

    @Test
    void failuresOfOneCauseWhenManyAreLoggedOnceAndHaveOneId() throws Exception {
        Logger logger = (Logger) LoggerFactory.getLogger(Failures.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        try {
            Set<String> bodies = new HashSet<>();
            for (int i = 0; i < 50; i++) {
                bodies.add(post("/fail", REVIEW).body());
            }
            assertThat(bodies).hasSize(1);
            assertThat(lines.list).hasSize(1);
            assertThat(bodies.iterator().next())
                    .contains(String.valueOf(lines.list.get(0).getArgumentArray()[1]));
        } finally {
            logger.detachAppender(lines);
        }
    }

    @Test
    void callInProgressWhenFloodedIsNotCutOff() throws Exception {
        CompletableFuture<HttpResponse<String>> call = client.sendAsync(
                request("/wait?timeout=30s")
                        .POST(BodyPublishers.ofString(REVIEW))
                        .build(),
                BodyHandlers.ofString());
        entered.await();
        for (int i = 0; i < 3 * MAX_CONNECTIONS; i++) {
            connect();
        }
        // The server has room for all but the call, and closes the oldest of the others as the last ones come.
        for (Socket closed : sockets.subList(0, 2 * MAX_CONNECTIONS + 1)) {
            assertThat(closed.getInputStream().read()).isEqualTo(-1);
        }
        released.countDown();

        assertThat(call.get().statusCode()).isEqualTo(200);
    }

    @Test
    void garbageWhenReceivedClosesTheConnectionOnly() throws Exception {
        connect().getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(UTF_8));
        SSLSocket socket = connectSecurely();
        socket.getOutputStream().write("nonsense\r\n\r\n".getBytes(UTF_8));
        try (InputStream in = socket.getInputStream()) {
            assertThat(new String(in.readAllBytes(), UTF_8)).startsWith("HTTP/1.1 400");
        }
        assertThat(post("/echo", REVIEW).statusCode()).isEqualTo(200);
    }

    @Test
    void certificateWhenReplacedIsUsedByNewConnectionsWhileOthersContinue() throws Exception {
        assertThat(post("/echo", REVIEW).statusCode()).isEqualTo(200);
        ServerCertificate next = certificates.certificate();
        certificate = next;

        assertThat(post("/echo", REVIEW).statusCode()).isEqualTo(200);
        assertThat(listener.connections()).isEqualTo(1);
        X509Certificate seen = (X509Certificate) connectSecurely().getSession().getPeerCertificates()[0];
        assertThat(seen).isEqualTo(next.certificate());
    }

    @Test
    void connectionWhenDrainingIsClosedAfterItsResponse() throws Exception {
        post("/echo", REVIEW);
        listener.drain();

        HttpResponse<String> response = post("/echo", REVIEW);
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("connection")).hasValue("close");
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(listener.connections()).isZero());
        assertThat(post("/echo", REVIEW).statusCode()).isEqualTo(200);
    }

    /** Answers with the request, or as its path says. */
    private final class Echo implements Endpoint {
        private final String path;

        Echo(String path) {
            this.path = path;
        }

        @Override
        public String path() {
            return path;
        }

        @Override
        public boolean isConversion() {
            return false;
        }

        @Override
        public ObjectNode respond(ObjectNode review, CallWorkers work) throws Exception {
            switch (path) {
                case "/fail" -> throw new IllegalStateException("secret");
                case "/bad" -> throw new BadReviewException("not a review");
                case "/wait" -> {
                    entered.countDown();
                    try {
                        released.await();
                    } catch (InterruptedException e) {
                        interrupted.countDown();
                        throw e;
                    }
                }
                case "/large" -> review.put("large", "x".repeat(HttpExchange.MAX_BODY));
                default -> {}
            }
            return review;
        }
    }
}
