package io.github.reconciler4j.rewrite;

import java.util.List;
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

    /** The methods that stand for the results that write. Each is added to the class that calls it. */
    static final Set<String> HELPERS = Set.of("patchStatus", "patchResource", "patchResourceAndStatus");

    /** By their names, because the class has moved between versions of the SDK. */
    private static final Set<String> UTILITIES = Set.of("ReconcilerUtils", "ReconcilerUtilsInternal");

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
        if (name.equals("loadYaml")
                && select instanceof J.Identifier utility
                && UTILITIES.contains(utility.getSimpleName())) {
            return yaml(call);
        }
        return Sdk.is(type, Sdk.API + "Context") ? ofContext(call, name) : call;
    }

    private J update(J.MethodInvocation call, String name) {
        @Nullable String context = parameter(true);
        added.add(Sdk.OURS + "Result");
        if (name.equals("noUpdate")) {
            return code(call, "Result.done()");
        }
        if (HELPERS.contains(name) && context != null) {
            return code(
                    call,
                    name + "(#{any()}, " + context + ", Result.done())",
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
        String name = before.getSimpleName();
        return switch (name) {
            case "done" -> code(call, "Result.requeueAfter(" + delay + ")", values);
            case "notYet" -> code(call, "CleanupResult.notYet(" + delay + ")", values);
            case "patchStatus", "patchResource", "patchResourceAndStatus" -> {
                Object[] all = new Object[values.length + 1];
                all[0] = before.getArguments().get(0);
                System.arraycopy(values, 0, all, 1, values.length);
                yield before.getSelect() != null
                        ? call
                        : code(
                                call,
                                name + "(#{any()}, " + parameter(true) + ", Result.requeueAfter(" + delay + "))",
                                all);
            }
            default -> call;
        };
    }

    /** The utility of the SDK reads a resource beside a class, which fabric8 does, too. */
    private J yaml(J.MethodInvocation call) {
        if (call.getArguments().size() != 3) {
            return call;
        }
        added.add("io.fabric8.kubernetes.client.utils.Serialization");
        List<String> texts = call.getArguments().stream()
                .map(one -> one.printTrimmed(getCursor()))
                .toList();
        return code(
                call,
                "Serialization.unmarshal(" + texts.get(1) + ".getResourceAsStream(" + texts.get(2) + "), "
                        + texts.get(0) + ")");
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
