package io.github.reconciler4j.client.internal.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import ch.qos.logback.classic.Level;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.client.connection.ApiConnection;
import io.github.reconciler4j.client.connection.ApiRequest;
import io.github.reconciler4j.client.connection.Kubeconfig;
import io.github.reconciler4j.client.error.ConnectionException;
import io.github.reconciler4j.client.error.ConnectionException.Problem;
import io.github.reconciler4j.client.error.UnauthorizedException;
import io.github.reconciler4j.fixtures.CapturedLog;
import io.github.reconciler4j.fixtures.ManualTimeSource;
import io.github.reconciler4j.fixtures.ScriptedServer;
import io.github.reconciler4j.fixtures.TestCertificates;
import io.github.reconciler4j.support.KubernetesJson;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Exec plug-ins of kubeconfigs: how they run, and what is said when they fail. */
@Timeout(120)
class ExecPluginTests {

    private static final String API = "client.authentication.k8s.io/v1beta1";
    private static final String GOOD = "echo '" + printed("\"token\": \"good\"") + "'";
    private static final ApiRequest GET = ApiRequest.of("get", "GET", "/version");

    private final Set<String> valid = ConcurrentHashMap.newKeySet();
    private final ManualTimeSource time = new ManualTimeSource();
    private final ScriptedServer server = ScriptedServer.start((request, out) -> out.write(
            valid.contains(request.headers().get("authorization"))
                    ? ScriptedServer.json(200, "{}")
                    : ScriptedServer.status(401, "Unauthorized", "who", "{}")));

    @TempDir
    private Path folder;

    @AfterEach
    void stop() {
        server.close();
    }

    private static String printed(String status) {
        return "{\"kind\": \"ExecCredential\", \"apiVersion\": \"" + API + "\", \"status\": {" + status + "}}";
    }

