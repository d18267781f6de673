package io.github.reconciler4j.generator.crd;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The words and signs of a Kotlin source, and its KDoc. Other comments and the contents of texts are left out. */
final class KotlinTokens {

    /** The end of a source, again and again. */
    static final Token END = new Token(Kind.END, "");

    private final String source;
    private final List<Token> tokens = new ArrayList<>();
    private int at;
    private int next;

    /** What a token is. */
    enum Kind {
        WORD,
        SIGN,
        KDOC,
        END
    }

    /**
     * A part of a source.
     *
     * @param text a word without backticks, one sign or an arrow, or a KDoc with its asterisks
     */
    record Token(Kind kind, String text) {

        boolean is(String sign) {
            return kind == Kind.SIGN && text.equals(sign);
        }

        boolean isWord(String word) {
            return kind == Kind.WORD && text.equals(word);
        }
    }

    /** Split a source, which need not compile. */
    KotlinTokens(String source) {
        this.source = source;
        while (at < source.length()) {
            readToken();
        }
    }

    /** Return the token that {@link #next} returns. */
    Token peek() {
        return next < tokens.size() ? tokens.get(next) : END;
    }

    /** Return the next token and advance. */
    Token next() {
        Token token = peek();
        next++;
        return token;
    }

    /** Advance if the next token is a sign. */
    boolean skip(String sign) {
        if (peek().is(sign)) {
            next++;
            return true;
        }
        return false;
    }

    /** Go behind the bracket that closes the one which is next. */
    void skipBrackets(String open, String close) {
        int depth = 0;
        do {
            Token token = next();
            depth += token.is(open) ? 1 : token.is(close) ? -1 : 0;
        } while (depth > 0 && peek() != END);
    }

    /** Return whether a word follows, with none but the given words before it. */
    boolean leadsTo(String word, Set<String> between) {
        int index = next;
        while (index < tokens.size()
                && tokens.get(index).kind() == Kind.WORD
                && between.contains(tokens.get(index).text())) {
            index++;
        }
        return index < tokens.size() && tokens.get(index).isWord(word);
    }

    /** Go behind a type, or behind a name in an expression. */
    void skipType() {
        do {
            if (peek().kind() == Kind.WORD) {
                next++;
            }
            if (peek().is("<")) {
                skipBrackets("<", ">");
            }
        } while (skip("."));
    }

    private void readToken() {
        char sign = source.charAt(at);
        if (source.startsWith("//", at)) {
            at = before(source.indexOf('\n', at));
        } else if (source.startsWith("/*", at)) {
            readComment();
        } else if (source.startsWith("\"\"\"", at)) {
            readText("\"\"\"");
        } else if (sign == '"') {
            readText("\"");
        } else if (sign == '\'') {
            at += source.startsWith("\\", at + 1) ? 3 : 2;
            at = Math.min(before(source.indexOf('\'', at)) + 1, source.length());
        } else if (sign == '`') {
            int end = before(source.indexOf('`', at + 1));
            tokens.add(new Token(Kind.WORD, source.substring(at + 1, end)));
            at = Math.min(end + 1, source.length());
        } else if (Character.isJavaIdentifierPart(sign)) {
            readWord();
        } else {
            int length = source.startsWith("->", at) || source.startsWith("::", at) ? 2 : 1;
            if (!Character.isWhitespace(sign)) {
                tokens.add(new Token(Kind.SIGN, source.substring(at, at + length)));
            }
            at += length;
        }
    }

    private int before(int found) {
        return found < 0 ? source.length() : found;
    }

    private void readWord() {
        int start = at;
        while (at < source.length() && Character.isJavaIdentifierPart(source.charAt(at))) {
            at++;
        }
        tokens.add(new Token(Kind.WORD, source.substring(start, at)));
    }

    /** Comments of Kotlin are nested. */
    private void readComment() {
        int start = at;
        int depth = 0;
        do {
            if (source.startsWith("/*", at)) {
                depth++;
                at += 2;
            } else if (source.startsWith("*/", at)) {
                depth--;
                at += 2;
            } else {
                at++;
            }
        } while (depth > 0 && at < source.length());
        if (source.startsWith("/**", start) && at - start > "/***/".length()) {
            tokens.add(new Token(Kind.KDOC, source.substring(start + 3, at - 2)));
        }
    }

    /** Templates in a text contain expressions, which can contain texts. */
    private void readText(String quote) {
        at += quote.length();
        while (at < source.length() && !source.startsWith(quote, at)) {
            if (source.startsWith("${", at)) {
                readTemplate();
            } else {
                at += quote.length() == 1 && source.charAt(at) == '\\' ? 2 : 1;
            }
        }
        at = Math.min(at + quote.length(), source.length());
        while (quote.length() > 1 && source.startsWith("\"", at)) {
            at++; // a text may end with quotes
        }
        tokens.add(new Token(Kind.SIGN, "\""));
    }

    private void readTemplate() {
        int size = tokens.size();
        int depth = 0;
        do {
            char sign = source.charAt(at);
            depth += sign == '{' ? 1 : sign == '}' ? -1 : 0;
            if (sign == '$' || sign == '{' || sign == '}') {
                at++;
            } else {
                readToken();
            }
        } while ((depth > 0 || source.charAt(at - 1) == '$') && at < source.length());
        tokens.subList(size, tokens.size()).clear();
    }
}
