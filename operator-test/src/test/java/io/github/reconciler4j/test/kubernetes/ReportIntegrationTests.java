package io.github.reconciler4j.test.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code dev/report} shows what a bug report needs, without secrets. Needs Python. */
@Tag("whole")
@Timeout(120)
class ReportIntegrationTests {

    private static final String SECRET = "s3cr3t-c0nt3nt";

    private static final Map<String, String> RESPONSES = Map.of(
            "/actuator/health", "{\"status\":\"DOWN\",\"components\":{\"cache\":{\"status\":\"DOWN\"}}}",
            "/actuator/info", "{\"build\":{\"version\":\"1.2.3\"},\"token\":\"" + SECRET + "\"}",
            "/actuator/reconciler4j",
                    "{\"controllers\":[{\"name\":\"webpage\",\"password\":\"" + SECRET + "\"}],\"leases\":[]}",
            "/actuator/reconciler4j/webpage",
                    "{\"failing\":[{\"name\":\"a\",\"message\":\"401 with Bearer " + SECRET + "\"}]}");

    @TempDir
    private Path folder;

    private HttpServer server;

    @AfterEach
    void stop() {
        if (server != null) {
            server.stop(0);
        }
    }

    @Test
    void reportWhenTheOperatorRunsShowsItsStateWithoutSecrets() throws Exception {
        Path properties = Files.writeString(
                folder.resolve("application.properties"),
                "reconciler4j.grace-period=25s\nspring.datasource.password=" + SECRET + "\nreconciler4j.client.token="
                        + SECRET + "\nmy.own=" + SECRET + "\n");

        String report = report(
                "--url", start(), "--pid", "" + ProcessHandle.current().pid(), "--properties", properties.toString());

        assertThat(report)
                .contains("reconciler4j.grace-period=25s", "reconciler4j.client.token=******")
                .contains("\"status\": \"DOWN\"", "Controller webpage: last failures", "## Leases", "401 with ******")
                .contains("java.lang.Thread.State", "## Flags of the JVM")
                .doesNotContain(SECRET);
    }

    @Test
    void reportWhenNothingRunsNamesWhatIsMissing() throws Exception {
        assertThat(report()).contains("## Versions", "left out: no --url", "left out: no --pid");
        assertThat(report("--url", "http://127.0.0.1:1/actuator")).contains("/health could not be read");
    }

    /** Starts the actuator of an operator that is not healthy, and returns its address. */
    private String start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] body = RESPONSES
                    .getOrDefault(exchange.getRequestURI().getPath(), "{}")
                    .getBytes(UTF_8);
            exchange.sendResponseHeaders(
                    exchange.getRequestURI().getPath().endsWith("health") ? 503 : 200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/actuator";
    }

    private String report(String... arguments) throws Exception {
        Path output = folder.resolve("report.md");
        ProcessBuilder process = new ProcessBuilder(
                "python3", Path.of("../dev/report").toAbsolutePath().toString());
        process.command().addAll(List.of(arguments));
        Process report = process.redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        assertThat(report.waitFor(100, TimeUnit.SECONDS)).isTrue();
        assertThat(report.exitValue()).as(Files.readString(output)).isZero();
        return Files.readString(output);
    }
}
