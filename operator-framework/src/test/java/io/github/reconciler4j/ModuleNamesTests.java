package io.github.reconciler4j;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of the README has the folder, the artifact and the package of each module that users depend on. */
class ModuleNamesTests {

    private static final Path ROOT = Path.of("..");
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| `(operator-[a-z-]+)` \\| `([a-z0-9-]+)` \\| `?([a-z0-9.]+)`? \\|$");
    private static final Pattern MODULE = Pattern.compile("<module>(operator-[a-z-]+)</module>");
    private static final Pattern ARTIFACT = Pattern.compile("(?m)^  <artifactId>([a-z0-9-]+)</artifactId>");

    @Test
    void readmeWhenReadNamesEachModuleWithItsArtifactAndPackage() throws IOException {
        Map<String, String> expected = new TreeMap<>();
        for (MatchResult module : found(MODULE, ROOT.resolve("pom.xml"))) {
            String folder = module.group(1);
            String artifact = found(ARTIFACT, ROOT.resolve(folder).resolve("pom.xml"))
                    .get(0)
                    .group(1);
            expected.put(
                    folder, artifact + " " + rootPackage(ROOT.resolve(folder).resolve("src/main/java")));
        }
        Map<String, String> documented = new TreeMap<>();
        found(ROW, ROOT.resolve("README.md"))
                .forEach(row -> documented.put(row.group(1), row.group(2) + " " + row.group(3)));

        assertThat(expected).hasSizeGreaterThan(8);
        assertThat(documented).isEqualTo(expected);
    }

    private static List<MatchResult> found(Pattern pattern, Path file) throws IOException {
        return pattern.matcher(Files.readString(file)).results().toList();
    }

    /** The deepest folder that contains all sources, as a package. */
    private static String rootPackage(Path sources) throws IOException {
        if (!Files.isDirectory(sources)) {
            return "none";
        }
        Path folder = sources;
        List<Path> entries = list(folder);
        while (entries.size() == 1 && Files.isDirectory(entries.get(0))) {
            folder = entries.get(0);
            entries = list(folder);
        }
        return sources.relativize(folder).toString().replace('\\', '/').replace('/', '.');
    }

    private static List<Path> list(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.toList();
        }
    }
}
