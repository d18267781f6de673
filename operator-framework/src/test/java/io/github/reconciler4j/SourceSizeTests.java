package io.github.reconciler4j;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The code of all modules of the build stays small enough to be read: sizes as the compiler's own parser measures them. A new
 * module is included as soon as it stands in the root POM.
 */
class SourceSizeTests {

    private static final int LONGEST_METHOD = 40;
    private static final int LONGEST_FILE = 450;

    /** The state of one lock, or of one thread, is in one file, so that a reader sees all that happens to it. */
    private static final Map<String, Integer> LONGER_FILES = Map.of(
            "Lifecycle.java", 510, // one lock
            "ComponentRunner.java", 510, // one lock
            "Controller.java", 500, // one lock
            "WatchedKind.java", 510, // one lock
            "Reflector.java", 500); // the fields of one thread

    private static final int LONGEST_NESTED_TYPE = 120;
    private static final int USUAL_TEST_FILE = 350;
    private static final int USUAL_TEST = 30;
    private static final int LONGEST_TEST_FILE = 450;

    /** Lines of the 95th of 100 methods of main code; another limit for some modules. */
    private static final int USUAL_METHOD = 25;

    private static final Map<String, Integer> USUAL_METHODS = Map.of(
            "operator-framework",
            20,
            "operator-connection",
            20,
            "operator-workqueue",
            20,
            "operator-starter",
            20,
            "sample-operator",
            20,
            "operator-maven-plugin",
            30);

    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");

    static List<String> modulesWithMainCode() throws IOException {
        return modules("main");
    }

    static List<String> modulesWithTests() throws IOException {
        return modules("test");
    }

    private static List<String> modules(String kind) throws IOException {
        return MODULE.matcher(Files.readString(Path.of("..", "pom.xml")))
                .results()
                .map(match -> match.group(1))
                .filter(module -> Files.isDirectory(Path.of("..", module, "src", kind, "java")))
                .toList();
    }

    @Test
    void modulesAreFoundInTheRootPom() throws IOException {
        assertThat(modulesWithMainCode()).contains("operator-framework", "sample-controllers", "benchmarks");
        assertThat(modulesWithTests()).contains("operator-framework", "sample-controllers", "operator-archetype");
    }

    private static Map<String, Integer> methods(String module, String kind) throws IOException {
        Map<String, Integer> methods = new TreeMap<>();
        SourceTrees sources = SourceTrees.parse(SourceTrees.sources(module, kind));
        for (CompilationUnitTree unit : sources.units()) {
            new MethodSizes(unit, sources.docs().getSourcePositions(), methods).scan(unit, null);
        }
        return methods;
    }

    @ParameterizedTest
    @MethodSource("modulesWithMainCode")
    void methodsAreShort(String module) throws IOException {
        Map<String, Integer> methods = methods(module, "main");
        assertThat(methods).isNotEmpty();
        assertThat(above(LONGEST_METHOD, methods))
                .as("methods of more than %s lines", LONGEST_METHOD)
                .isEmpty();
        assertThat(percentile95(methods))
                .as("lines of the 95th of 100 methods")
                .isLessThanOrEqualTo(USUAL_METHODS.getOrDefault(module, USUAL_METHOD));
    }

    /** Tests have longer methods than main code, because each is a whole scenario. */
    @ParameterizedTest
    @MethodSource("modulesWithTests")
    void methodsOfTestsAreShort(String module) throws IOException {
        Map<String, Integer> methods = methods(module, "test");
        assertThat(methods).isNotEmpty();
        assertThat(above(LONGEST_METHOD, methods))
                .as("methods of more than %s lines", LONGEST_METHOD)
                .isEmpty();
        assertThat(percentile95(methods)).as("lines of the 95th of 100 methods").isLessThanOrEqualTo(USUAL_TEST);
    }

    @ParameterizedTest
    @MethodSource("modulesWithMainCode")
    void filesAreShort(String module) throws IOException {
        Map<String, Integer> files = files(module, "main");
        files.entrySet()
                .removeIf(file -> file.getValue()
                        <= LONGER_FILES.getOrDefault(
                                Path.of(file.getKey()).getFileName().toString(), 0));
        assertThat(above(LONGEST_FILE, files))
                .as("files of more than %s lines: split them by subject", LONGEST_FILE)
                .isEmpty();
    }

