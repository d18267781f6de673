package io.github.reconciler4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of behaviors has each behavior of controller-runtime once, and the tests that it names exist. */
class BehaviourTableTests {

    private static final List<String> MODULES = List.of(
            "operator-connection",
            "operator-workqueue",
            "operator-framework",
            "operator-installer",
            "operator-sharding",
            "operator-clusters",
            "operator-starter",
            "operator-test",
            "operator-test-server",
            "operator-webhook",
            "sample-operator");

    /** The number of behaviors in each group. They are numbered from 1. */
    private static final Map<String, Integer> GROUPS = Map.ofEntries(
            Map.entry("M", 22),
            Map.entry("L", 10),
            Map.entry("C", 25),
            Map.entry("Q", 24),
            Map.entry("H", 8),
            Map.entry("P", 5),
            Map.entry("S", 7),
            Map.entry("B", 7),
            Map.entry("K", 15),
            Map.entry("CL", 19),
            Map.entry("F", 11),
            Map.entry("W", 13),
            Map.entry("X", 3),
            Map.entry("T", 3),
            Map.entry("U", 11));

    private static final Pattern IDS = Pattern.compile("([A-Z]+\\d+(, [A-Z]+\\d+)*) .*");
    private static final Pattern TEST = Pattern.compile("`(\\w+)#(\\w+)`");
    private static final Pattern NO_TEST = Pattern.compile("none( needed)?");

    @Test
    void rowsWhenReadHaveEachBehaviorOnce() {
        List<String> ids = rows().stream()
                .map(row -> IDS.matcher(row.get(0)))
                .filter(Matcher::matches)
                .flatMap(row -> Stream.of(row.group(1).split(", ")))
                .toList();
        List<String> expected = GROUPS.entrySet().stream()
                .flatMap(
                        group -> IntStream.rangeClosed(1, group.getValue()).mapToObj(number -> group.getKey() + number))
                .toList();
        assertThat(expected).hasSize(183);
        assertThat(ids).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void testsWhenNamedInTheTableExist() {
        Map<String, String> sources = MODULES.stream()
                .flatMap(module -> files(module).stream())
                .collect(Collectors.toMap(
                        BehaviourTableTests::nameOf, BehaviourTableTests::read, (one, two) -> one + two));
        for (List<String> row : rows()) {
            assertThat(row).as(row.get(0)).hasSize(3);
            if (!NO_TEST.matcher(row.get(2)).matches()) {
                assertThat(row.get(2).split(", ")).as(row.get(0)).allSatisfy(name -> {
                    Matcher test = TEST.matcher(name);
                    assertThat(test.matches()).as("a test or \"none\"").isTrue();
                    assertThat(annotations(sources.getOrDefault(test.group(1), ""), test.group(2)))
                            .containsPattern("@(Test|ParameterizedTest|TestFactory|Property)\\b");
                });
            }
        }
    }

    /** The rows of the table without its head and the titles of groups, each as its columns. */
    private static List<List<String>> rows() {
        return read(Path.of("../docs/controller-runtime.md"))
                .lines()
                .filter(line -> line.startsWith("| ") && !line.startsWith("| **"))
                .skip(1)
                .map(line -> List.of(line.substring(2, line.lastIndexOf(" |")).split(" \\| ")))
                .toList();
    }

    /** What stands between a method and the empty line above it. */
    private static String annotations(String source, String method) {
        int start = source.indexOf(" " + method + "(");
        return start < 0 ? "" : source.substring(source.lastIndexOf("\n\n", start), start);
    }

    private static List<Path> files(String module) {
        try (Stream<Path> files = Files.walk(Path.of("..", module, "src/test/java"))) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String nameOf(Path file) {
        return file.getFileName().toString().replace(".java", "");
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
