package io.github.reconciler4j.manager.process;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.github.reconciler4j.health.HealthCheck;
import io.github.reconciler4j.manager.Manager;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client that can reach the port must not be able to keep the kubelet from getting its response. */
@Timeout(120)
class ProbeServerAttackTests {

    /** The default timeout of a probe is a second; a loaded machine may take longer. */
    private static final int PROBE_TIMEOUT_MILLIS = 5_000;

    /** Shorter than that of operators. */
    private static final Duration REQUEST_LIMIT = Duration.ofSeconds(2);

    private static final String REQUEST = "GET /healthz HTTP/1.1\r\nHost: probe\r\n\r\n";
    private static final String SCRAPE = "GET /metrics HTTP/1.1\r\nHost: probe\r\n\r\n";

    private final Manager manager = manager();
    private final List<Socket> sockets = new ArrayList<>();
    private final AtomicInteger scrapes = new AtomicInteger();
    private ProbeServer server = addTo(manager, REQUEST_LIMIT);

    private static Manager manager() {
        return Manager.create(new ConfigBuilder(Config.empty())
                .withMasterUrl("http://127.0.0.1:1")
                .build());
    }

    private ProbeServer addTo(Manager its, Duration requestLimit) {
        return ProbeServer.addTo(
                its,
                ProbeServerOptions.defaults().withAddress("127.0.0.1", 0).withMetrics(this::largeMetrics),
                requestLimit);
    }

    /** More than the buffers of a connection hold. */
    private String largeMetrics() {
        scrapes.incrementAndGet();
        return "x".repeat(20_000_000);
    }

    @BeforeEach
    void start() throws IOException {
        server.start();
    }

