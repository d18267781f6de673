package io.github.reconciler4j.test.server.apimachinery.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelIssue;
import dev.cel.common.CelValidationException;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.navigation.CelNavigableExpr;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypes;
import dev.cel.common.types.OptionalType;
import java.util.ArrayList;
import java.util.List;

/** Finds written lists and maps with values of several types, which CEL allows and the server does not. For one tree. */
final class SameTypes {
    private final CelAbstractSyntaxTree tree;
    private final List<CelIssue> issues = new ArrayList<>();

    private SameTypes(CelAbstractSyntaxTree tree) {
        this.tree = tree;
    }

    /**
     * Checks all lists and maps but those of values for a formatted text.
     *
     * @throws CelValidationException if some have values of several types
     */
    static void check(CelAbstractSyntaxTree tree) throws CelValidationException {
        SameTypes check = new SameTypes(tree);
        CelNavigableAst.fromAst(tree).getRoot().allNodes().forEach(check::check);
        if (!check.issues.isEmpty()) {
            throw new CelValidationException(tree.getSource(), check.issues);
        }
    }

    private void check(CelNavigableExpr node) {
        CelExpr expression = node.expr();
        if (expression.getKind() == CelExpr.ExprKind.Kind.LIST && !isFormatted(node)) {
            check(expression.list().elements(), expression.list().optionalIndices());
        } else if (expression.getKind() == CelExpr.ExprKind.Kind.MAP && !isFormatted(node)) {
            check(
                    expression.map().entries().stream()
                            .map(CelExpr.CelMap.Entry::key)
                            .toList(),
                    List.of());
            check(
                    expression.map().entries().stream()
                            .map(CelExpr.CelMap.Entry::value)
                            .toList(),
                    List.of());
        }
    }

    private static boolean isFormatted(CelNavigableExpr node) {
        for (CelNavigableExpr at = node;
                at.parent().isPresent();
                at = at.parent().get()) {
            CelExpr parent = at.parent().get().expr();
            if (parent.getKind() == CelExpr.ExprKind.Kind.CALL
                    && parent.call().function().equals("format")) {
                return true;
            }
        }
        return false;
    }

    private void check(List<CelExpr> values, List<Integer> optional) {
        CelType first = null;
        for (int i = 0; i < values.size(); i++) {
            CelType type = type(values.get(i), optional.contains(i));
            if (first == null) {
                first = type;
            } else if (!first.equals(type) && first.kind() != CelKind.DYN && type.kind() != CelKind.DYN) {
                int offset = tree.getSource()
                        .getPositionsMap()
                        .getOrDefault(values.get(i).id(), 0);
                String problem =
                        "expected type '" + CelTypes.format(first) + "' but found '" + CelTypes.format(type) + "'";
                issues.add(CelIssue.formatError(
                        values.get(i).id(),
                        tree.getSource().getOffsetLocation(offset).orElseThrow(),
                        problem));
            }
        }
    }

    private CelType type(CelExpr value, boolean optional) {
        CelType type = tree.getTypeOrThrow(value.id());
        return optional && type instanceof OptionalType ? type.parameters().get(0) : type;
    }
}
