package io.github.reconciler4j.test.server.apimachinery.cel;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelIssue;
import dev.cel.common.CelValidationException;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.navigation.CelNavigableExpr;
import dev.cel.common.types.CelKind;
import io.github.reconciler4j.test.server.apimachinery.cel.library.FormatClauses;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds texts in expressions that could be seen to be wrong before the expression runs. Stateless. */
final class LiteralChecks {
    private static final java.util.regex.Pattern DURATION =
            java.util.regex.Pattern.compile("[+-]?(0|([0-9]*\\.?[0-9]+(ns|us|µs|ms|s|m|h))+)");

    private LiteralChecks() {}

    /**
     * Checks all calls with written arguments.
     *
     * @throws CelValidationException if some are wrong
     */
    static void check(CelAbstractSyntaxTree tree) throws CelValidationException {
        List<CelIssue> issues = new ArrayList<>();
        List<CelExpr> calls = CelNavigableAst.fromAst(tree)
                .getRoot()
                .allNodes()
                .map(CelNavigableExpr::expr)
                .filter(expression -> expression.getKind() == CelExpr.ExprKind.Kind.CALL)
                .toList();
        for (CelExpr expression : calls) {
            CelCall call = expression.call();
            switch (call.function()) {
                case "duration" ->
                    check(
                            tree,
                            call,
                            0,
                            "duration",
                            text -> DURATION.matcher(text).matches(),
                            issues);
                case "timestamp" -> check(tree, call, 0, "timestamp", LiteralChecks::isTime, issues);
                case "matches" ->
                    check(tree, call, call.args().size() - 1, "matches", LiteralChecks::isExpression, issues);
                case "format" -> checkFormat(tree, expression, call, issues);
                default -> {}
            }
        }
        if (!issues.isEmpty()) {
            throw new CelValidationException(tree.getSource(), issues);
        }
    }

    /** What is wrong with the regular expressions that are looked for; the server finds them later than the rest. */
    static Optional<String> badSearch(CelAbstractSyntaxTree tree) {
        return CelNavigableAst.fromAst(tree)
                .getRoot()
                .allNodes()
                .map(CelNavigableExpr::expr)
                .filter(expression -> expression.getKind() == CelExpr.ExprKind.Kind.CALL)
                .map(CelExpr::call)
                .filter(call ->
                        call.function().equals("find") || call.function().equals("findAll"))
                .flatMap(call -> text(call.args().get(0)).stream())
                .flatMap(expression -> problem(expression).stream())
                .findFirst();
    }

    private static void check(
            CelAbstractSyntaxTree tree,
            CelCall call,
            int index,
            String name,
            java.util.function.Predicate<String> test,
            List<CelIssue> issues) {
        Optional<String> text = text(call.args().get(index));
        if (text.isPresent() && !test.test(text.get())) {
            issues.add(issue(tree, call.args().get(index), "invalid " + name + " argument"));
        }
    }

    private static CelIssue issue(CelAbstractSyntaxTree tree, CelExpr at, String message) {
        int offset = tree.getSource().getPositionsMap().getOrDefault(at.id(), 0);
        return CelIssue.formatError(
                at.id(), tree.getSource().getOffsetLocation(offset).orElseThrow(), message);
    }

    private static Optional<String> text(CelExpr expression) {
        return expression.getKind() == CelExpr.ExprKind.Kind.CONSTANT
                        && expression.constant().getKind() == CelConstant.Kind.STRING_VALUE
                ? Optional.of(expression.constant().stringValue())
                : Optional.empty();
    }

    private static boolean isTime(String text) {
        try {
            OffsetDateTime.parse(text);
            return true;
        } catch (DateTimeException e) {
            return false;
        }
    }

    private static boolean isExpression(String text) {
        return problem(text).isEmpty();
    }

    private static Optional<String> problem(String expression) {
        try {
            Pattern.compile(expression);
            return Optional.empty();
        } catch (PatternSyntaxException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private static void checkFormat(
            CelAbstractSyntaxTree tree, CelExpr expression, CelCall call, List<CelIssue> issues) {
        Optional<String> pattern = call.target().flatMap(LiteralChecks::text);
        CelExpr values = call.args().get(0);
        if (pattern.isEmpty() || values.getKind() != CelExpr.ExprKind.Kind.LIST) {
            return;
        }
        List<CelExpr> items = values.list().elements();
        List<String> clauses = FormatClauses.of(pattern.get());
        for (int i = 0; i < clauses.size(); i++) {
            String clause = clauses.get(i);
            if (!FormatClauses.isKnown(clause)) {
                String problem = "could not parse formatting clause: unrecognized formatting clause \"" + clause + "\"";
                issues.add(issue(tree, expression, problem));
                return;
            }
            if (i >= items.size()) {
                issues.add(issue(tree, expression, "index " + i + " out of range"));
                return;
            }
            CelKind kind = tree.getTypeOrThrow(items.get(i).id()).kind();
            Optional<String> problem = FormatClauses.problem(clause, kind);
            if (problem.isPresent()) {
                issues.add(issue(tree, items.get(i), "error during formatting: " + problem.get()));
                return;
            }
        }
    }
}
