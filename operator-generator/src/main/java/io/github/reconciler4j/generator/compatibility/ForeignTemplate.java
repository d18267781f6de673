package io.github.reconciler4j.generator.compatibility;

import java.util.stream.Collectors;

/**
 * A template of a chart, of which only the definitions are read. Its lines that are expressions of Helm are left out, because Helm
 * itself, which evaluates them, need not be there.
 */
final class ForeignTemplate {

    private ForeignTemplate() {}

    /** Returns a text in which a line that is nothing but an expression is empty, so that the numbers of lines in messages stay. */
    static String withoutExpressions(String text) {
        return text.lines()
                .map(line -> isExpression(line.strip()) ? "" : line)
                .collect(Collectors.joining("\n", "", "\n"));
    }

    private static boolean isExpression(String line) {
        return line.startsWith("{{") && line.endsWith("}}");
    }
}
