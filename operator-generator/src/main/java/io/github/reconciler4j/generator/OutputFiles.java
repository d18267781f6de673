package io.github.reconciler4j.generator;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Files as generators write them. */
final class OutputFiles {

    private OutputFiles() {}

    /** Writes a text unless the file has it already, so that a second run changes nothing, not even the time of change. */
    static void write(Path file, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        try {
            if (Files.exists(file) && Arrays.equals(Files.readAllBytes(file), bytes)) {
                return;
            }
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.write(file, bytes);
        } catch (IOException e) {
            throw new GeneratorException("Cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    /** Deletes what a former run has written. */
    static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new GeneratorException("Cannot delete " + file + ": " + e.getMessage(), e);
        }
    }
}
