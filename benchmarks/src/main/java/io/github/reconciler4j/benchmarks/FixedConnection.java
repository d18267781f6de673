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
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A connection that answers list requests with the same bytes each time, and watch requests with what is sent. */
final class FixedConnection implements ApiConnection {

    private static final byte[] END = {};

    private final ObjectMapper mapper = new ObjectMapper();
    private final BlockingQueue<byte[]> events = new LinkedBlockingQueue<>();
    private final byte[] list;

    FixedConnection(byte[] list) {
        this.list = list;
    }

    /** Has the watch bring an event. */
    void send(String event) {
        events.add(event.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public Config config() {
        return Config.empty();
    }

    @Override
    public ObjectMapper mapper() {
        return mapper;
    }

    @Override
    public ApiResponse send(ApiRequest request) {
        throw new ApiException("only streams are answered", 0, "", List.of(), Optional.empty());
    }

    @Override
    public ApiStream stream(ApiRequest request) {
        boolean watch = request.verb().equals("watch");
        return new Pieces(watch ? new byte[0] : list, watch);
    }

    @Override
    public void close() {
        events.add(END);
    }

    /** Gives out what there is, and in a watch waits for more. */
    private final class Pieces extends ApiStream {

        private final boolean watch;
        private byte[] piece;
        private int at;

        Pieces(byte[] piece, boolean watch) {
            this.piece = piece;
            this.watch = watch;
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
            if (at == piece.length) {
                if (!watch || (piece = next()) == END) {
                    return -1;
                }
                at = 0;
            }
            int size = Math.min(length, piece.length - at);
            System.arraycopy(piece, at, to, offset, size);
            at += size;
            return size;
        }

        private byte[] next() throws IOException {
            try {
                return events.take();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }

        @Override
        public void close() {
            // whoever waits for an event is interrupted by the cache
        }
    }
}
