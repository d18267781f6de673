package io.github.reconciler4j.benchmarks;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.Config;
import io.github.reconciler4j.client.ApiConnection;
import io.github.reconciler4j.client.ApiException;
import io.github.reconciler4j.client.ApiRequest;
import io.github.reconciler4j.client.ApiResponse;
import io.github.reconciler4j.client.ApiStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A connection that answers list requests with generated objects, and watch requests with silence. */
final class MemoryConnection implements ApiConnection {

    private final ObjectMapper mapper = new ObjectMapper();
    private final SampleObjects.Kind kind;
    private final int count;

    MemoryConnection(SampleObjects.Kind kind, int count) {
        this.kind = kind;
        this.count = count;
    }

    @Override
    public Config config() {
        return Config.empty();
    }

    @Override
    public ObjectMapper mapper() {
        return mapper;
    }

    /** This server does not say what it serves. */
    @Override
    public ApiResponse send(ApiRequest request) {
        throw new ApiException("only streams are answered", 503, "ServiceUnavailable", List.of(), Optional.empty());
    }

    @Override
    public ApiStream stream(ApiRequest request) {
        return new Generated(request.verb().equals("list"));
    }

    @Override
    public void close() {
        // nothing is open
    }

    /** The answer, made piece by piece, so that it is never in memory as a whole. */
    private final class Generated extends ApiStream {

        private final SampleObjects objects = new SampleObjects(42);
        private final boolean list;
        private byte[] piece;
        private int at;
        private int made;
        private volatile boolean closed;

        Generated(boolean list) {
            this.list = list;
            piece = "{\"metadata\":{\"resourceVersion\":\"99999999\"},\"items\":[".getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public void idleTimeout(Duration timeout) {
            // it is never idle, or always
        }

        @Override
        public int read() {
            throw new UnsupportedOperationException("read pieces");
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            if (!list) {
                return silence();
            }
            if (at == piece.length && !nextPiece()) {
                return -1;
            }
            int size = Math.min(length, piece.length - at);
            System.arraycopy(piece, at, to, offset, size);
            at += size;
            return size;
        }

        private boolean nextPiece() {
            if (made > count) {
                return false;
            }
            if (made == count) {
                piece = "]}".getBytes(StandardCharsets.UTF_8);
            } else {
                byte[] object = objects.next(kind, made);
                piece = new byte[object.length + 1];
                piece[0] = (byte) (made == 0 ? ' ' : ',');
                System.arraycopy(object, 0, piece, 1, object.length);
            }
            at = 0;
            made++;
            return true;
        }

        private int silence() throws IOException {
            try {
                while (!closed) {
                    Thread.sleep(20);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            throw new IOException("closed");
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
