package io.github.reconciler4j.cache.internal;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.StreamCorruptedException;
import org.jspecify.annotations.Nullable;

/**
 * Walks over JSON text byte by byte, copying or skipping whole values without looking into them. It knows strings and
 * nesting and nothing else, so that taking in an object costs little more than copying it; what is inside a value is
 * checked when somebody decodes it. To be used by one thread.
 */
final class JsonScanner {

    private static final int WINDOW = 32 * 1024;

    private final InputStream in;
    private final byte[] buffer;
    private int position;
    private int limit;
    private long consumed;

    /** Reads from a stream. */
    JsonScanner(InputStream in) {
        this.in = in;
        this.buffer = new byte[WINDOW];
    }

    /** Reads from memory. */
    JsonScanner(byte[] text, int length) {
        this.in = InputStream.nullInputStream();
        this.buffer = text;
        this.limit = length;
    }

    /** How many bytes were taken from the stream so far. */
    long bytesRead() {
        return consumed;
    }

    private boolean fill() throws IOException {
        int count = in.read(buffer, 0, buffer.length);
        if (count <= 0) {
            return false;
        }
        position = 0;
        limit = count;
        consumed += count;
        return true;
    }

    /** The next byte that is not white space, without consuming it; -1 at the end. */
    int peek() throws IOException {
        while (true) {
            if (position == limit && !fill()) {
                return -1;
            }
            byte next = buffer[position];
            if (next != ' ' && next != '\n' && next != '\r' && next != '\t') {
                return next;
            }
            position++;
        }
    }

    /** Consumes the next byte that is not white space, which must be this one. */
    void expect(char wanted) throws IOException {
        int next = peek();
        if (next != wanted) {
            throw next < 0
                    ? new EOFException("the answer ended in the middle of an object")
                    : new StreamCorruptedException("the answer is not well-formed JSON: '" + wanted + "' is missing");
        }
        position++;
    }

    /** Consumes the next byte if it is this one. */
    boolean skipIf(char wanted) throws IOException {
        if (peek() != wanted) {
            return false;
        }
        position++;
        return true;
    }

    /**
     * Goes to the next field of the object whose opening brace was consumed.
     *
     * @param name takes the name as it stands, quotes included
     * @return false if there is none; the closing brace is consumed then
     */
    boolean nextField(Bytes name) throws IOException {
        name.clear();
        if (skipIf('}')) {
            return false;
        }
        skipIf(',');
        expect('"');
        name.append('"');
        copyRestOfString(name);
        expect(':');
        return true;
    }

    /** Consumes one value, whatever it is, and appends it to the sink; null drops it. */
    void copyValue(@Nullable Bytes sink) throws IOException {
        int first = peek();
        if (first < 0) {
            throw new EOFException("the answer ended in the middle of an object");
        }
        position++;
        if (sink != null) {
            sink.append(first);
        }
        if (first == '"') {
            copyRestOfString(sink);
        } else if (first == '{' || first == '[') {
            copyRestOfNest(sink);
        } else {
            copyRestOfScalar(sink);
        }
    }

    private void copyRestOfString(@Nullable Bytes sink) throws IOException {
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
                } else if (next == '\\') {
                    escaped = true;
                } else if (next == '"') {
                    open = false;
                }
            }
            take(sink, start, at);
        }
    }

    private void copyRestOfNest(@Nullable Bytes sink) throws IOException {
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
                    } else if (next == '"') {
                        inString = false;
                    } else if (next == '\\') {
                        escaped = true;
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

    private void copyRestOfScalar(@Nullable Bytes sink) throws IOException {
        while (position < limit || fill()) {
            byte next = buffer[position];
            if (next == ',' || next == '}' || next == ']' || next <= ' ') {
                return;
            }
            if (sink != null) {
                sink.append(next);
            }
            position++;
        }
    }

    private void need() throws IOException {
        if (position == limit && !fill()) {
            throw new EOFException("the answer ended in the middle of an object");
        }
    }

    private void take(@Nullable Bytes sink, int start, int end) {
        if (sink != null) {
            sink.append(buffer, start, end - start);
        }
        position = end;
    }
}