    @AfterEach
    void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        manager.close();
        Awaitility.await("no thread is left").atMost(Duration.ofSeconds(30)).until(() -> threads() == 0);
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("probe-server"))
                .count();
    }

    private Socket connect(String bytes) throws IOException {
        Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), server.port());
        sockets.add(socket);
        socket.getOutputStream().write(bytes.getBytes(US_ASCII));
        return socket;
    }

    private void connect(int count, String bytes) throws IOException {
        for (int i = 0; i < count; i++) {
            connect(bytes);
        }
    }

    /** What comes after a request until the server closes the connection. */
    private String send(String request) throws IOException {
        try (Socket socket = connect(request)) {
            socket.setSoTimeout(PROBE_TIMEOUT_MILLIS);
            return new String(socket.getInputStream().readAllBytes(), US_ASCII);
        }
    }

    private void assertProbesAreAnswered(int times) throws IOException {
        for (int i = 0; i < times; i++) {
            assertThat(send(REQUEST)).startsWith("HTTP/1.1 200").endsWith("\r\n\r\nok");
        }
    }

    private static boolean isClosedByServer(Socket socket) {
        try {
            socket.setSoTimeout(1);
            InputStream in = socket.getInputStream();
            return in.read() < 0;
        } catch (SocketException e) {
            return true; // reset
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void probeWhenConnectionsAreSilentIsAnsweredAndTheyAreClosed() throws Exception {
        connect(200, "");
        assertProbesAreAnswered(20);
        assertThat(threads()).isLessThan(2 * ProbeServer.MAX_CONNECTIONS);
        awaitAllClosed();
    }

    @Test
    void probeWhenRequestsAreHalfSentIsAnsweredAndTheyAreClosed() throws Exception {
        connect(100, "GET /healthz HTTP/1.1\r\nHost: pro");
        connect(100, "GET /heal");
        assertProbesAreAnswered(20);
        awaitAllClosed();
    }

    @Test
    void probeWhenRequestsComeByteByByteIsAnsweredAndTheyAreClosed() throws Exception {
        connect(ProbeServer.MAX_CONNECTIONS / 2, "GET /healthz HTTP/1.1\r\nX-Slow: ");
        AtomicBoolean done = new AtomicBoolean();
        List<Socket> slow = List.copyOf(sockets);
        Thread dripping = new Thread(() -> drip(slow, done));
        dripping.start();
        try {
            assertProbesAreAnswered(20);
            awaitAllClosed();
        } finally {
            done.set(true);
            dripping.join();
        }
    }

    /** A byte at a time, so often that every limit on the time between two bytes is kept. */
    private static void drip(List<Socket> slow, AtomicBoolean done) {
        CountDownLatch never = new CountDownLatch(1);
        while (!done.get()) {
            for (Socket socket : slow) {
                try {
                    socket.getOutputStream().write('x');
                } catch (IOException e) {
                    // closed by the server, as it should be
                }
            }
            try {
                assertThat(never.await(500, TimeUnit.MILLISECONDS)).isFalse();
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void awaitAllClosed() {
        Awaitility.await("the server has closed all connections")
                .atMost(REQUEST_LIMIT.plusSeconds(20))
                .until(() -> sockets.stream().allMatch(ProbeServerAttackTests::isClosedByServer));
    }

    @Test
    void probeWhenResponsesAreNotReadIsAnswered() throws Exception {
        connect(100, SCRAPE);
        assertProbesAreAnswered(20);
        assertThat(threads()).isLessThan(2 * ProbeServer.MAX_CONNECTIONS);
    }

    @Test
    void scrapeWhenResponsesOfOthersAreNotReadIsRefusedUntilTheyAreClosed() throws Exception {
        try (Manager patient = manager()) {
            server = addTo(patient, Duration.ofMinutes(5)); // this is no test of the time limit
            server.start();
            for (int i = 1; i <= ProbeServer.MAX_SCRAPES; i++) {
                int unread = i;
                connect(SCRAPE);
                Awaitility.await("unread scrape " + unread)
                        .atMost(Duration.ofSeconds(30))
                        .until(() -> scrapes.get() == unread);
            }
            assertThat(send(SCRAPE)).startsWith("HTTP/1.1 503");
            assertThat(scrapes).hasValue(ProbeServer.MAX_SCRAPES);
            for (Socket socket : sockets) {
                socket.close();
            }
            Awaitility.await("metrics are served again")
                    .atMost(Duration.ofSeconds(30))
                    .ignoreExceptions()
                    .until(() -> send(SCRAPE).startsWith("HTTP/1.1 200"));
        }
    }

    @Test
    void probeWhenAConnectionIsAbortedAgainAndAgainIsAnswered() throws Exception {
        for (int i = 0; i < 500; i++) {
            Socket socket = connect("GET /healthz HTTP/1.1\r\n");
            socket.setSoLinger(true, 0);
            socket.close();
        }
        assertProbesAreAnswered(5);
    }

    @Test
    void requestWhenMalformedIsRejectedAndTheConnectionClosed() throws Exception {
        assertThat(send("HELLO\r\n\r\n")).startsWith("HTTP/1.1 400");
        assertThat(send("GET /healthz HTTP/1.1\r\n" + "X: y\r\n".repeat(200) + "\r\n"))
                .startsWith("HTTP/1.1 400");
        assertThat(send("GET /" + "a".repeat(5_000) + " HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 400");
        assertThat(send("GET /%zz HTTP/1.1\r\nHost: probe\r\n\r\n")).startsWith("HTTP/1.1 400");
        assertThat(send("POST /healthz HTTP/1.1\r\nHost: probe\r\nContent-Length: 0\r\n\r\n"))
                .startsWith("HTTP/1.1 405");
        assertThat(send("HEAD /healthz HTTP/1.1\r\nHost: probe\r\n\r\n"))
                .startsWith("HTTP/1.1 200")
                .endsWith("\r\n\r\n");
        assertProbesAreAnswered(1);
    }

    @Test
    void probeWhenAnotherPathFailsWithAnErrorIsAnswered() throws Exception {
        ProbeServer failing = addFailing();
        failing.start();
        try (Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), failing.port())) {
            socket.getOutputStream().write("GET /metrics HTTP/1.1\r\nHost: p\r\n\r\n".getBytes(US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), US_ASCII))
                    .startsWith("HTTP/1.1 500");
        }
        try (Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), failing.port())) {
            socket.getOutputStream().write(REQUEST.getBytes(US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), US_ASCII))
                    .startsWith("HTTP/1.1 200");
        }
        failing.stop(Duration.ZERO);
    }

    private static ProbeServer addFailing() {
        Manager other = Manager.create(new ConfigBuilder(Config.empty())
                .withMasterUrl("http://127.0.0.1:1")
                .build());
        return ProbeServer.addTo(
                other, ProbeServerOptions.defaults().withAddress("127.0.0.1", 0).withMetrics(() -> {
                    throw new StackOverflowError();
                }));
    }

    @Test
    void probeWhenACheckHangsIsAnsweredForTheOtherChecks() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        manager.addHealthCheck(new HealthCheck() {
            @Override
            public String name() {
                return "hanging";
            }

            @Override
            public Health check() {
                try {
                    release.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return new Health(true, true, Map.of());
            }
        });
        connect(ProbeServer.MAX_CONNECTIONS * 2, REQUEST);
        assertThat(send("GET /other HTTP/1.1\r\nHost: probe\r\n\r\n")).startsWith("HTTP/1.1 404");
        release.countDown();
        assertProbesAreAnswered(1);
    }
}
