package io.github.reconciler4j;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Finds the warnings and exceptions in the source of a class, with the texts that they consist of. */
final class MessageStatements {

    private static final Pattern START =
            Pattern.compile("\\b(?:LOG|log)\\.(?:warn|error)\\(|\\bnew (\\w*(?:Exception|Error))\\(");
    private static final Pattern LITERAL =
            Pattern.compile("\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\])*\"|'(?:\\\\.|[^'\\\\])'", Pattern.DOTALL);

    private static final String VERBS =
            "add|annotate|apply|call|change|check|choose|close|configure|correct|create|declare"
                    + "|define|delete|disable|enable|generate|give|grant|implement|increase|inject|install|keep|let|lower|make|move"
                    + "|name|put|raise|read|register|remove|rename|return|run|send|set|start|stop|update|use|write";

    /** The imperative starts the text, a sentence, or what follows a colon, a semicolon or an alternative. */
    private static final Pattern ACTION = Pattern.compile("(?:(?:[:;.?] |, or )(?i:" + VERBS + ")|^(?:"
            + capitals(VERBS) + ")) (?!(?:is|was|are|were|has|of|failed|must|names|needs|rejected)\\b)");

    /**
     * What a statement logs or throws.
     *
     * @param type the simple name of the exception, {@code log} for a line of the log
     * @param text its literals in their order
     */
    record Statement(String type, String text) {

        boolean asksForAction() {
            return ACTION.matcher(text).find();
        }

        boolean hasCode() {
            return text.contains("R4J-");
        }
    }

    private MessageStatements() {}

    private static String capitals(String verbs) {
        return Pattern.compile("\\|")
                .splitAsStream(verbs)
                .map(verb -> Character.toUpperCase(verb.charAt(0)) + verb.substring(1))
                .collect(Collectors.joining("|"));
    }

    static List<Statement> of(String source) {
        List<Statement> statements = new ArrayList<>();
        Matcher start = START.matcher(source);
        while (start.find()) {
            String type = start.group(1) == null ? "log" : start.group(1);
            statements.add(new Statement(type, text(source, start.end())));
        }
        return statements;
    }

    /** Joins the literals up to the parenthesis that ends the call. */
    private static String text(String source, int from) {
        StringBuilder text = new StringBuilder();
        Matcher literal = LITERAL.matcher(source);
        int depth = 1;
        for (int i = from; depth > 0; i++) {
            char next = source.charAt(i);
            if (next == '"' || next == '\'') {
                if (!literal.find(i)) {
                    throw new IllegalArgumentException(source.substring(i));
                }
                text.append(next == '"' ? literal.group().replaceAll("^\"+|\"+$", "") : "");
                i = literal.end() - 1;
            } else {
                depth += next == '(' ? 1 : next == ')' ? -1 : 0;
            }
        }
        return text.toString();
    }
}
