package io.github.reconciler4j.rewrite;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.openrewrite.Cursor;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.JavaType;
import org.openrewrite.java.tree.Space;
import org.openrewrite.java.tree.Statement;
import org.openrewrite.java.tree.TypeTree;
import org.openrewrite.java.tree.TypeUtils;

/** What a class has of the SDK without a counterpart: interfaces that it implements, and methods whose signatures name its types. */
final class Leftovers {

    private static final Set<String> MOVED = Set.of(
            "Reconciler",
            "Context",
            "UpdateControl",
            "DeleteControl",
            "Cleaner",
            "ErrorStatusHandler",
            "ErrorStatusUpdateControl");

    /** Overridden whatever a class implements. */
    private static final Set<String> OF_OBJECT = Set.of("toString", "equals", "hashCode");

    private Leftovers() {}

    /** Returns whether a type, or one of its parameters, is of the SDK and has no counterpart here. */
    static boolean is(@Nullable JavaType type) {
        JavaType.@Nullable FullyQualified known = TypeUtils.asFullyQualified(type);
        if (known == null) {
            return false;
        }
        String name = known.getFullyQualifiedName();
        boolean moved = name.startsWith(Sdk.API) && MOVED.contains(name.substring(Sdk.API.length()));
        return Sdk.isImport(name) && !moved
                || known instanceof JavaType.Parameterized generic
                        && generic.getTypeParameters().stream().anyMatch(Leftovers::is);
    }

    static boolean inSignature(Statement member) {
        return member instanceof J.MethodDeclaration method
                && !method.isConstructor()
                && method.getMethodType() != null
                && (is(method.getMethodType().getReturnType())
                        || method.getMethodType().getParameterTypes().stream().anyMatch(Leftovers::is));
    }

    /** Removes interfaces of the SDK, and names them for people. */
    static J.ClassDeclaration withoutInterfaces(J.ClassDeclaration type, Cursor cursor, List<String> open) {
        @Nullable List<TypeTree> interfaces = type.getImplements();
        if (interfaces == null) {
            return type;
        }
        List<TypeTree> kept = new ArrayList<>(interfaces);
        kept.removeIf(one -> is(one.getType()));
        if (kept.size() == interfaces.size()) {
            return type;
        }
        open.add("has no counterpart, see docs/coming-from/java-operator-sdk.md: implements "
                + interfaces.stream()
                        .filter(one -> is(one.getType()))
                        .map(one -> one.withPrefix(Space.EMPTY).printTrimmed(cursor))
                        .collect(Collectors.joining(", ")));
        return type.withImplements(kept.isEmpty() ? null : kept);
    }

    /** Removes {@code @Override} from a method of a class that loses a supertype, and the call of its constructor. */
    static J.MethodDeclaration withoutOverride(J.MethodDeclaration method, J.@Nullable ClassDeclaration type) {
        boolean loses = type != null
                && (type.getExtends() != null && is(type.getExtends().getType())
                        || type.getImplements() != null
                                && type.getImplements().stream().anyMatch(one -> is(one.getType())));
        if (!loses || OF_OBJECT.contains(method.getSimpleName())) {
            return method;
        }
        J.MethodDeclaration moved = method.withLeadingAnnotations(method.getLeadingAnnotations().stream()
                .filter(one -> !one.getSimpleName().equals("Override"))
                .toList());
        if (moved.isConstructor() && moved.getBody() != null) {
            moved = moved.withBody(moved.getBody()
                    .withStatements(moved.getBody().getStatements().stream()
                            .filter(one -> !(one instanceof J.MethodInvocation call
                                    && call.getSimpleName().equals("super")))
                            .toList()));
        }
        return moved;
    }
}
