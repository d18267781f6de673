package io.github.reconciler4j.sample;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The sample operator as a process of its own, from the packaged jar. */
final class OperatorProcess implements AutoCloseable {

    private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final Process process;
    private final Path log;

    private OperatorProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /** Starts it; returns at once. */
    static OperatorProcess start(Path folder, String... arguments) {
        String java = ProcessHandle.current().info().command().orElse("java");
        FastJar fast = FastJar.of(jar(), java);
        List<String> command = List.of(java, "-Xmx256m", "-XX:SharedArchiveFile=" + fast.archive());
        return start(folder, command, fast.jar(), arguments);
    }

    /** Starts a jar by a command line of Java; returns at once. */
    static OperatorProcess start(Path folder, List<String> java, Path jar, String... arguments) {
        return start(folder, java, jar, Map.of(), arguments);
    }

    /** Starts a jar by a command line of Java, with more variables; returns at once. */
    static OperatorProcess start(
            Path folder, List<String> java, Path jar, Map<String, String> variables, String... arguments) {
        try {
            Path log = Files.createTempFile(folder, "operator", ".log");
            List<String> command = new ArrayList<>(java);
            command.addAll(FastJar.OPTIONS);
            command.addAll(List.of("-jar", jar.toString(), "--server.port=0"));
            command.addAll(Arrays.asList(arguments));
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
            builder.environment().putAll(variables);
            return new OperatorProcess(builder.start(), log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The packaged jar. */
    static Path jar() {
        try (var files = Files.list(Path.of("target"))) {
            return files.filter(file -> file.getFileName().toString().endsWith("-app.jar"))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("The sample is not packaged: run mvn package"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    OperatorProcess awaitReady() {
        await("the operator is ready; its log:\n" + log)
                .atMost(Duration.ofMinutes(3))
                .pollInterval(Duration.ofMillis(200))
                .until(() -> {
                    if (!process.isAlive()) {
                        throw new IllegalStateException("The operator has ended:\n" + log());
                    }
                    return PORT.matcher(log()).find() && status("/actuator/health/readiness") == 200;
                });
        return this;
    }

    OperatorProcess awaitLog(String text) {
        await("the operator logs '" + text + "'; its log: " + log)
                .atMost(Duration.ofMinutes(3))
                .pollInterval(Duration.ofMillis(200))
                .until(() -> log().contains(text));
        return this;
    }

    /** The exit code. */
    int awaitEnd(Duration atMost) throws InterruptedException {
        if (!process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("The operator still runs after " + atMost + ":\n" + log());
        }
        return process.exitValue();
    }

    int status(String path) {
        return get(path).statusCode();
    }

    String body(String path) {
        return get(path).body();
    }

    /** Sends JSON. */
    HttpResponse<String> post(String path, String body) {
        return send(
                HttpRequest.newBuilder()
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body)),
                path);
    }

    private HttpResponse<String> get(String path) {
        return send(HttpRequest.newBuilder(), path);
    }

    /** The port of its endpoints. */
    int port() {
        Matcher port = PORT.matcher(log());
        if (!port.find()) {
            throw new IllegalStateException("No port in the log:\n" + log());
        }
        return Integer.parseInt(port.group(1));
    }

    private HttpResponse<String> send(HttpRequest.Builder request, String path) {
        try {
            return HTTP.send(
                    request.uri(URI.create("http://127.0.0.1:" + port() + path)).build(),
                    HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Sends a signal by its name, for instance {@code INT}. */
    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Asks it to stop, as Kubernetes does, and waits. */
    int stop() throws InterruptedException {
        process.destroy();
        return awaitEnd(Duration.ofMinutes(1));
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
