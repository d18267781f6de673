package io.github.reconciler4j.test.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.ServerSocket;
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
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.opentest4j.TestAbortedException;

/** A container image that {@code dev/image} runs. Immutable. */
public final class LocalImage {

    private static final Path SCRIPT =
            Path.of("..", "dev", "image").toAbsolutePath().normalize();

    private static final HttpClient HTTP =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build();

    private final String name;

    private LocalImage(String name) {
        this.name = name;
    }

    /**
     * Builds the image of a project by its Dockerfile.
     *
     * @param jar the jar relative to the folder, {@code ""} for the one of the Dockerfile
     */
    public static LocalImage build(Path folder, String jar) throws IOException {
        return new LocalImage(lastLine(run("build", folder.toAbsolutePath().toString(), jar)));
    }

    /** Loads an image from an archive. */
    public static LocalImage load(String name, Path archive) throws IOException {
        return new LocalImage(lastLine(run("load", name, archive.toString())));
    }

    /** Returns the archive of a base image with a Java runtime. */
    public static Path base() throws IOException {
        return Path.of(lastLine(run("base")));
    }

    /** Ends the test and prints the reason if images cannot be built on this machine. */
    public static void assumeTools() throws IOException {
        try {
            run("check");
        } catch (AssertionError e) {
            String reason = "SKIPPED, the image is not tested: " + e.getMessage();
            System.err.println(reason);
            throw new TestAbortedException(reason);
        }
    }

    /** Returns lines with the user, the entry point and the environment of the image. */
    public String configuration() throws IOException {
        return run("show", name);
    }

    /** A running container. */
    public static final class Container implements AutoCloseable {

        private final Process script;
        private final Path log;
        private final int port;

        private Container(Process script, Path log, int port) {
            this.script = script;
            this.log = log;
            this.port = port;
        }

        /** Waits until the application answers the probe with 200. */
        public void awaitProbe(String path) {
            await(path + ", see " + log).atMost(Duration.ofMinutes(3)).untilAsserted(() -> {
                assertThat(script.isAlive()).as(log()).isTrue();
                assertThat(status(path)).isEqualTo(200);
            });
        }

        private int status(String path) throws InterruptedException {
            URI uri = URI.create("http://127.0.0.1:" + port + path);
            try {
                return HTTP.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.discarding())
                        .statusCode();
            } catch (IOException e) {
                return -1;
            }
        }

        /** Returns the process of the entry point. */
        public ProcessHandle process() {
            return script.descendants()
                    .filter(process -> process.info()
                            .command()
                            .filter(command -> command.endsWith("/bin/java"))
                            .isPresent())
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("No Java process: " + log()));
        }

        /** Returns the id of the user that the process runs as. */
        public String user() throws IOException {
            try (Stream<String> lines = Files.lines(Path.of("/proc/" + process().pid() + "/status"))) {
                return lines.filter(line -> line.startsWith("Uid:"))
                        .findFirst()
                        .orElseThrow()
                        .split("\\s+")[1];
            }
        }

        /** Sends SIGTERM to the process and waits for its end. */
        public void stop() throws InterruptedException {
            process().destroy();
            assertThat(script.waitFor(60, TimeUnit.SECONDS)).as(log()).isTrue();
        }

        /** Returns what the container has printed. */
        public String log() {
            try {
                return Files.readString(log);
            } catch (IOException e) {
                return e.toString();
            }
        }

        @Override
        public void close() {
            script.descendants().forEach(ProcessHandle::destroyForcibly);
            script.destroy();
        }
    }

    /**
     * Runs the entry point as the image's user.
     *
     * @param folder found at {@code /mounted} in the container; its {@code kubeconfig} is the one of the operator
     * @param javaOptions further options of the Java runtime
     */
    public Container start(Path folder, String javaOptions) throws IOException {
        int port = freePort();
        Path log = folder.resolve("container.log");
        List<String> command = new ArrayList<>(List.of(SCRIPT.toString(), "run", name, "--mount", folder.toString()));
        command.addAll(List.of("--env", "JAVA_TOOL_OPTIONS=" + javaOptions));
        command.add("--server.port=" + port);
        command.add("--reconciler4j.client.kubeconfig=/mounted/kubeconfig");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        return new Container(builder.start(), log, port);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static String run(String... arguments) throws IOException {
        Path log = Files.createTempFile("image", ".log");
        List<String> command = new ArrayList<>(List.of(SCRIPT.toString()));
        Arrays.stream(arguments).filter(argument -> !argument.isEmpty()).forEach(command::add);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            if (!process.waitFor(10, TimeUnit.MINUTES)) {
                process.destroyForcibly();
            }
            String printed = Files.readString(log).strip();
            assertThat(process.waitFor()).as(printed).isZero();
            return printed;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while " + command + " ran", e);
        } finally {
            Files.deleteIfExists(log);
        }
    }

    private static String lastLine(String text) {
        return text.substring(text.lastIndexOf('\n') + 1);
    }
}
