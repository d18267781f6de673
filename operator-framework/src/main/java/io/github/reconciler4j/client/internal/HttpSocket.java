package io.github.reconciler4j.client.internal;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/**
 * One connection, maybe encrypted, with a buffer for reading. Used by one thread at a time, except for {@link #cut},
 * which any thread may call.
 */
final class HttpSocket {

    private static final int BUFFER = 8192;

    private final SocketChannel channel;
    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final byte[] buffer = new byte[BUFFER];
    private int position;
    private int limit;
    private long deadline = Long.MAX_VALUE;
    private int timeoutSet;
    private long idleSince;
    private final StringBuilder line = new StringBuilder(64);

    /**
     * Creates it.
     *
     * @param socket the channel's socket, or one that encrypts over it
     */
    HttpSocket(SocketChannel channel, Socket socket) throws IOException {
        this.channel = channel;
        this.socket = socket;
        this.in = socket.getInputStream();
        this.out = socket.getOutputStream();
        this.timeoutSet = socket.getSoTimeout();
    }

    SocketChannel channel() {
        return channel;
    }

    Socket socket() {
        return socket;
    }

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** The milliseconds until a point in time, at least 1; 0, which sockets take for no end, if there is none. */
    static int millisUntil(long deadline) throws SocketTimeoutException {
        if (deadline == Long.MAX_VALUE) {
            return 0;
        }
        long left = deadline - System.nanoTime();
        if (left <= 0) {
            throw new SocketTimeoutException("No byte arrived in time");
        }
        return (int) Math.min(Integer.MAX_VALUE, (left + 999_999) / 1_000_000);
    }

    /** An interrupt closes the channel under a blocked operation, which then fails in ways of its own. */
    static void rethrowIfInterrupted() throws InterruptedIOException {
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedIOException("Interrupted while waiting for the server");
        }
    }

    /** Says until when the following reads may wait; {@link Long#MAX_VALUE} is for ever. */
    void readUntil(long newDeadline) {
        deadline = newDeadline;
    }

    void write(byte[] bytes) throws IOException {
        try {
            out.write(bytes);
            out.flush();
        } catch (IOException e) {
            rethrowIfInterrupted();
            throw e;
        }
    }

    /** The next byte, -1 at the end. */
    int read() throws IOException {
        return fill() ? buffer[position++] & 0xFF : -1;
    }

    /** Some bytes, -1 at the end. */
    int read(byte[] to, int offset, int length) throws IOException {
        if (position == limit && length >= BUFFER) {
            return readDirectly(to, offset, length);
        }
        if (!fill()) {
            return -1;
        }
        int count = Math.min(length, limit - position);
        System.arraycopy(buffer, position, to, offset, count);
        position += count;
        return count;
    }

    /** How many bytes can be read without waiting. */
    int available() {
        return limit - position;
    }

    private boolean fill() throws IOException {
        if (position < limit) {
            return true;
        }
        int count = readDirectly(buffer, 0, BUFFER);
        position = 0;
        limit = Math.max(0, count);
        return count > 0;
    }

    private int readDirectly(byte[] to, int offset, int length) throws IOException {
        int timeout = millisUntil(deadline);
        try {
            if (timeout != timeoutSet) {
                socket.setSoTimeout(timeout);
                timeoutSet = timeout;
            }
            return in.read(to, offset, length);
        } catch (SocketTimeoutException e) {
            throw e;
        } catch (IOException e) {
            rethrowIfInterrupted();
            throw e;
        }
    }

    /** A line without its end. What has come before a timeout is kept for the next call. */
    String line(int longest) throws IOException {
        for (int c = read(); c != '\n'; c = read()) {
            if (c < 0) {
                throw new EOFException("The connection ended within the head of the answer");
            }
            if (line.length() >= longest) {
                throw new IOException("The head of the answer is too long");
            }
            line.append((char) c);
        }
        int length = line.length();
        if (length > 0 && line.charAt(length - 1) == '\r') {
            length--;
        }
        String text = line.substring(0, length);
        line.setLength(0);
        return text;
    }

    void idleSince(long nanos) {
        idleSince = nanos;
    }

    long idleSince() {
        return idleSince;
    }

    /** Whether an idle connection can be used again: nothing has come, not even its end. */
    boolean isUsable() {
        if (position < limit || !channel.isOpen()) {
            return false;
        }
        try {
            channel.configureBlocking(false);
            try {
                return channel.read(ByteBuffer.allocate(1)) == 0;
            } finally {
                channel.configureBlocking(true);
            }
        } catch (IOException e) {
            return false;
        }
    }

    /** Ends the connection, and whatever waits for it; never blocks. */
    void cut() {
        cut(channel);
    }

    /** Ends a connection, and whatever waits for it; never blocks. */
    static void cut(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            // It is closed all the same.
        }
    }
}
