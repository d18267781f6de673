package io.github.reconciler4j;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreeScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Code stays small enough to be read: the sizes of the house style, measured with the compiler's own parser. */
class SourceSizeTests {

    private static final int LONGEST_METHOD = 40;
    private static final int USUAL_METHOD = 20;
    private static final int USUAL_FILE = 300;

    private static final Map<String, Integer> METHODS = new TreeMap<>();
    private static final Map<String, Integer> FILES = new TreeMap<>();

    @BeforeAll
    static void measure() throws IOException {
        List<Path> sources;
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            sources = files.filter(file -> file.toString().endsWith(".java")).toList();
        }
        for (Path source : sources) {
            FILES.put(source.toString(), Files.readAllLines(source).size());
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask)
                    compiler.getTask(null, manager, null, null, null, manager.getJavaFileObjectsFromPaths(sources));
            SourcePositions positions = Trees.instance(task).getSourcePositions();
            for (CompilationUnitTree unit : task.parse()) {
                new MethodSizes(unit, positions).scan(unit, null);
            }
        }
    }

    @Test
    void methodsAreShort() {
        assertThat(METHODS).hasSizeGreaterThan(100);
        assertThat(METHODS.entrySet().stream().filter(method -> method.getValue() > LONGEST_METHOD))
                .as("methods of more than %s lines", LONGEST_METHOD)
                .isEmpty();
        assertThat(percentile95(METHODS)).as("lines of the 95th of 100 methods").isLessThanOrEqualTo(USUAL_METHOD);
    }

    @Test
    void filesAreShort() {
        assertThat(percentile95(FILES)).as("lines of the 95th of 100 files").isLessThanOrEqualTo(USUAL_FILE);
    }

    private static int percentile95(Map<String, Integer> sizes) {
        List<Integer> sorted = new ArrayList<>(sizes.values());
        sorted.sort(null);
        return sorted.get((int) Math.ceil(sorted.size() * 0.95) - 1);
    }

    private static final class MethodSizes extends TreeScanner<Void, Void> {

        private final CompilationUnitTree unit;
        private final SourcePositions positions;

        MethodSizes(CompilationUnitTree unit, SourcePositions positions) {
            this.unit = unit;
            this.positions = positions;
        }

        @Override
        public Void visitMethod(MethodTree method, Void unused) {
            if (method.getBody() != null) {
                LineMap lines = unit.getLineMap();
                long first = lines.getLineNumber(positions.getStartPosition(unit, method));
                long last = lines.getLineNumber(positions.getEndPosition(unit, method));
                String name =
                        Path.of(unit.getSourceFile().getName()).getFileName() + ":" + first + " " + method.getName();
                METHODS.put(name, (int) (last - first + 1));
            }
            return super.visitMethod(method, unused);
        }
    }
}
