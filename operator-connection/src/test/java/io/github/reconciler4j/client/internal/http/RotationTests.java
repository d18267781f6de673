package io.github.reconciler4j.client.internal.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.ConnectionOptions;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.client.error.UnauthorizedException;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.fixtures.ScriptedServer;
import io.github.reconciler4j.fixtures.TestCertificates;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files of tokens and certificates that are replaced while the program runs. */
@Timeout(120)
class RotationTests {

    private static final ApiRequest GET = ApiRequest.of("get", "GET", "/x");
    private static final byte[] OK = ScriptedServer.json(200, "{}", "Connection: close");
    private static final Duration LATER = Duration.ofSeconds(11);

    private final ManualTimeSource time = new ManualTimeSource();

    @TempDir
    Path directory;

    private ApiConnection open(Config config) {
        return HttpApiConnection.open(
                config, ConnectionOptions.defaults(), new HostAddresses(InetAddress::getAllByName), time);
    }

    /** Replaces files as the kubelet does: they are links into a directory behind a link that is swapped. */
    private void publish(Map<String, String> files) throws IOException {
        Path version = Files.createTempDirectory(directory, "..version");
        for (Map.Entry<String, String> file : files.entrySet()) {
            Files.writeString(version.resolve(file.getKey()), file.getValue());
            Path link = directory.resolve(file.getKey());
            if (!Files.isSymbolicLink(link)) {
                Files.createSymbolicLink(link, Path.of("..data", file.getKey()));
            }
        }
        Path swapped = directory.resolve("..data_new");
        Files.createSymbolicLink(swapped, version.getFileName());
        Files.move(
                swapped,
                directory.resolve("..data"),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    private Config tls(ScriptedServer server) {
        return new ConfigBuilder(Config.empty())
                .withMasterUrl("https://127.0.0.1:" + server.port())
                .withCaCertFile(directory.resolve("ca.crt").toString())
                .build();
    }

    private static String key(X509Bundle bundle) {
        return bundle.getPrivateKeyPEM();
    }

    @Test
    void authorityFileWhenReplacedIsTrusted() throws IOException {
        TestCertificates former = TestCertificates.create("127.0.0.1");
        TestCertificates latter = TestCertificates.create("127.0.0.1");
        publish(Map.of("ca.crt", former.authorityPem()));
        try (ScriptedServer first = ScriptedServer.startTls(former, false, (request, out) -> out.write(OK));
                ScriptedServer second = ScriptedServer.startTls(latter, false, (request, out) -> out.write(OK))) {
            try (ApiConnection old = open(tls(first));
                    ApiConnection renewed = open(tls(second))) {
                assertThat(old.send(GET).code()).isEqualTo(200);
                assertThatThrownBy(() -> renewed.send(GET)).isInstanceOf(ConnectionException.class);
                publish(Map.of("ca.crt", latter.authorityPem()));

                // A failed handshake makes the next request read the files, so that it need not wait for 10 seconds.
                assertThat(renewed.send(GET).code()).isEqualTo(200);
                assertThat(old.send(GET).code()).as("within 10 seconds").isEqualTo(200);
                time.advance(LATER);
                assertThatThrownBy(() -> old.send(GET)).isInstanceOf(ConnectionException.class);
            }
        }
    }

    @Test
    void clientCertificateWhenReplacedIsUsedWithItsKeyOnly() throws IOException {
        TestCertificates certificates = TestCertificates.create("127.0.0.1");
        X509Bundle one = certificates.client("one");
        X509Bundle two = certificates.client("two");
        publish(Map.of("ca.crt", certificates.authorityPem(), "tls.crt", one.getCertificatePEM(), "tls.key", key(one)));
        try (ScriptedServer server = ScriptedServer.startTls(certificates, true, (request, out) -> out.write(OK))) {
            Config config = new ConfigBuilder(tls(server))
                    .withClientCertFile(directory.resolve("tls.crt").toString())
                    .withClientKeyFile(directory.resolve("tls.key").toString())
                    .build();
            try (ApiConnection connection = open(config)) {
                connection.send(GET);
                publish(Map.of(
                        "ca.crt",
                        certificates.authorityPem(),
                        "tls.crt",
                        two.getCertificatePEM(),
                        "tls.key",
                        key(one)));
                time.advance(LATER);
                connection.send(GET);
                publish(Map.of("ca.crt", certificates.authorityPem(), "tls.crt", "half a cert", "tls.key", key(two)));
                time.advance(LATER);
                connection.send(GET);
                publish(Map.of(
                        "ca.crt",
                        certificates.authorityPem(),
                        "tls.crt",
                        two.getCertificatePEM(),
                        "tls.key",
                        key(two)));
                time.advance(LATER);
                connection.send(GET);
            }
            assertThat(server.peers()).containsExactly(" CN=one", " CN=one", " CN=one", " CN=two");
        }
    }

    @Test
    void idleConnectionWhenCertificatesAreReplacedIsNotUsedAgain() throws IOException {
        TestCertificates certificates = TestCertificates.create("127.0.0.1");
        X509Bundle one = certificates.client("one");
        X509Bundle two = certificates.client("two");
        publish(Map.of("ca.crt", certificates.authorityPem(), "tls.crt", one.getCertificatePEM(), "tls.key", key(one)));
        byte[] persistent = ScriptedServer.json(200, "{}");
        try (ScriptedServer server =
                ScriptedServer.startTls(certificates, true, (request, out) -> out.write(persistent))) {
            Config config = new ConfigBuilder(tls(server))
                    .withClientCertFile(directory.resolve("tls.crt").toString())
                    .withClientKeyFile(directory.resolve("tls.key").toString())
                    .build();
            try (ApiConnection connection = open(config)) {
                connection.send(GET);
                time.advance(LATER);
                connection.send(GET);
                assertThat(server.connections()).isEqualTo(1);
                publish(Map.of(
                        "ca.crt",
                        certificates.authorityPem(),
                        "tls.crt",
                        two.getCertificatePEM(),
                        "tls.key",
                        key(two)));
                time.advance(LATER);
                connection.send(GET);
            }
            assertThat(server.peers()).containsExactly(" CN=one", " CN=two");
        }
    }

    private Config kubeconfig(ScriptedServer server) throws IOException {
        Path file = directory.resolve("config");
        Files.writeString(file, """
                apiVersion: v1
                kind: Config
                current-context: main
                contexts: [{name: main, context: {cluster: here, user: me}}]
                clusters: [{name: here, cluster: {server: "%s"}}]
                users:
                - {name: other, user: {tokenFile: nothing}}
                - {name: me, user: {token: inline, tokenFile: token}}
                """.formatted(server.address()));
        return Config.fromKubeconfig(file.toFile());
    }

    @Test
    void tokenFileOfKubeconfigWhenReplacedIsUsed() throws IOException {
        publish(Map.of("token", "first\n"));
        try (ScriptedServer server = ScriptedServer.start((request, out) -> out.write(OK));
                ApiConnection connection = open(kubeconfig(server))) {
            connection.send(GET);
            publish(Map.of("token", "second\n"));
            connection.send(GET);
            time.advance(LATER);
            connection.send(GET);
            Files.delete(directory.resolve("..data"));
            time.advance(LATER);
            connection.send(GET);
            assertThat(server.requests())
                    .extracting(request -> request.headers().get("authorization"))
                    .containsExactly("Bearer first", "Bearer first", "Bearer second", "Bearer second");
        }
    }

    @Test
    void filesWhenTheyCannotBeReadForLongAreALineAMinute() throws IOException {
        TestCertificates certificates = TestCertificates.create("127.0.0.1");
        publish(Map.of("token", "first", "ca.crt", certificates.authorityPem()));
        try (CapturedLog log = CapturedLog.of("io.github.reconciler4j.client");
                ScriptedServer server = ScriptedServer.start((request, out) -> out.write(
                        request.target().equals("/x") ? OK : ScriptedServer.status(401, "Unauthorized", "who", "{}")));
                ScriptedServer secured = ScriptedServer.startTls(certificates, false, (request, out) -> out.write(OK));
                ApiConnection connection = open(kubeconfig(server));
                ApiConnection encrypted = open(tls(secured))) {
            connection.send(GET);
            encrypted.send(GET);
            Files.delete(directory.resolve("..data"));
            for (int i = 0; i < 30; i++) {
                time.advance(LATER);
                connection.send(GET);
                encrypted.send(GET);
                for (int j = 0; j < 5; j++) {
                    assertThatThrownBy(() -> connection.send(ApiRequest.of("get", "GET", "/y")))
                            .isInstanceOf(UnauthorizedException.class);
                }
            }
            assertThat(log.lines(Level.WARN))
                    .hasSizeBetween(4, 2 * 6)
                    .anyMatch(line -> line.contains("Could not read the token file"))
                    .anyMatch(line -> line.contains("Could not read the certificates"));
            assertThat(log.lines(Level.WARN))
                    .last()
                    .asString()
                    .contains("stay", "in use", "more since the last message");
        }
    }

    @Test
    void tokenFileWhenTokenIsRejectedIsReadAtOnce() throws IOException {
        publish(Map.of("token", "first"));
        AtomicReference<String> valid = new AtomicReference<>("Bearer first");
        try (ScriptedServer server = ScriptedServer.start((request, out) -> out.write(
                        valid.get().equals(request.headers().get("authorization"))
                                ? OK
                                : ScriptedServer.status(401, "Unauthorized", "who", "{}")));
                ApiConnection connection = open(kubeconfig(server))) {
            connection.send(GET);
            valid.set("Bearer second");
            assertThatThrownBy(() -> connection.send(GET)).isInstanceOf(UnauthorizedException.class);
            assertThat(server.requests()).as("the same token is not sent again").hasSize(2);
            publish(Map.of("token", "second"));
            assertThat(connection.send(GET).code()).isEqualTo(200);
        }
    }

    @Test
    void tokenFileOfServiceAccountWhenReplacedIsUsed() throws IOException {
        publish(Map.of("token", "first"));
        String property = Config.KUBERNETES_AUTH_SERVICEACCOUNT_TOKEN_FILE_SYSTEM_PROPERTY;
        String before = System.getProperty(property);
        System.setProperty(property, directory.resolve("token").toString());
        try (ScriptedServer server = ScriptedServer.start((request, out) -> out.write(OK))) {
            Config config = server.config();
            config.setAutoOAuthToken("first"); // as fabric8 reads it in a pod
            try (ApiConnection connection = open(config)) {
                connection.send(GET);
                publish(Map.of("token", "second"));
                time.advance(LATER);
                connection.send(GET);
                assertThat(server.requests())
                        .extracting(request -> request.headers().get("authorization"))
                        .isEqualTo(List.of("Bearer first", "Bearer second"));
            }
        } finally {
            if (before == null) {
                System.clearProperty(property);
            } else {
                System.setProperty(property, before);
            }
        }
    }
}
