package io.github.reconciler4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tables and plots of docs/performance.md are those of benchmarks/results.txt. */
class PerformancePageTests {

    private static final Path DOCS = Path.of("..", "docs");
    private static final String ADVICE = "run benchmarks/plots";

    /** The parts of the lines that start with this word. */
    private static List<List<String>> lines(String word) throws IOException {
        return Files.readAllLines(Path.of("..", "benchmarks", "results.txt")).stream()
                .filter(line -> line.startsWith(word + " "))
                .map(line -> Stream.of(line.substring(word.length()).split("\\|", -1))
                        .map(String::trim)
                        .toList())
                .toList();
    }

    /** The rows that count: the first of each measure. */
    private static List<List<String>> rows() throws IOException {
        Set<List<String>> measures = new HashSet<>();
        return lines("row").stream()
                .filter(row -> measures.add(row.subList(0, 2)))
                .toList();
    }

    private static String image(String name) throws IOException {
        return Files.readString(DOCS.resolve("images").resolve("performance-" + name + ".svg"));
    }

    private static Stream<String> values(List<String> row) {
        return row.stream().skip(4).filter(value -> !value.isEmpty());
    }

    @Test
    void pageHasEachRun() throws IOException {
        String page = Files.readString(DOCS.resolve("performance.md"));
        assertThat(lines("run"))
                .as(ADVICE)
                .hasSizeGreaterThan(2)
                .allMatch(run -> page.contains("| " + String.join(" | ", run) + " |"));
    }

    @Test
    void pageHasEachValue() throws IOException {
        List<String> page = Files.readAllLines(DOCS.resolve("performance.md"));
        assertThat(rows())
                .as(ADVICE)
                .hasSizeGreaterThan(20)
                .allMatch(row -> page.stream()
                        .anyMatch(line -> line.contains("| " + row.get(1) + " |")
                                && line.endsWith("| " + row.get(3) + " |")
                                && values(row)
                                        .allMatch(value -> line.replace(",", "").contains("| " + value))));
    }

    @Test
    void plotsHaveTheirValues() throws IOException {
        String growth = image("growth");
        assertThat(rows().stream().filter(row -> row.get(0).startsWith("Live heap as")))
                .as(ADVICE)
                .hasSize(3)
                .allMatch(row -> values(row).allMatch(value -> growth.contains(">" + value + " MB<")));
        String memory = image("memory");
        assertThat(rows().stream()
                        .filter(row -> row.get(1).matches("live heap|peak resident memory"))
                        .flatMap(PerformancePageTests::values)
                        .filter(value -> value.endsWith("x"))
                        .map(value -> String.format(Locale.ROOT, "%.2fx", Double.valueOf(value.replace("x", "")))))
                .as(ADVICE)
                .isNotEmpty()
                .allMatch(value -> memory.contains(">" + value + "<"));
        assertThat(image("processor")).as(ADVICE).contains("Reconciler4j with Spring Boot", "warm reconciliation");
    }
}
