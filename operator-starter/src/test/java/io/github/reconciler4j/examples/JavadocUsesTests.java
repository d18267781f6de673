package io.github.reconciler4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The uses that the Javadoc of public types shows are code of the {@code examples} packages, so they compile. A type without a use is in
 * {@code javadoc-uses.txt} below a reason. {@code -Duses.print=true} prints the types that have none.
 */
class JavadocUsesTests {

    private static final Path ROOT = Path.of("..");
    private static final Path REASONS = Path.of("src/test/resources/javadoc-uses.txt");

    /** The modules whose types users name in their code. */
    private static final List<String> MODULES = List.of(
            "operator-framework",
            "operator-connection",
            "operator-installer",
            "operator-objectset",
            "operator-external",
            "operator-brake",
            "operator-plan",
            "operator-starter",
            "operator-workqueue",
            "operator-webhook",
            "operator-sharding",
            "operator-clusters",
            "operator-controllers",
            "operator-test",
            "operator-test-client",
            "operator-test-cluster",
            "operator-test-server");

    private static final Pattern USE = Pattern.compile(
            " \\* <!-- snippet: (\\S+) -->\\R \\* <pre>\\{@code\\R(.*?)\\R \\* }</pre>", Pattern.DOTALL);

    private static final Pattern PUBLIC = Pattern.compile(
            "(?m)^public (?:final |abstract |sealed |non-sealed )*(class|interface|record|enum|@interface) (\\w+)");

    @Test
    void usesWhenShownAreCodeThatCompiles() throws IOException {
        int uses = 0;
        for (Path file : sources()) {
            Matcher use = USE.matcher(Files.readString(file));
            while (use.find()) {
                uses++;
                String code = use.group(2).replaceAll("(?m)^ \\* ?", "");
                assertThat(ReadmeTests.lines(ReadmeTests.source(use.group(1))))
                        .as("%s shows %s", file, use.group(1))
                        .contains(ReadmeTests.lines(code));
            }
        }
        assertThat(uses).isGreaterThan(215);
    }

    @Test
    void typesWithoutAUseHaveAReason() throws IOException {
        Set<String> without = new TreeSet<>();
        for (Path file : sources()) {
            String text = Files.readString(file);
            Matcher type = PUBLIC.matcher(text);
            boolean excused = file.toString().endsWith("Exception.java");
            if (type.find()
                    && !excused
                    && !type.group(1).equals("enum")
                    && !USE.matcher(text).find()) {
                without.add(type.group(2));
            }
        }
        if (Boolean.getBoolean("uses.print")) {
            System.err.println(String.join("\n", without));
        }
        assertThat(reasons()).as("remove those that have a use now").containsExactlyInAnyOrderElementsOf(without);
    }

    /** Exceptions, whose use is a catch, and enums, whose constants say it, need no use. */
    private static Set<String> reasons() throws IOException {
        List<String> names = new ArrayList<>();
        String reason = "";
        for (String line : Files.readAllLines(REASONS)) {
            if (line.startsWith("# ")) {
                reason = line;
            } else if (!line.isBlank()) {
                assertThat(reason).as(line).isNotEmpty();
                names.add(line);
            }
        }
        assertThat(names).doesNotHaveDuplicates();
        return new TreeSet<>(names);
    }

    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        for (String module : MODULES) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
                sources.addAll(files.filter(file -> file.toString().endsWith(".java"))
                        .filter(file -> !file.toString().contains("/internal/"))
                        .collect(Collectors.toList()));
            }
        }
        return sources;
    }
}
