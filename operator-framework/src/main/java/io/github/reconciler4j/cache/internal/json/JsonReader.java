package io.github.reconciler4j.cache.internal.json;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.StreamCorruptedException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON from a stream or from memory, value by value. Confined to one thread.
 *
 * <p>The caller walks over objects and arrays and decides for each value whether to copy it as it is, to skip it, or to
 * decode it. A value that is copied or skipped is only followed to its end: the reader knows strings and nesting, counts
 * brackets instead of recursing, and leaves the rest to the decoder of the copy. So nothing is built for a body that may
 * never be read, and no input can exhaust the stack. What the reader walks over itself (names, commas, brackets) must be
 * well-formed; otherwise it throws {@link StreamCorruptedException}, or {@link EOFException} if the input ends too early.
 *
 * <p>Strings are decoded leniently: bytes that are not UTF-8 become the replacement character, so that one such label does
 * not make a whole list unreadable.
 *
 * @since 0.1.0
 */
public final class JsonReader {

    /** How much white space can follow a value, and in how many parts it can arrive. */
    private static final int MAX_BLANKS = 1024 * 1024;

    private static final int MAX_BLANK_READS = 1000;

    private static final int WINDOW = 32 * 1024;
    private static final String ESCAPED = "\"\\/bfnrt";
    private static final String UNESCAPED = "\"\\/\b\f\n\r\t";
    private static final byte[] TRUE = {'t', 'r', 'u', 'e'};
    private static final int HEX = 16;
    private static final int CODE_DIGITS = 4;
    private static final int[] BYTE_ORDER_MARK = {0xef, 0xbb, 0xbf};

    /** For single objects, which are not worth an interner of their own. */
    private static final StringInterner SHARED = new StringInterner();

    private final @Nullable InputStream in;
    private final StringInterner strings;
    private final ByteBuilder scratch = new ByteBuilder(64);
    private byte[] buffer;
    private int position;
    private int limit;
    private boolean first;
    /** Whether a comma must come before the next field or element. */
    private boolean comma;

    /** Create a reader of a stream. */
    public JsonReader(InputStream in, StringInterner strings) {
        this.in = in;
        this.strings = strings;
        this.buffer = new byte[WINDOW];
        this.first = true;
    }

    /** Create a reader of memory, to be filled by {@link #reset}. */
    public JsonReader(StringInterner strings) {
        this.in = null;
        this.strings = strings;
        this.buffer = new byte[0];
    }

    /** Create a reader of memory. */
    public JsonReader(byte[] text, int length) {
        this(SHARED);
        reset(text, 0, length);
    }

    /** Read another text from memory. */
    public void reset(byte[] text, int start, int end) {
        buffer = text;
        position = start;
        limit = end;
        comma = false;
    }

    private boolean fill() throws IOException {
        if (in == null) {
            return false;
        }
        int count = in.read(buffer, 0, buffer.length);
        if (count <= 0) {
            return false;
        }
        position = 0;
        limit = count;
        return !first || skipByteOrderMark(in);
    }

    /** Skip a byte order mark at the start of the stream, as other readers of JSON do. */
    private boolean skipByteOrderMark(InputStream from) throws IOException {
        first = false;
        if ((buffer[0] & 0xff) != BYTE_ORDER_MARK[0]) {
            return true;
        }
        for (int more = 1; more > 0 && limit < BYTE_ORDER_MARK.length; limit += Math.max(0, more)) {
            more = from.read(buffer, limit, 1);
        }
        boolean marked = limit >= BYTE_ORDER_MARK.length
                && (buffer[1] & 0xff) == BYTE_ORDER_MARK[1]
                && (buffer[2] & 0xff) == BYTE_ORDER_MARK[2];
        position = marked ? BYTE_ORDER_MARK.length : 0;
        return position < limit || fill();
    }

    /**
     * Return the next byte that is not white space, without consuming it; -1 at the end.
     *
     * @throws StreamCorruptedException if white space continues to arrive, which would keep a stream alive and its user waiting
     */
    public int peek() throws IOException {
        int reads = 0;
        long blanks = 0;
        while (true) {
            if (position == limit) {
                if (reads++ > MAX_BLANK_READS || blanks > MAX_BLANKS) {
                    throw new StreamCorruptedException("the response contains white space without end");
                }
                if (!fill()) {
                    return -1;
                }
                blanks += limit;
            }
            byte next = buffer[position];
            if (next != ' ' && next != '\n' && next != '\r' && next != '\t') {
                return next & 0xff;
            }
            position++;
        }
    }

