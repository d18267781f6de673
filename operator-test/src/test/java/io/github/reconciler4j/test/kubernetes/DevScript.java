package io.github.reconciler4j.test.kubernetes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Runs {@code dev/kubernetes}. Immutable, safe for use by many threads. */
final class DevScript {

    /** System property with the path of the script, for when it is not above the working directory. */
    static final String PATH_PROPERTY = "reconciler4j.dev.kubernetes";

    private final Path script;
    private final Map<String, String> environment;

    DevScript(Path script, Map<String, String> environment) {
        this.script = script;
        this.environment = Map.copyOf(environment);
    }

    /**
     * Finds the script: the system property {@value #PATH_PROPERTY}, else {@code dev/kubernetes} in the working
     * directory or in one above it.
     *
     * @throws IllegalStateException if it does not exist
     */
    static DevScript find() {
        String configured = System.getProperty(PATH_PROPERTY);
        if (configured != null) {
            return new DevScript(configured(Path.of(configured)), Map.of());
        }
        Path start = Path.of("").toAbsolutePath();
        for (Path folder = start; folder != null; folder = folder.getParent()) {
            Path candidate = folder.resolve("dev").resolve("kubernetes");
            if (Files.isExecutable(candidate)) {
                return new DevScript(candidate, Map.of());
            }
        }
        throw new IllegalStateException("No dev/kubernetes in " + start + " or above it. Set the system property '"
                + PATH_PROPERTY + "' to its path.");
    }

    private static Path configured(Path path) {
        if (!Files.isExecutable(path)) {
            throw new IllegalStateException(
                    "The system property '" + PATH_PROPERTY + "' names " + path + ", which is no executable file.");
        }
        return path.toAbsolutePath();
    }

    /** Returns the same script with the given variables added to its environment. */
    DevScript withEnvironment(Map<String, String> variables) {
        return new DevScript(script, variables);
    }

    /**
     * Runs the script to its end and returns what it printed.
     *
     * @param timeout how long to wait; after that it is asked to end, which undoes a half-finished start
     * @param input what it may read
     * @param progress receives each line of its progress, on another thread
     * @param arguments its arguments
     * @throws IllegalStateException if it fails or takes too long, with what it said; if the thread is interrupted
     *     (the thread stays interrupted)
     */
    String run(Duration timeout, String input, Consumer<String> progress, List<String> arguments) {
        try {
            Path in = Files.writeString(Files.createTempFile("kubernetes", ".in"), input);
            Path out = Files.createTempFile("kubernetes", ".out");
            try {
                Process process = start(in, out, arguments);
                Messages messages = Messages.of(process, progress);
                await(process, timeout, messages, arguments);
                return Files.readString(out);
            } finally {
                Files.delete(in);
                Files.delete(out);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Could not run " + script, e);
        }
    }

    private Process start(Path in, Path out, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(script.toString());
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        return builder.redirectInput(in.toFile()).redirectOutput(out.toFile()).start();
    }

    private static void await(Process process, Duration timeout, Messages messages, List<String> arguments) {
        String command = "'dev/kubernetes " + String.join(" ", arguments) + "'";
        try {
            if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroy();
                throw new IllegalStateException(command + " took longer than " + timeout + ":\n" + messages.text());
            }
            if (process.exitValue() != 0) {
                throw new IllegalStateException(command + " failed (" + process.exitValue() + "):\n" + messages.text());
            }
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for " + command, e);
        }
    }

    /** The output of a running script. The monitor of this object guards the lines. */
    private static final class Messages {
        private static final int KEPT = 40;
        private static final int END_OF_STREAM_SECONDS = 5;

        private final List<String> lines = new ArrayList<>();
        private final Thread reader;

        private Messages(Process process, Consumer<String> progress) {
            reader = new Thread(() -> readAll(process, progress), "dev-kubernetes-progress");
            reader.setDaemon(true);
        }

        static Messages of(Process process, Consumer<String> progress) {
            Messages messages = new Messages(process, progress);
            messages.reader.start();
            return messages;
        }

        private void readAll(Process process, Consumer<String> progress) {
            try (var errors = process.errorReader()) {
                for (String line = errors.readLine(); line != null; line = errors.readLine()) {
                    add(line);
                    progress.accept(line);
                }
            } catch (IOException e) {
                add("(the rest could not be read: " + e.getMessage() + ")");
            }
        }

        private synchronized void add(String line) {
            lines.add(line);
            if (lines.size() > KEPT) {
                lines.remove(0);
            }
        }

        String text() throws InterruptedException {
            reader.join(TimeUnit.SECONDS.toMillis(END_OF_STREAM_SECONDS));
            synchronized (this) {
                return String.join("\n", lines);
            }
        }
    }
}
