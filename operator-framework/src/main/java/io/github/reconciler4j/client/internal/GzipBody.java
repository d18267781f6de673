package io.github.reconciler4j.client.internal;

import io.github.reconciler4j.client.connection.ApiStream;
import java.io.IOException;
import java.time.Duration;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** The body of a compressed answer, decompressed as it arrives. To be read by one thread. */
final class GzipBody extends ApiStream {

    private static final int BUFFER = 16 * 1024;

    private final ApiStream compressed;
    private @Nullable GZIPInputStream plain;

    GzipBody(ApiStream compressed) {
        this.compressed = compressed;
    }

    static boolean isGzip(Transport.Answer answer) {
        return answer.header("content-encoding").stream().anyMatch("gzip"::equalsIgnoreCase);
    }

    /** Made at the first read, because it reads at once. */
    private GZIPInputStream plain() throws IOException {
        GZIPInputStream known = plain;
        if (known == null) {
            known = new GZIPInputStream(compressed, BUFFER);
            plain = known;
        }
        return known;
    }

    @Override
    public int read() throws IOException {
        return plain().read();
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
        return plain().read(to, offset, length);
    }

    @Override
    public void idleTimeout(Duration timeout) {
        compressed.idleTimeout(timeout);
    }

    /** Leaves the decompressor to its cleaner, as another thread may be using it. */
    @Override
    public void close() {
        compressed.close();
    }
}
