package io.github.reconciler4j.rewrite;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.openrewrite.Cursor;
import org.openrewrite.Tree;
import org.openrewrite.java.JavaVisitor;
import org.openrewrite.java.tree.Expression;
import org.openrewrite.java.tree.J;
import org.openrewrite.java.tree.JavaType;
import org.openrewrite.java.tree.Statement;
import org.openrewrite.marker.Markers;

/** A handler of errors changes the status of its object, and the controller writes it. */
final class ErrorHandlers {

    private static final String CONTROL = "ErrorStatusUpdateControl";

    private ErrorHandlers() {}

    static J.MethodDeclaration moved(J.MethodDeclaration method, Cursor cursor) {
        List<Statement> parameters = new ArrayList<>(method.getParameters());
        Statement context = parameters.get(1);
        Statement error = parameters.get(2);
        parameters.set(1, error.withPrefix(context.getPrefix()));
        parameters.set(2, context.withPrefix(error.getPrefix()));
        J before = method.getReturnTypeExpression();
        J.MethodDeclaration moved = method.withParameters(parameters)
                .withReturnTypeExpression(new J.Primitive(
                        Tree.randomId(),
                        before == null ? method.getPrefix() : before.getPrefix(),
                        Markers.EMPTY,
                        JavaType.Primitive.Void));
        String object = parameters.get(0) instanceof J.VariableDeclarations variables
                ? variables.getVariables().get(0).getSimpleName()
                : "";
        J.@Nullable Block body = moved.getBody();
        return body == null ? moved : moved.withBody((J.Block) new Returns(object, cursor).visitNonNull(body, 0));
    }

    private static final class Returns extends JavaVisitor<Integer> {

        private final String object;
        private final Cursor place;

        Returns(String object, Cursor place) {
            this.object = object;
            this.place = place;
        }

        @Override
        public J visitReturn(J.Return statement, Integer nothing) {
            Expression value = statement.getExpression();
            if (!(value instanceof J.MethodInvocation call)) {
                return statement;
            }
            String text = call.printTrimmed(place);
            boolean same = text.equals(CONTROL + ".patchStatus(" + object + ")");
            J.Return plain = statement.withExpression(null);
            if (same
                    || text.startsWith(CONTROL + ".noStatusUpdate()")
                    || text.startsWith(CONTROL + ".defaultErrorProcessing()")) {
                return plain;
            }
            return plain.withPrefix(Sdk.todo(
                    plain.getPrefix(), "change the status of '" + object + "' here, instead of: return " + text));
        }

        @Override
        public J visitLambda(J.Lambda lambda, Integer nothing) {
            return lambda;
        }
    }
}
