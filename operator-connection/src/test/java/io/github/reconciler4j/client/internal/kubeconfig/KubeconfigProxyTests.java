package io.github.reconciler4j.client.internal.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.client.RecordingProxy;
import io.github.reconciler4j.client.RecordingProxy.Kind;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.client.error.ConnectionException.Problem;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.fixtures.LoopbackListener;
import io.github.reconciler4j.fixtures.ScriptedServer;
import io.github.reconciler4j.fixtures.TestCertificates;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which proxy a kubeconfig uses in an environment, and that no password leaves in plain text to one that speaks TLS. */
@Timeout(1200)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KubeconfigProxyTests {

    private static final int CASES = Integer.getInteger("kubeconfig.cases", 300);
    private static final long SEED = Long.getLong("kubeconfig.seed", 1);
    private static final int TLS_HANDSHAKE = 22;
    private static final ApiRequest GET = ApiRequest.of("get", "GET", "/version");
    private static final List<String> HOSTS = List.of("api.example", "api.corp.com", "10.9.9.9");
    private static final List<String> LOGINS = List.of("me:secret", "me:s%e@c:r/t", "m e:ü", "me:");

    private final TestCertificates certificates =
            TestCertificates.create("api.example", "api.corp.com", "10.9.9.9", "127.0.0.1");
    private final Map<String, String> environment = new HashMap<>();
    private ScriptedServer server;

    @BeforeAll
    void start() {
        server = ScriptedServer.startTls(
                certificates, false, (request, out) -> out.write(ScriptedServer.json(200, "{}")));
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @BeforeEach
    void clear() {
        environment.clear();
        server.requests().clear();
    }

    private Config config(String host, String cluster) {
        String authority =
                Base64.getEncoder().encodeToString(certificates.authorityPem().getBytes(StandardCharsets.US_ASCII));
        String kubeconfig = """
                current-context: c
                contexts: [{name: c, context: {cluster: c, user: u}}]
                clusters: [{name: c, cluster: {server: "https://%s", certificate-authority-data: %s, %s}}]
                users: [{name: u, user: {token: the-token}}]
                """.formatted(host, authority, cluster);
        return KubeconfigReader.ofText("The kubeconfig", kubeconfig)
                .withEnvironment(environment::get)
                .read(null);
    }

    private static String url(RecordingProxy proxy, Kind kind, String login) {
        String user = login == null ? "" : escaped(login) + "@";
        return kind.name().toLowerCase(Locale.ROOT) + "://" + user + "127.0.0.1:" + proxy.port();
    }

    private static String escaped(String login) {
        int colon = login.indexOf(':');
        return escape(login.substring(0, colon)) + ":" + escape(login.substring(colon + 1));
    }

    private static String escape(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void requestWhenTheKubeconfigNamesAProxyGoesThroughIt(Kind kind) throws IOException {
        String login = "me:s%e@c:r/t";
        try (RecordingProxy proxy = new RecordingProxy(kind, certificates, server.port(), login);
                ApiConnection connection = ApiConnection.open(
                        config("api.example:6443", "proxy-url: '" + url(proxy, kind, login) + "'"))) {
            assertThat(connection.send(GET).code()).isEqualTo(200);
            assertThat(connection.send(GET).code()).isEqualTo(200);
            assertThat(proxy.asked()).containsExactly(login + "@api.example:6443");
            assertThat(proxy.firstBytes().get(0) == TLS_HANDSHAKE).isEqualTo(kind == Kind.HTTPS);
            assertThat(server.requests())
                    .extracting(request -> request.headers().get("authorization"))
                    .containsExactly("Bearer the-token", "Bearer the-token");
        }
    }

    /** The old fault: it sent CONNECT with the password in plain text. */
    @Test
    void passwordWhenTheProxySpeaksTlsButIsNotTrustedIsNotSent() throws IOException {
        TestCertificates other = TestCertificates.create("127.0.0.1");
        try (RecordingProxy proxy = new RecordingProxy(Kind.HTTPS, other, server.port(), "me:secret");
                ApiConnection connection = ApiConnection.open(
                        config("api.example", "proxy-url: '" + url(proxy, Kind.HTTPS, "me:secret") + "'"))) {
            ConnectionException failure = catchThrowableOfType(ConnectionException.class, () -> connection.send(GET));
            assertThat(failure.problem()).isEqualTo(Problem.TLS);
            assertThat(failure)
                    .hasMessageContaining("the proxy https://127.0.0.1:" + proxy.port())
                    .hasMessageContaining("TLS connection to it failed")
                    .hasMessageNotContaining("secret");
            assertThat(proxy.asked()).isEmpty();
            assertThat(proxy.firstBytes()).isNotEmpty().allMatch(first -> first == TLS_HANDSHAKE);
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void failureWhenTheProxyRefusesTheLoginNamesTheProxy(Kind kind) throws IOException {
        try (CapturedLog log = CapturedLog.of("io.github.reconciler4j");
                RecordingProxy proxy = new RecordingProxy(kind, certificates, server.port(), "me:other");
                ApiConnection connection = ApiConnection.open(
                        config("api.example", "proxy-url: '" + url(proxy, kind, "me:hunter2") + "'"))) {
            ConnectionException failure = catchThrowableOfType(ConnectionException.class, () -> connection.send(GET));
            assertThat(failure.problem()).isEqualTo(Problem.REFUSED);
            assertThat(failure)
                    .hasMessageContaining(
                            "the proxy " + kind.name().toLowerCase(Locale.ROOT) + "://127.0.0.1:" + proxy.port())
                    .hasMessageContaining("user")
                    .hasMessageNotContaining("is the API server running")
                    .hasMessageNotContaining("hunter2");
            assertThat(log.lines(Level.TRACE)).noneMatch(line -> line.contains("hunter2"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"http", "https", "socks5"})
    void failureWhenTheProxyIsDeadNamesItAndNotTheServer(String scheme) throws IOException {
        int port;
        try (ServerSocket unused = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = unused.getLocalPort();
        }
        environment.put("https_proxy", scheme + "://me:hunter2@127.0.0.1:" + port);
        try (ApiConnection connection = ApiConnection.open(config("api.example", ""))) {
            ConnectionException failure = catchThrowableOfType(ConnectionException.class, () -> connection.send(GET));
            assertThat(failure.problem()).isEqualTo(Problem.REFUSED);
            assertThat(failure)
                    .hasMessage("get /version: no response from https://api.example/: the proxy " + scheme
                            + "://127.0.0.1:" + port
                            + " refuses connections: is it running, and is its address correct? (R4J-028)");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"http", "https", "socks5"})
    void failureWhenTheProxySpeaksAnotherProtocolNamesIt(String scheme) {
        try (ScriptedServer other = ScriptedServer.start(
                (request, out) -> out.write("220 mail ready\r\n".getBytes(StandardCharsets.US_ASCII)))) {
            String url = scheme + "://127.0.0.1:" + other.port();
            try (ApiConnection connection = ApiConnection.open(config("api.example", "proxy-url: '" + url + "'"))) {
                LoopbackListener.daemon("ending", () -> awaitAndClose(other));
                assertThat(catchThrowableOfType(ConnectionException.class, () -> connection.send(GET)))
                        .hasMessageContaining("the proxy " + url)
                        .hasMessageNotContaining("is the API server running");
            }
        }
    }

    /** A greeting of SOCKS or TLS is no line, so the server would wait for its end. */
    private static void awaitAndClose(ScriptedServer other) {
        await().until(() -> other.connections() > 0);
        other.close();
    }

    /** Draws where proxies are named, and what excludes them, and follows the first bytes. */
    @Test
    @Timeout(3600) // up to three handshakes a case: 60 ms on two cores, so 20,000 cases need more than the limit of the
    // class
    void proxyWhenEverythingIsDrawnIsThatOfKubectl() throws IOException {
        Random random = new Random(SEED);
        Map<Kind, RecordingProxy> proxies = new HashMap<>();
        try {
            for (Kind kind : Kind.values()) {
                proxies.put(kind, new RecordingProxy(kind, certificates, server.port(), null));
            }
            int through = 0;
            for (int i = 0; i < CASES; i++) {
                through += draw(random, proxies, "seed " + SEED + ", case " + i) ? 1 : 0;
            }
            assertThat(through).as("requests through proxies").isBetween(CASES / 4, CASES - 1);
        } finally {
            proxies.values().forEach(RecordingProxy::close);
        }
    }

    private boolean draw(Random random, Map<Kind, RecordingProxy> proxies, String description) throws IOException {
        clear();
        proxies.values().forEach(RecordingProxy::reset);
        boolean isDirect = random.nextInt(4) == 0;
        String host = isDirect ? "127.0.0.1:" + server.port() : HOSTS.get(random.nextInt(HOSTS.size())) + ":6443";
        Kind inKubeconfig = random.nextInt(3) == 0 ? Kind.values()[random.nextInt(3)] : null;
        Kind inEnvironment = random.nextInt(5) > 0 ? Kind.values()[random.nextInt(3)] : null;
        String login = random.nextBoolean() ? LOGINS.get(random.nextInt(LOGINS.size() - 1)) : null;
        if (inEnvironment != null) {
            String url = url(proxies.get(inEnvironment), inEnvironment, login);
            boolean hasScheme = inEnvironment != Kind.HTTP || random.nextBoolean();
            environment.put(
                    random.nextBoolean() ? "HTTPS_PROXY" : "https_proxy",
                    hasScheme ? url : url.substring("http://".length()));
            environment.put("HTTP_PROXY", "http://127.0.0.1:1");
        }
        String bare = host.substring(0, host.lastIndexOf(':'));
        boolean isExcluded = isDirect || inEnvironment == null;
        String excluded = List.of("", "other.example", "xample", bare + ":443", "evil." + bare)
                .get(random.nextInt(5));
        if (!isExcluded && inKubeconfig != null && random.nextBoolean()) {
            excluded = "*"; // which the proxy of a kubeconfig ignores
        }
        environment.put(random.nextBoolean() ? "NO_PROXY" : "no_proxy", excluded);
        Kind expected = inKubeconfig != null ? inKubeconfig : isExcluded ? null : inEnvironment;
        if (!isDirect && expected == null) {
            return false; // there is no such server
        }
        String cluster =
                inKubeconfig == null ? "" : "proxy-url: '" + url(proxies.get(inKubeconfig), inKubeconfig, login) + "'";
        try (ApiConnection connection = ApiConnection.open(config(host, cluster))) {
            assertThat(connection.send(GET).code()).as(description).isEqualTo(200);
        }
        assertUsed(proxies, expected, login, host, description);
        return expected != null;
    }

    private static void assertUsed(
            Map<Kind, RecordingProxy> proxies, Kind expected, String login, String host, String description) {
        proxies.forEach((kind, proxy) -> {
            assertThat(proxy.firstBytes())
                    .as("%s: connections to %s", description, kind)
                    .hasSize(kind == expected ? 1 : 0);
            if (kind == expected) {
                String user = login == null || kind == Kind.SOCKS5 ? "" : login + "@";
                assertThat(proxy.asked()).as(description).containsExactly(user + host);
                assertThat(proxy.firstBytes().get(0) == TLS_HANDSHAKE)
                        .as("%s: TLS at once", description)
                        .isEqualTo(kind == Kind.HTTPS);
            }
        });
    }
}
