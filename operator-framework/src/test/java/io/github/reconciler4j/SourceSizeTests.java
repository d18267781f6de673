package io.github.reconciler4j;

import static org.assertj.core.api.Assertions.assertThat;

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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The code of all modules stays small enough to be read: sizes as the compiler's own parser measures them. */
class SourceSizeTests {

    private static final int LONGEST_METHOD = 40;
    private static final int LONGEST_FILE = 500;
    private static final int USUAL_TEST_FILE = 300;
    private static final int USUAL_TEST = 30;
    private static final int LONGEST_TEST_FILE = 400;

    private static Map<String, Integer> methods(String module, String kind) throws IOException {
        Map<String, Integer> methods = new TreeMap<>();
        SourceTrees sources = SourceTrees.parse(SourceTrees.sources(module, kind));
        for (CompilationUnitTree unit : sources.units()) {
            new MethodSizes(unit, sources.docs().getSourcePositions(), methods).scan(unit, null);
        }
        return methods;
    }

    @ParameterizedTest
    @CsvSource({
        "operator-framework, 20",
        "operator-starter, 20",
        "operator-webhook, 25",
        "operator-test, 25",
        "operator-test-server, 25",
        "sample-operator, 20"
    })
    void methodsAreShort(String module, int usual) throws IOException {
        Map<String, Integer> methods = methods(module, "main");
        assertThat(methods).hasSizeGreaterThan(20);
        assertThat(above(LONGEST_METHOD, methods))
                .as("methods of more than %s lines", LONGEST_METHOD)
                .isEmpty();
        assertThat(percentile95(methods)).as("lines of the 95th of 100 methods").isLessThanOrEqualTo(usual);
    }

    /** Tests have longer methods than main code, because each is a whole scenario. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "operator-framework",
                "operator-starter",
                "operator-webhook",
                "operator-test",
                "operator-test-server",
                "sample-operator"
            })
    void methodsOfTestsAreShort(String module) throws IOException {
        Map<String, Integer> methods = methods(module, "test");
        assertThat(methods).hasSizeGreaterThan(20);
        assertThat(above(LONGEST_METHOD, methods))
                .as("methods of more than %s lines", LONGEST_METHOD)
                .isEmpty();
        assertThat(percentile95(methods)).as("lines of the 95th of 100 methods").isLessThanOrEqualTo(USUAL_TEST);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "operator-framework",
                "operator-starter",
                "operator-webhook",
                "operator-test",
                "operator-test-server",
                "sample-operator"
            })
    void filesAreShort(String module) throws IOException {
        assertThat(above(LONGEST_FILE, files(module, "main")))
                .as("files of more than %s lines", LONGEST_FILE)
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "operator-framework",
                "operator-starter",
                "operator-webhook",
                "operator-test",
                "operator-test-server",
                "sample-operator"
            })
    void filesOfTestsAreShort(String module) throws IOException {
        Map<String, Integer> files = files(module, "test");
        assertThat(above(LONGEST_TEST_FILE, files))
                .as("files of more than %s lines: split them by what they test", LONGEST_TEST_FILE)
                .isEmpty();
        assertThat(percentile95(files)).as("lines of the 95th of 100 files").isLessThanOrEqualTo(USUAL_TEST_FILE);
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
