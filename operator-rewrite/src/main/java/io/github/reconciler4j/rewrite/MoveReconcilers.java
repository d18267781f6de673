package io.github.reconciler4j.rewrite;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.openrewrite.ExecutionContext;
import org.openrewrite.Recipe;
import org.openrewrite.TreeVisitor;
import org.openrewrite.java.AddImport;
import org.openrewrite.java.ChangeType;
import org.openrewrite.java.JavaIsoVisitor;
import org.openrewrite.java.tree.J;

/**
 * Moves reconcilers, cleaners and handlers of errors to the interfaces and annotations of Reconciler4j. Immutable and
 * thread-safe.
 *
 * @since 0.1.0
 */
public final class MoveReconcilers extends Recipe {

    private static final Map<String, String> TYPES = Map.of(
            "Reconciler", "ObjectReconciler",
            "Context", "ReconcileContext",
            "UpdateControl", "Result",
            "DeleteControl", "CleanupResult",
            "Cleaner", "Cleaner",
            "ErrorStatusHandler", "ErrorStatusHandler");

    /** Creates the recipe. */
    public MoveReconcilers() {}

    @Override
    public String getDisplayName() {
        return "Move reconcilers of the Java Operator SDK";
    }

    @Override
    public String getDescription() {
        return "Moves reconcilers with their annotations, results, cleaners and handlers of errors to Reconciler4j.";
    }

    @Override
    public TreeVisitor<?, ExecutionContext> getVisitor() {
        return new JavaIsoVisitor<>() {
            @Override
            public J.CompilationUnit visitCompilationUnit(J.CompilationUnit unit, ExecutionContext context) {
                return unit.getImports().stream().anyMatch(one -> Sdk.isImport(one.getPackageName() + ".X"))
                        ? move(unit, context)
                        : unit;
            }
        };
    }

    private static J.CompilationUnit move(J.CompilationUnit unit, ExecutionContext context) {
        Set<String> added = new TreeSet<>();
        J moved = new ResultVisitor(added).visitNonNull(unit, context);
        moved = new ClassVisitor(added).visitNonNull(moved, context);
        for (Map.Entry<String, String> type : TYPES.entrySet()) {
            moved = changed(moved, Sdk.API + type.getKey(), Sdk.OURS + type.getValue(), context);
        }
        moved = new RemoveImports(List.of()).visitNonNull(moved, context);
        for (String name : added) {
            moved = new AddImport<ExecutionContext>(name, null, false).visitNonNull(moved, context);
        }
        return (J.CompilationUnit) moved;
    }

    private static J changed(J tree, String from, String to, ExecutionContext context) {
        TreeVisitor<?, ExecutionContext> visitor = new ChangeType(from, to, true).getVisitor();
        @Nullable Object changed = visitor.visit(tree, context);
        return changed instanceof J result ? result : tree;
    }
}