    @Test
    void longerFilesNeedTheirExceptions() throws IOException {
        List<String> above = new ArrayList<>();
        for (String module : modulesWithMainCode()) {
            above(LONGEST_FILE, files(module, "main"))
                    .forEach(file ->
                            above.add(Path.of(file.getKey()).getFileName().toString()));
        }
        assertThat(above).containsExactlyInAnyOrderElementsOf(LONGER_FILES.keySet());
    }

    /** A reader finds a type by the name of its file, unless it is small and belongs to another one. */
    @ParameterizedTest
    @MethodSource("modulesWithMainCode")
    void nestedTypesAreShort(String module) throws IOException {
        Map<String, Integer> types = new TreeMap<>();
        SourceTrees sources = SourceTrees.parse(SourceTrees.sources(module, "main"));
        for (CompilationUnitTree unit : sources.units()) {
            new NestedSizes(unit, sources.docs().getSourcePositions(), types).scan(unit, null);
        }
        assertThat(above(LONGEST_NESTED_TYPE, types))
                .as("nested types of more than %s lines: give them files", LONGEST_NESTED_TYPE)
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("modulesWithTests")
    void filesOfTestsAreShort(String module) throws IOException {
        Map<String, Integer> files = files(module, "test");
        assertThat(above(LONGEST_TEST_FILE, files))
                .as("files of more than %s lines: split them by what they test", LONGEST_TEST_FILE)
                .isEmpty();
        assertThat(above(USUAL_TEST_FILE, files))
                .as("files of more than %s lines: at most 5 of 100, or 2 of a small module", USUAL_TEST_FILE)
                .hasSizeLessThanOrEqualTo(Math.max(2, files.size() / 20));
    }

    private static Map<String, Integer> files(String module, String kind) throws IOException {
        Map<String, Integer> files = new TreeMap<>();
        for (Path source : SourceTrees.sources(module, kind)) {
            files.put(source.toString(), Files.readAllLines(source).size());
        }
        return files;
    }

    private static List<Map.Entry<String, Integer>> above(int limit, Map<String, Integer> sizes) {
        return sizes.entrySet().stream().filter(size -> size.getValue() > limit).toList();
    }

    private static int percentile95(Map<String, Integer> sizes) {
        List<Integer> sorted = new ArrayList<>(sizes.values());
        sorted.sort(null);
        return sorted.get((int) Math.ceil(sorted.size() * 0.95) - 1);
    }

    private static final class NestedSizes extends TreeScanner<Void, Void> {

        private final CompilationUnitTree unit;
        private final SourcePositions positions;
        private final Map<String, Integer> types;
        private int depth;

        NestedSizes(CompilationUnitTree unit, SourcePositions positions, Map<String, Integer> types) {
            this.unit = unit;
            this.positions = positions;
            this.types = types;
        }

        @Override
        public Void visitClass(ClassTree type, Void unused) {
            if (depth > 0) {
                LineMap lines = unit.getLineMap();
                long first = lines.getLineNumber(positions.getStartPosition(unit, type));
                long last = lines.getLineNumber(positions.getEndPosition(unit, type));
                String name = Path.of(unit.getSourceFile().getName()).getFileName() + ":" + first + " "
                        + type.getSimpleName();
                types.put(name, (int) (last - first + 1));
            }
            depth++;
            super.visitClass(type, unused);
            depth--;
            return null;
        }
    }

    private static final class MethodSizes extends TreeScanner<Void, Void> {

        private final CompilationUnitTree unit;
        private final SourcePositions positions;
        private final Map<String, Integer> methods;

        MethodSizes(CompilationUnitTree unit, SourcePositions positions, Map<String, Integer> methods) {
            this.unit = unit;
            this.positions = positions;
            this.methods = methods;
        }

        @Override
        public Void visitMethod(MethodTree method, Void unused) {
            if (method.getBody() != null) {
                LineMap lines = unit.getLineMap();
                long first = lines.getLineNumber(positions.getStartPosition(unit, method));
                long last = lines.getLineNumber(positions.getEndPosition(unit, method));
                String name =
                        Path.of(unit.getSourceFile().getName()).getFileName() + ":" + first + " " + method.getName();
                methods.put(name, (int) (last - first + 1));
            }
            return super.visitMethod(method, unused);
        }
    }
}