    private void expect(char wanted) throws IOException {
        if (peek() != wanted) {
            throw position == limit
                    ? new EOFException("the response ends in the middle of an object")
                    : new StreamCorruptedException("the response is not valid JSON: '" + wanted + "' is missing");
        }
        position++;
    }

    /** Consume the opening bracket of an object or array. */
    public void open(char bracket) throws IOException {
        expect(bracket);
        comma = false;
    }

    /** Consume the next byte if it is this opening bracket. */
    public boolean openIf(char bracket) throws IOException {
        if (peek() != bracket) {
            return false;
        }
        open(bracket);
        return true;
    }

    /** Consume the closing bracket, or the comma before what comes next; false at the end. */
    private boolean next(char closing) throws IOException {
        if (peek() == closing) {
            position++;
            comma = true;
            return false;
        }
        if (comma) {
            expect(',');
        }
        return true;
    }

    /** Move to the next element of an array; false at its end. */
    public boolean nextElement() throws IOException {
        if (!next(']')) {
            return false;
        }
        if (peek() == ']') {
            throw new StreamCorruptedException("the response is not valid JSON: a value is missing");
        }
        return true;
    }

    /**
     * Move to the value of the next field of an object.
     *
     * @param name receives the name as it stands, with its quotes
     * @return false at the end of the object
     */
    public boolean nextField(ByteBuilder name) throws IOException {
        name.clear();
        if (!next('}')) {
            return false;
        }
        expect('"');
        name.append('"');
        copyRestOfString(name);
        expect(':');
        return true;
    }

    /** Move to the value of the next field of an object and return its name; null at the end of the object. */
    public @Nullable String nextName() throws IOException {
        if (!next('}')) {
            return null;
        }
        String name = string(true);
        expect(':');
        return name;
    }

    /** Consume one value and append it to the sink as it stands; null skips it. */
    public void copyValue(@Nullable ByteBuilder sink) throws IOException {
        int start = peek();
        if (start < 0) {
            throw new EOFException("the response ends in the middle of an object");
        }
        if (start == '"') {
            position++;
            append(sink, start);
            copyRestOfString(sink);
        } else if (start == '{' || start == '[') {
            position++;
            append(sink, start);
            copyRestOfNest(sink);
        } else {
            copyScalar(sink);
        }
        comma = true;
    }

    /** Consume one value. */
    public void skip() throws IOException {
        copyValue(null);
    }

    private static void append(@Nullable ByteBuilder sink, int value) {
        if (sink != null) {
            sink.append(value);
        }
    }

    private void copyRestOfString(@Nullable ByteBuilder sink) throws IOException {
        boolean escaped = false;
        boolean open = true;
        while (open) {
            need();
            int start = position;
            int at = start;
            while (at < limit && open) {
                byte next = buffer[at++];
                if (escaped) {
                    escaped = false;
                } else if (next > '"') {
                    escaped = next == '\\';
                } else if (next == '"') {
                    open = false;
                } else {
                    checkNoControl(next);
                }
            }
            take(sink, start, at);
        }
    }

    private void copyRestOfNest(@Nullable ByteBuilder sink) throws IOException {
        int depth = 1;
        boolean inString = false;
        boolean escaped = false;
        while (depth > 0) {
            need();
            final byte[] window = buffer;
            final int end = limit;
            int start = position;
            int at = start;
            while (at < end && depth > 0) {
                byte next = window[at++];
                if (inString) {
                    if (escaped) {
                        escaped = false;
                    } else if (next > '"') {
                        escaped = next == '\\';
                    } else if (next == '"') {
                        inString = false;
                    } else {
                        checkNoControl(next);
                    }
                } else if (next == '"') {
                    inString = true;
                } else if ((next | 0x20) == '{') { // '{' or '['
                    depth++;
                } else if ((next | 0x20) == '}') { // '}' or ']'
                    depth--;
                }
            }
            take(sink, start, at);
        }
    }

