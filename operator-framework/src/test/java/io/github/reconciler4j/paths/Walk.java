package io.github.reconciler4j.paths;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A walk of {@code docs/architecture.md}, which leads a reader from file to file.
 *
 * @param names the names of the files, with as much of the package as distinguishes them
 * @param maybe those that another thread enters, perhaps after the end of the path
 */
record Walk(Set<String> names, Set<String> maybe) {

    private static final Path PAGE = Path.of("..", "docs", "architecture.md");
    private static final String OTHER_THREAD = "| At the same time";
    private static final Pattern NAME = Pattern.compile("`((?:[a-z]+\\.)*[A-Z][A-Za-z]+)`");

    /** Reads the table in the section of a heading. */
    static Walk of(String heading) throws IOException {
        String section =
                Files.readString(PAGE).split("\n## " + heading + "\\b", 2)[1].split("\n## ", 2)[0];
        return new Walk(names(section, "|"), names(section, OTHER_THREAD));
    }

    private static Set<String> names(String section, String start) {
        return section.lines()
                .filter(line -> line.startsWith(start))
                .map(line -> line.substring(line.indexOf('|', 1)))
                .flatMap(files -> NAME.matcher(files).results())
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * Checks that the walk names what a running operator enters.
     *
     * @param always the files that were entered in each round
     * @param ever the files that were entered in a round
     */
    void check(Set<String> always, Set<String> ever) {
        assertThat(always.stream().filter(file -> names.stream().noneMatch(name -> isNamed(file, name))))
                .as("files of the path that docs/architecture.md leaves out")
                .isEmpty();
        assertThat(names.stream().filter(name -> !maybe.contains(name) && count(ever, name) != 1))
                .as("names in docs/architecture.md that are not of exactly one file of the path")
                .isEmpty();
    }

    private static long count(Set<String> files, String name) {
        return files.stream().filter(file -> isNamed(file, name)).count();
    }

    private static boolean isNamed(String file, String name) {
        return file.equals(name) || file.endsWith("." + name);
    }
}
