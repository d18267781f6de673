package io.github.reconciler4j.client.internal.http;

import io.github.reconciler4j.client.connection.ApiStream;
import io.github.reconciler4j.client.error.ConnectionException.Problem;
import io.github.reconciler4j.support.Nanos;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.apache.hc.client5.http.io.ConnectionEndpoint;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.MalformedChunkCodingException;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * The body of a response. At its end the connection returns to the pool. One thread reads it; any thread may close it, which
 * closes the connection.
 */
final class ResponseBody extends ApiStream {

    private static final int FIRST_BUFFER = 4 * 1024;
    private static final int MAX_FIRST_BUFFER = 1024 * 1024;

    private final HttpTransport transport;
    private final ConnectionEndpoint endpoint;
    private final ServerConnection connection;
    private final Exchange exchange;
    private final @Nullable HttpEntity entity;
    private final boolean reusable;
    private final AtomicBoolean finished = new AtomicBoolean();

    private volatile boolean closed;
    private volatile Duration idleTimeout = Duration.ZERO;

    // The fields below belong to the reading thread.
    private @Nullable InputStream content;
    private boolean ended;
    private Duration appliedTimeout = Duration.ZERO;

    ResponseBody(
            HttpTransport transport,
            ConnectionEndpoint endpoint,
            ServerConnection connection,
            Exchange exchange,
            @Nullable HttpEntity entity,
            boolean reusable)
            throws IOException {
        this.transport = transport;
        this.endpoint = endpoint;
        this.connection = connection;
        this.exchange = exchange;
        this.entity = entity;
        this.reusable = reusable;
        this.content = entity == null ? null : entity.getContent();
        if (entity == null || entity.getContentLength() == 0) {
            end();
        }
    }

    /** Let the body take any time from now on. */
    void removeDeadline() {
        exchange.removeDeadline();
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
        if (closed) {
            throw new IOException("The stream is closed");
        }
        if (ended || length == 0) {
            return ended ? -1 : 0;
        }
        Duration timeout = idleTimeout;
        if (!timeout.equals(appliedTimeout)) {
            connection.setSocketTimeout(Timeout.of(Nanos.bounded(timeout)));
            appliedTimeout = timeout;
        }
        return readSome(to, offset, length);
    }

    private int readSome(byte[] to, int offset, int length) throws IOException {
        int count;
        try {
            count = Objects.requireNonNull(content).read(to, offset, length);
        } catch (MalformedChunkCodingException | MessageConstraintException e) {
            throw failure(
                    connection.hasEnded()
                            ? new EOFException("The connection ended before the response did")
                            : new TransportException(Problem.MALFORMED_RESPONSE, reason(e), null));
        } catch (SocketTimeoutException e) {
            exchange.check();
            throw e; // the reader may try again
        } catch (IOException e) {
            throw failure(e);
        }
        if (count < 0) {
            if (entity != null && entity.isChunked() && connection.hasEnded()) {
                throw failure(new EOFException("The connection ended before the last chunk did"));
            }
            end();
        }
        return count;
    }

    /** The library quotes the line that it cannot read, which can be content; so does the cause. */
    private static String reason(IOException e) {
        String message = String.valueOf(e.getMessage());
        int quoted = message.indexOf(": ");
        return quoted < 0 ? message : message.substring(0, quoted);
    }

    private IOException failure(IOException e) {
        boolean wasClosed = closed;
        IOException reason = transport.reason(exchange, e);
        close();
        return wasClosed ? new IOException("The stream is closed", e) : reason;
    }

    @Override
    public int available() throws IOException {
        InputStream current = content;
        return ended || closed || current == null ? 0 : current.available();
    }

    /**
     * Read the rest of the body.
     *
     * @throws TransportException if it is longer than {@code maxLength} bytes
     */
    byte[] readAll(int maxLength) throws IOException {
        long announced = entity == null ? 0 : entity.getContentLength();
        if (announced > maxLength) {
            throw tooLong(maxLength);
        }
        byte[] all = new byte[announced >= 0 ? (int) Math.min(announced, MAX_FIRST_BUFFER) : FIRST_BUFFER];
        int count = 0;
        while (!ended) {
            if (count == all.length) {
                int next = read();
                if (next < 0) {
                    break;
                }
                if (count >= maxLength) {
                    throw tooLong(maxLength);
                }
                all = Arrays.copyOf(all, (int) Math.min(maxLength, Math.max(FIRST_BUFFER, all.length * 2L)));
                all[count++] = (byte) next;
                continue;
            }
            int read = read(all, count, all.length - count);
            count += Math.max(0, read);
        }
        return count == all.length ? all : Arrays.copyOf(all, count);
    }

    private IOException tooLong(int maxLength) {
        close();
        return new TransportException(
                Problem.MALFORMED_RESPONSE, "The response is longer than " + maxLength + " bytes", null);
    }

    private void end() {
        ended = true;
        if (finished.compareAndSet(false, true)) {
            if (!appliedTimeout.isZero()) {
                connection.setSocketTimeout(Timeout.DISABLED);
            }
            transport.release(endpoint, connection, exchange, reusable);
        }
    }

    @Override
    public void close() {
        closed = true;
        if (finished.compareAndSet(false, true)) {
            transport.abandon(endpoint, exchange);
        }
    }

    /** The body of a compressed response, decompressed as it arrives. One thread may read it. */
    static final class GzipBody extends ApiStream {

        private static final int BUFFER_SIZE = 16 * 1024;
        private static final int TRAILER_LENGTH = 8;

        private final ApiStream compressed;
        private @Nullable Decompressor plain;

        GzipBody(ApiStream compressed) {
            this.compressed = compressed;
        }

        /** Created by the first read, since its constructor reads. */
        private Decompressor plain() throws IOException {
            Decompressor current = plain;
            if (current == null) {
                current = new Decompressor(compressed);
                plain = current;
            }
            return current;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            try {
                int count = plain().read(to, offset, length);
                if (count < 0 && (plain().hasRest() || compressed.read() >= 0)) {
                    throw new ZipException("bytes follow the end of the compressed data");
                }
                return count;
            } catch (ZipException e) {
                compressed.close();
                throw new TransportException(
                        Problem.MALFORMED_RESPONSE, "The compressed response is corrupt: " + e.getMessage(), e);
            }
        }

        @Override
        public void idleTimeout(Duration timeout) {
            compressed.idleTimeout(timeout);
        }

        /** Leaves the decompressor to its cleaner, since another thread may be using it. */
        @Override
        public void close() {
            compressed.close();
        }

        private static final class Decompressor extends GZIPInputStream {

            Decompressor(InputStream in) throws IOException {
                super(in, BUFFER_SIZE);
            }

            /** Return whether bytes that are already read follow the trailer; the JDK ignores them. */
            boolean hasRest() {
                return inf.getRemaining() > TRAILER_LENGTH;
            }
        }
    }
}
