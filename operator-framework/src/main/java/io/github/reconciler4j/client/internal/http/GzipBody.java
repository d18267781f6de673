package io.github.reconciler4j.client.internal.http;

import io.github.reconciler4j.client.connection.ApiStream;
import io.github.reconciler4j.client.error.ConnectionException.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/** The body of a compressed response, decompressed as it arrives. One thread may read it. */
final class GzipBody extends ApiStream {

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
