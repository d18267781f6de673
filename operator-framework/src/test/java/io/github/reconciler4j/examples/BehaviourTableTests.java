package io.github.reconciler4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The tests that the table of behaviors names exist. */
class BehaviourTableTests {

    private static final List<String> MODULES = List.of(
            "operator-framework",
            "operator-starter",
            "operator-test",
            "operator-test-server",
            "operator-webhook",
            "sample-operator");
    private static final Pattern TEST = Pattern.compile("`(\\w+)#(\\w+)`");

    @Test
    void testsWhenNamedInTheTableExist() throws IOException {
        Map<String, String> sources = MODULES.stream()
                .flatMap(module -> files(module).stream())
                .collect(Collectors.toMap(
                        BehaviourTableTests::nameOf, BehaviourTableTests::read, (one, two) -> one + two));
        String table = Files.readString(Path.of("../docs/controller-runtime.md"));
        for (MatchResult test : TEST.matcher(table).results().toList()) {
            assertThat(sources.getOrDefault(test.group(1), ""))
                    .as(test.group(1) + "#" + test.group(2))
                    .contains("void " + test.group(2) + "(");
        }
        assertThat(TEST.matcher(table).results().count()).isGreaterThan(60);
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
