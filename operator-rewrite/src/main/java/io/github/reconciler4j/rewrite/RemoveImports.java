package io.github.reconciler4j.rewrite;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.openrewrite.ExecutionContext;
import org.openrewrite.java.JavaIsoVisitor;
import org.openrewrite.java.tree.J;

/** Removes imports of the SDK that nothing in the code needs anymore; comments do not count. */
final class RemoveImports extends JavaIsoVisitor<ExecutionContext> {

    private final Collection<String> names;
    private final Set<String> used = new HashSet<>();

    /** Creates a visitor for imports of these types only, or for all of the SDK if there are none. */
    RemoveImports(Collection<String> names) {
        this.names = names;
    }

    @Override
    public J.CompilationUnit visitCompilationUnit(J.CompilationUnit unit, ExecutionContext context) {
        new JavaIsoVisitor<Integer>() {
            @Override
            public J.Import visitImport(J.Import one, Integer nothing) {
                return one;
            }

            @Override
            public J.Identifier visitIdentifier(J.Identifier identifier, Integer nothing) {
                used.add(identifier.getSimpleName());
                return identifier;
            }
        }.visit(unit, 0);
        return super.visitCompilationUnit(unit, context);
    }

    @Override
    @SuppressWarnings("NullAway") // null removes the import
    public J.@Nullable Import visitImport(J.Import one, ExecutionContext context) {
        String type = one.getTypeName();
        String name = one.getQualid().getSimpleName();
        if (!names.isEmpty() && !names.contains(type) || !Sdk.isImport(one.getPackageName() + ".X")) {
            return names.contains(type) && !used.contains(name) ? null : one;
        }
        return name.equals("*") || !used.contains(name) ? null : one;
    }
}
