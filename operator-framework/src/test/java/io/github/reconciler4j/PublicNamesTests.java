package io.github.reconciler4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The names that users depend on although they are no Java code are the ones that {@code src/test/resources/api/names.txt} lists:
 * properties with their defaults, metrics with their labels, annotations, labels, finalizers, conditions and goals. Other tests hold the
 * tables of the documents, which are read here, to the code. To accept a change, run this test with {@code -Dapi.accept=true}.
 */
class PublicNamesTests {

    private static final Path ACCEPTED = Path.of("src", "test", "resources", "api", "names.txt");

    /** What a name looks like in a document. */
    private static final Map<Pattern, Path> ROWS = Map.of(
            Pattern.compile("(?m)^\\| `(reconciler4j\\.[^`]*)` \\| ([^|]*?) *\\|"), Path.of("../docs/properties.md"),
            Pattern.compile("(?m)^\\| `([a-z0-9_]+)` \\| (\\w+ \\| [^|;(]*?) *[|;(]"), Path.of("../docs/metrics.md"));

    /** What a name looks like in the sources, by what it is. */
    private static final Map<String, Pattern> LITERALS = Map.of(
            "annotation or label", Pattern.compile("\"(reconciler4j\\.io/[a-z0-9-]+)"),
            "finalizer suffix", Pattern.compile("\\+ \"(/finalizer)\""),
            "type of a condition or event",
                    Pattern.compile("public static final String [A-Z_]+ = \"([A-Z][A-Za-z]+)\""),
            "reason of a condition", Pattern.compile("\\.set(?:True|False|Unknown)\\([A-Z_]+, \"([A-Z][A-Za-z]+)\""),
            "goal", Pattern.compile("@Mojo\\(\\s*name = \"([a-z-]+)\""),
            "parameter of a goal", Pattern.compile("@Parameter\\(\\s*property = \"([A-Za-z0-9.]+)\""));

    @Test
    void namesAreTheOnesAccepted() throws IOException {
        List<String> names = names();
        if (Boolean.getBoolean("api.accept")) {
            Files.write(ACCEPTED, names);
        }
        assertThat(names)
                .as("names that users depend on; if the change is meant, run this test with -Dapi.accept=true")
                .containsExactlyElementsOf(Files.readAllLines(ACCEPTED));
    }

    @ParameterizedTest
    @CsvSource({
        "annotation or label, 'put(\"reconciler4j.io/keep\", x)', reconciler4j.io/keep",
        "finalizer suffix, 'kind.resource() + \"/finalizer\";', /finalizer",
        "type of a condition or event, 'public static final String READY = \"Ready\";', Ready",
        "reason of a condition, '.setTrue(STALLED, \"RuleMissing\", x)', RuleMissing",
        "goal, '@Mojo(name = \"generate\",', generate",
        "parameter of a goal, '@Parameter(property = \"reconciler4j.skip\")', reconciler4j.skip"
    })
    void literalWhenItIsANameIsFound(String kind, String code, String name) {
        assertThat(LITERALS.get(kind).matcher(code).results().map(found -> found.group(1)))
                .containsExactly(name);
    }

    private static List<String> names() throws IOException {
        TreeSet<String> names = new TreeSet<>();
        for (Map.Entry<Pattern, Path> row : ROWS.entrySet()) {
            String kind = row.getValue().endsWith("metrics.md") ? "metric" : "property";
            List<MatchResult> rows = row.getKey()
                    .matcher(Files.readString(row.getValue()))
                    .results()
                    .toList();
            assertThat(rows).as(row.getValue().toString()).hasSizeGreaterThan(20);
            rows.forEach(found -> names.add(kind + " " + found.group(1) + ": " + found.group(2)));
        }
        for (Path source : sources()) {
            String text = Files.readString(source);
            LITERALS.forEach((kind, literal) ->
                    literal.matcher(text).results().forEach(found -> names.add(kind + " " + found.group(1))));
        }
        return List.copyOf(names);
    }

    /** The sources of what users run, without the servers of tests. */
    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        try (Stream<Path> modules = Files.list(Path.of(".."))) {
            for (Path module : modules.toList()) {
                Path folder = module.resolve("src/main/java");
                if (!module.getFileName().toString().matches("operator-(?!test)[a-z-]+")
                        || !Files.isDirectory(folder)) {
                    continue;
                }
                try (Stream<Path> files = Files.walk(folder)) {
                    files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
                }
            }
        }
        return sources;
    }
}
