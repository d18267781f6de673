package io.github.reconciler4j.rewrite;

import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.openrewrite.Cursor;
import org.openrewrite.java.JavaIsoVisitor;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.JavaType;
import org.openrewrite.java.tree.TypeTree;
import org.openrewrite.java.tree.TypeUtils;

/** The kinds that a reconciler reads beside its own. */
final class Owned {

    private Owned() {}

    /** Returns the names of the classes that are asked for, or that event sources follow. */
    static Set<String> of(J.ClassDeclaration type) {
        Set<String> kinds = new TreeSet<>();
        new JavaIsoVisitor<Set<String>>() {
            @Override
            public J.MethodInvocation visitMethodInvocation(J.MethodInvocation call, Set<String> found) {
                boolean source = call.getSimpleName().equals("from")
                        && call.getArguments().size() == 2
                        && ResultNames.isSource(call);
                if (source || call.getSimpleName().equals("listOwned")) {
                    Expression kind = call.getArguments()
                            .get(source ? 0 : call.getArguments().size() - 1);
                    if (kind instanceof J.FieldAccess access
                            && access.getSimpleName().equals("class")) {
                        found.add(access.getTarget().toString());
                    }
                }
                return super.visitMethodInvocation(call, found);
            }
        }.visit(type, kinds);
        kinds.removeAll(mapped(type));
        return kinds;
    }

    /** Returns the names of the classes whose event sources have a mapper that does not read owner references. */
    static Set<String> mapped(J.ClassDeclaration type) {
        Set<String> kinds = new TreeSet<>();
        new JavaIsoVisitor<Set<String>>() {
            @Override
            public J.MethodInvocation visitMethodInvocation(J.MethodInvocation call, Set<String> found) {
                boolean maps = call.getSimpleName().endsWith("PrimaryMapper")
                        || call.getSimpleName().equals("withPrimaryToSecondaryMapper");
                if (maps
                        && call.getArguments().size() == 1
                        && !call.getArguments().get(0).toString().startsWith("Mappers.fromOwner")) {
                    source(call).ifPresent(found::add);
                }
                return super.visitMethodInvocation(call, found);
            }
        }.visit(type, kinds);
        return kinds;
    }

    /** Returns the kind that the configuration of an event source starts with. */
    private static Optional<String> source(J.MethodInvocation call) {
        @Nullable Expression next = call;
        while (next instanceof J.MethodInvocation one) {
            if (one.getSimpleName().equals("from")
                    && ResultNames.isSource(one)
                    && one.getArguments().get(0) instanceof J.FieldAccess access) {
                return Optional.of(access.getTarget().toString());
            }
            next = one.getSelect();
        }
        return Optional.empty();
    }

    /** Returns the text of the type argument of the reconciler. */
    static @Nullable String primary(J.ClassDeclaration type, Cursor cursor) {
        @Nullable Expression kind = kind(type);
        return kind == null ? null : kind.printTrimmed(cursor);
    }

    /** Returns the type argument of the reconciler. */
    static @Nullable JavaType primaryType(J.ClassDeclaration type) {
        @Nullable Expression kind = kind(type);
        return kind == null ? null : kind.getType();
    }

    private static @Nullable Expression kind(J.ClassDeclaration type) {
        if (type.getImplements() != null) {
            for (TypeTree one : type.getImplements()) {
                if (one instanceof J.ParameterizedType generic
                        && Sdk.is(generic.getType(), Sdk.API + "Reconciler")
                        && generic.getTypeParameters() != null) {
                    return generic.getTypeParameters().get(0);
                }
            }
        }
        return null;
    }

    private static final class ResultNames {
        static boolean isSource(J.MethodInvocation call) {
            JavaType.@Nullable FullyQualified type = call.getSelect() == null
                    ? null
                    : TypeUtils.asFullyQualified(call.getSelect().getType());
            return type != null && type.getClassName().startsWith("InformerEventSourceConfiguration");
        }
    }
}
