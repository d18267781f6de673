package io.github.reconciler4j.test.server.internal.apimachinery.cel;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelMutableAst;
import dev.cel.common.CelValidationException;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelMutableExpr;
import dev.cel.common.navigation.CelNavigableMutableAst;
import dev.cel.common.navigation.CelNavigableMutableExpr;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypes;
import dev.cel.common.types.SimpleType;
import dev.cel.common.values.NullValue;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerBuilder;
import dev.cel.runtime.CelEvaluationException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compiles the expressions of one webhook or one admission policy: its match conditions, variables, validations, messages
 * and mutations. Not supported: {@code authorizer}. For one thread; the compiled expressions are immutable.
 */
public final class AdmissionExpressions {
    private static final Set<String> NULLABLE = Set.of("object", "oldObject", "params");

    private final boolean params;
    private final Map<String, CelType> variableTypes = new LinkedHashMap<>();
    private final List<AdmissionExpression> variables = new ArrayList<>();

    /** Create the compiler. {@code params} is whether the expressions can name {@code params}. */
    public AdmissionExpressions(boolean params) {
        this.params = params;
    }

    /** The value that an expression must have. */
    public enum Result {
        /** A condition or a validation. */
        BOOL,
        /** A message. */
        STRING,
        /** A text or nothing. */
        TEXT_OR_NULL,
        /** Any value. */
        ANY,
        /** An apply configuration: {@code Object{...}}. */
        OBJECT,
        /** A JSON patch: {@code [JSONPatch{...}]}. */
        PATCH
    }

    /** An expression that is not valid. */
    public static final class InvalidExpressionException extends Exception {
        private static final long serialVersionUID = 1L;

        InvalidExpressionException(String message) {
            super(message);
        }

        @Override
        public String getMessage() {
            return String.valueOf(super.getMessage());
        }
    }

    /**
     * Compile an expression.
     *
     * @throws InvalidExpressionException if it is not valid; the message is worded like that of kube-apiserver
     */
    public AdmissionExpression compile(String text, Result result) throws InvalidExpressionException {
        return compiled("", text, result);
    }

    /** Compile a variable, which all expressions after it can name. */
    public void addVariable(String name, String text) throws InvalidExpressionException {
        AdmissionExpression variable = compiled(name, text, Result.ANY);
        variables.add(variable);
        variableTypes.put(name, variable.type());
    }

    private AdmissionExpression compiled(String name, String text, Result result) throws InvalidExpressionException {
        boolean patches = result == Result.OBJECT || result == Result.PATCH;
        try {
            CelCompiler compiler = compiler();
            CelAbstractSyntaxTree parsed = compiler.parse(text).getAst();
            String made = patches ? made(parsed.getExpr()) : "";
            CelAbstractSyntaxTree tree = compiler.check(withTestsOfNull(patches ? withMaps(parsed) : parsed))
                    .getAst();
            checkType(tree.getResultType(), result, made);
            return new AdmissionExpression(
                    name, text, tree.getResultType(), CelEnvironment.program(tree), List.copyOf(variables));
        } catch (CelValidationException | CelEvaluationException e) {
            throw new InvalidExpressionException("compilation failed: " + e.getMessage());
        }
    }

    private CelCompiler compiler() {
        AdmissionTypes types = new AdmissionTypes();
        CelCompilerBuilder builder = CelEnvironment.compiler(types)
                .addVar("object", SimpleType.DYN)
                .addVar("oldObject", SimpleType.DYN)
                .addVar("request", types.request)
                .addVar("namespaceObject", types.namespace);
        if (params) {
            builder.addVar("params", SimpleType.DYN);
        }
        if (!variableTypes.isEmpty()) {
            builder.addVar("variables", types.variables(variableTypes));
        }
        return builder.build();
    }

    private static void checkType(CelType type, Result result, String made) throws InvalidExpressionException {
        String wanted = switch (result) {
            case BOOL -> type.equals(SimpleType.BOOL) ? "" : "bool";
            case STRING -> type.equals(SimpleType.STRING) ? "" : "string";
            case TEXT_OR_NULL ->
                type.equals(SimpleType.STRING) || type.equals(SimpleType.NULL_TYPE) ? "" : "one of [string null_type]";
            case ANY -> "";
            case OBJECT -> made.equals("Object") ? "" : "Object";
            case PATCH -> made.equals("list") ? "" : "list(JSONPatch)";
        };
        if (!wanted.isEmpty()) {
            throw new InvalidExpressionException("must evaluate to " + wanted + " but got "
                    + (made.startsWith("Object") || made.startsWith("JSONPatch") ? made : CelTypes.format(type)));
        }
    }

