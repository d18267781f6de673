package io.github.reconciler4j.cache.internal;

import java.io.StreamCorruptedException;
import java.nio.charset.StandardCharsets;

/** Decodes JSON strings that are not plain ASCII. */
final class JsonStrings {

    private static final String ESCAPED = "\"\\/bfnrt";
    private static final String MEANING = "\"\\/\b\f\n\r\t";
    private static final int HEX = 16;
    private static final int CODE_DIGITS = 4;

    private JsonStrings() {}

    /** The text between two quotes, which stand before the start and at the end. */
    static String decode(byte[] json, int start, int end) throws StreamCorruptedException {
        String raw = new String(json, start, end - start, StandardCharsets.UTF_8);
        if (raw.indexOf('\\') < 0) {
            return raw;
        }
        StringBuilder decoded = new StringBuilder(raw.length());
        int at = 0;
        while (at < raw.length()) {
            char next = raw.charAt(at++);
            if (next != '\\') {
                decoded.append(next);
            } else if (at < raw.length() && raw.charAt(at) == 'u') {
                decoded.append(code(raw, at + 1));
                at += 1 + CODE_DIGITS;
            } else {
                decoded.append(escaped(raw, at++));
            }
        }
        return decoded.toString();
    }

    private static char escaped(String raw, int at) throws StreamCorruptedException {
        int which = at < raw.length() ? ESCAPED.indexOf(raw.charAt(at)) : -1;
        if (which < 0) {
            throw new StreamCorruptedException("the metadata is not well-formed JSON: an escape is unknown");
        }
        return MEANING.charAt(which);
    }

    private static char code(String raw, int at) throws StreamCorruptedException {
        try {
            return (char) Integer.parseInt(raw.substring(at, at + CODE_DIGITS), HEX);
        } catch (NumberFormatException | StringIndexOutOfBoundsException e) {
            throw new StreamCorruptedException("the metadata is not well-formed JSON: an escape is not complete");
        }
    }
}
