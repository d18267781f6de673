package io.github.reconciler4j.generator.training;

import io.github.reconciler4j.generator.GeneratorException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** A process that is waited for with time limits, and whose output is kept in a file. For use by one thread. */
final class ObservedProcess implements AutoCloseable {

    private static final int LAST_LINES = 20;
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration PROGRESS = Duration.ofSeconds(10);

    private final Process process;
    private final Path log;

    private ObservedProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /**
     * Start a process.
     *
     * @param directory its directory, {@code ""} for that of this process
     * @param environment further variables, as {@code NAME=VALUE}
     */
    static ObservedProcess start(List<String> command, Path directory, List<String> environment) {
        try {
            Path log = Files.createTempFile("training", ".log");
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(directory.toAbsolutePath().toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile());
            environment.forEach(variable -> {
                int equals = variable.indexOf('=');
                builder.environment().put(variable.substring(0, equals), variable.substring(equals + 1));
            });
            try {
                Process process = builder.start();
                process.getOutputStream().close();
                return new ObservedProcess(process, log);
            } catch (IOException e) {
                Files.deleteIfExists(log);
                throw e;
            }
        } catch (IOException e) {
            throw new GeneratorException("Cannot run " + command.get(0) + ": " + e.getMessage(), e);
        }
    }

    /**
     * Wait for a condition.
     *
     * @param what the condition in words
     * @param progress receives a line every ten seconds
     * @throws GeneratorException if the process ends first, or if the time is over; with the last lines of the output
     */
    void await(String what, BooleanSupplier condition, Duration timeout, Consumer<String> progress) {
        Wait wait = new Wait(what, timeout, progress);
        while (!condition.getAsBoolean()) {
            if (hasEnded(POLL)) {
                throw failure("The process ended with exit code " + process.exitValue() + " before " + what);
            }
            wait.check();
        }
    }

    /**
     * Wait for the end of the process and return its exit code.
     *
     * @throws GeneratorException if the time is over
     */
    int awaitEnd(String what, Duration timeout, Consumer<String> progress) {
        Wait wait = new Wait(what, timeout, progress);
        while (!hasEnded(POLL)) {
            wait.check();
        }
        return process.exitValue();
    }

    /** The time since a wait started. */
    private final class Wait {

        private final String what;
        private final Duration timeout;
        private final Consumer<String> progress;
        private final long start = System.nanoTime();
        private Duration reported = Duration.ZERO;

        Wait(String what, Duration timeout, Consumer<String> progress) {
            this.what = what;
            this.timeout = timeout;
            this.progress = progress;
        }

        void check() {
            Duration waited = Duration.ofNanos(System.nanoTime() - start);
            if (waited.compareTo(timeout) >= 0) {
                throw failure("Waited " + timeout.toSeconds() + " s until " + what
                        + ". Raise the timeout if this machine is" + " slow");
            }
            if (waited.minus(reported).compareTo(PROGRESS) >= 0) {
                reported = waited;
                progress.accept(
                        "Waiting until " + what + " (" + waited.toSeconds() + " s of " + timeout.toSeconds() + " s)");
            }
        }
    }

    private boolean hasEnded(Duration within) {
        try {
            return process.waitFor(within.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new GeneratorException("Interrupted while the application was trained", e);
        }
    }

    /** Return an exception whose message has the last lines of the output, and the sentence at its end. */
    GeneratorException failure(String sentence) {
        List<String> lines = log().lines().filter(line -> !line.isBlank()).toList();
        if (lines.isEmpty()) {
            return new GeneratorException(sentence + ". It printed nothing");
        }
        return new GeneratorException("The last lines that the process printed:\n"
                + lines.stream()
                        .skip(Math.max(0, lines.size() - LAST_LINES))
                        .map(line -> "  " + line + "\n")
                        .collect(Collectors.joining())
                + sentence);
    }

    /**
     * Ask the process to stop, as Kubernetes does.
     *
     * @throws GeneratorException if the system knows no such request
     */
    void stop() {
        if (!process.supportsNormalTermination()) {
            throw new GeneratorException(
                    "This system can only kill a process, and then the JVM writes no cache. Train in a"
                            + " container image, see the command aot-trainer");
        }
        process.destroy();
    }

    /** Return what the process has printed. */
    String log() {
        try {
            return new String(Files.readAllBytes(log), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new GeneratorException("Cannot read the output of a process: " + e.getMessage(), e);
        }
    }

    /** End the process if it runs, with the processes that it has started, and delete its output. */
    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        try {
            process.waitFor(POLL.toMillis() * 50, TimeUnit.MILLISECONDS);
            Files.deleteIfExists(log);
        } catch (IOException e) {
            log.toFile().deleteOnExit();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
