package io.github.reconciler4j.sample;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;

/** A Prometheus that scrapes operators every second. {@code dev/prometheus} builds it, and promtool, from Go modules. */
final class Prometheus implements AutoCloseable {

    private static final Path SCRIPT = Path.of("../dev/prometheus").toAbsolutePath();
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Process process;
    private final Path targets;
    private final URI address;

    private Prometheus(Process process, Path targets, URI address) {
        this.process = process;
        this.targets = targets;
        this.address = address;
    }

    /** Run promtool and return its output. */
    static String promtool(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(SCRIPT.toString(), "promtool"));
        command.addAll(List.of(arguments));
        return output(command);
    }

    private static String output(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new AssertionError(command + " failed:\n" + output);
        }
        return output;
    }

    /** Start with a rule file and no targets, and return once it answers. */
    static Prometheus start(Path folder, Path rules) throws IOException, InterruptedException {
        List<String> lines = output(List.of(SCRIPT.toString(), "build")).lines().toList();
        Path program = Path.of(lines.get(lines.size() - 1), "prometheus");
        Path targets = Files.writeString(folder.resolve("targets.json"), "[]");
        Path configuration = Files.writeString(
                folder.resolve("prometheus.yml"), """
                global: {scrape_interval: 1s, evaluation_interval: 1s}
                rule_files: ["%s"]
                scrape_configs:
                  - job_name: operators
                    metrics_path: /actuator/prometheus
                    file_sd_configs: [{files: ["%s"], refresh_interval: 1s}]
                """.formatted(rules.toAbsolutePath(), targets.toAbsolutePath()));
        int port = freePort();
        Process process = new ProcessBuilder(
                        program.toString(),
                        "--config.file=" + configuration,
                        "--storage.tsdb.path=" + folder.resolve("data"),
                        "--web.listen-address=127.0.0.1:" + port)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("prometheus.log").toFile())
                .start();
        Prometheus prometheus = new Prometheus(process, targets, URI.create("http://127.0.0.1:" + port));
        await("Prometheus is ready")
                .atMost(Duration.ofMinutes(1))
                .ignoreExceptions()
                .until(() -> prometheus.get("/-/ready").contains("Ready"));
        return prometheus;
    }

    /** Return a port below those that the system gives to programs that ask for any, so that it is free until it is used. */
    static int freePort() throws IOException {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (BindException e) {
                // in use: another one
            }
        }
    }

    /** Scrape these operators, each in a namespace of its name. */
    void scrape(List<Target> operators) throws IOException {
        List<String> all = operators.stream()
                .map(operator -> """
                        {"targets": ["127.0.0.1:%d"],
                         "labels": {"namespace": "%s", "pod": "%s-0", "service": "metrics"}}""".formatted(operator.port(), operator.namespace(), operator.namespace()))
                .toList();
        Path written = Files.writeString(targets.resolveSibling("targets.new"), all.toString());
        Files.move(written, targets, java.nio.file.StandardCopyOption.ATOMIC_MOVE);
    }

    record Target(String namespace, int port) {}

    /** Return the numbers that a query results in, without those that are not a number. */
    List<Double> query(String expression) {
        List<Double> values = new ArrayList<>();
        String query = URLEncoder.encode(expression, StandardCharsets.UTF_8);
        for (JsonNode series : data("/api/v1/query?query=" + query).path("result")) {
            double value = Double.parseDouble(series.path("value").get(1).asText());
            if (Double.isFinite(value)) {
                values.add(value);
            }
        }
        return values;
    }

    /** Return the names of the alerts that fire. */
    Set<String> firing() {
        Set<String> firing = new TreeSet<>();
        for (JsonNode alert : data("/api/v1/alerts").path("alerts")) {
            if (alert.path("state").asText().equals("firing")) {
                firing.add(alert.path("labels").path("alertname").asText());
            }
        }
        return firing;
    }

    private JsonNode data(String path) {
        String response = get(path);
        try {
            JsonNode answer = JSON.readTree(response);
            if (!answer.path("status").asText().equals("success")) {
                throw new AssertionError(path + ": " + response);
            }
            return answer.path("data");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String get(String path) {
        try {
            return HTTP.send(
                            HttpRequest.newBuilder(address.resolve(path)).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
