package io.github.reconciler4j.client.internal;

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;

/** The body of an answer on a connection of its own, which is given back at the end of the body. */
final class SocketBody extends AnswerBody {

    private static final long CHUNKED = -1;
    private static final long UNTIL_END = -2;
    private static final int LONGEST_CHUNK_LINE = 1024;

    private final HttpSocket socket;
    private final Consumer<HttpSocket> onReusable;
    private final Runnable onEnd;
    private final boolean persistent;

    private volatile boolean closed;
    private volatile Duration idleTimeout = Duration.ZERO;

    /** What is left of the body, or a negative mark; used by the reading thread only, like all below. */
    private long left;

    private boolean chunked;
    private long leftOfChunk;
    private boolean behindChunk;
    private boolean ended;

    /**
     * Creates it.
     *
     * @param onReusable takes the connection when the body has ended well and the connection can be used again
     * @param onEnd is called, maybe several times, when the body has ended in whatever way
     */
    SocketBody(HttpSocket socket, ResponseHead head, Consumer<HttpSocket> onReusable, Runnable onEnd)
            throws IOException {
        this.socket = socket;
        this.onReusable = onReusable;
        this.onEnd = onEnd;
        this.left = length(head);
        this.chunked = left == CHUNKED;
        this.persistent = head.persistent() && left != UNTIL_END;
        if (left == 0) {
            endWell();
        }
    }

    private static long length(ResponseHead head) throws IOException {
        if (head.code() == 204 || head.code() == 304) {
            return 0;
        }
        for (String encoding : head.headers().getOrDefault("transfer-encoding", List.of())) {
            if (encoding.toLowerCase(Locale.ROOT).contains("chunked")) {
                return CHUNKED;
            }
        }
        List<String> lengths = head.headers().getOrDefault("content-length", List.of());
        if (lengths.isEmpty()) {
            return UNTIL_END;
        }
        try {
            return Math.max(0, Long.parseLong(lengths.get(0)));
        } catch (NumberFormatException e) {
            throw new IOException("The answer has a malformed length", e);
        }
    }

    @Override
    public void idleTimeout(Duration timeout) {
        idleTimeout = timeout;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, to.length);
        Duration idle = idleTimeout;
        socket.readUntil(idle.isZero() ? Long.MAX_VALUE : System.nanoTime() + idle.toNanos());
        return length == 0 ? 0 : readSome(to, offset, length);
    }

    @Override
    public int available() {
        return ended ? 0 : (int) Math.min(socket.available(), chunked ? leftOfChunk : Integer.MAX_VALUE);
    }

    @Override
    byte[] readAll(long deadline) throws IOException {
        socket.readUntil(deadline);
        byte[] all = new byte[left > 0 ? (int) Math.min(left, 1 << 20) : 4096];
        int count = 0;
        while (true) {
            if (count == all.length && !ended) {
                all = Arrays.copyOf(all, all.length * 2);
            }
            int read = ended ? -1 : readSome(all, count, all.length - count);
            if (read < 0) {
                return count == all.length ? all : Arrays.copyOf(all, count);
            }
            count += read;
        }
    }

    private int readSome(byte[] to, int offset, int length) throws IOException {
        if (closed) {
            throw new IOException("The stream was closed");
        }
        if (ended) {
            return -1;
        }
        try {
            return chunked ? readChunked(to, offset, length) : readPlain(to, offset, length);
        } catch (InterruptedIOException e) {
            throw e;
        } catch (IOException e) {
            throw closed ? new IOException("The stream was closed", e) : e;
        }
    }

    private int readPlain(byte[] to, int offset, int length) throws IOException {
        int count = socket.read(to, offset, left == UNTIL_END ? length : (int) Math.min(length, left));
        if (count < 0) {
            if (left != UNTIL_END) {
                throw new EOFException("The connection ended " + left + " bytes before the answer did");
            }
            endWell();
            return -1;
        }
        if (left != UNTIL_END) {
            left -= count;
            if (left == 0) {
                endWell();
            }
        }
        return count;
    }

    private int readChunked(byte[] to, int offset, int length) throws IOException {
        if (leftOfChunk == 0 && !nextChunk()) {
            return -1;
        }
        int count = socket.read(to, offset, (int) Math.min(length, leftOfChunk));
        if (count < 0) {
            throw new EOFException("The connection ended before the answer did");
        }
        leftOfChunk -= count;
        behindChunk = leftOfChunk == 0;
        return count;
    }

    /** Reads the line before a chunk; false after the last one. Goes on where it was if a wait ended too early. */
    private boolean nextChunk() throws IOException {
        if (behindChunk) {
            socket.line(2);
            behindChunk = false;
        }
        String line = socket.line(LONGEST_CHUNK_LINE);
        int end = line.indexOf(';');
        try {
            leftOfChunk = Long.parseLong(
                    end < 0 ? line.strip() : line.substring(0, end).strip(), 16);
        } catch (NumberFormatException e) {
            throw new IOException("The answer has a malformed chunk", e);
        }
        if (leftOfChunk == 0) {
            ResponseHead.headers(socket);
            endWell();
            return false;
        }
        return true;
    }

    private void endWell() {
        ended = true;
        if (persistent && !closed) {
            onReusable.accept(socket);
        } else {
            socket.cut();
        }
        onEnd.run();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            if (!ended) {
                socket.cut();
            }
            onEnd.run();
        }
    }
}