    private static void checkNoControl(byte next) throws StreamCorruptedException {
        if (next >= 0 && next < ' ') {
            throw new StreamCorruptedException("the response is not valid JSON: a text contains a control character");
        }
    }

    private void copyScalar(@Nullable ByteBuilder sink) throws IOException {
        boolean empty = true;
        while (position < limit || fill()) {
            byte next = buffer[position];
            if (next == ',' || next == '}' || next == ']' || next >= 0 && next <= ' ') {
                break;
            }
            append(sink, next);
            empty = false;
            position++;
        }
        if (empty) {
            throw new StreamCorruptedException("the response is not valid JSON: a value is missing");
        }
    }

    private void need() throws IOException {
        if (position == limit && !fill()) {
            throw new EOFException("the response ends in the middle of an object");
        }
    }

    private void take(@Nullable ByteBuilder sink, int start, int end) {
        if (sink != null) {
            sink.append(buffer, start, end - start);
        }
        position = end;
    }

    /** Consume a value and return its text if it is a string; otherwise {@code ""}. */
    public String text() throws IOException {
        return textOrEmpty(false);
    }

    /** Consume a value and return its text, shared with equal ones, if it is a string; otherwise {@code ""}. */
    public String sharedText() throws IOException {
        return textOrEmpty(true);
    }

    private String textOrEmpty(boolean share) throws IOException {
        if (peek() != '"') {
            skip();
            return "";
        }
        String text = string(share);
        comma = true;
        return text;
    }

    /** Consume a value and return whether it is {@code true}. */
    public boolean isTrue() throws IOException {
        scratch.clear();
        copyValue(scratch);
        return scratch.contentEquals(TRUE);
    }

    /** Consume a value and return it if it is a whole number that fits; otherwise 0. */
    public long number() throws IOException {
        String text = peek() == '"' ? text() : scalar();
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            return unusual(text);
        }
    }

    /** A number such as {@code 1e3}, or something else. */
    private static long unusual(String text) {
        try {
            return text.length() > Long.SIZE ? 0 : new BigDecimal(text).longValueExact();
        } catch (ArithmeticException | NumberFormatException e) {
            return 0;
        }
    }

    private String scalar() throws IOException {
        scratch.clear();
        copyValue(scratch);
        return scratch.toString();
    }

    private String string(boolean share) throws IOException {
        expect('"');
        int start = position;
        int at = start;
        while (at < limit && buffer[at] != '"' && buffer[at] != '\\' && buffer[at] >= ' ') {
            at++;
        }
        if (at < limit && buffer[at] == '"') {
            position = at + 1;
            return share
                    ? strings.share(buffer, start, at - start)
                    : new String(buffer, start, at - start, StandardCharsets.ISO_8859_1);
        }
        scratch.clear();
        copyRestOfString(scratch); // has escapes, takes several bytes per character, or is cut by the window
        String raw = new String(scratch.array(), 0, scratch.size() - 1, StandardCharsets.UTF_8);
        String text = raw.indexOf('\\') < 0 ? raw : unescape(raw);
        return share ? strings.share(text) : text;
    }

    private static String unescape(String raw) throws StreamCorruptedException {
        StringBuilder text = new StringBuilder(raw.length());
        int at = 0;
        while (at < raw.length()) {
            char next = raw.charAt(at++);
            if (next != '\\') {
                text.append(next);
            } else if (raw.charAt(at) == 'u') {
                text.append(code(raw, at + 1));
                at += 1 + CODE_DIGITS;
            } else {
                int which = ESCAPED.indexOf(raw.charAt(at++));
                if (which < 0) {
                    throw new StreamCorruptedException("the response is not valid JSON: an escape is unknown");
                }
                text.append(UNESCAPED.charAt(which));
            }
        }
        return text.toString();
    }

    private static char code(String raw, int at) throws StreamCorruptedException {
        int code = 0;
        for (int i = at; i < at + CODE_DIGITS; i++) {
            int digit = i < raw.length() && raw.charAt(i) <= 'f' ? Character.digit(raw.charAt(i), HEX) : -1;
            if (digit < 0) {
                throw new StreamCorruptedException("the response is not valid JSON: an escape is incomplete");
            }
            code = code * HEX + digit;
        }
        return (char) code;
    }
}