    /** Return what an expression makes at its root: the name of a type, {@code list}, or nothing that is known. */
    private static String made(CelExpr root) {
        CelExpr.ExprKind kind = root.exprKind();
        return switch (kind.getKind()) {
            case STRUCT -> kind.struct().messageName();
            case LIST -> kind.list().elements().isEmpty() ? "" : "list";
            case COMPREHENSION -> "list";
            case CALL -> {
                List<CelExpr> arguments = kind.call().args();
                boolean chooses = kind.call().function().equals("_?_:_")
                        || kind.call().function().equals("_+_");
                int first = kind.call().function().equals("_?_:_") ? 1 : 0;
                String one = chooses ? made(arguments.get(first)) : "";
                yield chooses && one.isEmpty() ? made(arguments.get(first + 1)) : one;
            }
            default -> "";
        };
    }

    /** Return the tree with maps of any values in place of {@code Object{...}} and {@code JSONPatch{...}}. */
    private static CelAbstractSyntaxTree withMaps(CelAbstractSyntaxTree parsed) {
        CelMutableAst tree = CelMutableAst.fromCelAst(parsed);
        CelNavigableMutableExpr root = CelNavigableMutableAst.fromAst(tree).getRoot();
        long[] id = {root.maxId()};
        root.allNodes().map(CelNavigableMutableExpr::expr).toList().forEach(node -> {
            if (node.getKind() == CelExpr.ExprKind.Kind.STRUCT
                    && isPatchType(node.struct().messageName())) {
                List<CelMutableExpr.CelMutableMap.Entry> entries = new ArrayList<>();
                node.struct()
                        .entries()
                        .forEach(entry -> entries.add(CelMutableExpr.CelMutableMap.Entry.create(
                                entry.id(),
                                CelMutableExpr.ofConstant(++id[0], CelConstant.ofValue(entry.fieldKey())),
                                CelMutableExpr.ofCall(
                                        ++id[0], CelMutableExpr.CelMutableCall.create("dyn", entry.value())),
                                entry.optionalEntry())));
                node.setMap(CelMutableExpr.CelMutableMap.create(entries));
            }
        });
        return tree.toParsedAst();
    }

    /** Return the tree with {@code has(object.field)} that is false while there is no object, as for kube-apiserver. */
    private static CelAbstractSyntaxTree withTestsOfNull(CelAbstractSyntaxTree parsed) {
        CelMutableAst tree = CelMutableAst.fromCelAst(parsed);
        CelNavigableMutableExpr root = CelNavigableMutableAst.fromAst(tree).getRoot();
        List<CelMutableExpr> tests = root.allNodes()
                .map(CelNavigableMutableExpr::expr)
                .filter(node -> node.getKind() == CelExpr.ExprKind.Kind.SELECT
                        && node.select().testOnly()
                        && node.select().operand().getKind() == CelExpr.ExprKind.Kind.IDENT
                        && NULLABLE.contains(node.select().operand().ident().name()))
                .toList();
        long[] id = {root.maxId()};
        for (CelMutableExpr test : tests) {
            CelMutableExpr ident = CelMutableExpr.ofIdent(
                    ++id[0], test.select().operand().ident().name());
            CelMutableExpr nothing = CelMutableExpr.ofConstant(++id[0], CelConstant.ofValue(NullValue.NULL_VALUE));
            CelMutableExpr isNull =
                    CelMutableExpr.ofCall(++id[0], CelMutableExpr.CelMutableCall.create("_==_", ident, nothing));
            CelMutableExpr no = CelMutableExpr.ofConstant(++id[0], CelConstant.ofValue(false));
            CelMutableExpr select = CelMutableExpr.ofSelect(++id[0], test.select());
            test.setCall(CelMutableExpr.CelMutableCall.create("_?_:_", isNull, no, select));
        }
        return tests.isEmpty() ? parsed : tree.toParsedAst();
    }

    private static boolean isPatchType(String name) {
        return name.equals("Object") || name.startsWith("Object.") || name.equals("JSONPatch");
    }

    /**
     * The values that expressions can name.
     *
     * @param object the object; null without one
     * @param old the object before the request; null without one
     * @param request the request, without objects
     * @param namespace the namespace of the object; null for cluster-scoped objects
     * @param params the parameters of a policy; null without them
     */
    public record Input(
            @Nullable JsonNode object,
            @Nullable JsonNode old,
            JsonNode request,
            @Nullable JsonNode namespace,
            @Nullable JsonNode params) {}
}
