package io.github.reconciler4j.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Chromium without a window, which the property {@code console.browser} names. */
final class Chromium implements AutoCloseable {

    private static final Path FOLDER = Path.of("target");

    private final Process process;
    private final Path output;

    private Chromium(String address, List<String> arguments) throws IOException {
        output = Files.createTempFile(FOLDER, "chromium", ".log");
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("console.browser"),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--enable-logging=stderr",
                "--user-data-dir="
                        + Files.createTempDirectory(FOLDER, "chromium").toAbsolutePath()));
        command.addAll(arguments);
        command.add(address);
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
    }

    /** Open a page for a few seconds of its own time, and return what Chromium prints, with what the page logs. */
    static String visit(String address, String... arguments) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--virtual-time-budget=6000");
        try (Chromium chromium = new Chromium(address, all)) {
            assertThat(chromium.process.waitFor(2, TimeUnit.MINUTES))
                    .as("Chromium ends")
                    .isTrue();
            return chromium.log();
        }
    }

    /** Open a page until the browser is closed. */
    static Chromium open(String address) throws IOException {
        return new Chromium(address, List.of());
    }

    /** Return what Chromium has printed, with what the page has logged. */
    String log() throws IOException {
        return Files.readString(output);
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().completeOnTimeout(process, 20, TimeUnit.SECONDS).join();
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
