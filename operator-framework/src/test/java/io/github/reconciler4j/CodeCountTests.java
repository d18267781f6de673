package io.github.reconciler4j;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import io.github.reconciler4j.manager.Manager;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How much there is to read. A change that needs more raises the bar, and says in its commit why; one that leaves a bar far above
 * what is there lowers it.
 */
class CodeCountTests {

    /** How far a count may be below its bar before the bar is lowered. */
    private static final int SLACK = 400;

    /** Lines of main code that are neither blank nor comments, of what applications run. */
    private static final Map<String, Integer> CODE_LINES = Map.ofEntries(
            Map.entry("operator-framework", 30_780),
            Map.entry("operator-connection", 9_300),
            Map.entry("operator-workqueue", 2_150),
            Map.entry("operator-installer", 1_150),
            Map.entry("operator-sharding", 3_150),
            Map.entry("operator-clusters", 900),
            Map.entry("operator-objectset", 1_990),
            Map.entry("operator-starter", 7_750),
            Map.entry("operator-webhook", 4_880),
            Map.entry("operator-test-server", 23_200),
            Map.entry("operator-external", 1_110),
            Map.entry("operator-brake", 1_220),
            Map.entry("operator-plan", 1_090),
            Map.entry("operator-controllers", 12_100),
            Map.entry("operator-test-cluster", 2_650));

    /** Public types of the core and of what it is built on. */
    private static final Map<String, Integer> PUBLIC_TYPES =
            Map.of("operator-framework", 136, "operator-connection", 56, "operator-workqueue", 11);

    private static final int PUBLIC_SLACK = 5;

    /** The most files of a folder in these modules, which is the public package of the client; the manager has at most 15. */
    private static final int FILES_OF_A_PACKAGE = 28;

    private static final int FILES_OF_THE_MANAGER = 15;

    /** Files of these modules that name shards, in code or comments. */
    private static final int FILES_NAMING_SHARDS = 5;

    /** Files of these modules that name a type of clusters, without the roles of Kubernetes. */
    private static final int FILES_NAMING_CLUSTERS = 9;

    /** Methods of the manager, overloads and static ones included. */
    private static final int METHODS_OF_THE_MANAGER = 22;

    private static final Pattern SHARD = Pattern.compile("shard", Pattern.CASE_INSENSITIVE);
    private static final Pattern CLUSTER = Pattern.compile("\\bCluster(?!Role|-)[A-Za-z]*\\b");

    @Test
    void codeLinesOfEachModuleAreWithinTheirBars() throws IOException {
        Map<String, Integer> counted = new TreeMap<>();
        for (String module : CODE_LINES.keySet()) {
            int lines = 0;
            for (Path source : SourceTrees.sources(module, "main")) {
                lines += codeLines(Files.readString(source));
            }
            counted.put(module, lines);
        }
        assertThat(counted)
                .allSatisfy((module, lines) -> assertThat(lines)
                        .as("code lines of %s, of %s", module, counted)
                        .isBetween(CODE_LINES.get(module) - SLACK, CODE_LINES.get(module)));
    }

    /** Returns the number of lines with more than white space and comments. */
    private static int codeLines(String source) {
        String code = withoutComments(source);
        return (int) code.lines().filter(line -> !line.isBlank()).count();
    }

    private static String withoutComments(String source) {
        StringBuilder code = new StringBuilder();
        int at = 0;
        while (at < source.length()) {
            int end = endOfToken(source, at);
            boolean comment = source.startsWith("//", at) || source.startsWith("/*", at);
            code.append(comment ? source.substring(at, end).replaceAll("[^\n]", "") : source.substring(at, end));
            at = end;
        }
        return code.toString();
    }

    /** Returns where the comment, the literal or the single character ends that starts here. */
    private static int endOfToken(String source, int at) {
        if (source.startsWith("//", at)) {
            return source.indexOf('\n', at);
        }
        if (source.startsWith("/*", at)) {
            return source.indexOf("*/", at + 2) + 2;
        }
        if (source.startsWith("\"\"\"", at)) {
            return source.indexOf("\"\"\"", at + 3) + 3;
        }
        char quote = source.charAt(at);
        if (quote != '"' && quote != '\'') {
            return at + 1;
        }
        int end = at + 1;
        while (source.charAt(end) != quote) {
            end += source.charAt(end) == '\\' ? 2 : 1;
        }
        return end + 1;
    }

    @Test
    void linesOfCodeAreThoseWithMoreThanComments() {
        assertThat(codeLines("""
                /* one
                   two */
                class A { // three

                    String a = "// no comment"; /* four */
                    char quote = '"'; // "
                }
                """)).isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(strings = {"operator-framework", "operator-connection", "operator-workqueue"})
    void publicTypesOfTheModuleAreWithinTheirBar(String module) throws IOException {
        List<String> types = new ArrayList<>();
        SourceTrees.parse(SourceTrees.sources(module, "main")).units().forEach(unit -> {
            if (!unit.getPackageName().toString().contains(".internal")) {
                unit.getTypeDecls().stream()
                        .filter(ClassTree.class::isInstance)
                        .map(ClassTree.class::cast)
                        .filter(type -> SourceTrees.isPublic(type.getModifiers().getFlags(), null))
                        .forEach(type -> types.add(type.getSimpleName().toString()));
            }
        });
        int bar = PUBLIC_TYPES.get(module);
        assertThat(types).as("public types").hasSizeBetween(bar - PUBLIC_SLACK, bar);
    }

    @Test
    void packagesAreNoLargerThanTheirBar() throws IOException {
        Map<Path, Integer> sizes = new TreeMap<>();
        for (Path source : sources()) {
            sizes.merge(source.getParent(), 1, Integer::sum);
        }
        assertThat(sizes)
                .allSatisfy((folder, files) -> assertThat(files)
                        .as("files in %s", folder)
                        .isLessThanOrEqualTo(
                                folder.toString().contains("manager") ? FILES_OF_THE_MANAGER : FILES_OF_A_PACKAGE));
    }

    @Test
    void shardsAndClustersAreNamedInFewFiles() throws IOException {
        assertThat(naming(SHARD)).as("files that name shards").hasSizeLessThanOrEqualTo(FILES_NAMING_SHARDS);
        assertThat(naming(CLUSTER)).as("files that name clusters").hasSizeLessThanOrEqualTo(FILES_NAMING_CLUSTERS);
    }

    @Test
    void managerHasFewMethods() {
        assertThat(Manager.class.getDeclaredMethods())
                .filteredOn(method -> !method.isSynthetic())
                .hasSizeLessThanOrEqualTo(METHODS_OF_THE_MANAGER);
    }

    /** The main code of the core and of what it is built on. */
    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        for (String module : PUBLIC_TYPES.keySet()) {
            sources.addAll(SourceTrees.sources(module, "main"));
        }
        return sources;
    }

    private static List<String> naming(Pattern word) throws IOException {
        List<String> files = new ArrayList<>();
        for (Path source : sources()) {
            try (Stream<String> lines = Files.lines(source)) {
                if (lines.anyMatch(line -> word.matcher(line).find())) {
                    files.add(source.getFileName().toString());
                }
            }
        }
        return files;
    }
}
