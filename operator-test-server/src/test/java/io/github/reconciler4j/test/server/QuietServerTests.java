package io.github.reconciler4j.test.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.github.reconciler4j.test.KubernetesServer;
import io.github.reconciler4j.test.request.RequestMatch;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Clients that misbehave and servers that end with clients on them leave no trace in the log. */
class QuietServerTests {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    private KubernetesServer server;
    private KubernetesClient client;

    @BeforeEach
    void startServer() {
        server = KubernetesServer.start();
        client = new KubernetesClientBuilder().withConfig(server.clientConfig()).build();
        log.start();
        root.addAppender(log);
    }

    @AfterEach
    void stopServer() {
        client.close();
        server.close();
        root.detachAppender(log);
    }

    /** Those of clients do not count: they come from threads that may outlive their client for a moment. */
    private List<String> warnings() {
        return log.list.stream()
                .filter(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
                .filter(event -> !event.getLoggerName().startsWith("io.fabric8"))
                .map(event -> event.getLoggerName() + ": " + event.getFormattedMessage() + " "
                        + (event.getThrowableProxy() == null
                                ? ""
                                : event.getThrowableProxy().getMessage()))
                .toList();
    }

    /** Sends a request, whose response comes after all earlier events were processed. */
    private void assertQuiet() {
        for (int i = 0; i < 4; i++) {
            try (KubernetesClient other = new KubernetesClientBuilder()
                    .withConfig(server.clientConfig())
                    .build()) {
                assertThat(other.namespaces().withName("default").get()).isNotNull();
            }
        }
        assertThat(warnings()).isEmpty();
    }

    private Socket connect() throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), server.port());
    }

    private static void reset(Socket socket) throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Test
    void connectionWhenResetBeforeEncryptionIsForgotten() throws IOException {
        reset(connect());

        assertQuiet();
    }

    @Test
    void connectionWhenItSpeaksNoEncryptionIsForgotten() throws IOException {
        try (Socket socket = connect()) {
            socket.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            socket.getInputStream().readAllBytes();
        }

        assertQuiet();
    }

    @Test
    void connectionWhenTheClientDoesNotTrustTheServerIsForgotten() throws IOException {
        try (Socket socket = connect();
                SSLSocket encrypted = (SSLSocket) ((SSLSocketFactory) SSLSocketFactory.getDefault())
                        .createSocket(socket, "127.0.0.1", server.port(), true)) {
            assertThatThrownBy(encrypted::startHandshake).isInstanceOf(SSLHandshakeException.class);
        }

        assertQuiet();
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void connectionWhenResetInTheMiddleIsForgotten(String protocol) throws Exception {
        Socket socket = connect();
        SSLSocket encrypted = encrypt(socket, protocol);
        String start = protocol.equals("h2") ? PREFACE : "GET /api/v1/namesp";
        encrypted.getOutputStream().write(start.getBytes(StandardCharsets.US_ASCII));
        encrypted.getOutputStream().flush();

        reset(socket);

        assertQuiet();
    }

    @ParameterizedTest
    @ValueSource(strings = {"h2", "http/1.1"})
    void connectionWhenItSendsRubbishIsForgotten(String protocol) throws Exception {
        try (Socket socket = connect()) {
            SSLSocket encrypted = encrypt(socket, protocol);
            encrypted.getOutputStream().write(new byte[200]);
            encrypted.getOutputStream().flush();
            assertThat(encrypted.getInputStream().readAllBytes()).isNotNull();
        }

        assertQuiet();
    }

    private SSLSocket encrypt(Socket socket, String protocol) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(
                null,
                io.fabric8.kubernetes.client.internal.SSLUtils.trustManagers(server.clientConfig()),
                new SecureRandom());
        SSLSocket encrypted =
                (SSLSocket) context.getSocketFactory().createSocket(socket, "127.0.0.1", server.port(), true);
        SSLParameters parameters = encrypted.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {protocol});
        encrypted.setSSLParameters(parameters);
        encrypted.startHandshake();
        return encrypted;
    }

    @Test
    void watchesWhenTheServerEndsAreCutInSilence() {
        client.close();
        Logger clients = (Logger) LoggerFactory.getLogger("io.fabric8");
        clients.setLevel(Level.OFF);
        try (KubernetesClient watching =
                new KubernetesClientBuilder().withConfig(server.clientConfig()).build()) {
            watching.configMaps().inNamespace("default").inform();
            watching.secrets().inNamespace("default").inform();
            await("the watches").atMost(LONG).until(() -> server.watches(RequestMatch.any()) == 2);

            server.close();
        } finally {
            clients.setLevel(null);
        }
        assertThat(warnings()).isEmpty();
    }
}