    /** Writes a plug-in, which counts its runs. */
    private void plugin(String body) throws IOException {
        Path script = folder.resolve("bin/plugin");
        Files.createDirectories(script.getParent());
        Files.writeString(script, "#!/bin/sh\necho run >> '" + folder.resolve("runs") + "'\n" + body + "\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private int runs() throws IOException {
        Path runs = folder.resolve("runs");
        return Files.exists(runs) ? Files.readAllLines(runs).size() : 0;
    }

    private Path kubeconfig(String exec) throws IOException {
        return Files.writeString(folder.resolve("config"), """
                current-context: c
                contexts: [{name: c, context: {cluster: c, user: u}}]
                clusters: [{name: c, cluster: {server: "%s", tls-server-name: api,
                  extensions: [{name: client.authentication.k8s.io/exec, extension: {audience: x}}]}}]
                users: [{name: u, user: {exec: {apiVersion: %s, %s}}}]
                """.formatted(server.address(), API, exec));
    }

    private Config config(String exec) throws IOException {
        return KubeconfigReader.ofFiles(List.of(kubeconfig(exec)))
                .withTime(time)
                .read(null);
    }

    private ApiConnection open() throws IOException {
        return ApiConnection.open(config("command: bin/plugin"));
    }

    private ConnectionException failure(String exec) throws IOException {
        try (CapturedLog log = CapturedLog.of("ROOT");
                ApiConnection connection = ApiConnection.open(config(exec))) {
            ConnectionException failure = catchThrowableOfType(ConnectionException.class, () -> connection.send(GET));
            assertThat(failure.problem()).isEqualTo(Problem.CREDENTIALS);
            assertThat(failure.getMessage()).startsWith("get /version: nothing was sent to " + server.address());
            assertThat(log.lines(Level.DEBUG)).noneMatch(line -> line.contains("s3cr3t"));
            assertThat(server.requests()).isEmpty();
            return failure;
        }
    }

    @Test
    void argumentsAndVariablesAreLiteral() throws Exception {
        plugin("printf '%s\\n' \"$#\" \"$@\" \"$LITERAL\" > '" + folder.resolve("seen") + "'\n" + GOOD);
        valid.add("Bearer good");
        String exec = """
                command: bin/plugin, args: ['$HOME', '$(echo sub)', '`id`', 'a b', '"', "'", '*', '', '\\', ';ls', 'ü'],
                env: [{name: LITERAL, value: '$HOME `id`'}]""";
        try (ApiConnection connection = ApiConnection.open(config(exec))) {
            assertThat(connection.send(GET).code()).isEqualTo(200);
        }
        assertThat(Files.readAllLines(folder.resolve("seen")))
                .containsExactly(
                        "11",
                        "$HOME",
                        "$(echo sub)",
                        "`id`",
                        "a b",
                        "\"",
                        "'",
                        "*",
                        "",
                        "\\",
                        ";ls",
                        "ü",
                        "$HOME `id`");
    }

    @Test
    void warningOnStandardErrorDoesNotBreakTheLoginAndIsNotLogged() throws Exception {
        plugin("echo 'warning: s3cr3t-of-mine' >&2\n" + GOOD + "\necho 'bye' >&2");
        valid.add("Bearer good");
        try (CapturedLog log = CapturedLog.of("ROOT");
                ApiConnection connection = open()) {
            assertThat(connection.send(GET).code()).isEqualTo(200);
            assertThat(log.lines(Level.TRACE)).noneMatch(line -> line.contains("s3cr3t") || line.contains("good"));
        }
        assertThat(runs()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "echo 'please run login first' >&2; exit 3 | failed with exit code 3; its standard error (masked): please run login first",
                "echo 'Bearer s3cr3t' >&2; exit 1 | failed with exit code 1; its standard error (masked): ***",
                "echo 'password is s3cr3t, sorry.' >&2; exit 1 | failed with exit code 1; its standard error (masked): ***",
                "exit 127 | failed with exit code 127",
                "echo s3cr3t | printed no ExecCredential in JSON",
                "echo '{\"kind\": \"s3cr3t' | printed no ExecCredential in JSON",
                "echo '{\"kind\": \"s3cr3t\"}' | printed no object of kind ExecCredential",
                "true | printed no ExecCredential in JSON",
                "head -c 2000000 /dev/zero | printed more than 1 MB"
            })
    void failureOfThePluginIsInTheMessage(String body, String message) throws IOException {
        plugin(body);
        assertThat(failure("command: bin/plugin, args: [s3cr3t], env: [{name: A, value: s3cr3t}]"))
                .hasMessage("get /version: nothing was sent to " + server.address() + "/: the exec plug-in '"
                        + folder.resolve("bin/plugin") + "' " + message + " (R4J-027)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | printed neither a token nor a client certificate",
                "\"token\": 1 | printed a 'status.token' that is no text",
                "\"clientKeyData\": \"s3cr3t\" | printed only one of client certificate and key",
                "\"token\": \"s3cr3t\", \"expirationTimestamp\": \"tomorrow\" | printed an 'expirationTimestamp' that is no time"
            })
    void statusWhenItIsNoCredentialIsInTheMessage(String status, String message) throws IOException {
        plugin("echo '" + printed(status) + "'");
        assertThat(failure("command: bin/plugin")).hasMessageEndingWith(message + " (R4J-027)");
    }

    @Test
    void versionWhenItIsAnotherIsInTheMessage() throws IOException {
        plugin(GOOD.replace("v1beta1", "v1"));
        assertThat(failure("command: bin/plugin"))
                .hasMessageEndingWith("printed another 'apiVersion' than " + API + " of the kubeconfig (R4J-027)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bin/missing", "no-such-command-anywhere"})
    void commandWhenMissingIsNamedWithTheHint(String command) throws IOException {
        assertThat(failure("command: " + command + ", args: [s3cr3t], installHint: \"Run:\\n  install it\""))
                .hasMessageContaining(
                        command + "' cannot be started: is it installed, executable and on the PATH? Run: ")
                .hasMessageEndingWith("install it (R4J-027)");
    }

    @Test
    void pluginWhenItNeverEndsIsEndedAndNamed() throws IOException {
        plugin("echo s3cr3t >&2; sleep 600 & echo $! > '" + folder.resolve("child") + "'; wait");
        Config config = Kubeconfig.ofFile(kubeconfig("command: bin/plugin"))
                .withPluginTimeout(Duration.ofMillis(1500))
                .read();
        try (ApiConnection connection = ApiConnection.open(config)) {
            assertThat(catchThrowableOfType(ConnectionException.class, () -> connection.send(GET)))
                    .hasMessageContaining("plugin' did not end within the plug-in timeout of 1500 ms")
                    .hasMessageNotContaining("s3cr3t");
        }
        long child = Long.parseLong(Files.readString(folder.resolve("child")).strip());
        ProcessHandle.of(child).ifPresent(left -> assertThat(left.onExit()).succeedsWithin(Duration.ofSeconds(30)));
    }

    @Test
    void pluginWhenItLeavesAProcessBehindIsNotWaitedFor() throws IOException {
        plugin("sleep 600 &\necho $! > '" + folder.resolve("child") + "'\n" + GOOD);
        valid.add("Bearer good");
        try (ApiConnection connection = open()) {
            assertThat(connection.send(GET).code()).isEqualTo(200);
        } finally {
            ProcessHandle.of(Long.parseLong(
                            Files.readString(folder.resolve("child")).strip()))
                    .ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    @Test
    void tokenWhenRejectedIsRenewedOnceAndNotWithoutEnd() throws IOException {
        plugin("echo '" + printed("\"token\": \"t'$(wc -l < '" + folder.resolve("runs") + "')'\"") + "' | tr -d ' '");
        valid.add("Bearer t2");
        try (ApiConnection connection = open()) {
            assertThat(connection.send(GET).code()).isEqualTo(200);
            assertThat(runs()).isEqualTo(2);
            valid.clear();
            for (int i = 0; i < 20; i++) {
                assertThat(catchThrowableOfType(UnauthorizedException.class, () -> connection.send(GET)))
                        .isNotNull();
            }
            assertThat(runs()).as("runs while everything is rejected").isEqualTo(3);
            time.advance(Duration.ofSeconds(11));
            valid.add("Bearer t4");
            assertThat(connection.send(GET).code()).isEqualTo(200);
        }
    }

    @Test
    void tokenWhenEachIsAcceptedOnceAndThenRejectedIsRenewedRarely() throws IOException {
        plugin("echo '" + printed("\"token\": \"t'$(wc -l < '" + folder.resolve("runs") + "')'\"") + "' | tr -d ' '");
        try (ApiConnection connection = open()) {
            for (int i = 0; i < 60; i++) {
                valid.clear();
                valid.add("Bearer t" + (runs() + 1));
                try {
                    connection.send(GET);
                } catch (UnauthorizedException e) {
                    // until the plug-in may run again
                }
                time.advance(Duration.ofSeconds(1));
            }
        }
        assertThat(runs()).as("runs in a minute").isLessThanOrEqualTo(1 + 4 + 6);
        assertThat(server.requests()).as("requests in a minute").hasSizeLessThanOrEqualTo(60 + 4 + 6);
    }

    @Test
    void pluginWhenItFailsAllTheTimeRunsOnceASecond() throws IOException {
        plugin("exit 1");
        try (ApiConnection connection = open()) {
            for (int i = 0; i < 100; i++) {
                assertThat(catchThrowableOfType(ConnectionException.class, () -> connection.send(GET)))
                        .isNotNull();
                time.advance(Duration.ofMillis(100));
            }
        }
        assertThat(runs()).as("runs in 10 seconds").isBetween(9, 10);
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void tokenWhenItHasExpiredIsRenewed() throws IOException {
        plugin("echo '" + printed("\"token\": \"good\", \"expirationTimestamp\": \"2026-01-01T02:10:00+02:00\"") + "'");
        valid.add("Bearer good");
        try (ApiConnection connection = open()) {
            connection.send(GET);
            time.advance(Duration.ofMinutes(9));
            connection.send(GET);
            assertThat(runs()).isEqualTo(1);
            time.advance(Duration.ofMinutes(2));
            connection.send(GET);
            connection.send(GET);
            assertThat(runs()).as("expired on arrival").isEqualTo(2);
        }
    }

    @Test
    void requestsWhenManyWaitShareOneRun() throws Exception {
        plugin(GOOD);
        valid.add("Bearer good");
        CyclicBarrier start = new CyclicBarrier(8);
        try (ApiConnection connection = open()) {
            List<Thread> threads = java.util.stream.IntStream.range(0, 8)
                    .mapToObj(i -> new Thread(() -> {
                        try {
                            start.await();
                            connection.send(GET);
                        } catch (Exception e) {
                            throw new IllegalStateException(e);
                        }
                    }))
                    .toList();
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
        }
        assertThat(server.requests()).hasSize(8);
        assertThat(runs()).isEqualTo(1);
    }

    @Test
    void failureWhenRequestsFollowAtOnceIsRememberedForASecond() throws IOException {
        plugin("exit 1");
        try (ApiConnection connection = open()) {
            for (int i = 0; i < 5; i++) {
                assertThat(catchThrowableOfType(ConnectionException.class, () -> connection.send(GET)))
                        .isNotNull();
            }
            assertThat(runs()).isEqualTo(1);
            time.advance(Duration.ofSeconds(2));
            plugin(GOOD);
            valid.add("Bearer good");
            assertThat(connection.send(GET).code()).isEqualTo(200);
        }
    }

    @Test
    void clusterWhenThePluginAsksForItIsGiven() throws Exception {
        plugin("printf '%s' \"$KUBERNETES_EXEC_INFO\" > '" + folder.resolve("info") + "'\n" + GOOD);
        valid.add("Bearer good");
        try (ApiConnection connection = ApiConnection.open(config("command: bin/plugin, provideClusterInfo: true"))) {
            connection.send(GET);
        }
        assertThat(KubernetesJson.readMap(Files.readAllBytes(folder.resolve("info"))))
                .isEqualTo(Map.of(
                        "kind",
                        "ExecCredential",
                        "apiVersion",
                        API,
                        "spec",
                        Map.of(
                                "interactive",
                                false,
                                "cluster",
                                Map.of(
                                        "server",
                                        server.address(),
                                        "tls-server-name",
                                        "api",
                                        "config",
                                        Map.of("audience", "x")))));
    }

    @Test
    void certificateOfThePluginIsUsedAndReplaced() throws IOException {
        TestCertificates certificates = TestCertificates.create("127.0.0.1");
        try (ScriptedServer secure = ScriptedServer.startTls(
                certificates, true, (request, out) -> out.write(ScriptedServer.json(200, "{}")))) {
            X509Bundle one = certificates.client("one");
            X509Bundle two = certificates.client("two");
            Path output = folder.resolve("output");
            plugin("cat '" + output + "'");
            String authority = Base64.getEncoder()
                    .encodeToString(certificates.authorityPem().getBytes());
            Path file = kubeconfig("command: bin/plugin");
            Files.writeString(
                    file,
                    Files.readString(file)
                            .replace(server.address(), "https://127.0.0.1:" + secure.port())
                            .replace("tls-server-name: api", "certificate-authority-data: " + authority));
            Config config =
                    KubeconfigReader.ofFiles(List.of(file)).withTime(time).read(null);
            try (ApiConnection connection = ApiConnection.open(config)) {
                Files.writeString(output, certificate(one, "2026-01-01T00:01:00Z"));
                connection.send(GET);
                Files.writeString(output, certificate(two, "2026-01-02T00:00:00Z"));
                connection.send(GET);
                time.advance(Duration.ofMinutes(2));
                connection.send(GET);
            }
            assertThat(secure.peers()).containsExactly(" CN=one", " CN=two");
        }
    }

    private static String certificate(X509Bundle bundle, String expiry) {
        return printed("\"clientCertificateData\": \""
                + bundle.getCertificatePEM().replace("\n", "\\n").replace("\r", "")
                + "\", \"clientKeyData\": \""
                + bundle.getPrivateKeyPEM().replace("\n", "\\n").replace("\r", "")
                + "\", \"expirationTimestamp\": \"" + expiry + "\"");
    }

    /** fabric8 runs it in a shell when it reads the kubeconfig; what is sent is from a run of this client. */
    @Test
    void pluginOfAKubeconfigThatFabric8HasReadIsRunWithoutAShell() throws Exception {
        plugin("printf '%s\\n' \"$1\" >> '" + folder.resolve("seen") + "'\necho warning >&2\n" + GOOD);
        valid.add("Bearer good");
        Path file = kubeconfig("command: bin/plugin, args: ['$HOME']");
        Files.writeString(file, Files.readString(file).replace("user: {exec", "user: {as: jane, as-uid: u1, exec"));
        Config config = Config.fromKubeconfig(file.toFile());
        try (ApiConnection connection = ApiConnection.open(config)) {
            assertThat(connection.send(GET).code()).isEqualTo(200);
        }
        assertThat(Files.readAllLines(folder.resolve("seen"))).last().isEqualTo("$HOME");
        assertThat(server.requests())
                .singleElement()
                .satisfies(request -> assertThat(request.headers())
                        .containsEntry("impersonate-user", "jane")
                        .containsEntry("impersonate-uid", "u1"));
    }
}
