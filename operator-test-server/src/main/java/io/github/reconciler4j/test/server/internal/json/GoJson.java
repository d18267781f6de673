package io.github.reconciler4j.test.server.internal.json;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Says what is wrong with a text that should be JSON, in the words of Go's parser, as clients of the real server get it.
 *
 * @since 0.1.0
 */
public final class GoJson {
    private static final int DEEP = 1000;
    private static final int DEEPEST = 10_000;
    private static final int FIRST_PRINTABLE = 0x20;
    private static final int DELETE = 0x7f;

    private final byte[] text;
    private int at;

    private GoJson(byte[] text) {
        this.text = text;
    }

    /** The first mistake in the text; null when it is JSON. */
    public static @Nullable String problem(byte[] text) {
        GoJson scanner = new GoJson(text);
        if (depth(text) > DEEPEST) {
            return "invalid character '" + (char) text[0] + "' exceeded max depth";
        }
        try {
            scanner.value(0);
            scanner.skipSpace();
            if (scanner.at < text.length) {
                throw scanner.unexpected("after top-level value");
            }
            return null;
        } catch (Mistake e) {
            return e.getMessage();
        }
    }

    private static int depth(byte[] text) {
        int depth = 0;
        int most = 0;
        boolean inString = false;
        for (int i = 0; i < text.length; i++) {
            if (inString && text[i] == '\\') {
                i++;
            } else if (text[i] == '"') {
                inString = !inString;
            } else if (!inString && (text[i] == '[' || text[i] == '{')) {
                depth++;
                most = Math.max(most, depth);
            } else if (!inString && (text[i] == ']' || text[i] == '}')) {
                depth--;
            }
        }
        return most;
    }

    private static final class Mistake extends Exception {
        private static final long serialVersionUID = 1;

        Mistake(String message) {
            super(message, null, false, false);
        }
    }

    private Mistake unexpected(String context) {
        return at < text.length
                ? new Mistake("invalid character " + quoted(text[at] & 0xff) + " " + context)
                : new Mistake("unexpected end of JSON input");
    }

    private static String quoted(int character) {
        return switch (character) {
            case '\'' -> "'\\''";
            case '"' -> "'\"'";
            case '\\' -> "'\\\\'";
            case '\n' -> "'\\n'";
            case '\t' -> "'\\t'";
            case '\r' -> "'\\r'";
            default ->
                character < FIRST_PRINTABLE || character == DELETE
                        ? String.format(Locale.ROOT, "'\\x%02x'", character)
                        : "'" + (char) character + "'";
        };
    }

    private int peek() {
        return at < text.length ? text[at] : -1;
    }

    private int next() {
        int character = peek();
        at++;
        return character;
    }

    private void skipSpace() {
        while (at < text.length && " \t\r\n".indexOf(text[at]) >= 0) {
            at++;
        }
    }

    private void value(int depth) throws Mistake {
        skipSpace();
        int first = peek();
        if (depth > DEEP) {
            at = text.length;
        } else if (first == '{') {
            object(depth);
        } else if (first == '[') {
            array(depth);
        } else if (first == '"') {
            string();
        } else if (first == '-' || isDigit(first)) {
            number();
        } else if (first == 't' || first == 'f' || first == 'n') {
            literal(first == 't' ? "true" : first == 'f' ? "false" : "null");
        } else {
            throw unexpected("looking for beginning of value");
        }
    }

    private void object(int depth) throws Mistake {
        at++;
        skipSpace();
        if (peek() == '}') {
            at++;
            return;
        }
        do {
            skipSpace();
            if (peek() != '"') {
                throw unexpected("looking for beginning of object key string");
            }
            string();
            skipSpace();
            if (next() != ':') {
                at--;
                throw unexpected("after object key");
            }
            value(depth + 1);
            skipSpace();
        } while (next() == ',');
        close('}', "after object key:value pair");
    }

    private void array(int depth) throws Mistake {
        at++;
        skipSpace();
        if (peek() == ']') {
            at++;
            return;
        }
        do {
            value(depth + 1);
            skipSpace();
        } while (next() == ',');
        close(']', "after array element");
    }

    private void close(char bracket, String context) throws Mistake {
        at--;
        if (peek() != bracket) {
            throw unexpected(context);
        }
        at++;
    }

    private void string() throws Mistake {
        at++;
        while (peek() != '"') {
            if (peek() == '\\') {
                escape();
            } else if (at >= text.length || peek() >= 0 && peek() < FIRST_PRINTABLE) {
                throw unexpected("in string literal");
            } else {
                at++;
            }
        }
        at++;
    }

    private void escape() throws Mistake {
        at++;
        if (peek() == 'u') {
            at++;
            for (int i = 0; i < 4; i++, at++) {
                if (Character.digit(peek(), 16) < 0) {
                    throw unexpected("in \\u hexadecimal character escape");
                }
            }
        } else if (at < text.length && "bfnrt\\/\"".indexOf(peek()) >= 0) {
            at++;
        } else {
            throw unexpected("in string escape code");
        }
    }

    private void number() throws Mistake {
        if (peek() == '-') {
            at++;
        }
        if (peek() == '0') {
            at++;
        } else {
            digits("in numeric literal");
        }
        if (peek() == '.') {
            at++;
            digits("after decimal point in numeric literal");
        }
        if (peek() == 'e' || peek() == 'E') {
            at++;
            if (peek() == '+' || peek() == '-') {
                at++;
            }
            digits("in exponent of numeric literal");
        }
    }

    private void digits(String context) throws Mistake {
        if (!isDigit(peek())) {
            throw unexpected(context);
        }
        while (isDigit(peek())) {
            at++;
        }
    }

    private static boolean isDigit(int character) {
        return character >= '0' && character <= '9';
    }

    private void literal(String word) throws Mistake {
        for (int i = 0; i < word.length(); i++, at++) {
            if (peek() != word.charAt(i)) {
                throw unexpected("in literal " + word + " (expecting " + quoted(word.charAt(i)) + ")");
            }
        }
    }
}
