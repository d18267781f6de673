package io.github.reconciler4j.test.server.apimachinery.selector;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Splits a label selector into words and signs. Used by one thread. */
final class LabelSelectorLexer {

    /** What a token is. */
    enum Kind {
        END,
        CLOSE,
        COMMA,
        NOT,
        DOUBLE_EQUALS,
        EQUALS,
        GREATER_THAN,
        IDENTIFIER,
        IN,
        LESS_THAN,
        NOT_EQUALS,
        NOT_IN,
        OPEN
    }

    /** A piece of the selector. */
    record Token(Kind kind, String text) {

        /** Returns the token as it counts where values are expected: {@code in} and {@code notin} are plain words. */
        Token asValue() {
            return kind == Kind.IN || kind == Kind.NOT_IN ? new Token(Kind.IDENTIFIER, text) : this;
        }
    }

    private static final String SIGNS = "=!(),><";
    private static final String BLANKS = " \t\r\n";

    private static final Map<String, Kind> KINDS = Map.ofEntries(
            Map.entry(")", Kind.CLOSE),
            Map.entry(",", Kind.COMMA),
            Map.entry("!", Kind.NOT),
            Map.entry("==", Kind.DOUBLE_EQUALS),
            Map.entry("=", Kind.EQUALS),
            Map.entry(">", Kind.GREATER_THAN),
            Map.entry("in", Kind.IN),
            Map.entry("<", Kind.LESS_THAN),
            Map.entry("!=", Kind.NOT_EQUALS),
            Map.entry("notin", Kind.NOT_IN),
            Map.entry("(", Kind.OPEN));

    private final String selector;
    private int position;

    LabelSelectorLexer(String selector) {
        this.selector = selector;
    }

    /** Returns all tokens; the last one is {@link Kind#END}. */
    List<Token> tokens() {
        List<Token> tokens = new ArrayList<>();
        Token token;
        do {
            token = next();
            tokens.add(token);
        } while (token.kind != Kind.END);
        return tokens;
    }

    private Token next() {
        while (position < selector.length() && BLANKS.indexOf(selector.charAt(position)) >= 0) {
            position++;
        }
        if (position == selector.length()) {
            return new Token(Kind.END, "");
        }
        return isSign(position) ? sign() : word();
    }

    private boolean isSign(int at) {
        return at < selector.length() && SIGNS.indexOf(selector.charAt(at)) >= 0;
    }

    private Token word() {
        int start = position;
        while (position < selector.length() && !isSign(position) && BLANKS.indexOf(selector.charAt(position)) < 0) {
            position++;
        }
        String text = selector.substring(start, position);
        return new Token(KINDS.getOrDefault(text, Kind.IDENTIFIER), text);
    }

    /** Takes the longest sign; every single sign except {@code =} before {@code =} and {@code !} before = is whole. */
    private Token sign() {
        int length = isSign(position + 1) && KINDS.containsKey(selector.substring(position, position + 2)) ? 2 : 1;
        String text = selector.substring(position, position + length);
        position += length;
        return new Token(KINDS.getOrDefault(text, Kind.IDENTIFIER), text);
    }
}
