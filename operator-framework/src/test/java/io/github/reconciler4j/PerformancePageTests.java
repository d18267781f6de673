package io.github.reconciler4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
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
    void plotsOfGrowthEndWithTheirValues() throws IOException {
        assertThat(plot("growth")).as(ADVICE).containsAll(lastValues("Live heap as the cache grows", "MB"));
        assertThat(plot("growth-processor"))
                .as(ADVICE)
                .containsAll(lastValues("Processor time until cached as the cache grows", "s"));
        assertThat(plot("growth-controllers"))
                .as(ADVICE)
                .containsAll(lastValues("Processor time until each controller has reconciled 1,000 objects", "s"));
        assertThat(plot("growth-events"))
                .as(ADVICE)
                .containsAll(lastValues("Processor time of each second with writes", "ms"));
    }

    /** The values of the largest number. */
    private static List<String> lastValues(String work, String unit) throws IOException {
        List<List<String>> found =
                rows().stream().filter(row -> row.get(0).equals(work)).toList();
        assertThat(found).hasSizeGreaterThan(2);
        List<String> last = values(found.get(found.size() - 1))
                .map(value -> value + " " + unit)
                .toList();
        assertThat(last).hasSize(3);
        return last;
    }

    @Test
    void plotsOfPeersHaveTheirRatios() throws IOException {
        List<String> ratios = rows().stream()
                .filter(row -> row.get(0).startsWith("20,000") && row.get(1).matches("live heap|peak resident memory"))
                .flatMap(row -> Stream.of(row.get(5), row.get(6)).map(value -> ratio(value, row.get(4))))
                .toList();
        assertThat(ratios).hasSize(8);
        assertThat(plot("memory")).as(ADVICE).containsAll(ratios);
        assertThat(image("processor")).as(ADVICE).contains("Reconciler4j with Spring Boot", "warm reconciliation");
    }

    private static String ratio(String value, String base) {
        return String.format(Locale.ROOT, "%.2fx", Double.parseDouble(value) / Double.parseDouble(base));
    }

    /** The texts of a plot. */
    private static List<String> plot(String name) throws IOException {
        return Pattern.compile(">([^<>]+)</text>")
                .matcher(image(name))
                .results()
                .map(match -> match.group(1))
                .toList();
    }
}
