package io.github.reconciler4j.sample.controllers.differential;

import static org.awaitility.Awaitility.await;

import io.github.reconciler4j.controllers.differential.RunningControllers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The controllers as a process of their own, which can be killed and started again. Safe for use by many threads. */
final class ControllersProcess implements RunningControllers {

    private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");
    /** The time that the lease of a killed process lasts. */
    private static final Duration LEASE = Duration.ofSeconds(15);

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final Path kubeconfig;
    private final List<String> arguments;
    private final Path log;
    private Process process;
    private @Nullable Instant readyAt;
    private int logged;

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
                java(),
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

    /** The other Java that {@code dev/test} has found, or this one; the unit tests run on this one. */
    private static String java() {
        String other = System.getProperty("other.jdk");
        return other == null
                ? ProcessHandle.current().info().command().orElse("java")
                : Path.of(other, "bin", "java").toString();
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
        Matcher port = PORT.matcher(log().substring(logged));
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
    @Override
    public synchronized void killAndRestart() {
        process.destroyForcibly();
        process.onExit().join();
        readyAt = null;
        logged = log().length();
        process = start();
    }

    /** Return when the controllers that run became ready; now if they are not ready yet. */
    @Override
    public synchronized Instant workingSince() {
        if (readyAt == null) {
            readyAt = isReadyNow() ? Instant.now().plus(LEASE) : null;
        }
        return readyAt == null ? Instant.now() : readyAt;
    }

    private boolean isReadyNow() {
        try {
            return isReady();
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
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
