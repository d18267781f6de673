package io.github.reconciler4j.test.server.clients;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A kubectl program with a kubeconfig.
 *
 * @param program where it is
 * @param kubeconfig the server it talks to
 * @param folder for what it caches and prints
 */
record Kubectl(Path program, Path kubeconfig, Path folder) {
    private static final int SECONDS = 60;

    /**
     * What came of a command.
     *
     * @param code its exit code
     * @param output what it printed, errors too
     */
    record Outcome(int code, String output) {}

    /** What a command printed, which has to succeed. */
    String run(String... arguments) {
        Outcome outcome = outcome("", Map.of(), arguments);
        if (outcome.code() != 0) {
            throw new AssertionError("kubectl " + String.join(" ", arguments) + ": " + outcome.output());
        }
        return outcome.output();
    }

    /** Run kubectl with input. */
    String runWithInput(String input, String... arguments) {
        Outcome outcome = outcome(input, Map.of(), arguments);
        if (outcome.code() != 0) {
            throw new AssertionError("kubectl " + String.join(" ", arguments) + ": " + outcome.output());
        }
        return outcome.output();
    }

    Outcome outcome(String input, Map<String, String> environment, String... arguments) {
        try {
            Path in = Files.writeString(Files.createTempFile(folder, "in", ""), input);
            Path out = Files.createTempFile(folder, "out", "");
            Process process = start(in, out, environment, arguments);
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("kubectl " + String.join(" ", arguments) + " does not end");
            }
            return new Outcome(process.exitValue(), Files.readString(out, StandardCharsets.UTF_8));
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Start a command that continues in the background and writes its output to a file. */
    Process start(Path in, Path out, Map<String, String> environment, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                program.toString(), "--cache-dir", folder.resolve("cache").toString()));
        command.addAll(Arrays.asList(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("KUBECONFIG", kubeconfig.toString());
        builder.environment().putAll(environment);
        return builder.redirectErrorStream(true)
                .redirectInput(in.toFile())
                .redirectOutput(out.toFile())
                .start();
    }
}
