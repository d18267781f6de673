package io.github.reconciler4j.rewrite;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.openrewrite.ExecutionContext;
import org.openrewrite.Recipe;
import org.openrewrite.TreeVisitor;
import org.openrewrite.java.AddImport;
import org.openrewrite.java.JavaTemplate;
import org.openrewrite.java.JavaVisitor;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;

/**
 * Replaces {@code new Operator()}, its registrations and its start by a Spring Boot application. Immutable and thread-safe.
 *
 * @since 0.1.0
 */
public final class MoveStart extends Recipe {

    private static final String OPERATOR = Sdk.ROOT + "Operator";

    /** Creates the recipe. */
    public MoveStart() {}

    @Override
    public String getDisplayName() {
        return "Start an operator with Spring Boot";
    }

    @Override
    public String getDescription() {
        return "Replaces the Operator of the Java Operator SDK by an application of Spring Boot, which finds the reconcilers.";
    }

    @Override
    public TreeVisitor<?, ExecutionContext> getVisitor() {
        return new StartVisitor();
    }

    @SuppressWarnings("NullAway") // null removes a statement
    private static final class StartVisitor extends JavaVisitor<ExecutionContext> {

        private final List<String> open = new ArrayList<>();
        private boolean started;

        @Override
        public J visitCompilationUnit(J.CompilationUnit unit, ExecutionContext context) {
            open.clear();
            started = false;
            J visited = super.visitCompilationUnit(unit, context);
            if (!started) {
                return unit;
            }
            for (String name : List.of(
                    "org.springframework.boot.SpringApplication",
                    "org.springframework.boot.autoconfigure.SpringBootApplication")) {
                visited = new AddImport<ExecutionContext>(name, null, false).visitNonNull(visited, context);
            }
            return new RemoveImports(List.of(OPERATOR)).visitNonNull(visited, context);
        }

        @Override
        public J visitClassDeclaration(J.ClassDeclaration type, ExecutionContext context) {
            boolean before = started;
            J.ClassDeclaration visited = (J.ClassDeclaration) super.visitClassDeclaration(type, context);
            if (before || !started) {
                return visited;
            }
            return JavaTemplate.builder("@SpringBootApplication")
                    .build()
                    .apply(
                            updateCursor(visited),
                            visited.getCoordinates().addAnnotation(Comparator.comparing(J.Annotation::getSimpleName)));
        }

        @Override
        public @Nullable J visitVariableDeclarations(J.VariableDeclarations variables, ExecutionContext context) {
            if (!Sdk.is(variables.getType(), OPERATOR) || getCursor().firstEnclosing(J.Block.class) == null) {
                return super.visitVariableDeclarations(variables, context);
            }
            Expression value = variables.getVariables().get(0).getInitializer();
            if (!(value instanceof J.NewClass created)) {
                return super.visitVariableDeclarations(variables, context);
            }
            if (created.getArguments().stream().anyMatch(argument -> !(argument instanceof J.Empty))) {
                open.add("set as properties, see docs/spring.md: " + value.printTrimmed(getCursor()));
            }
            return null;
        }

        @Override
        public @Nullable J visitMethodInvocation(J.MethodInvocation call, ExecutionContext context) {
            Expression select = call.getSelect();
            if (select == null || !Sdk.is(select.getType(), OPERATOR)) {
                return super.visitMethodInvocation(call, context);
            }
            switch (call.getSimpleName()) {
                case "register" -> {
                    addRegistration(call);
                    return null;
                }
                case "installShutdownHook" -> {
                    return null;
                }
                case "start" -> {
                    started = true;
                    J.ClassDeclaration type = getCursor().firstEnclosingOrThrow(J.ClassDeclaration.class);
                    J run = JavaTemplate.builder("SpringApplication.run(" + type.getSimpleName() + ".class, args)")
                            .build()
                            .apply(getCursor(), call.getCoordinates().replace());
                    return Sdk.todos(run, open);
                }
                default -> {
                    return super.visitMethodInvocation(call, context);
                }
            }
        }

        /** A reconciler with values in its constructor needs them as beans or properties. */
        private void addRegistration(J.MethodInvocation call) {
            boolean plain = call.getArguments().size() == 1
                    && call.getArguments().get(0) instanceof J.NewClass created
                    && created.getArguments().stream().allMatch(argument -> argument instanceof J.Empty);
            if (!plain) {
                open.add("declare what the constructor takes as beans, and settings as properties, see docs/spring.md: "
                        + call.printTrimmed(getCursor()));
            }
        }
    }
}
