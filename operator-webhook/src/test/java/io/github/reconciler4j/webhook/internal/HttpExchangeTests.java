package io.github.reconciler4j.webhook.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.reconciler4j.metrics.OperatorMetrics;
import io.github.reconciler4j.support.internal.ConnectionListener;
import io.github.reconciler4j.webhook.ServerCertificate;
import io.github.reconciler4j.webhook.fixtures.TestCertificates;
import java.io.InputStream;
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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

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
                List.of(new Echo("/echo"), new Echo("/wait"), new Echo("/fail"), new Echo("/bad")),
                OperatorMetrics.NONE,
                true);
        listener = ConnectionListener.open(
                HttpExchange.settings(new InetSocketAddress("127.0.0.1", 0), MAX_CONNECTIONS, true),
                new HttpExchange(dispatcher, () -> certificate.context()),
                e -> {});
        client = client();
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

    @Test
    void failureWhenThrownIsAnErrorWithAnIdAndWithoutItsMessage() throws Exception {
        HttpResponse<String> response = post("/fail", REVIEW);

        assertThat(response.statusCode()).isEqualTo(500);
        assertThat(response.body()).matches("internal error [0-9a-f]{8}, see the log of the operator");
    }

    @Test
    void callWhenTooSlowIsAnsweredInTimeAndInterrupted() throws Exception {
        HttpResponse<String> response = post("/wait?timeout=1s", REVIEW);

        assertThat(response.statusCode()).isEqualTo(504);
        assertThat(response.body()).isEqualTo("the operator did not finish within 800 ms");
        interrupted.await();
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
        await().untilAsserted(() -> assertThat(listener.connections()).isLessThanOrEqualTo(MAX_CONNECTIONS));
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
        await().untilAsserted(() -> assertThat(listener.connections()).isZero());
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
        public ObjectNode respond(ObjectNode review) throws Exception {
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
                default -> {}
            }
            return review;
        }
    }
}
