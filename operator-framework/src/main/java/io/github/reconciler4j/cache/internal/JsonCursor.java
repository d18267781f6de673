package io.github.reconciler4j.cache.internal;

import java.io.StreamCorruptedException;
import java.nio.charset.StandardCharsets;

/**
 * Goes through JSON text in memory whose strings and nesting are known to be closed. Knows just enough to take single
 * values out of it, and allocates nothing but them. To be used by one thread.
 */
final class JsonCursor {

    private final StringPool pool;
    private byte[] text = {};
    private int at;
    private int end;

    JsonCursor(StringPool pool) {
        this.pool = pool;
    }

    /** Begins with another text. */
    void reset(byte[] json, int start, int limit) {
        text = json;
        at = start;
        end = limit;
    }

    /** The next byte that is not white space, without consuming it; -1 at the end. */
    int peek() {
        while (at < end) {
            byte next = text[at];
            if (next != ' ' && next != '\n' && next != '\r' && next != '\t') {
                return next;
            }
            at++;
        }
        return -1;
    }

    /** Consumes the next byte if it is this one. */
    boolean skipIf(char wanted) {
        if (peek() != wanted) {
            return false;
        }
        at++;
        return true;
    }

    private void expect(char wanted) throws StreamCorruptedException {
        if (!skipIf(wanted)) {
            throw new StreamCorruptedException("the metadata is not well-formed JSON: '" + wanted + "' is missing");
        }
    }

    /**
     * Goes to the next field of an object whose opening brace was consumed.
     *
     * @return whether there is one; if so its name is to be read, with {@link #name}, and then its value
     */
    boolean nextField() {
        skipIf(',');
        return !skipIf('}') && peek() >= 0;
    }

    /** Goes to the next element of an array whose opening bracket was consumed; false at its end. */
    boolean nextElement() {
        skipIf(',');
        return !skipIf(']') && peek() >= 0;
    }

    /** The name of a field; its value comes next. */
    String name() throws StreamCorruptedException {
        String name = string(true);
        expect(':');
        return name;
    }

    /** The text of a string, {@code ""} for any other value. */
    String text() throws StreamCorruptedException {
        return textOr(false);
    }

    /** The same, shared with equal ones. */
    String shared() throws StreamCorruptedException {
        return textOr(true);
    }

    private String textOr(boolean share) throws StreamCorruptedException {
        if (peek() == '"') {
            return string(share);
        }
        skip();
        return "";
    }

    private String string(boolean share) throws StreamCorruptedException {
        expect('"');
        int start = at;
        while (at < end && text[at] != '"' && text[at] != '\\' && text[at] >= 0) {
            at++;
        }
        if (at == end) {
            throw new StreamCorruptedException("the metadata is not well-formed JSON: a string is not closed");
        }
        if (text[at] != '"') {
            return uncommon(start, share);
        }
        String value = share
                ? pool.share(text, start, at - start)
                : new String(text, start, at - start, StandardCharsets.ISO_8859_1);
        at++;
        return value;
    }

    /** A string with escapes, or with characters that take several bytes. */
    private String uncommon(int start, boolean share) throws StreamCorruptedException {
        at = start - 1;
        skipString();
        String value = JsonStrings.decode(text, start, at - 1);
        return share ? pool.share(value) : value;
    }

    /** A whole number, or 0 for any other value. */
    long number() throws StreamCorruptedException {
        int first = peek();
        if (first != '-' && (first < '0' || first > '9')) {
            return Math.max(0, Compact.number(textOr(false)));
        }
        boolean negative = skipIf('-');
        long value = 0;
        while (at < end && text[at] >= '0' && text[at] <= '9') {
            value = value * 10 + text[at++] - '0';
        }
        return negative ? -value : value;
    }

    /** Whether the value is true. */
    boolean isTrue() throws StreamCorruptedException {
        boolean value = peek() == 't';
        skip();
        return value;
    }

    /** Consumes a value, whatever it is. */
    void skip() throws StreamCorruptedException {
        int first = peek();
        if (first == '"') {
            skipString();
        } else if (first == '{' || first == '[') {
            skipNest();
        } else {
            int start = at;
            while (at < end && ",}] \n\r\t".indexOf(text[at]) < 0) {
                at++;
            }
            if (at == start) {
                throw new StreamCorruptedException("the metadata is not well-formed JSON: a value is missing");
            }
        }
    }

    private void skipString() {
        at++;
        while (at < end && text[at] != '"') {
            at += text[at] == '\\' ? 2 : 1;
        }
        at = Math.min(at + 1, end);
    }

    private void skipNest() {
        int depth = 0;
        do {
            byte next = text[at];
            if (next == '"') {
                skipString();
                continue;
            }
            if (next == '{' || next == '[') {
                depth++;
            } else if (next == '}' || next == ']') {
                depth--;
            }
            at++;
        } while (depth > 0 && at < end);
    }
}
