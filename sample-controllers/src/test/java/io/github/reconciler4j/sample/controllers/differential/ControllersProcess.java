package io.github.reconciler4j.sample.controllers.differential;

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
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The controllers as a process of their own, which can be killed and started again. Safe for use by many threads. */
final class ControllersProcess implements AutoCloseable {

    private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final Path kubeconfig;
    private final List<String> arguments;
    private final Path log;
    private Process process;

    /** Start the controllers for a cluster; further arguments are those of the application. */
    ControllersProcess(Path kubeconfig, String... arguments) {
        this.kubeconfig = kubeconfig;
        this.arguments = List.of(arguments);
        try {
            this.log = Files.createTempFile("controllers", ".log");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.process = start();
    }

    private Process start() {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-jar",
                jar().toString(),
                "--server.port=0",
                "--reconciler4j.client.qps=500",
                "--reconciler4j.client.burst=1000",
                "--reconciler4j.client.kubeconfig=" + kubeconfig));
        command.addAll(arguments);
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path jar() {
        try (Stream<Path> files = Files.list(Path.of("target"))) {
            return files.filter(file -> file.getFileName().toString().endsWith("-app.jar"))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("The controllers are not packaged: run mvn package"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Wait until the controllers are ready for the first time. */
    ControllersProcess awaitReady() {
        await("the controllers are ready; their log is " + log)
                .atMost(Duration.ofMinutes(2))
                .pollInterval(Duration.ofMillis(200))
                .until(this::isReady);
        return this;
    }

    private boolean isReady() throws IOException, InterruptedException {
        if (!process.isAlive()) {
            throw new IllegalStateException("The controllers have ended:\n" + log());
        }
        Matcher port = PORT.matcher(log());
        return port.find()
                && HTTP.send(
                                        HttpRequest.newBuilder(URI.create("http://localhost:" + port.group(1)
                                                        + "/actuator/health/readiness"))
                                                .build(),
                                        HttpResponse.BodyHandlers.discarding())
                                .statusCode()
                        == 200;
    }

    /** Kill the process as a crash would, and start another one at once. */
    synchronized void killAndRestart() {
        process.destroyForcibly();
        process.onExit().join();
        process = start();
    }

    String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public synchronized void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
