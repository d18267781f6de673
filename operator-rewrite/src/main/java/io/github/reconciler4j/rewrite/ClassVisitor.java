package io.github.reconciler4j.rewrite;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.openrewrite.ExecutionContext;
import org.openrewrite.Tree;
import org.openrewrite.java.JavaIsoVisitor;
import org.openrewrite.java.JavaTemplate;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.JavaType;
import org.openrewrite.java.tree.Space;
import org.openrewrite.java.tree.Statement;
import org.openrewrite.java.tree.TypeTree;

/** Moves the declarations of classes and methods, after their bodies. */
final class ClassVisitor extends JavaIsoVisitor<ExecutionContext> {

    private static final Set<String> LEFT =
            Set.of("Workflow", "RateLimited", "GradualRetry", "KubernetesDependent", "Dependent", "Configured");

    private final Set<String> added;

    ClassVisitor(Set<String> added) {
        this.added = added;
    }

    private static boolean ofSdk(@Nullable JavaType type) {
        return type instanceof JavaType.FullyQualified known && Sdk.isImport(known.getFullyQualifiedName());
    }

    @Override
    public J.ClassDeclaration visitClassDeclaration(J.ClassDeclaration original, ExecutionContext execution) {
        J.ClassDeclaration type = super.visitClassDeclaration(original, execution);
        List<String> open = new ArrayList<>();
        type = withoutAnnotations(type, open);
        type = dependent(type, open);
        type = Leftovers.withoutInterfaces(type, getCursor(), open);
        type = handler(type);
        type = annotated(type, original, execution);
        type = fields(type, original);
        return Sdk.todos(type, open);
    }

    private J.ClassDeclaration withoutAnnotations(J.ClassDeclaration type, List<String> open) {
        List<J.Annotation> kept = new ArrayList<>();
        for (J.Annotation annotation : type.getLeadingAnnotations()) {
            if (LEFT.contains(annotation.getSimpleName()) && ofSdk(annotation.getType())) {
                open.add("see docs/objectset.md for children, docs/controllers.md for retries: "
                        + annotation.withPrefix(Space.EMPTY).printTrimmed(getCursor()));
            } else {
                kept.add(annotation);
            }
        }
        return kept.size() == type.getLeadingAnnotations().size() ? type : type.withLeadingAnnotations(kept);
    }

    /** A dependent resource stays a class that computes an object, without a part in the framework. */
    private static J.ClassDeclaration dependent(J.ClassDeclaration type, List<String> open) {
        @Nullable TypeTree parent = type.getExtends();
        if (parent == null || !ofSdk(parent.getType())) {
            return type;
        }
        open.add("apply what this class computes in an object set, see docs/objectset.md");
        return type.withExtends(null);
    }

    private J.ClassDeclaration handler(J.ClassDeclaration type) {
        @Nullable List<TypeTree> interfaces = type.getImplements();
        boolean handles = type.getBody().getStatements().stream()
                .anyMatch(one -> one instanceof J.MethodDeclaration method
                        && method.getSimpleName().equals("updateErrorStatus")
                        && method.hasModifier(J.Modifier.Type.Public));
        if (interfaces == null || !handles) {
            return type;
        }
        List<TypeTree> all = new ArrayList<>(interfaces);
        for (TypeTree one : interfaces) {
            if (one instanceof J.ParameterizedType generic
                    && Sdk.is(generic.getType(), Sdk.API + "Reconciler")
                    && generic.getClazz() instanceof J.Identifier name) {
                added.add(Sdk.OURS + "ErrorStatusHandler");
                J.Identifier ours =
                        name.withSimpleName("ErrorStatusHandler").withType(null).withId(Tree.randomId());
                all.add(generic.withId(Tree.randomId())
                        .withClazz(ours)
                        .withType(null)
                        .withPrefix(Space.SINGLE_SPACE));
            }
        }
        return type.withImplements(all);
    }

