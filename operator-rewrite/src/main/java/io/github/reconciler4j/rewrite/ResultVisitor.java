package io.github.reconciler4j.rewrite;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.openrewrite.ExecutionContext;
import org.openrewrite.java.JavaTemplate;
import org.openrewrite.java.JavaVisitor;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.JavaType;
import org.openrewrite.java.tree.NameTree;
import org.openrewrite.java.tree.Statement;

/** Replaces results, and what reconcilers ask their context for. */
final class ResultVisitor extends JavaVisitor<ExecutionContext> {

    static final String HELPER = "patchStatus";

    private final Set<String> added;

    ResultVisitor(Set<String> added) {
        this.added = added;
    }

    private J code(J.MethodInvocation call, String text, Object... values) {
        return JavaTemplate.builder(text)
                .build()
                .<J>apply(updateCursor(call), call.getCoordinates().replace(), values)
                .withPrefix(call.getPrefix());
    }

    @Override
    public J visitMethodInvocation(J.MethodInvocation original, ExecutionContext execution) {
        J.MethodInvocation call = (J.MethodInvocation) super.visitMethodInvocation(original, execution);
        Expression select = original.getSelect();
        if (select == null) {
            return call;
        }
        String name = call.getSimpleName();
        JavaType type = select.getType();
        if (name.equals("rescheduleAfter") && call.getSelect() instanceof J.MethodInvocation before) {
            return delayed(call, before);
        }
        if (Sdk.is(type, Sdk.API + "UpdateControl")) {
            return update(call, name);
        }
        if (Sdk.is(type, Sdk.API + "DeleteControl")) {
            added.add(Sdk.OURS + "CleanupResult");
            return switch (name) {
                case "defaultDelete" -> code(call, "CleanupResult.done()");
                case "noFinalizerRemoval" -> code(call, "CleanupResult.notYet()");
                default -> call;
            };
        }
        return Sdk.is(type, Sdk.API + "Context") ? ofContext(call, name) : call;
    }

    private J update(J.MethodInvocation call, String name) {
        @Nullable String context = parameter(true);
        added.add(Sdk.OURS + "Result");
        if (name.equals("noUpdate")) {
            return code(call, "Result.done()");
        }
        if (name.equals(HELPER) && context != null) {
            return code(
                    call,
                    HELPER + "(#{any()}, " + context + ", Result.done())",
                    call.getArguments().get(0));
        }
        return call;
    }

    /** A delay belongs to the result before it. */
    private J delayed(J.MethodInvocation call, J.MethodInvocation before) {
        Expression first = call.getArguments().get(0);
        boolean duration = Sdk.is(first.getType(), "java.time.Duration");
        String unit = call.getArguments().size() == 2 ? ", #{any()}.toChronoUnit()" : "";
        String delay = duration
                ? "#{any()}"
                : unit.isEmpty() ? "Duration.ofMillis(#{any()})" : "Duration.of(#{any()}" + unit + ")";
        Object[] values = call.getArguments().toArray();
        if (!duration) {
            added.add("java.time.Duration");
        }
        return switch (before.getSimpleName()) {
            case "done" -> code(call, "Result.requeueAfter(" + delay + ")", values);
            case "notYet" -> code(call, "CleanupResult.notYet(" + delay + ")", values);
            case HELPER -> {
                Object[] all = new Object[values.length + 1];
                all[0] = before.getArguments().get(0);
                System.arraycopy(values, 0, all, 1, values.length);
                yield before.getSelect() != null
                        ? call
                        : code(
                                call,
                                HELPER + "(#{any()}, " + parameter(true) + ", Result.requeueAfter(" + delay + "))",
                                all);
            }
            default -> call;
        };
    }

    private J ofContext(J.MethodInvocation call, String name) {
        @Nullable String context = parameter(true);
        @Nullable String object = parameter(false);
        if (context == null || object == null || call.getArguments().size() != 1) {
            return call;
        }
        Expression kind = call.getArguments().get(0);
        String list = context + ".client().listOwned(" + object + ", #{any()})";
        return switch (name) {
            case "getSecondaryResource" -> code(call, list + ".stream().findFirst()", kind);
            case "getSecondaryResources" -> code(call, list, kind);
            case "getSecondaryResourcesAsStream" -> code(call, list + ".stream()", kind);
            case "getClient" -> code(call, "kubernetesClient");
            default -> call;
        };
    }

    @Override
    public J visitMemberReference(J.MemberReference reference, ExecutionContext execution) {
        J.MemberReference visited = (J.MemberReference) super.visitMemberReference(reference, execution);
        return reference.getContaining() instanceof J.Identifier type
                        && Sdk.is(type.getType(), Sdk.API + "UpdateControl")
                        && reference.getReference().getSimpleName().equals("noUpdate")
                ? visited.withReference(visited.getReference().withSimpleName("done"))
                : visited;
    }

    /** Our types have no parameters here. */
    @Override
    public J visitParameterizedType(J.ParameterizedType type, ExecutionContext execution) {
        NameTree raw = type.getClazz();
        boolean plain = Sdk.is(raw.getType(), Sdk.API + "UpdateControl") || Sdk.is(raw.getType(), Sdk.API + "Context");
        return plain ? raw.withPrefix(type.getPrefix()) : super.visitParameterizedType(type, execution);
    }

    private @Nullable String parameter(boolean context) {
        J.@Nullable MethodDeclaration method = getCursor().firstEnclosing(J.MethodDeclaration.class);
        return method == null ? null : parameter(method, context);
    }

    /** Returns the name of the context among the parameters of a method, or of the object that it is for. */
    static @Nullable String parameter(J.MethodDeclaration method, boolean context) {
        @Nullable JavaType kind = null;
        @Nullable String first = null;
        for (Statement one : method.getParameters()) {
            if (one instanceof J.VariableDeclarations variables && Sdk.is(variables.getType(), Sdk.API + "Context")) {
                if (context) {
                    return variables.getVariables().get(0).getSimpleName();
                }
                kind = variables.getType() instanceof JavaType.Parameterized type
                        ? type.getTypeParameters().get(0)
                        : null;
            }
        }
        for (Statement one : method.getParameters()) {
            if (!context && one instanceof J.VariableDeclarations variables) {
                String name = variables.getVariables().get(0).getSimpleName();
                first = first == null ? name : first;
                if (kind != null && String.valueOf(kind).equals(String.valueOf(variables.getType()))) {
                    return name;
                }
            }
        }
        return first;
    }
}
