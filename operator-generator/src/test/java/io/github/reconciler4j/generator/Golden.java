package io.github.reconciler4j.generator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Compares output with files in {@code src/test/resources}. What differs is written to the same place below
 * {@code target/golden}, from where a reviewed file can be copied.
 */
public final class Golden {

    private Golden() {}

    public static void check(String file, String actual) {
        Path expected = Path.of("src/test/resources").resolve(file);
        try {
            String text = Files.exists(expected) ? Files.readString(expected) : "";
            if (!text.equals(actual)) {
                Path copy = Path.of("target/golden").resolve(file);
                Files.createDirectories(copy.getParent());
                Files.writeString(copy, actual);
            }
            assertThat(actual)
                    .as("%s; the actual text is below target/golden", expected)
                    .isEqualTo(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
