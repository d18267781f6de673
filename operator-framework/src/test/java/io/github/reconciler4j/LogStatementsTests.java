package io.github.reconciler4j;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.BlockTree;
import com.sun.source.tree.CatchTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.InstanceOfTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * No statement of a log writes an exception as it is: its message, or that of a cause, can contain the end of a line, and what
 * follows would look like a line of its own. {@code Causes.loggable}, {@code Causes.message} and {@code Texts.of} prevent that.
 */
class LogStatementsTests {

    private static final Set<String> LEVELS = Set.of("error", "warn", "info", "debug", "trace");
    private static final Pattern EXCEPTION = Pattern.compile(".*(Throwable|Exception|Error)");

    /** Their messages are in one line, or a text of the JDK without a part that others have chosen. */
    private static Set<String> oneLine() throws IOException {
        Set<String> types = new HashSet<>(Set.of("InterruptedException", "ChangedIdentityException"));
        types.add("ManagerFailedException"); // a line for each component, in which causes are escaped
        Path errors = Path.of("../operator-connection/src/main/java/io/github/reconciler4j/client/error");
        try (Stream<Path> files = Files.list(errors)) {
            files.forEach(file -> types.add(file.getFileName().toString().replace(".java", "")));
        }
        return types;
    }

    private static List<String> violations(Iterable<? extends CompilationUnitTree> units) throws IOException {
        List<String> violations = new ArrayList<>();
        Set<String> oneLine = oneLine();
        for (CompilationUnitTree unit : units) {
            new Statements(unit, oneLine, violations).scan(unit, null);
        }
        return violations;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "operator-connection",
                "operator-workqueue",
                "operator-framework",
                "operator-installer",
                "operator-sharding",
                "operator-clusters",
                "operator-objectset",
                "operator-brake",
                "operator-external",
                "operator-plan",
                "operator-rewrite",
                "operator-controllers",
                "operator-test-cluster",
                "operator-starter",
                "operator-webhook"
            })
    void logStatementsWriteNoExceptionAsItIs(String module) throws IOException {
        assertThat(violations(
                        SourceTrees.parse(SourceTrees.sources(module, "main")).units()))
                .as("statements whose exceptions need Causes.loggable, Causes.message or Texts.of")
                .isEmpty();
    }

    @Test
    void statementsWithExceptionsAreFound(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("Sample.java");
        Files.writeString(file, """
                class Sample {
                    void run(Exception e, ConflictException c, RuntimeException f) {
                        LOG.warn("a", e);
                        LOG.info("b {}", e.getMessage());
                        logger.error("c {}", e.toString());
                        LOG.debug("d", String.valueOf(f));
                        LOG.warn("e" + f.getMessage());
                        LOG.warn("fine", c);
                        LOG.warn("fine {}", c.getMessage(), Causes.loggable(e));
                        LOG.warn("fine {} {}", Texts.of(e), e.getClass().getName());
                        LOG.warn("fine {}", LogLimiter.cause(e));
                    }
                    void other(String e) {
                        try {
                            LOG.warn("g", x);
                        } catch (IOException | InterruptedException x) {
                            LOG.warn("h", x);
                        }
                    }
                }
                """);
        assertThat(violations(SourceTrees.parse(List.of(file)).units()))
                .extracting(line -> line.replaceAll(".*: ", ""))
                .containsExactly("e", "e.getMessage()", "e.toString()", "String.valueOf(f)", "f.getMessage()", "x");
    }

    /** Knows which variables are exceptions where it is, and checks what is logged. */
    private static final class Statements extends TreeScanner<Void, Void> {

        private final CompilationUnitTree unit;
        private final Set<String> oneLine;
        private final List<String> violations;

        /** Whether the variables of a name are exceptions, the innermost scope first. */
        private final Deque<Map<String, Boolean>> scopes = new ArrayDeque<>();

        Statements(CompilationUnitTree unit, Set<String> oneLine, List<String> violations) {
            this.unit = unit;
            this.oneLine = oneLine;
            this.violations = violations;
        }

        @Override
        public Void visitVariable(VariableTree variable, Void nothing) {
            if (variable.getType() != null && !scopes.isEmpty()) {
                boolean exception = Arrays.stream(variable.getType().toString().split("\\s*\\|\\s*"))
                        .map(type -> type.replaceAll(".*[. ]", ""))
                        .anyMatch(type -> EXCEPTION.matcher(type).matches() && !oneLine.contains(type));
                scopes.peek().put(variable.getName().toString(), exception);
            }
            return super.visitVariable(variable, nothing);
        }

        private Void scoped(Supplier<Void> visit) {
            scopes.push(new HashMap<>());
            try {
                return visit.get();
            } finally {
                scopes.pop();
            }
        }

        @Override
        public Void visitClass(ClassTree type, Void nothing) {
            return scoped(() -> super.visitClass(type, nothing));
        }

        @Override
        public Void visitMethod(MethodTree method, Void nothing) {
            return scoped(() -> super.visitMethod(method, nothing));
        }

        @Override
        public Void visitLambdaExpression(LambdaExpressionTree lambda, Void nothing) {
            return scoped(() -> super.visitLambdaExpression(lambda, nothing));
        }

        @Override
        public Void visitBlock(BlockTree block, Void nothing) {
            return scoped(() -> super.visitBlock(block, nothing));
        }

        @Override
        public Void visitCatch(CatchTree clause, Void nothing) {
            return scoped(() -> super.visitCatch(clause, nothing));
        }

        @Override
        public Void visitMethodInvocation(MethodInvocationTree call, Void nothing) {
            if (call.getMethodSelect() instanceof MemberSelectTree select
                    && LEVELS.contains(select.getIdentifier().toString())
                    && select.getExpression().toString().matches("LOG|log|logger")) {
                call.getArguments().forEach(argument -> new Values().scan(argument, null));
            }
            return super.visitMethodInvocation(call, nothing);
        }

        private boolean isException(ExpressionTree expression) {
            return expression instanceof IdentifierTree name
                    && scopes.stream()
                            .map(scope -> scope.get(name.getName().toString()))
                            .filter(Objects::nonNull)
                            .findFirst()
                            .orElse(false);
        }

        private void report(ExpressionTree expression) {
            violations.add(Path.of(unit.getSourceFile().getName()).getFileName() + ": " + expression);
        }

        /** Does not look at what other methods make of an exception. */
        private final class Values extends TreeScanner<Void, Void> {

            /** Whether it is null, or of a type, shows nothing of it. */
            @Override
            public Void visitBinary(BinaryTree binary, Void nothing) {
                return binary.getKind() == Tree.Kind.PLUS ? super.visitBinary(binary, nothing) : null;
            }

            @Override
            public Void visitInstanceOf(InstanceOfTree test, Void nothing) {
                return Statements.this.scan(test.getPattern(), null);
            }

            @Override
            public Void visitIdentifier(IdentifierTree name, Void nothing) {
                if (isException(name)) {
                    report(name);
                }
                return null;
            }

            @Override
            public Void visitMethodInvocation(MethodInvocationTree call, Void nothing) {
                String method = call.getMethodSelect().toString();
                boolean ofException = call.getMethodSelect() instanceof MemberSelectTree select
                        && isException(select.getExpression())
                        && method.matches(".*\\.(getMessage|getLocalizedMessage|toString)");
                boolean valueOf = method.equals("String.valueOf")
                        && call.getArguments().stream().anyMatch(Statements.this::isException);
                if (ofException || valueOf) {
                    report(call);
                }
                return null;
            }
        }
    }
}
