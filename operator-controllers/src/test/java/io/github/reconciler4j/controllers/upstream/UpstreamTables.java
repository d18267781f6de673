package io.github.reconciler4j.controllers.upstream;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The cases of Kubernetes' own tests, as {@code dev/controller-tables} exports them. */
public final class UpstreamTables {

    private UpstreamTables() {}

    /** Read all cases. */
    public static List<UpstreamCase> load() {
        List<UpstreamCase> cases = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder())) {
            for (Path file :
                    files.filter(f -> f.toString().endsWith(".jsonl")).sorted().toList()) {
                for (String line : Files.readAllLines(file)) {
                    cases.add(new UpstreamCase(UpstreamCase.mapper().readTree(line)));
                }
            }
            return cases;
        } catch (IOException e) {
            throw new UncheckedIOException("The tables cannot be read", e);
        }
    }

    private static Path folder() {
        try {
            Path errors = Files.createTempFile("controller-tables", ".log");
            Process script = new ProcessBuilder(script().toString())
                    .redirectError(errors.toFile())
                    .start();
            String output = new String(script.getInputStream().readAllBytes()).trim();
            if (!script.waitFor(20, TimeUnit.MINUTES) || script.exitValue() != 0) {
                script.destroyForcibly();
                throw new IllegalStateException("dev/controller-tables failed:\n" + Files.readString(errors));
            }
            Files.delete(errors);
            return Path.of(output);
        } catch (IOException e) {
            throw new UncheckedIOException("dev/controller-tables cannot be run", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while dev/controller-tables was running", e);
        }
    }

    private static Path script() {
        for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
            Path script = folder.resolve("dev/controller-tables");
            if (Files.isExecutable(script)) {
                return script;
            }
        }
        throw new IllegalStateException("There is no dev/controller-tables in the working folder or above it");
    }
}