    private J.ClassDeclaration annotated(
            J.ClassDeclaration type, J.ClassDeclaration original, ExecutionContext execution) {
        boolean reconciler = original.getImplements() != null
                && original.getImplements().stream().anyMatch(one -> Sdk.is(one.getType(), Sdk.API + "Reconciler"));
        List<J.Annotation> annotations = new ArrayList<>(type.getLeadingAnnotations());
        for (int i = 0; i < annotations.size(); i++) {
            J.Annotation annotation = annotations.get(i);
            if (Sdk.is(annotation.getType(), Sdk.API + "ControllerConfiguration")) {
                ControllerAttributes attributes = attributes(annotation, original);
                annotations.set(i, ours(type, annotation, attributes.text(), attributes.imports()));
                J.ClassDeclaration changed = type.withLeadingAnnotations(annotations);
                return Sdk.todos(changed, attributes.open());
            }
        }
        if (!reconciler || type.hasModifier(J.Modifier.Type.Abstract)) {
            return type;
        }
        ControllerAttributes attributes = attributes(null, original);
        added.addAll(attributes.imports());
        return JavaTemplate.builder(attributes.text())
                .build()
                .apply(
                        updateCursor(type),
                        type.getCoordinates().addAnnotation(Comparator.comparing(J.Annotation::getSimpleName)));
    }

    private ControllerAttributes attributes(J.@Nullable Annotation annotation, J.ClassDeclaration original) {
        ControllerAttributes attributes = new ControllerAttributes(annotation, Owned.of(original), getCursor());
        String body = original.getBody().print(getCursor());
        attributes.refer(Owned.mapped(original));
        attributes.permit(Written.of(Owned.primaryType(original), body), body);
        return attributes;
    }

    private J.Annotation ours(J.ClassDeclaration type, J.Annotation annotation, String text, Set<String> imports) {
        added.addAll(imports);
        J.ClassDeclaration changed = JavaTemplate.builder(text)
                .build()
                .apply(
                        updateCursor(type.withLeadingAnnotations(List.of())),
                        type.getCoordinates().addAnnotation(Comparator.comparing(J.Annotation::getSimpleName)));
        return changed.getLeadingAnnotations().get(0).withPrefix(annotation.getPrefix());
    }

    /** Adds the method that writes a status, and the client of fabric8, to classes that use them. */
    private J.ClassDeclaration fields(J.ClassDeclaration type, J.ClassDeclaration original) {
        String text = type.getBody().print(getCursor());
        J.ClassDeclaration changed = type;
        @Nullable String object = Owned.primary(original, getCursor());
        for (Helper helper : Helper.values()) {
            if (object != null && helper.isCalled(text) && !helper.isDeclared(type)) {
                changed = append(changed, helper.method(object));
            }
        }
        if (text.matches("(?s).*\\bkubernetesClient\\b.*")
                && !text.matches("(?s).*KubernetesClient kubernetesClient\\b.*")) {
            added.add("io.fabric8.kubernetes.client.KubernetesClient");
            added.add("org.springframework.beans.factory.annotation.Autowired");
            changed = append(changed, "@Autowired\nprivate KubernetesClient kubernetesClient;");
        }
        return changed;
    }

    private J.ClassDeclaration append(J.ClassDeclaration type, String text) {
        return JavaTemplate.builder(text)
                .build()
                .apply(updateCursor(type), type.getBody().getCoordinates().lastStatement());
    }

    @Override
    public J.Block visitBlock(J.Block original, ExecutionContext execution) {
        J.Block block = super.visitBlock(original, execution);
        if (!(getCursor().getParentTreeCursor().getValue() instanceof J.ClassDeclaration)) {
            return block;
        }
        List<Statement> kept = new ArrayList<>();
        Space end = block.getEnd();
        for (Statement statement : block.getStatements()) {
            if (statement instanceof J.MethodDeclaration method
                    && method.getSimpleName().equals("prepareEventSources")) {
                end = Sdk.comment(
                        end.withWhitespace("\n\n    "),
                        " TODO reconciler4j: declare these sources with @Reconciler(owns), @Watches and @References, see"
                                + " docs/controllers.md\n" + method.printTrimmed(getCursor()) + "\n");
            } else if (Leftovers.inSignature(statement)) {
                end = Sdk.comment(
                        end.withWhitespace("\n\n    "),
                        " TODO reconciler4j: this has no counterpart, see docs/coming-from/java-operator-sdk.md\n"
                                + statement.printTrimmed(getCursor()) + "\n");
            } else {
                kept.add(statement);
            }
        }
        return kept.size() == block.getStatements().size()
                ? block
                : block.withStatements(kept).withEnd(end);
    }

    @Override
    public J.MethodDeclaration visitMethodDeclaration(J.MethodDeclaration original, ExecutionContext execution) {
        J.MethodDeclaration method = super.visitMethodDeclaration(original, execution);
        if (method.getSimpleName().equals("updateErrorStatus")
                && method.getParameters().size() == 3) {
            return ErrorHandlers.moved(method, getCursor());
        }
        return Leftovers.withoutOverride(method, getCursor().firstEnclosing(J.ClassDeclaration.class));
    }
}
