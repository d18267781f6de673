package io.github.reconciler4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The drawing of docs/architecture.md is that of its text, and its packages exist. */
class ArchitectureDrawingTests {

    private static final Path IMAGES = Path.of("..", "docs", "images");
    private static final Path ROOT = Path.of("src", "main", "java", "io", "github", "reconciler4j");
    private static final List<Path> ROOTS = List.of(
            ROOT,
            Path.of("..", "operator-connection").resolve(ROOT),
            Path.of("..", "operator-workqueue").resolve(ROOT));

    private static List<String> source() throws IOException {
        return Files.readAllLines(IMAGES.resolve("architecture.txt")).stream()
                .filter(line -> !line.startsWith("#") && !line.isBlank())
                .toList();
    }

    private static Stream<String> texts(String line) {
        return Stream.of(line.split("\\|")).skip(1).map(String::trim).filter(text -> !text.isEmpty());
    }

    @Test
    void packagesOfTheDrawingExist() throws IOException {
        List<String> packages = source().stream()
                .filter(line -> line.startsWith("box"))
                .flatMap(line -> texts(line).skip(1))
                .flatMap(names -> Stream.of(names.split(", ")))
                .toList();
        assertThat(packages)
                .hasSizeGreaterThan(10)
                .allMatch(name -> ROOTS.stream()
                        .anyMatch(root -> Files.exists(
                                root.resolve(name.replace('.', '/')).resolve("package-info.java"))));
    }

    @Test
    void imageHasWhatItsTextSays() throws IOException {
        String image = Files.readString(IMAGES.resolve("architecture.svg"));
        List<String> source = source();
        assertThat(source.stream().flatMap(ArchitectureDrawingTests::texts))
                .as("run dev/lib/drawing.py docs/images/architecture.txt")
                .allMatch(text -> image.contains(">" + text + "<"));
        assertThat(image.split("<rect ").length - 1).isEqualTo((int)
                source.stream().filter(line -> line.startsWith("box")).count());
        assertThat(image.split("<path class=\"arrow").length - 1).isEqualTo((int)
                source.stream().filter(line -> !line.startsWith("box")).count());
    }
}
